"""A JMESPath over every subject of a scope, as rules see it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

from submission_checker.bench.places import Found, Places
from submission_checker.engine.errors import EvaluationError, ExpressionError, did_you_mean
from submission_checker.engine.extraction import Path
from submission_checker.engine.linking import paths_in_scope
from submission_checker.engine.ruleset import Ruleset
from submission_checker.engine.subjects import Run, Subject, find_root
from submission_checker.engine.waivers import fits


@dataclass(frozen=True, slots=True)
class Answer:
    """What a path found at one subject."""

    subject: str
    found: Found | None
    error: str = ""
    """Why it has no answer."""


def compile_for(ruleset: Ruleset, source: str, scope: str | None) -> tuple[Path, str]:
    """Compile a path; without a scope, take the outermost one that knows the names it begins with.

    Args:
        ruleset: The ruleset.
        source: The JMESPath.
        scope: A scope's name.

    Raises:
        ExpressionError: where it is no path, or begins with a name that means nothing.
    """
    path = Path(source)
    scopes = [scope] if scope else list(ruleset.layout.scopes)
    known = {name: paths_in_scope(ruleset, name) for name in scopes}
    files = set(_files(path.tree))
    for name in scopes:
        if known[name].issuperset(path.first_keys) and _sources(ruleset, name).issuperset(files):
            return path, name
    everything = set.union(*known.values(), *(_sources(ruleset, name) for name in scopes))
    unknown = next((name for name in (*path.first_keys, *files) if name not in everything), None)
    where = f"a {scope}" if scope else "this ruleset"
    if unknown is None:
        raise ExpressionError(f"no scope knows all of {', '.join(path.first_keys)}")
    raise ExpressionError(f"nothing named {unknown} in {where}{did_you_mean(unknown, everything)}")


def _files(tree: dict[str, Any]) -> Iterator[str]:
    """Yield the documents and places that a path takes of `files` and `raw`."""
    children = [child for child in tree["children"] if isinstance(child, dict)]
    if tree["type"] == "subexpression" and children[0].get("value") in ("files", "raw"):
        first = children[1]
        while first["type"] != "field" and first["children"]:
            first = first["children"][0]
        if first["type"] == "field":
            yield first["value"]
        return
    for child in children:
        yield from _files(child)


def _sources(ruleset: Ruleset, scope: str) -> set[str]:
    """Return the documents and places that a subject of a scope knows: its own, and those around it."""
    return {name for around in ruleset.layout.chain(scope) for name in ruleset.layout.by_scope[around]}


def ask(
    ruleset: Ruleset, folder: FilePath, path: Path, scope: str, subjects: Sequence[str] = ()
) -> Iterator[Answer]:
    """Yield what a path finds at each subject of a scope.

    Args:
        ruleset: The ruleset that says where things lie.
        folder: The submission, or the folder just above it.
        path: The path.
        scope: The scope.
        subjects: Patterns of the subjects to ask; all by default.
    """
    run = Run(ruleset, find_root(ruleset.layout, folder))
    places = Places(run)
    for subject in run.top().walk():
        if subject.scope.name == scope and is_wanted(subject, subjects):
            try:
                yield Answer(subject.location, places.search(path, subject))
            except EvaluationError as error:
                yield Answer(subject.location, None, error.message)


def is_wanted(subject: Subject, patterns: Sequence[str]) -> bool:
    """Tell whether a subject is asked for: by a pattern of its location, or of its own name."""
    return not patterns or any(fits(p, subject.location) or fits(p, subject.name) for p in patterns)
