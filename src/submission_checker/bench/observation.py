"""Watching a rule while it is judged: the real judge, and a copy of the rule that tells every step."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeAlias

from submission_checker.engine.errors import EvaluationError, ExpressionError
from submission_checker.engine.expressions import Expression, Names
from submission_checker.engine.judge import Frame, Judge, Judgement
from submission_checker.engine.model import CheckResult
from submission_checker.engine.rules import Check, Compute, Definition, ForEach, Functions, Rule
from submission_checker.engine.ruleset import Ruleset
from submission_checker.engine.subjects import Run, Subject

Key: TypeAlias = "tuple[str, int, int, int, int]"
"""What tells a part of an expression from the others: its kind and its place in the text."""


def key_of(node: ast.AST) -> Key:
    """Return the key of a part, the same for every tree of the same text."""
    place: tuple[int, int, int, int] = tuple(
        getattr(node, name, 0) for name in ("lineno", "col_offset", "end_lineno", "end_col_offset")
    )  # type: ignore[assignment]
    return (type(node).__name__, *place)


@dataclass(slots=True)
class Step:
    """One evaluation of one expression of a rule."""

    place: str
    """Where in the rule: `when`, `checks[0].require`, or the name of a `let`."""
    source: str
    names: Names = field(repr=False)
    """What its names meant."""
    value: Any = None
    error: str | None = None
    parts: dict[Key, list[Any]] = field(default_factory=dict, repr=False)
    """The values of each part, as often as it was computed."""


class _Watched(Compute):
    """An expression that keeps what it did."""

    def __init__(self, source: str, functions: Functions, place: str, steps: list[Step]):
        super().__init__(source, functions)
        self._place = place
        self._steps = steps
        self._parts: dict[Key, list[Any]] = {}

    @cached_property
    def expression(self) -> Expression:
        return Expression(self.source, self._functions, self._observe)

    def _observe(self, node: ast.expr, value: Any) -> None:
        self._parts.setdefault(key_of(node), []).append(value)

    def _watch(self, names: Names, run: Callable[[Names], Any]) -> Any:
        # Names are given their values before any part of this expression is computed.
        self._parts = {}
        step = Step(self._place, self.source, names)
        try:
            step.value = run(names)
            return step.value
        except (EvaluationError, ExpressionError) as error:
            step.error = str(error)
            raise
        finally:
            step.parts = self._parts
            self._steps.append(step)

    def evaluate(self, names: Names) -> Any:
        return self._watch(names, super().evaluate)

    def decide(self, names: Names) -> bool:
        decided: bool = self._watch(names, super().decide)
        return decided

    def value(self, names: Names, subject: Any) -> Any:
        return self.evaluate(names)


@dataclass(slots=True)
class Item:
    """One judgement: of the subject, or of an item of `for_each`."""

    names: Frame | None
    steps: list[Step]
    results: list[CheckResult]
    reason: str
    """Why it had nothing to say."""


@dataclass(slots=True)
class Observation:
    """Everything that happened when a rule was judged on a subject."""

    subject: Subject
    before: list[Step]
    """The steps that come before any judgement: `where`, and the list of `for_each`."""
    items: list[Item]
    results: list[CheckResult]
    reason: str


class _WatchingJudge(Judge):
    """A judge that keeps each judgement apart."""

    def __init__(self, ruleset: Ruleset, run: Run, steps: list[Step]):
        super().__init__(ruleset, run, keep_going=True)
        self._steps = steps
        self.items: list[tuple[Frame, int, int, str]] = []

    def _judge_one(self, rule: Rule, subject: Subject, frame: Frame, judgement: Judgement) -> None:
        results, steps = len(judgement.results), len(self._steps)
        judgement.reason = ""
        try:
            super()._judge_one(rule, subject, frame, judgement)
        finally:
            self.items.append((frame, results, steps, judgement.reason))


def observe(ruleset: Ruleset, run: Run, rule: Rule, subject: Subject) -> Observation:
    """Judge a rule on a subject, gates aside, and keep every step.

    Args:
        ruleset: The ruleset.
        run: The run that the subject is of.
        rule: The rule.
        subject: The subject, of the rule's scope.
    """
    steps: list[Step] = []
    judge = _WatchingJudge(ruleset, run, steps)
    judgement = judge.judge(_watched(rule, ruleset.functions, steps), subject)
    starts = [*judge.items, (None, len(judgement.results), len(steps), "")]
    items = [
        Item(frame, steps[first:following[2]], judgement.results[result:following[1]], reason)
        for (frame, result, first, reason), following in zip(judge.items, starts[1:], strict=True)
    ]  # fmt: skip
    before = steps[: judge.items[0][2]] if judge.items else steps
    return Observation(subject, before, items, judgement.results, judgement.reason)


def _watched(rule: Rule, functions: Functions, steps: list[Step]) -> Rule:
    """Return a copy of a rule whose expressions keep what they do."""

    def watched(part: Compute | None, place: str) -> _Watched | None:
        return None if part is None else _Watched(part.source, functions, place, steps)

    def definition(name: str, entry: Definition) -> Definition:
        return _Watched(entry.source, functions, name, steps) if isinstance(entry, Compute) else entry

    def check(number: int, entry: Check) -> Check:
        prefix = f"checks[{number}]." if "checks" in rule.raw else ""
        return replace(
            entry,
            when=watched(entry.when, f"{prefix}when"),
            require=watched(entry.require, f"{prefix}require"),
        )

    each = rule.for_each
    return replace(
        rule,
        where=watched(rule.where, "where"),
        for_each=None
        if each is None
        else ForEach(
            name=each.name,
            items=_Watched(each.items.source, functions, "for_each.in", steps),
            distinct=each.distinct,
        ),
        definitions={name: definition(name, entry) for name, entry in rule.definitions.items()},
        when=watched(rule.when, "when"),
        checks=[check(number, entry) for number, entry in enumerate(rule.checks)],
    )
