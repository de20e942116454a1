"""Reading the YAML of a ruleset: what the editor wrote is what is meant, and errors know their place.

Not YAML 1.1: `on`, `no`, `1e-3`, `12:30` and dates mean what they look like, keys are texts,
and tags, anchors and duplicate keys are refused.
"""

from __future__ import annotations

import re
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from submission_checker.engine.errors import Mistake, RulesetError

MAX_BYTES = 4_000_000
MAX_DEPTH = 60
_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)

_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_NUMBER = re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_WORDS = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
    ".inf": float("inf"), "-.inf": float("-inf"), ".nan": float("nan"),
}  # fmt: skip


def scalar(text: str) -> Any:
    """Return the value of a plain scalar by YAML 1.2's core rules.

    >>> scalar("no"), scalar("1e-3"), scalar("12:30"), scalar("1.10"), scalar("2026-10")
    ('no', 0.001, '12:30', 1.1, '2026-10')
    """
    if text in _WORDS:
        return _WORDS[text]
    if text[0] in "+-.0123456789" and len(text) < 400:
        if _INTEGER.fullmatch(text):
            return int(text)
        if _NUMBER.fullmatch(text):
            return float(text)
    return text


class Marks:
    """Where each part of a file stands: JSON-pointer-like tuples to line and column, from 1."""

    def __init__(self, file: str):
        self.file = file
        self.places: dict[tuple[str | int, ...], tuple[int, int]] = {}

    def place(self, at: tuple[str | int, ...]) -> tuple[int, int]:
        """Return line and column of the part at *at*, or of the nearest part around it."""
        while at and at not in self.places:
            at = at[:-1]
        return self.places.get(at, (1, 1))

    def depth(self, at: tuple[str | int, ...]) -> int:
        """Return how much of *at* is known: the length of the nearest part around it."""
        while at and at not in self.places:
            at = at[:-1]
        return len(at)

    def mistake(self, at: tuple[str | int, ...], message: str, kind: str = "link") -> Mistake:
        """Say *message* of the part at *at*, or of the nearest part around it."""
        line, column = self.place(at)
        return Mistake(self.file, line, column, message, kind)


class Overlaid(Marks):
    """The marks of a file of which another file changes some parts.

    Args:
        below: The marks of the file.
        above: The marks of the other file.
        prefix: Where in the other file the changes stand.
    """

    def __init__(self, below: Marks, above: Marks, prefix: tuple[str | int, ...]):
        super().__init__(below.file)
        self.places = below.places
        self._below = below
        self._above = above
        self._prefix = prefix

    def depth(self, at: tuple[str | int, ...]) -> int:
        """Return how much of *at* is known to either file."""
        return max(self._below.depth(at), self._changed(at))

    def _changed(self, at: tuple[str | int, ...]) -> int:
        return max(0, self._above.depth((*self._prefix, *at)) - len(self._prefix))

    def place(self, at: tuple[str | int, ...]) -> tuple[int, int]:
        """Return line and column of the part at *at*, in the file that says more of it."""
        found = self.mistake(at, "")
        return found.line or 1, found.column or 1

    def mistake(self, at: tuple[str | int, ...], message: str, kind: str = "link") -> Mistake:
        """Say *message* of the part at *at*, in the file that says more of it."""
        changed, known = self._changed(at), self._below.depth(at)
        if changed >= known and (changed or not self._below.places):
            return self._above.mistake((*self._prefix, *at), message, kind)
        return self._below.mistake(at, message, kind)


def load(path: Path, *, name: str | None = None) -> tuple[Any, Marks]:
    """Read one YAML file of a ruleset.

    Args:
        path: The file.
        name: What to call it in errors; its path by default.

    Raises:
        RulesetError: for anything but one plain YAML document, with line and column.
    """
    marks = Marks(name or str(path))
    return loads(read(path, marks.file), marks), marks


def read(path: Path, name: str) -> str:
    """Return the text of one file of a ruleset.

    Raises:
        RulesetError: for one that is too large, cannot be read, or is not UTF-8.
    """
    try:
        status = path.stat()
        if status.st_size > MAX_BYTES:
            raise RulesetError([Mistake(name, None, None, f"larger than {MAX_BYTES:,} bytes", "yaml")])
        if not stat.S_ISREG(status.st_mode):  # a pipe or a device could be read for ever
            raise RulesetError([Mistake(name, None, None, "cannot be read: not a regular file", "yaml")])
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        reason = error.strerror or str(error)
        raise RulesetError([Mistake(name, None, None, f"cannot be read: {reason}", "yaml")]) from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        message = f"not UTF-8: byte {error.start}"
        raise RulesetError([Mistake(name, line, None, message, "yaml")]) from None


def loads(text: str, marks: Marks) -> Any:
    """Read the text of one YAML file; see `load`."""
    loader = _LOADER(text)
    try:
        node = loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        raise RulesetError([_not_yaml(error, marks)]) from None
    except yaml.reader.ReaderError as error:
        line = text.encode()[: error.position].count(b"\n") + 1
        raise RulesetError([Mistake(marks.file, line, None, f"not YAML: {error.reason}", "yaml")]) from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise RulesetError(
            [Mistake(marks.file, None, None, f"not YAML: {error or 'nested too deeply'}", "yaml")]
        ) from None
    finally:
        loader.dispose()
    mistakes: list[Mistake] = []
    value = None if node is None else _value(node, (), marks, mistakes, set())
    if mistakes:
        raise RulesetError([replace(mistake, kind="yaml") for mistake in mistakes])
    return value


def _not_yaml(error: yaml.MarkedYAMLError, marks: Marks) -> Mistake:
    """Say where the reader gave up, and where what it was reading begins."""
    mark, begin = error.problem_mark or error.context_mark, error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (None, None)
    message = f"not YAML: {error.problem or error.context}"
    if error.problem and error.context and begin is not None and mark is not None and begin.line < mark.line:
        message += f" {error.context} from line {begin.line + 1} on"
    return Mistake(marks.file, line, column, message, "yaml")


def _value(
    node: Any, at: tuple[str | int, ...], marks: Marks, mistakes: list[Mistake], seen: set[int]
) -> Any:
    mark = node.start_mark
    marks.places[at] = (mark.line + 1, mark.column + 1)
    if id(node) in seen or len(at) > MAX_DEPTH:
        mistakes.append(
            marks.mistake(
                at, "anchors and aliases are not used in rules" if id(node) in seen else "nested too deeply"
            )
        )
        return None
    seen.add(id(node))
    if isinstance(node, yaml.ScalarNode):
        return _scalar_value(node, at, marks, mistakes)
    if isinstance(node, yaml.SequenceNode):
        _check_tag(node, "seq", at, marks, mistakes)
        return [_value(item, (*at, index), marks, mistakes, seen) for index, item in enumerate(node.value)]
    _check_tag(node, "map", at, marks, mistakes)
    mapping: dict[str, Any] = {}
    for key, item in node.value:
        name = key.value if isinstance(key, yaml.ScalarNode) else None
        if name is None:
            place = key.start_mark
            mistakes.append(Mistake(marks.file, place.line + 1, place.column + 1, "a key must be a text"))
        elif name in mapping:
            place = key.start_mark
            mistakes.append(
                Mistake(marks.file, place.line + 1, place.column + 1, f"the key {name} is there twice")
            )
        else:
            entry = (*at, name)
            mapping[name] = _value(item, entry, marks, mistakes, seen)
            # A mistake about an entry is best shown at its key.
            if not isinstance(item, yaml.ScalarNode):
                marks.places[entry] = (key.start_mark.line + 1, key.start_mark.column + 1)
    return mapping


def _scalar_value(node: Any, at: tuple[str | int, ...], marks: Marks, mistakes: list[Mistake]) -> Any:
    tag = node.tag
    if tag and tag not in ("tag:yaml.org,2002:str", "!"):
        mistakes.append(marks.mistake(at, f"the tag {tag} is not used in rules; put the text in quotes"))
    return node.value if node.style else scalar(node.value)


def _check_tag(
    node: Any, kind: str, at: tuple[str | int, ...], marks: Marks, mistakes: list[Mistake]
) -> None:
    if node.tag not in (None, "!", f"tag:yaml.org,2002:{kind}"):
        mistakes.append(marks.mistake(at, f"the tag {node.tag} is not used in rules"))
