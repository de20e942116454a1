"""Mutation: change a rule in one small way, and see whether an example of it notices.

A rule is data, so a mutant is its raw mapping with one thing changed. A mutant that no example
notices is a place where a slip of the editor would go unnoticed too.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, TypeAlias

from submission_checker.bench import trees
from submission_checker.bench.examples import Trial
from submission_checker.engine import rules as parts
from submission_checker.engine.errors import ExpressionError
from submission_checker.engine.rules import Rule
from submission_checker.engine.ruleset import Ruleset

Place: TypeAlias = "tuple[str | int, ...]"

_OPPOSITES: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_SWAPPED_OPERATORS: Mapping[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
}  # fmt: skip
_SWAPPED_CALLS = {"all": "any", "any": "all", "min": "max", "max": "min"}
_FLIPPED = {"error": "warning", "warning": "error"}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A rule with one small change."""

    change: str
    """What was changed, in the words that `mutants:` of a rule file uses."""
    place: Place
    """Where in the rule."""
    raw: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Survivor:
    """A mutant that no example noticed."""

    change: str
    place: Place
    before: str
    """What stands there in the rule."""


@dataclass(frozen=True, slots=True)
class Score:
    """How well the examples of one rule notice small changes of it."""

    rule: str
    mutants: int
    survivors: tuple[Survivor, ...]
    justified: Mapping[str, str]
    """Changes that the rule's file says cannot be noticed, with the reason."""
    unused: tuple[str, ...]
    """Changes that the file justifies although they are noticed, or no mutant."""

    @property
    def noticed(self) -> int:
        """Mutants that some example noticed."""
        return self.mutants - len(self.justified) - len(self.survivors)

    @property
    def percent(self) -> float:
        """Share of the mutants that some example noticed, the justified ones left out."""
        counted = self.mutants - len(self.justified)
        return 100.0 * self.noticed / counted if counted else 100.0


def total(scores: Sequence[Score]) -> float:
    """Return the share over several rules, in percent."""
    counted = sum(score.mutants - len(score.justified) for score in scores)
    return 100.0 * sum(score.noticed for score in scores) / counted if counted else 100.0


def score(ruleset: Ruleset, rule: Rule) -> Score:
    """Make every mutant of a rule, and see which ones its examples notice.

    Args:
        ruleset: The rule's ruleset, loaded with examples.
        rule: The rule, whose examples come out as they say.
    """
    trial = Trial(ruleset, rule)
    reasons = {entry["change"]: entry["reason"] for entry in rule.raw.get("mutants", [])}
    survivors: list[Survivor] = []
    justified: dict[str, str] = {}
    found = list(mutants(rule.raw))
    for mutant in found:
        if _noticed(ruleset, rule, mutant, trial):
            continue
        if mutant.change in reasons:
            justified[mutant.change] = reasons[mutant.change]
        else:
            survivors.append(Survivor(mutant.change, mutant.place, _before(rule.raw, mutant.place)))
    return Score(
        rule=rule.id,
        mutants=len(found),
        survivors=tuple(survivors),
        justified=justified,
        unused=tuple(change for change in reasons if change not in justified),
    )


def _noticed(ruleset: Ruleset, rule: Rule, mutant: Mutant, trial: Trial) -> bool:
    try:
        changed = parts.rule(
            dict(mutant.raw), family=rule.info.family, source=rule.info.source, functions=ruleset.functions
        )
        return not trial.holds(changed)
    except ExpressionError:
        return True


def _before(raw: Mapping[str, Any], place: Place) -> str:
    value: Any = raw
    for key in place:
        value = value[key]
    return str(value)


def mutants(raw: Mapping[str, Any]) -> Iterator[Mutant]:
    """Yield a rule with every small change that is tried, each once.

    Args:
        raw: The rule as written.
    """
    seen: set[str] = set()
    for change, place, changed in _changes(raw):
        if change not in seen:
            seen.add(change)
            yield Mutant(change, place, changed)


Change: TypeAlias = "tuple[str, Place, dict[str, Any]]"


def _changes(raw: Mapping[str, Any]) -> Iterator[Change]:
    yield from _severities(raw)
    yield from _left_out(raw)
    yield from _blanked(raw)
    yield from _params(raw)
    for place, source in _expressions(raw):
        for changed in changed_expressions(str(source)):
            yield _set(raw, place, changed, f"{_name(place)} is {changed}")


def _name(place: Place) -> str:
    """Write a place as an editor would: `checks[0].when`."""
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in place).removeprefix(".")


def _set(raw: Mapping[str, Any], place: Place, value: Any, change: str) -> Change:
    changed = copy.deepcopy(dict(raw))
    inner: Any = changed
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    return change, place, changed


def _without(raw: Mapping[str, Any], place: Place) -> Change:
    changed = copy.deepcopy(dict(raw))
    inner: Any = changed
    for key in place[:-1]:
        inner = inner[key]
    del inner[place[-1]]
    return f"{_name(place)} is left out", place, changed


def _checks(raw: Mapping[str, Any]) -> Iterator[tuple[Place, Mapping[str, Any]]]:
    """Yield where the checks stand; the one-check form is the rule itself."""
    if "checks" in raw:
        for index, check in enumerate(raw["checks"]):
            yield ("checks", index), check
    else:
        yield (), raw


def _severities(raw: Mapping[str, Any]) -> Iterator[Change]:
    if "checks" not in raw and "broken" not in raw:
        # A rule that only states something has none that could be told.
        return
    for place, check in [((), raw), *((place, check) for place, check in _checks(raw) if place)]:
        flipped = _FLIPPED.get(check.get("severity", ""))
        if flipped:
            yield _set(raw, (*place, "severity"), flipped, f"{_name((*place, 'severity'))} is {flipped}")


def _left_out(raw: Mapping[str, Any]) -> Iterator[Change]:
    for key in ("where", "when"):
        if key in raw:
            yield _without(raw, (key,))
    if raw.get("report") == "all" and len(raw.get("checks", ())) > 1:
        yield _without(raw, ("report",))
    if raw.get("for_each", {}).get("distinct"):
        yield _without(raw, ("for_each", "distinct"))
    for place, check in _checks(raw):
        if not place:
            continue
        for key in ("when", "last"):
            if check.get(key):
                yield _without(raw, (*place, key))
        if len(raw["checks"]) > 1:
            yield _without(raw, place)


def _blanked(raw: Mapping[str, Any]) -> Iterator[Change]:
    places: list[Place] = [("passed",)] if "passed" in raw else []
    places += [(*place, key) for place, check in _checks(raw) for key in ("broken", "passed") if key in check]
    for place in dict.fromkeys(places):
        yield _set(raw, place, "-", f"{_name(place)} is blank")


def _params(raw: Mapping[str, Any]) -> Iterator[Change]:
    def numbers(value: Any, place: Place) -> Iterator[tuple[Place, Any]]:
        if isinstance(value, Mapping):
            for key, item in value.items():
                yield from numbers(item, (*place, key))
        elif isinstance(value, list):
            for index, item in enumerate(value):
                yield from numbers(item, (*place, index))
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield place, value

    for place, value in numbers(raw.get("params", {}), ("params",)):
        for near in neighbours(value):
            yield _set(raw, place, near, f"{_name(place)} is {near}")


def _expressions(raw: Mapping[str, Any]) -> Iterator[tuple[Place, str]]:
    """Yield every expression that an example can notice, with its place."""
    for key in ("where", "when"):
        if isinstance(raw.get(key), str):
            yield (key,), raw[key]
    if isinstance(raw.get("for_each", {}).get("in"), str):
        yield ("for_each", "in"), raw["for_each"]["in"]
    for name, entry in raw.get("let", {}).items():
        if isinstance(entry, str):
            yield ("let", name), entry
        elif isinstance(entry, Mapping):
            for key in ("expr", "place"):
                if isinstance(entry.get(key), str):
                    yield ("let", name, key), entry[key]
    for place, check in _checks(raw):
        for key in ("when", "require") if place else ("require",):
            if isinstance(check.get(key), str):
                yield (*place, key), check[key]


def changed_expressions(source: str) -> Iterator[str]:
    """Yield an expression with each small change that is tried.

    >>> list(changed_expressions("a >= 3"))
    ['a > 3', 'a >= 4', 'a >= 2']
    """
    tree = trees.parse(source)
    for node in trees.walk(tree):
        for kind, change in _CHANGES.items():
            if isinstance(node, kind):
                for new in change(node):
                    yield trees.write(trees.replaced(tree, node, new))


def neighbours(value: float) -> list[Any]:
    """Return a number one unit of its last digit up and down.

    >>> neighbours(4), neighbours(0.05)
    ([5, 3], [0.06, 0.04])
    """
    if isinstance(value, int):
        return [value + 1, value - 1]
    written = Decimal(repr(value))
    if not written.is_finite():
        return []
    unit = Decimal(1).scaleb(min(int(written.as_tuple().exponent), 0))
    return [float(written + unit), float(written - unit)]


def _of_comparison(node: Any) -> Iterator[ast.expr]:
    for index, operator in enumerate(node.ops):
        ops = [*node.ops]
        ops[index] = _OPPOSITES[type(operator)]()
        yield ast.Compare(left=node.left, ops=ops, comparators=node.comparators)


def _of_connective(node: Any) -> Iterator[ast.expr]:
    yield ast.BoolOp(op=ast.Or() if isinstance(node.op, ast.And) else ast.And(), values=node.values)
    for index in range(len(node.values)):
        kept = [value for number, value in enumerate(node.values) if number != index]
        yield kept[0] if len(kept) == 1 else ast.BoolOp(op=node.op, values=kept)


def _of_not(node: Any) -> Iterator[ast.expr]:
    if isinstance(node.op, ast.Not):
        yield node.operand


def _of_constant(node: Any) -> Iterator[ast.expr]:
    if isinstance(node.value, int | float) and not isinstance(node.value, bool):
        yield from (trees.parse(repr(near)) for near in neighbours(node.value))


def _of_arithmetic(node: Any) -> Iterator[ast.expr]:
    swapped = _SWAPPED_OPERATORS.get(type(node.op))
    if swapped is not None:
        yield ast.BinOp(left=node.left, op=swapped(), right=node.right)


def _of_call(node: Any) -> Iterator[ast.expr]:
    swapped = _SWAPPED_CALLS.get(getattr(node.func, "id", ""))
    if swapped is not None:
        yield ast.Call(func=ast.Name(id=swapped, ctx=ast.Load()), args=node.args, keywords=node.keywords)


def _of_choice(node: Any) -> Iterator[ast.expr]:
    yield node.body
    yield node.orelse


def _of_filter(node: Any) -> Iterator[ast.AST]:
    for index in range(len(node.ifs)):
        kept = [condition for number, condition in enumerate(node.ifs) if number != index]
        yield ast.comprehension(target=node.target, iter=node.iter, ifs=kept, is_async=0)


_CHANGES: Mapping[type[ast.AST], Callable[[Any], Iterator[ast.AST]]] = {
    ast.Compare: _of_comparison,
    ast.BoolOp: _of_connective,
    ast.UnaryOp: _of_not,
    ast.Constant: _of_constant,
    ast.BinOp: _of_arithmetic,
    ast.Call: _of_call,
    ast.IfExp: _of_choice,
    ast.comprehension: _of_filter,
}
