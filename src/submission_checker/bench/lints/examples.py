"""Examples that are missing, or do not come out as they say."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from submission_checker.bench import trees
from submission_checker.bench.cases import RuleCase, Written
from submission_checker.bench.lint import Found, Lint
from submission_checker.engine import examples, kinds


def _missing(case: RuleCase) -> Iterator[Found]:
    rule = case.rule
    given = {kind: bool((rule.raw.get("examples") or {}).get(kind)) for kind in examples.KINDS}
    place = ("examples",) if "examples" in rule.raw else ()
    # A rule without checks only states something: it passes or is left out.
    always_reports = any(check.when is None and check.require is None for check in rule.checks)
    can_pass = not rule.checks or (
        any(check.require is not None for check in rule.checks)
        and (not always_reports or any(check.last for check in rule.checks))
    )
    can_be_out = rule.where is not None or rule.when is not None or rule.for_each is not None
    if not given["passed"] and can_pass:
        yield Found(place, "no example passes")
    if not given["broken"] and rule.checks:
        yield Found(place, "no example breaks the rule")
    can_be_out = can_be_out or (bool(rule.checks) and all(check.when is not None for check in rule.checks))
    if not given["not_checked"] and can_be_out and not _always_something(case):
        yield Found(place, "no example is left out (by `where`, `when` or `for_each`)")


def _always_something(case: RuleCase) -> bool:
    """Tell whether the rule always has something to judge: a list that is never empty, and no `when`."""
    rule = case.rule
    if rule.where is not None or rule.when is not None or rule.for_each is None:
        return False
    return _never_empty(case, trees.parse(rule.for_each.items.source))


def _never_empty(case: RuleCase, node: ast.expr) -> bool:
    if isinstance(node, ast.List | ast.Tuple):
        return bool(node.elts)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _never_empty(case, node.left) or _never_empty(case, node.right)
    if isinstance(node, ast.IfExp):
        guarded = f"len({trees.write(node.body)}) > 0" in trees.write(node.test)
        return (guarded or _never_empty(case, node.body)) and _never_empty(case, node.orelse)
    return any(isinstance(value, list) and value for value in case.meaning(node).constants())


MISSING_EXAMPLE = Lint(
    id="missing-example",
    title="A rule without an example that passes, one that breaks it, or one that it does not look at",
    chapter="examples",
    why="""\
Examples are the rule's tests, and what a reader looks at first. A rule that no example breaks may
never fire; one without an example outside of its `when` may fire where it must not.""",
    bad="""\
extract: {books: card.books}
when: books is not None
require: books >= 4
broken: "{books} books, at least 4 are needed"
examples:
  passed: [{given: {card: {books: 4}}}]
""",
    good="""\
extract: {books: card.books}
when: books is not None
require: books >= 4
broken: "{books} books, at least 4 are needed"
examples:
  passed: [{given: {card: {books: 4}}}, {given: {card: {books: 5}}}]
  broken: [{given: {card: {books: 3}}, message: "3 books, at least 4 are needed"}]
  not_checked: [{given: {}}]
""",
    rule=_missing,
)


def _failing(case: RuleCase) -> Iterator[Found]:
    for example in examples.examples(case.rule):
        for shortcoming in examples.shortcomings(case.ruleset, case.rule, example):
            yield Found(("examples", example.kind, example.number), f"the example {shortcoming}")


FAILING_EXAMPLE = Lint(
    id="failing-example",
    title="An example that does not come out as it says",
    chapter="examples",
    why="""\
Either the rule or the example is wrong. `rules test` runs the examples of single rules.""",
    bad="""\
extract: {books: card.books}
require: books >= 4
broken: "{books} books, at least 4 are needed"
examples:
  passed: [{given: {card: {books: 3}}}]
""",
    good="""\
extract: {books: card.books}
require: books >= 4
broken: "{books} books, at least 4 are needed"
examples:
  passed: [{given: {card: {books: 4}}}]
""",
    rule=_failing,
)


def _edges(case: RuleCase) -> Iterator[Found]:
    if not case.rule.raw.get("examples"):
        return
    for written in case.expressions:
        for node, bound in trees.scoped(written.tree):
            if isinstance(node, ast.Compare):
                for number, op in enumerate(node.ops):
                    if isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE):
                        yield from _edges_of(case, written, node, number, bound)


def _edges_of(
    case: RuleCase, written: Written, node: ast.Compare, number: int, bound: frozenset[str]
) -> Iterator[Found]:
    sides = [node.left, *node.comparators][number : number + 2]
    limits = [_limits(case, side, bound) for side in sides]
    if bool(limits[0]) == bool(limits[1]):
        return
    swapped = bool(limits[0])
    limit, value = (limits[0], sides[1]) if swapped else (limits[1], sides[0])
    found = set()
    for link, left, right in case.observed.pairs.get(written.spot(node), []):
        if link == number:
            below, above = (right, left) if swapped else (left, right)
            found.add(_side(below, above))
    wanted = {"on": "on the limit", "above": "above the limit", "below": "below the limit"}
    least = case.meaning(value, bound).least
    if least is not None and all(isinstance(number, int | float) and number <= least for number in limit):
        del wanted["below"]
    missing = [words for side, words in wanted.items() if side not in found]
    if missing:
        text = trees.write(ast.Compare(left=sides[0], ops=[node.ops[number]], comparators=[sides[1]]))
        shown = ", ".join(kinds.show(number) for number in limit[:4])
        yield Found(written.place, f"no example is {', none '.join(missing)} of `{text}` ({shown})")


def _limits(case: RuleCase, node: ast.expr, bound: frozenset[str]) -> list[Any]:
    """Return the limits that a side of a comparison can be, where the ruleset alone decides them."""
    found = list(case.meaning(node, bound).constants())
    fine = all(isinstance(value, int | float | str) and not isinstance(value, bool) for value in found)
    return found if fine else []


def _side(value: Any, limit: Any) -> str:
    try:
        return "on" if value == limit else ("above" if value > limit else "below")
    except TypeError:
        return ""


MISSING_EDGE = Lint(
    id="missing-edge-example",
    title="A limit without an example on it, above it and below it",
    chapter="examples",
    why="""\
Whether exactly 4 is enough is what people argue about. An example on the limit says it, and tells
`>=` from `>`; one on each side shows which way the limit cuts. Limits are numbers, parameters and
entries of tables that something is compared with.""",
    bad="""\
extract: {books: card.books}
require: books >= 4
broken: "{books} books, at least 4 are needed"
examples:
  passed: [{given: {card: {books: 10}}}]
  broken: [{given: {card: {books: 1}}, message: "1 books, at least 4 are needed"}]
""",
    good="""\
extract: {books: card.books}
require: books >= 4
broken: "{books} books, at least 4 are needed"
examples:
  passed: [{given: {card: {books: 4}}}, {given: {card: {books: 5}}}]
  broken: [{given: {card: {books: 3}}, message: "3 books, at least 4 are needed"}]
""",
    rule=_edges,
)

LINTS = (MISSING_EXAMPLE, FAILING_EXAMPLE, MISSING_EDGE)
