"""Conditions that decide nothing, decide by accident, or are the same as others."""

from __future__ import annotations

import ast
import hashlib
import itertools
import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from submission_checker.bench import trees
from submission_checker.bench.cases import Place, RuleCase, RulesetCase, Written
from submission_checker.bench.lint import Found, Lint
from submission_checker.bench.meanings import NULL
from submission_checker.engine import kinds
from submission_checker.engine.errors import EvaluationError, ExpressionError
from submission_checker.engine.expressions import Expression
from submission_checker.engine.rules import Compute, Extract

# Constant conditions.


def _constant(case: RuleCase) -> Iterator[Found]:
    for written in case.conditions:
        for node, bound in trees.scoped(written.tree):
            said = _says_nothing(case, node, bound) if isinstance(node, ast.expr) else None
            if said is not None:
                yield Found(written.place, said)
                break


def _says_nothing(case: RuleCase, node: ast.expr, bound: frozenset[str]) -> str | None:
    """Return why a part of a condition is the same whatever is checked; None if it is not."""
    text = trees.write(node)
    decides = isinstance(node, ast.Compare | ast.BoolOp | ast.Call)
    if (decides or (isinstance(node, ast.Constant) and isinstance(node.value, bool))) and not (
        trees.free_names(node)
    ):
        return _without_names(case, text)
    if isinstance(node, ast.BoolOp):
        return _repeated(node) or _contradictory(case, node, bound)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return _compared(case, node, text, bound)
    return None


def _without_names(case: RuleCase, text: str) -> str:
    try:
        value = Expression(text, case.ruleset.functions).evaluate({})
    except (EvaluationError, ExpressionError) as error:
        return f"`{text}` never has an answer: {error}"
    return f"`{text}` is always {kinds.show(value)}"


def _repeated(node: ast.BoolOp) -> str | None:
    parts = [ast.dump(value) for value in node.values]
    for index, value in enumerate(node.values):
        if parts[index] in parts[:index]:
            return f"`{trees.write(value)}` is there twice"
        opposite = value.operand if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not) else None
        if opposite is not None and ast.dump(opposite) in parts:
            always = "false" if isinstance(node.op, ast.And) else "true"
            return f"`{trees.write(node)}` is always {always}"
    return None


_ALIKE: Mapping[type[ast.cmpop], bool] = {
    ast.Eq: True, ast.LtE: True, ast.GtE: True, ast.NotEq: False, ast.Lt: False, ast.Gt: False,
}  # fmt: skip


def _compared(case: RuleCase, node: ast.Compare, text: str, bound: frozenset[str]) -> str | None:
    op, right = node.ops[0], node.comparators[0]
    if type(op) in _ALIKE and ast.dump(node.left) == ast.dump(right):
        return f"both sides of `{text}` are the same, so it is always {kinds.show(_ALIKE[type(op)])}"
    meaning = case.meaning(node.left, bound)
    if isinstance(op, ast.Is | ast.IsNot):
        if meaning.kinds is None or NULL in meaning.kinds:
            return None
        kind = " or ".join(sorted(meaning.kinds))
        return f"`{text}` is always {kinds.show(isinstance(op, ast.IsNot))}: the left side is {kind}"
    limit = _number(case, right, bound)
    if limit is None or meaning.least is None or limit > meaning.least:
        return None
    if isinstance(op, ast.GtE | ast.Lt):
        always = kinds.show(isinstance(op, ast.GtE))
        return f"`{text}` is always {always}: the left side is never below {meaning.least:g}"
    return None


_ORDER: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Bound:
    """A comparison of something with a number of the ruleset's own."""

    of: str
    operator: type[ast.cmpop]
    limit: float

    def holds(self, value: float) -> bool:
        return _ORDER[self.operator](value, self.limit)


def _contradictory(case: RuleCase, node: ast.BoolOp, around: frozenset[str]) -> str | None:
    """Find comparisons of one value with numbers that exclude each other, or leave nothing out."""
    bounds: dict[str, list[_Bound]] = {}
    for value in node.values:
        bound = _bound(case, value, around)
        if bound is not None:
            bounds.setdefault(bound.of, []).append(bound)
    combine = all if isinstance(node.op, ast.And) else any
    for found in bounds.values():
        limits = sorted({bound.limit for bound in found})
        between = [(low + high) / 2 for low, high in itertools.pairwise(limits)]
        tried = [limits[0] - 1, *limits, *between, limits[-1] + 1]
        outcomes = {combine(bound.holds(value) for bound in found) for value in tried}
        if len(found) > 1 and len(outcomes) == 1:
            always = kinds.show(outcomes.pop())
            return f"`{trees.write(node)}` is always {always} as far as {found[0].of} goes"
    return None


def _bound(case: RuleCase, node: ast.expr, around: frozenset[str]) -> _Bound | None:
    if not isinstance(node, ast.Compare) or len(node.ops) != 1 or type(node.ops[0]) not in _ORDER:
        return None
    limit = _number(case, node.comparators[0], around)
    return None if limit is None else _Bound(trees.write(node.left), type(node.ops[0]), limit)


def _number(case: RuleCase, node: ast.expr, bound: frozenset[str]) -> float | None:
    """Return the number that a part is by the ruleset alone."""
    found = list(case.meaning(node, bound).constants())
    if len(found) == 1 and isinstance(found[0], int | float) and not isinstance(found[0], bool):
        return found[0]
    return None


CONSTANT_CONDITION = Lint(
    id="constant-condition",
    title="A condition, or a part of one, that is the same whatever is checked",
    chapter="conditions",
    why="""\
`x >= x`, `a or not a`, `len(x) >= 0`, `x > 5 and x < 3` decide nothing: the rule is green or red for
ever. A check without `require` is the way to report always; without `when`, to ask always.""",
    bad="""\
extract: {books: card.books}
require: books is None or books >= 4 or books < 5
broken: "{books} books"
""",
    good="""\
extract: {books: card.books}
require: books is None or books >= 4
broken: "{books} books"
""",
    rule=_constant,
)

# Equality of numbers with fractions.


def _float_equality(case: RuleCase) -> Iterator[Found]:
    for written in case.expressions:
        for node, bound in trees.scoped(written.tree):
            if isinstance(node, ast.Compare) and _is_float_equality(case, node, bound):
                message = f"`{trees.write(node)}` compares fractions for equality; use within(a, b, rel=…)"
                yield Found(written.place, message)


def _is_float_equality(case: RuleCase, node: ast.Compare, bound: frozenset[str]) -> bool:
    left = node.left
    for op, right in zip(node.ops, node.comparators, strict=True):
        sides = [case.meaning(left, bound), case.meaning(right, bound)]
        left = right
        if isinstance(op, ast.Eq | ast.NotEq) and any(side.is_float for side in sides):
            # Zero, null and words are exact.
            exact = [value for side in sides for value in side.constants() if value in (0, None, "")]
            if not exact:
                return True
    return False


FLOAT_EQUALITY = Lint(
    id="float-equality",
    title="Numbers with fractions are compared by == or !=",
    chapter="conditions",
    why="""\
0.1 + 0.2 is not 0.3 in binary: two ways to the same number differ in the last digit, and so does
what another program wrote into a file. `within(a, b, rel=…)` says how far apart they may be.""",
    bad="""\
extract: {weight: card.weight_kg}
when: weight is not None
require: weight == 12.5
broken: "{weight} kg"
""",
    good="""\
params: {weight_tolerance: 0.01}
extract: {weight: card.weight_kg}
when: weight is not None
require: within(weight, 12.5, rel=weight_tolerance)
broken: "{weight} kg"
""",
    rule=_float_equality,
)

# all() and any() over nothing.


def _over_nothing(case: RuleCase) -> Iterator[Found]:
    for written in case.requirements:
        for node in _silent_over_nothing(written.tree, holds=True):
            if not _nothing_is_considered(case, written, node):
                outcome = "true" if getattr(node.func, "id", "") == "all" else "false"
                yield Found(
                    written.place,
                    f"`{trees.write(node)}` is {outcome} over nothing, and the rule holds; ask for an item "
                    "with `when`, or show by an example that this is meant",
                )


def _silent_over_nothing(node: ast.expr, *, holds: bool) -> Iterator[ast.Call]:
    """Yield the calls that make a requirement hold where there is nothing to look at."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield from _silent_over_nothing(node.operand, holds=not holds)
    elif isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from _silent_over_nothing(value, holds=holds)
    elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == ("all" if holds else "any"):
        yield node


def _nothing_is_considered(case: RuleCase, written: Written, call: ast.Call) -> bool:
    if not call.args:
        return True
    argument = call.args[0]
    if any(value == [] for value in case.observed.values.get(written.spot(argument), [])):
        return True
    walked = (
        [g.iter for g in argument.generators] if isinstance(argument, ast.ListComp | ast.GeneratorExp) else []
    )
    for items in (argument, *walked):
        if isinstance(items, ast.List | ast.Tuple) and items.elts:
            return True
        if any(isinstance(value, list) and value for value in case.meaning(items).constants()):
            return True
        counted = f"len({trees.write(items)})"
        if any(counted in trees.write(condition.tree) for condition in case.conditions):
            return True
    return False


OVER_NOTHING = Lint(
    id="over-nothing",
    title="all() or not any() over a list that may be empty: the rule holds where there is nothing",
    chapter="conditions",
    why="""\
`all(...)` over nothing is true. If the list is empty because something else is wrong, the rule is
green although it looked at nothing. Ask for an item first, or give an example with an empty list,
which says that it is meant.""",
    bad="""\
extract: {out: loans.out}
when: out is not None
require: all(is_mapping(loan) for loan in out)
broken: "not every loan is readable: {out}"
""",
    good="""\
extract: {out: loans.out}
when: out is not None and len(out) > 0
require: all(is_mapping(loan) for loan in out)
broken: "not every loan is readable: {out}"
""",
    rule=_over_nothing,
)

# Conditions that hold because something is absent.


def _absence(case: RuleCase) -> Iterator[Found]:
    for written in case.requirements:
        for node in _holds_for_null(written.tree, holds=True):
            for side in (node.left, node.comparators[0]):
                if _may_pass_unseen(case, written, side):
                    text = trees.write(side)
                    message = (
                        f"`{trees.write(node)}` holds where {text} is absent; ask `{text} is not None` first"
                    )
                    yield Found(written.place, message)
                    break


def _holds_for_null(node: ast.expr, *, holds: bool) -> Iterator[ast.Compare]:
    """Yield comparisons that let a requirement hold although a side is null."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield from _holds_for_null(node.operand, holds=not holds)
    elif isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from _holds_for_null(value, holds=holds)
    elif isinstance(node, ast.Compare) and len(node.ops) == 1:
        negative = ast.NotEq | ast.NotIn if holds else ast.Eq | ast.In
        if isinstance(node.ops[0], negative):
            yield node


def _may_pass_unseen(case: RuleCase, written: Written, node: ast.expr) -> bool:
    """Tell whether a value may be absent, and neither a guard nor an example thinks of it."""
    if not trees.free_names(node) or not case.meaning(node).may_be_absent:
        return False
    if any(value is None for value in case.observed.values.get(written.spot(node), [])):
        return False
    text = trees.write(node)
    guarded = (f"{text} is None", f"{text} is not None")
    return not any(guard in trees.write(other.tree) for other in case.expressions for guard in guarded)


UNGUARDED_ABSENCE = Lint(
    id="unguarded-absence",
    title="A negative condition over a value that may be absent: leaving it out passes",
    chapter="conditions",
    why="""\
`status != 'lost'` holds where there is no status at all. Whoever leaves the field out passes. Say
with `when` or `is None` what absence means, or give an example in which it is absent.""",
    bad="""\
extract: {days: loans.days}
require: days != 13
broken: "{days} days bring bad luck"
""",
    good="""\
extract: {days: loans.days}
when: days is not None
require: days != 13
broken: "{days} days bring bad luck"
""",
    rule=_absence,
)

# Checks that are never reached.


def _unreachable(case: RuleCase) -> Iterator[Found]:
    ended: str | None = None
    for index, check in enumerate(case.rule.checks):
        if ended is not None:
            yield Found(("checks", index), f"this check is never reached: {ended}")
        elif check.when is None and check.last:
            ended = f"check {index + 1} has no `when`, and is the last one"
        elif check.when is None and check.require is None and not case.rule.report_all:
            ended = f"check {index + 1} has neither `when` nor `require`, so it always reports"


UNREACHABLE_CHECK = Lint(
    id="unreachable-check",
    title="A check after one that always ends the judgement",
    chapter="conditions",
    why="""\
Checks are asked in order, and the first broken one ends the judgement (unless `report: all`). What
comes after a check that always reports, or that is `last` and always applies, is never asked.""",
    bad="""\
checks:
  - {broken: "{name} is always wrong"}
  - {require: name == 'poetry', broken: "{name} is not poetry"}
""",
    good="""\
checks:
  - {when: name == 'lost', broken: "{name} is always wrong"}
  - {require: name == 'poetry', broken: "{name} is not poetry"}
""",
    rule=_unreachable,
)

# Rules with the same condition.


def _duplicates(case: RulesetCase) -> Iterator[Found]:
    seen: dict[tuple[Any, ...], str] = {}
    for inner in case.rules:
        signature = _signature(inner)
        if signature in seen:
            message = f"asks the same as {seen[signature]}"
            yield Found(_first_condition(inner), message, inner.rule.id)
        seen.setdefault(signature, inner.rule.id)


def _first_condition(case: RuleCase) -> Place:
    return next((written.place for written in case.requirements), ())


def _signature(case: RuleCase) -> tuple[Any, ...]:
    """Return what a rule asks, with the definitions in the place of names."""
    rule = case.rule
    inlined = _Inline(case)
    each = None if rule.for_each is None else (inlined.of(rule.for_each.items), rule.for_each.distinct)
    checks = tuple((inlined.of(check.when), inlined.of(check.require)) for check in rule.checks)
    return (rule.info.scope, inlined.of(rule.where), each, inlined.of(rule.when), checks)


class _Inline(ast.NodeTransformer):
    """Puts what is defined in the place of a rule's names, as a digest: definitions may share others."""

    def __init__(self, case: RuleCase):
        self.case = case
        self.digests: dict[str, str] = {}

    def of(self, compute: Compute | None) -> str | None:
        """Return an expression as text, its names replaced."""
        return None if compute is None else ast.dump(self.visit(trees.parse(compute.source)))

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id not in self.digests:
            self.digests[node.id] = node.id  # while its own definition is looked at
            self.digests[node.id] = self._digest(node.id)
        return ast.Name(id=self.digests[node.id], ctx=ast.Load())

    def _digest(self, name: str) -> str:
        rule = self.case.rule
        entry = rule.definitions.get(name)
        if rule.for_each is not None and name == rule.for_each.name:
            return "<item>"
        if name in rule.raw.get("params", {}):
            return repr(rule.raw["params"][name])
        if isinstance(entry, Extract):
            of = "" if entry.of is None else ast.dump(self.visit(ast.Name(id=entry.of, ctx=ast.Load())))
            defined = f"{entry.source} of {of}"
        elif isinstance(entry, Compute):
            defined = self.of(entry) or ""
        else:
            return name
        return hashlib.sha256(defined.encode()).hexdigest()


DUPLICATE_RULE = Lint(
    id="duplicate-rule",
    title="Two rules ask the same",
    chapter="conditions",
    why="""\
Whoever breaks one breaks both, and reads the same finding twice; whoever changes one forgets the
other.""",
    ruleset=_duplicates,
)

LINTS = (
    CONSTANT_CONDITION,
    FLOAT_EQUALITY,
    OVER_NOTHING,
    UNGUARDED_ABSENCE,
    UNREACHABLE_CHECK,
    DUPLICATE_RULE,
)
