"""Where the values of a path come from: file, line and column, and absent told apart from null."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from submission_checker.documents import Form, locate
from submission_checker.documents.problems import escape
from submission_checker.engine import kinds
from submission_checker.engine.errors import did_you_mean
from submission_checker.engine.extraction import Path, Record, Trace
from submission_checker.engine.rules import Extract
from submission_checker.engine.subjects import AsWritten, Run, State, States, Subject

MOST = 500
"""Places that are told of one value."""
_MOST_FACTS = 10
"""Facts by path that are followed, one behind the other."""
_MOST_SHOWN = 20_000
"""Parts of one value that are shown."""

VALUE, NULL, ABSENT = "value", "null", "absent"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value was read, or looked for."""

    state: str
    """`value`, `null` or `absent`."""
    location: str
    """The file below the root; for one outside its path, for none the subject's folder."""
    pointer: str | None = None
    line: int | None = None
    column: int | None = None
    note: str = ""
    """What else there is to say, such as why it is absent."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a path found."""

    value: Any
    state: str
    places: tuple[Place, ...]


class Places:
    """Finds out where the values of paths stand, for one run.

    Args:
        run: The run, whose documents are read when they are asked for.
    """

    def __init__(self, run: Run):
        self._run = run
        self._known: dict[int, tuple[str, str, str, Any]] = {}
        """Identity of a container to location, file, pointer, and the container (so that it stays)."""
        self._documents: set[int] = set()
        self._lines: dict[tuple[str, str], tuple[int, int] | None] = {}

    def search(self, path: Path, root: Any) -> Found:
        """Return what a path finds at a subject, or in a value, and where.

        Raises:
            EvaluationError: where a function of the path meets a wrong kind.
        """
        value, trace = path.trace(root)
        places = list(dict.fromkeys(self._places(trace, 0)))[:MOST]
        if value is not None:
            state = VALUE
        else:
            state = NULL if any(place.state == NULL for place in places) else ABSENT
        return Found(value, state, tuple(self._with_lines(places)))

    def _places(self, trace: Trace, depth: int) -> Iterator[Place]:
        self._learn()
        containers = {id(container) for container, _ in (*trace.read, *trace.absent)}
        for container, key in trace.read:
            value = _entry(container, key)
            if not _leads_on(value, containers):
                yield from self._place(container, key, value, VALUE if value is not None else NULL, depth)
        for container, key in trace.absent:
            yield from self._place(container, key, None, ABSENT, depth)

    def _place(self, container: Any, key: str | int, value: Any, state: str, depth: int) -> Iterator[Place]:
        if isinstance(container, Subject):
            yield from self._of_subject(container, str(key), state, depth)
        elif isinstance(container, State):
            yield Place(state, str(container.get("path") or "."), note=str(key))
        elif isinstance(container, States | AsWritten):
            yield Place(state, ".", note=f"no document or place {key}")
        elif id(container) in self._known:
            yield self._in_document(container, key, state)

    def _in_document(self, container: Any, key: str | int, state: str) -> Place:
        location, file, pointer, _ = self._known[id(container)]
        inner = f"{pointer}/{escape(str(key))}"
        if state == ABSENT:
            known = container if isinstance(container, dict) else ()
            note = f"no such entry{did_you_mean(str(key), known)}"
        else:
            note = "" if self._is_written(file, inner) else "not written in the file"
        return Place(state, location or file, inner, note=note)

    def _is_written(self, file: str, pointer: str) -> bool:
        """Tell whether a value stands in the file itself: conversion fills in some that do not."""
        for _, path, value in self._run.documents():
            if path == file:
                # What is read comes first, then what is converted.
                return _at(value, pointer) is not _NOTHING
        return True

    def _of_subject(self, subject: Subject, key: str, state: str, depth: int) -> Iterator[Place]:
        owner: Subject | None = subject
        while owner is not None and key not in self._run.index[owner.scope.name]:
            owner = owner.parent
        kind, payload = ("", None) if owner is None else self._run.index[owner.scope.name][key]
        if owner is None:
            # Tables, names of the folder's pattern and the like.
            if key not in self._run.ruleset.tables:
                yield Place(state, subject.location, note=key)
        elif kind == "document":
            file = owner.get("files").get(key)
            yield Place(state, str(file.get("path")), "", note=_about(file) if state == ABSENT else "")
        elif kind == "children":
            yield Place(state, owner.location, note=key)
        elif isinstance(payload, Extract) and payload.of is None and depth < _MOST_FACTS:
            _, trace = payload.path.trace(owner)
            yield from self._places(trace, depth + 1)
        else:
            yield Place(state, owner.location, note=f"the fact {key}")

    def _learn(self) -> None:
        """Learn where the containers of all documents stand that were read since the last time."""
        for location, file, value in self._run.documents():
            if isinstance(value, dict | list) and id(value) not in self._documents:
                self._documents.add(id(value))
                self._enter(value, location, file)

    def _enter(self, value: Any, location: str, file: str) -> None:
        stack: list[tuple[Any, str]] = [(value, "")]
        while stack:
            container, pointer = stack.pop()
            self._known[id(container)] = (location, file, pointer, container)
            entries = container.items() if isinstance(container, dict) else enumerate(container)
            stack += [
                (item, f"{pointer}/{escape(str(key))}")
                for key, item in entries
                if isinstance(item, dict | list) and id(item) not in self._known
            ]

    def _with_lines(self, places: Iterable[Place]) -> Iterator[Place]:
        """Give places in a file their line and column."""
        wanted = list(places)
        self._look_up({(place.location, place.pointer) for place in wanted if place.pointer is not None})
        for place in wanted:
            found = self._lines.get((place.location, place.pointer or ""))
            known = place.pointer is not None and found is not None and not place.note
            yield replace(place, line=found[0], column=found[1]) if known and found else place

    def _look_up(self, wanted: set[tuple[str, str]]) -> None:
        missing: dict[str, list[str]] = {}
        for location, pointer in wanted:
            if (location, pointer) not in self._lines:
                missing.setdefault(location, []).append(pointer)
        for location, pointers in missing.items():
            form: Form = "yaml" if location.endswith((".yaml", ".yml")) else "json"
            file = location if location.startswith("/") else self._run.absolute(location)
            found = locate(file, form, pointers)
            for pointer in pointers:
                self._lines[location, pointer] = found.get(pointer)


def _about(file: Any) -> str:
    if not file.get("exists"):
        return "no such file"
    problems = file.get("problems") or []
    return f"cannot be used: {problems[0]['message']}" if problems else "empty"


_NOTHING = object()


def _at(value: Any, pointer: str) -> Any:
    for token in pointer.split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list) and key.lstrip("-").isdecimal() and -len(value) <= int(key) < len(value):
            value = value[int(key)]
        else:
            return _NOTHING
    return value


def _entry(container: Any, key: str | int) -> Any:
    return container[int(key)] if isinstance(container, list) else container.get(key)


def _leads_on(value: Any, containers: set[int]) -> bool:
    """Tell whether a path went on from a value; only where it ends is of interest."""
    if id(value) in containers:
        return isinstance(value, Mapping | Record | list)
    if isinstance(value, list):
        return any(_leads_on(item, containers) for item in value)
    return False


def plain(value: Any) -> Any:
    """Return a value as plain data: a folder becomes its location, the state of a file its entries."""
    return _plain(value, [_MOST_SHOWN])


def _plain(value: Any, budget: list[int]) -> Any:
    budget[0] -= 1
    if budget[0] < 0:
        return "…"
    if isinstance(value, Subject):
        return value.location
    if isinstance(value, State):
        return {key: _plain(value.get(key), budget) for key in ("path", "exists", "kind", "problems")}
    if isinstance(value, Record):
        return "…"
    if isinstance(value, list | tuple):
        return [_plain(item, budget) for item in value]
    if isinstance(value, Mapping):
        return {str(key): _plain(item, budget) for key, item in value.items()}
    return kinds.plain(value) if isinstance(value, int) and value.bit_length() > 10_000 else value
