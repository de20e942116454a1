"""Where a value stands in its file. Asked only for what is reported, so the file is read again."""

from __future__ import annotations

import bisect
import contextlib
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any, Final

from submission_checker.documents.files import Root, StrPath, decode, fetch
from submission_checker.documents.json_reader import refuse_too_many
from submission_checker.documents.problems import (
    DEFAULT,
    MOST_REMARKS,
    Form,
    Limits,
    Problem,
    Refused,
    escape,
    unescape,
)

Place = tuple[int, int]
"""Line and column, both from 1."""

_MOST_NODES: Final = 200_000
"""Values of a YAML file beyond which no places are looked up: it would take seconds."""

_SPACE: Final = re.compile(r"[ \t\r\n]*")
_BREAK: Final = re.compile(r"\r\n|\r|\n")
_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:]', re.DOTALL)


def locate(
    path: StrPath,
    form: Form,
    pointers: Iterable[str],
    *,
    root: Root | StrPath | None = None,
    limits: Limits = DEFAULT,
) -> dict[str, Place]:
    """Find the places of values in the document at *path*, in one pass.

    Args:
        path: The file.
        form: `json` or `yaml`.
        pointers: JSON pointers; an empty one is the whole document.
        root: As for `read`.
        limits: As for `read`.

    Returns:
        Line and column, from 1, for each pointer. For a value that is not there, the place of the nearest
        parent that is. Pointers into what cannot be read, or lies behind broken syntax, are left out.
    """
    wanted = list(dict.fromkeys(pointers))
    try:
        data = fetch(path, root, limits)
        if form == "json":
            text = decode(data)
            refuse_too_many(text, limits)
            return locate_in_json(text, wanted)
        return _locate_in_yaml(data, wanted, limits)
    except Refused:
        return {}


def _tokens(pointer: str) -> list[str]:
    return [unescape(token) for token in pointer.split("/")[1:]]


class _Node:
    """What is wanted below one value, and where that value was found."""

    __slots__ = ("below", "offset")

    def __init__(self) -> None:
        self.below: dict[str, _Node] = {}
        self.offset: int | None = None

    def forget(self) -> None:
        """Forget what an earlier value of the same key had: the last one counts."""
        self.offset = None
        for node in self.below.values():
            node.forget()


def locate_in_json(text: str, pointers: list[str]) -> dict[str, Place]:
    """Find the places of values in JSON *text*.

    Only what lies on the way to a pointer is looked at; all else is skipped by the C parser.
    """
    text = text.removeprefix("\ufeff")
    top = _Node()
    for pointer in pointers:
        node = top
        for token in _tokens(pointer):
            node = node.below.setdefault(token, _Node())
    broken = (ValueError, StopIteration, IndexError, RecursionError)
    with contextlib.suppress(*broken):  # what was found before still holds
        _visit(text, _space(text, 0), top, json.JSONDecoder().scan_once)  # type: ignore[attr-defined]
    starts = [0, *(found.end() for found in _BREAK.finditer(text))]
    places = {}
    for pointer in pointers:
        offset = _deepest(top, _tokens(pointer))
        if offset is not None:
            line = bisect.bisect_right(starts, offset)
            places[pointer] = (line, offset - starts[line - 1] + 1)
    return places


def _deepest(node: _Node, tokens: list[str]) -> int | None:
    """Offset of the value that *tokens* lead to, or of its nearest parent that exists."""
    offset = node.offset
    for token in tokens:
        node = node.below[token]
        if node.offset is None:
            break
        offset = node.offset
    return offset


def _space(text: str, index: int) -> int:
    found = _SPACE.match(text, index)
    return found.end() if found else index


def _visit(text: str, index: int, node: _Node, skip: Callable[[str, int], tuple[Any, int]]) -> int:
    """Note the value that starts at *index*, look below it if wanted, and return where it ends."""
    node.offset = index
    opening = text[index]
    last = _last_wanted(node) if opening == "[" else None
    if not node.below or opening not in "{[" or last == -1:
        return skip(text, index)[1]
    index = _space(text, index + 1)
    if text[index] in "}]":
        return index + 1
    position = 0
    while True:
        if opening == "{":
            key, index = scanstring(text, index + 1)
            index = _space(text, _space(text, index) + 1)  # over the colon
        else:
            if last is not None and position > last:
                return skip(text, node.offset)[1]
            key = str(position)
            position += 1
        below = node.below.get(key)
        if below is None:
            index = skip(text, index)[1]
        else:
            below.forget()
            index = _visit(text, index, below, skip)
        index = _space(text, index)
        if text[index] != ",":
            return index + 1
        index = _space(text, index + 1)


def _last_wanted(node: _Node) -> int:
    """Find the largest index that is wanted below a list, -1 if there is none."""
    return max((int(token) for token in node.below if token.isdecimal()), default=-1)


def json_duplicates(text: str) -> tuple[Problem, ...]:
    """Find the keys that are given twice in one object of valid JSON *text*."""
    remarks = []
    keys: list[set[str] | None] = []
    path: list[Any] = []
    starts = [0, *(found.end() for found in _BREAK.finditer(text))]
    expects_key = False
    for found in _TOKEN.finditer(text):
        token = found.group()
        if token == "{":
            keys.append(set())
            path.append("")
            expects_key = True
        elif token == "[":
            keys.append(None)
            path.append(0)
            expects_key = False
        elif token in ("}", "]"):
            keys.pop()
            path.pop()
            expects_key = False
        elif token == ",":
            expects_key = keys[-1] is not None
            if not expects_key:
                path[-1] += 1
        elif token != ":" and expects_key:
            expects_key = False
            names = keys[-1]
            path[-1] = key = json.loads(token, strict=False)
            if names is not None and key in names:
                line = bisect.bisect_right(starts, found.start())
                message = f"key {key!r} is given more than once; the last one counts"
                pointer = "".join(f"/{escape(part)}" for part in path)
                column = found.start() - starts[line - 1] + 1
                remarks.append(Problem("duplicate", message, pointer, line, column))
                if len(remarks) == MOST_REMARKS:
                    break
            elif names is not None:
                names.add(key)
    return tuple(remarks)


def _locate_in_yaml(data: bytes, pointers: list[str], limits: Limits) -> dict[str, Place]:
    """Find the places of values in YAML, through PyYAML's nodes."""
    from submission_checker.documents.yaml_reader import child_node, compose_yaml

    top = compose_yaml(data, replace(limits, max_nodes=min(limits.max_nodes, _MOST_NODES)))
    places = {}
    if top is None:
        return dict.fromkeys(pointers, (1, 1))
    for pointer in pointers:
        node = top
        for token in _tokens(pointer):
            below = child_node(node, token)
            if below is None:
                break
            node = below
        places[pointer] = (node.start_mark.line + 1, node.start_mark.column + 1)
    return places
