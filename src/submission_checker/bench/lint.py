"""Lints: what is wrong with a ruleset besides what keeps it from loading.

A lint is a function that looks at a rule or at a ruleset, with its explanation beside it: the
catalogue of lints is made of these, and so are its examples, which the tests run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from submission_checker.bench.cases import Place, RuleCase, RulesetCase
from submission_checker.engine.errors import Mistake
from submission_checker.engine.ruleset import Survey
from submission_checker.engine.source import Marks


@dataclass(frozen=True, slots=True)
class Found:
    """One place where a lint applies."""

    place: Place
    message: str
    file: str = ""
    """Key of the marks of the file: `facts`, `table:<name>` …; the rule's own file by default."""


LookAtRule: TypeAlias = Callable[[RuleCase], Iterator[Found]]
LookAtRuleset: TypeAlias = Callable[[RulesetCase], Iterator[Found]]
Chapter: TypeAlias = Literal["loading", "fields", "conditions", "names", "policy", "examples", "writing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lint:
    """One lint, with its explanation.

    `bad` and `good` are what a rule file has besides its head (id, title, clauses, severity, scope):
    `bad` has the lint, `good` has not.
    """

    id: str
    title: str
    chapter: Chapter
    why: str
    bad: str = ""
    good: str = ""
    rule: LookAtRule | None = None
    ruleset: LookAtRuleset | None = None


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """Something wrong with a ruleset, with its place."""

    file: str
    line: int
    column: int
    lint: str
    message: str
    rule: str | None = None
    allowed: str | None = None
    """The reason with which the rule's file allows it."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.lint}: {self.message}"


def run(survey: Survey, lints: Iterable[Lint]) -> list[Finding]:
    """Find everything that is wrong with a ruleset.

    Args:
        survey: The ruleset, loaded with examples, and the mistakes in what could not be loaded.
        lints: What to look for besides.

    Returns:
        Findings in the order of files and lines, also those that a rule's file allows.
    """
    found = [_of_mistake(mistake) for mistake in survey.mistakes]
    if survey.ruleset is not None:
        case = RulesetCase(survey.ruleset, survey.marks)
        for lint in lints:
            found += _apply(lint, case)
        found += _unused_permissions(case, found)
    return sorted(set(found))


def _of_mistake(mistake: Mistake) -> Finding:
    kind = {"yaml": "not-yaml", "shape": "shape"}.get(mistake.kind, "not-linked")
    return Finding(mistake.file, mistake.line or 1, mistake.column or 1, kind, mistake.message)


def _apply(lint: Lint, case: RulesetCase) -> Iterator[Finding]:
    if lint.ruleset is not None:
        for found in lint.ruleset(case):
            rule = found.file if found.file in case.ruleset.rules else None
            marks = case.marks.get(found.file)
            if marks is not None:
                allowed = _permission(case.ruleset.rules[rule].raw, lint.id) if rule else None
                yield Finding(*_stands(marks, found.place), lint.id, found.message, rule, allowed)
    if lint.rule is not None:
        for inner in case.rules:
            allowed = _permission(inner.rule.raw, lint.id)
            for found in lint.rule(inner):
                yield Finding(
                    *_stands(inner.marks, found.place), lint.id, found.message, inner.rule.id, allowed
                )


def _stands(marks: Marks, place: Place) -> tuple[str, int, int]:
    """Return where a part stands: what a later ruleset changes of a rule is in its own ruleset.yaml."""
    found = marks.mistake(place, "")
    return found.file, found.line or 1, found.column or 1


def _permission(raw: dict[str, object], lint: str) -> str | None:
    entries = raw.get("allow")
    for entry in entries if isinstance(entries, list) else ():
        if entry["lint"] == lint:
            reason: str = entry["reason"]
            return reason
    return None


UNUSED_PERMISSION = "unused-allow"


def _unused_permissions(case: RulesetCase, found: Iterable[Finding]) -> Iterator[Finding]:
    """Find permissions that permit nothing: the rule has changed, or the lint is called otherwise."""
    used = {(finding.rule, finding.lint) for finding in found if finding.allowed is not None}
    for inner in case.rules:
        for index, entry in enumerate(inner.rule.raw.get("allow", [])):
            if (inner.rule.id, entry["lint"]) not in used:
                message = f"nothing here has the lint {entry['lint']}"
                yield Finding(
                    *_stands(inner.marks, ("allow", index)), UNUSED_PERMISSION, message, inner.rule.id
                )
