"""Why a rule says what it says of a subject: every value with its place, every step, what decided."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any

from submission_checker.bench import trees
from submission_checker.bench.margins import Distance, Turn, distances, segment, turns
from submission_checker.bench.observation import Item, Step, key_of, observe
from submission_checker.bench.places import ABSENT, NULL, VALUE, Place, Places
from submission_checker.bench.query import is_wanted
from submission_checker.engine.errors import EvaluationError, ExpressionError
from submission_checker.engine.judge import Judge
from submission_checker.engine.model import CheckResult, Verdict
from submission_checker.engine.rules import Compute, Constant, Definition, Extract, Locate, Rule
from submission_checker.engine.ruleset import Ruleset
from submission_checker.engine.subjects import Run, Subject, find_root

NOT_NEEDED, ERROR = "not needed", "error"
_MOST_OFFENDERS = 5
_SHOWN_PARTS = (ast.Call, ast.BinOp, ast.Compare, ast.BoolOp, ast.IfExp, ast.Attribute, ast.Subscript)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an expression, and what it was."""

    source: str
    values: tuple[Any, ...]
    """Its value each time it was computed; several inside of a comprehension."""


@dataclass(frozen=True, slots=True)
class Named:
    """A name that a rule used, and what it was."""

    name: str
    kind: str
    """`parameter`, `path`, `expression`, `place`, `fact`, `table`, `item`; `folder` is what a folder has."""
    source: str
    state: str
    """`value`, `null`, `absent`, `not needed` or `error`."""
    value: Any = None
    error: str = ""
    places: tuple[Place, ...] = ()
    parts: tuple[Part, ...] = ()
    uses: tuple[Named, ...] = ()
    """The names that a fact rests on."""


@dataclass(frozen=True, slots=True)
class Decisive:
    """A part of a condition without which it might have come out otherwise."""

    source: str
    value: Any
    distances: tuple[Distance, ...]
    turns: tuple[Turn, ...]
    offenders: tuple[Any, ...] = ()
    """Of `all(…)` and `any(…)`: the items that decided."""
    offending: int = 0


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition of the rule, and how it came out."""

    place: str
    source: str
    value: Any
    error: str
    decided: tuple[Decisive, ...]
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """One judgement: of a subject, or of an item of `for_each`."""

    outcome: str
    """`passed`, `broken`, `not checked`, or `error`."""
    reason: str
    item: Any
    names: tuple[Named, ...]
    conditions: tuple[Condition, ...]
    results: tuple[CheckResult, ...]


@dataclass(frozen=True, slots=True)
class Explained:
    """What a rule says of one subject, and why."""

    subject: str
    held: str
    """Why the check did not ask the rule here; empty where it did."""
    outcome: str
    reason: str
    before: tuple[Condition, ...]
    judged: tuple[Judged, ...]
    results: tuple[CheckResult, ...] = field(default=())


def explain(
    ruleset: Ruleset, folder: FilePath, rule: Rule, subjects: Sequence[str] = ()
) -> Iterator[Explained]:
    """Judge a rule on every subject of its scope, and say how each judgement came about.

    Args:
        ruleset: The ruleset.
        folder: The submission, or the folder just above it.
        rule: The rule.
        subjects: Patterns of the subjects to explain; all by default.
    """
    run = Run(ruleset, find_root(ruleset.layout, folder))
    judge = Judge(ruleset, run)
    explainer = _Explainer(ruleset, run, rule)
    for subject in judge.top.walk():
        if subject.scope.name == rule.info.scope and is_wanted(subject, subjects):
            held = judge.held_back(rule, subject)
            yield explainer.explain(subject, "" if held is None else _held(*held))


def _held(stopped: Subject, causes: Sequence[str]) -> str:
    return f"{' and '.join(causes)} {'is' if len(causes) == 1 else 'are'} broken at {stopped.location}"


class _Explainer:
    def __init__(self, ruleset: Ruleset, run: Run, rule: Rule):
        self._ruleset = ruleset
        self._run = run
        self._rule = rule
        self._places = Places(run)

    def explain(self, subject: Subject, held: str) -> Explained:
        seen = observe(self._ruleset, self._run, self._rule, subject)
        judged = tuple(self._judged(item, subject) for item in seen.items)
        return Explained(
            subject=subject.location,
            held=held,
            outcome=_outcome(seen.results, seen.reason),
            reason=seen.reason,
            before=tuple(self._condition(step) for step in seen.before if step.place in _ORDER),
            judged=judged,
            results=tuple(seen.results),
        )

    def _judged(self, item: Item, subject: Subject) -> Judged:
        steps = {step.place: step for step in item.steps}
        conditions = [self._condition(s) for s in item.steps if s.place not in self._rule.definitions]
        each = self._rule.for_each
        return Judged(
            outcome=_outcome(item.results, item.reason),
            reason=item.reason,
            item=None if each is None or item.names is None else item.names[each.name],
            names=tuple(self._names(item, subject, steps)),
            conditions=tuple(conditions),
            results=tuple(item.results),
        )

    def _names(self, item: Item, subject: Subject, steps: dict[str, Step]) -> Iterator[Named]:
        """Yield the names that the rule binds, then those that it takes from elsewhere."""
        frame: dict[str, Any] = item.names or {}
        for name, entry in self._rule.definitions.items():
            step = steps.get(name)
            parts = () if step is None else tuple(_parts(step))
            if step is not None and step.error is not None:
                yield Named(name, _KINDS[type(entry)], entry.source, ERROR, error=step.error, parts=parts)  # type: ignore[union-attr]
            elif name not in frame:
                source = "" if isinstance(entry, Constant) else entry.source
                yield Named(name, _KINDS[type(entry)], source, NOT_NEEDED)
            else:
                yield self._bound(name, entry, frame, subject, parts)
        for name, value in frame.items():
            if self._rule.for_each is not None and name == self._rule.for_each.name:
                yield Named(name, "item", "", _state(value), value)
            elif name not in self._rule.definitions:
                yield self._outer(name, subject, 0)

    def _bound(
        self, name: str, entry: Definition, frame: dict[str, Any], subject: Subject, parts: tuple[Part, ...]
    ) -> Named:
        if isinstance(entry, Constant):
            return Named(name, "parameter", "", _state(entry.constant), entry.constant)
        if isinstance(entry, Extract):
            found = self._places.search(entry.path, subject if entry.of is None else frame[entry.of])
            of = f" of {entry.of}" if entry.of else ""
            source = f"{entry.source}{of}"
            return Named(name, "path", source, found.state, found.value, places=found.places)
        value = frame[name]
        return Named(name, _KINDS[type(entry)], entry.source, _state(value), value, parts=parts)

    def _outer(self, name: str, subject: Subject, depth: int) -> Named:
        """Explain a name that the rule does not bind: a fact, a table, or what a folder has."""
        owner: Subject | None = subject
        while owner is not None:
            kind, entry = self._run.index[owner.scope.name].get(name, ("", None))
            if kind == "fact":
                return self._fact(name, entry, owner, depth)
            owner = None if kind else owner.parent
        if name in self._ruleset.tables and name not in ("files", "name", "path"):
            return Named(name, "table", "", VALUE)
        value = subject.fact(name)
        return Named(name, "folder", "", _state(value), value)

    def _fact(self, name: str, entry: Definition, owner: Subject, depth: int) -> Named:
        source = "" if isinstance(entry, Constant) else entry.source
        try:
            value = owner.get(name)
        except (EvaluationError, ExpressionError) as error:
            return Named(name, "fact", source, ERROR, error=str(error))
        if isinstance(entry, Extract) and entry.of is None:
            found = self._places.search(entry.path, owner)
            return Named(name, "fact", source, found.state, found.value, places=found.places)
        uses = () if depth > 5 else tuple(self._uses(entry, owner, depth))
        return Named(name, "fact", source, _state(value), value, uses=uses)

    def _uses(self, entry: Definition, owner: Subject, depth: int) -> Iterator[Named]:
        for name in entry.names():
            used = self._outer(name, owner, depth + 1)
            if used.kind != "table":
                yield used

    def _condition(self, step: Step) -> Condition:
        return Condition(
            place=step.place,
            source=" ".join(step.source.split()),
            value=step.value,
            error=step.error or "",
            decided=tuple(self._decisive(step)) if step.error is None else (),
            parts=tuple(_parts(step)),
        )

    def _decisive(self, step: Step) -> Iterator[Decisive]:
        if step.value is not True and step.value is not False:
            return
        for node in _deciding(trees.parse(step.source), step):
            source = segment(step.source, node)
            apart = distances(node, step.source, lambda part: _value(part, step))
            offenders = _offenders(node, step)
            near = [] if apart or offenders or step.place in _ORDER else self._turns(node, step)
            yield Decisive(
                source=source,
                value=_value(node, step),
                distances=tuple(apart),
                turns=tuple(near),
                offenders=tuple(offenders[:_MOST_OFFENDERS]),
                offending=len(offenders),
            )

    def _turns(self, node: ast.expr, step: Step) -> list[Turn]:
        """Find how far a condition that is no plain comparison is from coming out otherwise."""
        called = [part for part in trees.walk(node) if isinstance(part, ast.Call)]
        if not called:
            return []
        known = {name: step.names[name] for name in trees.free_names(node)}
        return turns(segment(step.source, node), self._ruleset.functions, known)


_ORDER = ("where", "for_each.in")
"""Places that come before any judgement."""
_KINDS = {Constant: "parameter", Extract: "path", Compute: "expression", Locate: "place"}


def _outcome(results: Sequence[CheckResult], reason: str) -> str:
    verdicts = {result.verdict for result in results}
    if Verdict.ERROR in verdicts:
        return ERROR
    if Verdict.BROKEN in verdicts:
        return "broken"
    return "passed" if results or not reason else "not checked"


def _state(value: Any) -> str:
    return NULL if value is None else VALUE


def _value(node: ast.AST, step: Step) -> Any:
    """Return the value of a part; None where it was not computed."""
    if isinstance(node, ast.Constant):
        return node.value
    found = step.parts.get(key_of(node))
    return found[-1] if found else None


def _deciding(node: ast.expr, step: Step) -> Iterator[ast.expr]:
    """Yield the smallest parts of a condition that decided it."""
    if isinstance(node, ast.BoolOp):
        stops_at = isinstance(node.op, ast.Or)
        values = [_value(operand, step) for operand in node.values]
        # What comes after the operand that decided was not looked at.
        if stops_at in values:
            yield from _deciding(node.values[values.index(stops_at)], step)
        else:
            for operand in node.values:
                yield from _deciding(operand, step)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield from _deciding(node.operand, step)
    elif isinstance(node, ast.IfExp):
        yield from _deciding(node.test, step)
        yield from _deciding(node.body if _value(node.test, step) is True else node.orelse, step)
    else:
        yield node


def _offenders(node: ast.expr, step: Step) -> list[Any]:
    """Return the items because of which `all(…)` is false or `any(…)` is true."""
    name = getattr(getattr(node, "func", None), "id", "")
    if name not in ("all", "any") or not isinstance(node, ast.Call) or not node.args:
        return []
    walked = node.args[0]
    wanted = name == "any"
    if not isinstance(walked, ast.ListComp | ast.GeneratorExp) or _value(node, step) is not wanted:
        return []
    generator = walked.generators[0]
    items = _value(generator.iter, step)
    values = step.parts.get(key_of(walked.elt), [])
    if (
        len(walked.generators) > 1
        or generator.ifs
        or not isinstance(items, list)
        or len(items) != len(values)
    ):
        return []
    return [item for item, value in zip(items, values, strict=True) if value is wanted]


def _parts(step: Step) -> Iterator[Part]:
    """Yield the parts of an expression that were computed, the larger first."""
    tree = trees.parse(step.source)
    seen: set[str] = {" ".join(step.source.split())}
    inside: set[int] = set()
    for node in trees.walk(tree):
        if isinstance(node, ast.Attribute | ast.Subscript):
            # `a.b.c` is of interest as a whole.
            inside.add(id(node.value))
        values = step.parts.get(key_of(node))
        if not values or not isinstance(node, _SHOWN_PARTS) or id(node) in inside:
            continue
        source = segment(step.source, node)
        if source not in seen:
            seen.add(source)
            yield Part(source, tuple(values))


__all__ = ["ABSENT", "ERROR", "NOT_NEEDED", "NULL", "VALUE", "Explained", "Named", "explain"]
