"""Subjects: the folder as a tree of what rules look at, with documents, facts and file states on demand."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from submission_checker.documents import Form, Problem, Reading, Root, read
from submission_checker.engine.errors import EvaluationError
from submission_checker.engine.extraction import Record
from submission_checker.engine.rules import Definition

if TYPE_CHECKING:
    from submission_checker.engine.layout import Layout, Scope, Source
    from submission_checker.engine.ruleset import Ruleset

MAX_FOLDERS = 100_000
"""Folders that one walk for a pattern may visit."""


class Run:
    """One laying of a ruleset over one folder: what was read so far, each file once.

    Args:
        ruleset: The rules' layout, facts, tables and schemas.
        root: The submission's root.
        inputs: Option name to file, for documents that lie outside the submission.
    """

    def __init__(self, ruleset: Ruleset, root: Path, inputs: Mapping[str, Path] | None = None):
        self.ruleset = ruleset
        self.root = root
        self.inputs = dict(inputs or {})
        self.notes: list[str] = []
        self._base = os.fspath(root)
        self._inside = Root(self._base)
        self._readings: dict[tuple[str, Form], Reading] = {}
        self._checked: dict[tuple[str, str], tuple[Any, tuple[Problem, ...]]] = {}
        self._paths: dict[str, Path] = {}
        self._places: dict[str, dict[str, Any]] = {}
        self._listings: dict[tuple[int, int], tuple[list[str], list[str]]] = {}
        self.index = {name: _index(ruleset, name) for name in ruleset.layout.scopes}

    def top(self) -> Subject:
        """Return the submission itself."""
        return Subject(self, self.ruleset.layout.top, None, self.root.name, "")

    def path(self, location: str) -> Path:
        """Return the path of a location below the root."""
        found = self._paths.get(location)
        if found is None:
            found = self._paths[location] = self.root if location in ("", ".") else self.root / location
        return found

    def absolute(self, location: str) -> str:
        """Return the path of a location below the root, as text."""
        return f"{self._base}/{location}" if location else self._base

    def input_file(self, source: Source) -> Path:
        """Return the file that serves an input: as told, or the ruleset's own."""
        if source.option in self.inputs:
            return self.inputs[source.option]
        for folder in self.ruleset.chain:
            candidate = folder / source.path
            if candidate.exists():
                return candidate
        return self.ruleset.folder / source.path

    def reading(self, source: Source, location: str) -> Reading:
        """Return what a document's file holds, read once."""
        if source.option is not None:
            file: str = os.fspath(self.input_file(source))
            root: Root | None = None
        else:
            file, root = self.absolute(location), self._inside
        key: tuple[str, Form] = (file, source.form or "json")
        found = self._readings.get(key)
        if found is None:
            found = self._readings[key] = read(file, key[1], root=root)
        return found

    def checked(self, source: Source, location: str) -> tuple[Any, tuple[Problem, ...]]:
        """Return a document's value, converted by its schema, and what is wrong with its shape."""
        key = (location, source.name)
        found = self._checked.get(key)
        if found is None:
            reading = self.reading(source, location)
            if reading.problems:
                found = (None, ())
            elif source.schema is None:
                found = (reading.value, ())
            else:
                value, problems = self.ruleset.schema(source.schema).check(reading.value)
                found = (None if problems else value, problems)
            self._checked[key] = found
        return found

    def documents(self) -> Iterator[tuple[str, str, Any]]:
        """Yield every document that was read so far: location (empty outside), file, and value.

        A document with a schema comes twice, as written and as converted.
        """
        for (file, _), reading in self._readings.items():
            inside = file.startswith(f"{self._base}/")
            yield file[len(self._base) + 1 :] if inside else "", file, reading.value
        for (location, name), (value, _) in self._checked.items():
            source = self.ruleset.layout.documents[name]
            outside = source.option is not None
            file = os.fspath(self.input_file(source)) if outside else self.absolute(location)
            yield "" if outside else location, file, value

    def kind(self, location: str) -> str:
        """Tell what stands at a location: `file`, `folder`, `other`, `outside` or `absent`."""
        path = self.absolute(location)
        try:
            mode = os.stat(path).st_mode
            if os.path.islink(path) and not self.inside(path):
                return "outside"
        except (OSError, ValueError):
            return "absent"
        if stat.S_ISREG(mode):
            return "file"
        return "folder" if stat.S_ISDIR(mode) else "other"

    def inside(self, path: str) -> bool:
        """Tell whether a path, links followed, stays below the root."""
        return self._inside.holds(path)

    def place(self, text: Any) -> dict[str, Any]:
        """Tell what stands at a path below the root that a document names."""
        if not isinstance(text, str):
            raise EvaluationError(f"a place is a text, not {text!r:.60}")
        if text not in self._places:
            self._places[text] = self._look_up(text.strip("/"))
        return self._places[text]

    def _look_up(self, location: str) -> dict[str, Any]:
        kind = self.kind(location)
        if kind in ("file", "folder", "other") and not self.inside(self.absolute(location)):
            kind = "outside"
        return {"path": location or ".", "kind": kind, "exists": kind != "absent"}

    def entries(self, location: str) -> list[os.DirEntry[str]]:
        """List a folder's entries by name; nothing where it cannot be listed."""
        try:
            with os.scandir(self.absolute(location)) as found:
                return sorted(found, key=lambda entry: entry.name)
        except FileNotFoundError:
            return []
        except (OSError, ValueError) as error:
            if not isinstance(error, NotADirectoryError):
                self.note(
                    f"{location or '.'} could not be listed: {getattr(error, 'strerror', None) or error}"
                )
            return []

    def folders(self, location: str) -> list[str]:
        """List the names of the folders in a folder; a link that leaves the submission is not followed."""
        found, leaving = self._listing(location)
        for name in leaving:
            self.note(f"{_join(location, name)} is a link that leaves the submission; it was not followed")
        return found

    def _listing(self, location: str) -> tuple[list[str], list[str]]:
        """List the folders in a folder, and apart those that are links out of the submission.

        A folder is listed once, however many links lead to it: links in a ring make many locations of one.
        """
        try:
            status = os.stat(self.absolute(location))
        except (OSError, ValueError):
            self.entries(location)  # says why
            return [], []
        key = (status.st_dev, status.st_ino)
        known = self._listings.get(key)
        if known is None:
            known = self._listings[key] = [], []
            for entry in self.entries(location):
                try:
                    if entry.is_dir():
                        leaves = entry.is_symlink() and not self.inside(entry.path)
                        known[leaves].append(entry.name)
                except OSError:
                    continue
        return known

    def note(self, text: str) -> None:
        """Keep something to tell the user, once."""
        if text not in self.notes:
            self.notes.append(text)

    def match(self, location: str, pattern: str) -> list[str]:
        """List the locations below a folder that match a pattern of `*`, `r*` and `**`, by their paths."""
        budget = [MAX_FOLDERS]
        return sorted(self._match(location, pattern.split("/"), budget), key=lambda found: found.split("/"))

    def _match(self, location: str, segments: list[str], budget: list[int]) -> Iterator[str]:
        budget[0] -= 1
        if budget[0] < 0:
            self.note(f"{location or '.'}: too many folders to search")
            return
        head, rest = segments[0], segments[1:]
        if head == "**":
            yield from self._match(location, rest, budget)
            for name in self.folders(location):
                if not os.path.islink(self.absolute(_join(location, name))):
                    yield from self._match(_join(location, name), segments, budget)
        elif rest:
            for name in self.folders(location):
                if _fits(name, head):
                    yield from self._match(_join(location, name), rest, budget)
        elif "*" in head:
            yield from (_join(location, e.name) for e in self.entries(location) if _fits(e.name, head))
        elif os.path.exists(self.absolute(_join(location, head))):
            yield _join(location, head)


def find_root(layout: Layout, path: Path) -> Path:
    """Return the submission's root: *path*, or its only child that holds what the layout asks of a root.

    Where no child or several would do, *path* itself is returned, and the rules say what is missing.
    """
    wanted = layout.root_holds
    if wanted is None or not path.is_dir() or (path / wanted).is_dir():
        return path
    try:
        children = [child for child in path.iterdir() if child.is_dir() and (child / wanted).is_dir()]
    except OSError:
        return path
    return children[0] if len(children) == 1 else path


def _fits(name: str, pattern: str) -> bool:
    """Tell whether a name fits a pattern with at most one `*`."""
    before, star, after = pattern.partition("*")
    if not star:
        return name == pattern
    return len(name) >= len(before) + len(after) and name.startswith(before) and name.endswith(after)


def _join(location: str, name: str) -> str:
    return f"{location}/{name}" if location else name


def _index(ruleset: Ruleset, scope: str) -> dict[str, tuple[str, Any]]:
    """Return what each name means at a subject of a scope: its kind, and what makes it."""
    layout = ruleset.layout
    found: dict[str, tuple[str, Any]] = {}
    for name, fact in ruleset.facts[scope].items():
        found[name] = ("fact", fact.definition)
    for name, source in layout.by_scope[scope].items():
        if source.form is not None:
            found[name] = ("document", source)
    for child in layout.children(scope):
        found[child.many] = ("children", child)
    return found


class Subject(Record):
    """What a rule looks at: a folder of some scope, with everything known of it.

    A path sees documents (`summary`), as written (`raw.summary`), file states (`files.summary`),
    facts, the subjects below as lists and those around by name. An expression sees all but documents.
    """

    __slots__ = ("_busy", "_facts", "_values", "name", "parent", "path", "run", "scope")

    def __init__(
        self,
        run: Run,
        scope: Scope,
        parent: Subject | None,
        name: str,
        path: str,
        known: Mapping[str, Any] | None = None,
    ):
        self.run = run
        self.scope = scope
        self.parent = parent
        self.name = name
        self.path = path
        """Location of the folder below the root; empty for the root."""
        self._busy: set[str] = set()
        self._facts: dict[str, Any] = {}
        self._values: dict[str, Any] = {scope.name: self, "name": name, "path": path or "."}
        if known:
            self._values.update(known)

    def __repr__(self) -> str:
        return f"<{self.scope.name} {self.path or '.'}>"

    @property
    def location(self) -> str:
        """Location for results: `.` for the root."""
        return self.path or "."

    def get(self, key: str, default: Any = None) -> Any:
        """Return the document, fact, list of subjects or file states of that name; null if unknown."""
        values = self._values
        if key in values:
            return values[key]
        value = self._find(key)
        values[key] = value
        return value

    def fact(self, name: str) -> Any:
        """Return what an expression may see of that name.

        Raises:
            EvaluationError: for a document, or a name that means nothing here.
        """
        facts = self._facts
        if name in facts:
            return facts[name]
        value = facts[name] = self._visible(name)
        return value

    def _visible(self, name: str) -> Any:
        """Find what an expression may see of a name: here, around, or among the tables."""
        owner: Subject | None = self
        while owner is not None:
            entry = self.run.index[owner.scope.name].get(name)
            if entry is not None:
                if entry[0] == "document":
                    raise EvaluationError(f"an expression sees no document; extract what it needs of {name}")
                return self.get(name)
            if name in owner._values or name == "files":
                return self.get(name)
            owner = owner.parent
        if name in self.run.ruleset.tables:
            return self.run.ruleset.tables[name]
        raise EvaluationError(f"a {self.scope.name} has no {name}")

    def __getitem__(self, name: str) -> Any:
        return self.fact(name)

    def _find(self, key: str) -> Any:
        if key == "files":
            return States(self)
        if key == "raw":
            return AsWritten(self)
        entry = self.run.index[self.scope.name].get(key)
        if entry is None:
            if self.parent is not None:
                return self.parent.get(key)
            return self.run.ruleset.tables.get(key)
        kind, payload = entry
        if kind == "document":
            return self._document(payload)
        if kind == "children":
            return self._children(payload)
        return self._fact(key, payload)

    def _document(self, source: Source) -> Any:
        if source.glob:
            return [
                {"path": location, "value": self.run.checked(source, location)[0]}
                for location in self.run.match(self.path, source.glob)
            ]
        return self.run.checked(source, _join(self.path, source.path))[0]

    def _children(self, scope: Scope) -> list[Subject]:
        base = _join(self.path, scope.folder) if scope.folder else self.path
        found: list[tuple[Any, Subject]] = []
        for name in self.run.folders(base):
            groups: dict[str, Any] = {}
            if scope.pattern is not None:
                matched = scope.pattern.fullmatch(name)
                if matched is None:
                    continue
                groups = {key: int(text) if text.isdecimal() else text
                          for key, text in matched.groupdict().items() if text is not None}  # fmt: skip
            child = Subject(self.run, scope, self, name, _join(base, name), groups)
            found.append(((groups.get(scope.order) if scope.order else 0, name), child))
        return [child for _, child in sorted(found, key=lambda pair: pair[0])]

    def _fact(self, name: str, entry: Definition) -> Any:
        if name in self._busy:
            raise EvaluationError(f"the fact {name} depends on itself")
        self._busy.add(name)
        try:
            return entry.value(self, self)
        finally:
            self._busy.discard(name)

    def place(self, text: Any) -> dict[str, Any]:
        """Tell what stands at a path below the submission's root."""
        return self.run.place(text)

    def children(self, name: str) -> list[Subject]:
        """Return the subjects of a scope directly below."""
        found: list[Subject] = self.get(self.run.ruleset.layout.scopes[name].many) or []
        return found

    def at(self, scope: str) -> Subject | None:
        """Return the subject itself or the one around it that is of *scope*."""
        current: Subject | None = self
        while current is not None and current.scope.name != scope:
            current = current.parent
        return current

    def walk(self) -> Iterator[Subject]:
        """Yield the subject and all below it, each before those below it."""
        yield self
        for scope in self.run.ruleset.layout.children(self.scope.name):
            for child in self.children(scope.name):
                yield from child.walk()

    def source(self, name: str) -> tuple[Source, Subject] | None:
        """Return the document or place of that name and the subject it belongs to."""
        owner: Subject | None = self
        while owner is not None:
            source = self.run.ruleset.layout.by_scope[owner.scope.name].get(name)
            if source is not None:
                return source, owner
            owner = owner.parent
        return None


class ByFile(Record):
    """Something about each document and place that a subject sees, by their names."""

    __slots__ = ("_subject",)

    def __init__(self, subject: Subject):
        self._subject = subject

    def get(self, key: str, default: Any = None) -> Any:
        """Return what is known of the document or place of that name, null where there is none."""
        found = self._subject.source(key)
        return None if found is None else self._about(key, *found)

    def _about(self, name: str, source: Source, owner: Subject) -> Any:
        raise NotImplementedError


class AsWritten(ByFile):
    """The documents of a subject as they were written, whatever their schema says of them."""

    __slots__ = ()

    def _about(self, name: str, source: Source, owner: Subject) -> Any:
        """Return the parsed content of a document, null where it could not be parsed."""
        if source.glob:
            return [
                {"path": location, "value": owner.run.reading(source, location).value}
                for location in owner.run.match(owner.path, source.glob)
            ]
        return owner.run.reading(source, _join(owner.path, source.path)).value

    def fact(self, name: str) -> Any:
        """Refuse: an expression sees no document."""
        raise EvaluationError(f"an expression sees no document; extract what it needs of raw.{name}")


class States(ByFile):
    """The states of a subject's files, by the names of its documents and places."""

    __slots__ = ("_known",)

    def __init__(self, subject: Subject):
        super().__init__(subject)
        self._known: dict[str, State] = {}

    def get(self, key: str, default: Any = None) -> Any:
        """Return the state of the document or place of that name."""
        return self._known[key] if key in self._known else super().get(key)

    def _about(self, name: str, source: Source, owner: Subject) -> State:
        state = self._known[name] = State(source, owner)
        return state


class State(Record):
    """What is known of a file or folder without looking at what its values mean.

    Entries: `path` (below the root; as given for a document that lies outside), `name`, `exists`,
    `kind` (file, folder, other, outside, absent), `readable` (it parsed),
    `problems` (all but absence), `read_problems`, `schema_problems`,
    `folders` and `files` (names in a folder), `matches` (paths, for a pattern).
    """

    __slots__ = ("_owner", "_source", "_values")

    def __init__(self, source: Source, owner: Subject):
        self._source = source
        self._owner = owner
        self._values: dict[str, Any] = {}

    def get(self, key: str, default: Any = None) -> Any:
        """Return one of the entries."""
        if key not in self._values:
            make = getattr(self, f"_{key}", None)
            self._values[key] = make() if make is not None and key in _ENTRIES else None
        return self._values[key]

    def _location(self) -> str:
        source, owner = self._source, self._owner
        if source.ignore_case:
            wanted = source.path.lower()
            for entry in owner.run.entries(owner.path):
                if entry.name.lower() == wanted and entry.is_file():
                    return _join(owner.path, entry.name)
        return _join(owner.path, source.path)

    def _path(self) -> str:
        if self._source.option is not None:
            return os.fspath(self._owner.run.input_file(self._source))
        return self._location()

    def _name(self) -> str:
        return self._location().rsplit("/", 1)[-1]

    def _kind(self) -> str:
        return self._owner.run.kind(self._location())

    def _reading(self) -> Reading:
        return self._owner.run.reading(self._source, _join(self._owner.path, self._source.path))

    def _exists(self) -> bool:
        if self._source.form is None:
            return bool(self.get("kind") != "absent")
        return not any(problem.kind == "absent" for problem in self._reading().problems)

    def _readable(self) -> bool:
        return not self._reading().problems

    def _read_problems(self) -> list[dict[str, Any]]:
        return [self._problem(p) for p in self._reading().problems if p.kind != "absent"]

    def _schema_problems(self) -> list[dict[str, Any]]:
        source, owner = self._source, self._owner
        return [self._problem(p) for p in owner.run.checked(source, _join(owner.path, source.path))[1]]

    def _problems(self) -> list[dict[str, Any]]:
        return [*self.get("read_problems"), *self.get("schema_problems")]

    def _problem(self, problem: Problem) -> dict[str, Any]:
        outside = self._source.option is not None
        return {
            "path": None if outside else self._location(),
            "kind": problem.kind,
            "message": problem.message,
            "pointer": problem.pointer,
            "line": problem.line,
            "column": problem.column,
        }

    def _folders(self) -> list[str]:
        return self._owner.run.folders(self._location())

    def _files(self) -> list[str]:
        return [entry.name for entry in self._owner.run.entries(self._location()) if entry.is_file()]

    def _matches(self) -> list[str]:
        return self._owner.run.match(self._owner.path, self._source.glob)


_ENTRIES = frozenset(
    {"path", "name", "exists", "kind", "readable", "problems", "read_problems", "schema_problems",
     "folders", "files", "matches"}
)  # fmt: skip
