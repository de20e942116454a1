"""The layout of a submission: scopes, documents and places, as the ruleset's `layout.yaml` says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from submission_checker.documents import Form
from submission_checker.engine.patterns import safe_pattern


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """A kind of subject: where such folders lie and in which order they come."""

    name: str
    parent: str | None = None
    folder: str = ""
    """Folder below the parent's in which the subjects' own folders lie."""
    pattern: re.Pattern[str] | None = None
    """What the whole name of a folder must match; its groups become attributes of the subject."""
    order: str | None = None
    """A group of the pattern that comes before the name in the order."""
    many: str = ""
    """Name under which the parent sees them as a list."""
    doc: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A named file or folder of a scope: a document (with a format), or just a place."""

    name: str
    scope: str
    path: str = ""
    """Path below the subject's folder."""
    glob: str = ""
    """Pattern below the subject's folder instead, for a list of them in the order of their paths."""
    form: Form | None = None
    """`json` or `yaml` for a document; None for a place."""
    schema: str | None = None
    ignore_case: bool = False
    option: str | None = None
    """Name of the input that replaces the file (see `variable`); such a document lies outside."""
    variable: str | None = None
    """Environment variable that names a replacement."""
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Layout:
    """Everything that `layout.yaml` says."""

    scopes: Mapping[str, Scope]
    documents: Mapping[str, Source]
    places: Mapping[str, Source]
    root_holds: str | None = None
    """Folder whose presence marks the submission's root."""
    by_scope: Mapping[str, Mapping[str, Source]] = field(default_factory=dict)

    @property
    def top(self) -> Scope:
        """The scope of the submission itself."""
        return next(scope for scope in self.scopes.values() if scope.parent is None)

    def children(self, name: str) -> list[Scope]:
        """Return the scopes directly below *name*, in the layout's order."""
        return [scope for scope in self.scopes.values() if scope.parent == name]

    def chain(self, name: str) -> list[str]:
        """Return the scope and those around it, from the inside out."""
        names = []
        current: str | None = name
        while current is not None:
            names.append(current)
            current = self.scopes[current].parent
        return names


def build(raw: Mapping[str, Any]) -> Layout:
    """Make a layout of the content of `layout.yaml` (valid by its schema)."""
    scopes = {name: _scope(name, entry or {}) for name, entry in raw.get("scopes", {}).items()}
    documents = {name: _source(name, entry, True) for name, entry in raw.get("documents", {}).items()}
    places = {name: _source(name, entry, False) for name, entry in (raw.get("places") or {}).items()}
    by_scope: dict[str, dict[str, Source]] = {name: {} for name in scopes}
    for source in (*documents.values(), *places.values()):
        by_scope.setdefault(source.scope, {})[source.name] = source
    root = raw.get("root") or {}
    return Layout(scopes, documents, places, root.get("holds"), by_scope)


def _scope(name: str, entry: Mapping[str, Any]) -> Scope:
    pattern = entry.get("match")
    return Scope(
        name=name,
        parent=entry.get("in"),
        folder=str(entry.get("at", "")).removesuffix("*/").rstrip("/"),
        pattern=safe_pattern(pattern).compiled if pattern else None,
        order=entry.get("order"),
        many=entry.get("many", f"{name}s"),
        doc=entry.get("doc", ""),
    )


def _source(name: str, entry: Mapping[str, Any], document: bool) -> Source:
    path = entry.get("file") or entry.get("path") or entry.get("glob") or ""
    given = entry.get("input") or {}
    named = path or given.get("default", "")
    form: Form = "yaml" if (entry.get("format") or named).endswith(("yaml", "yml")) else "json"
    return Source(
        name=name,
        scope=entry["scope"],
        path=(entry.get("file") or entry.get("path") or given.get("default") or "").rstrip("/"),
        glob=entry.get("glob", ""),
        form=form if document else None,
        schema=entry.get("schema"),
        ignore_case=entry.get("ignore_case", False),
        option=given.get("option"),
        variable=given.get("variable"),
        doc=entry.get("doc", ""),
    )
