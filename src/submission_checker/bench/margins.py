"""How far a condition is from its limit, whichever side of it it is on."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from submission_checker.bench import trees
from submission_checker.engine import kinds
from submission_checker.engine.errors import EvaluationError
from submission_checker.engine.expressions import Expression
from submission_checker.engine.extraction import Record
from submission_checker.engine.rules import Functions

_SYMBOLS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
_FAR = 1e6
"""How much larger or smaller a value is tried."""
_GROWTH = 1.05
"""How much further each try is, so that a narrow range of good values is not passed over."""
_STEPS = 200


@dataclass(frozen=True, slots=True)
class Distance:
    """A comparison of two numbers."""

    value: str
    """The text of the side that is compared."""
    symbol: str
    limit: str
    """The text of the side that it is compared with."""
    difference: float
    """The value less the limit."""
    share: float | None
    """That by the size of the limit; None for a limit of 0."""

    @property
    def sentence(self) -> str:
        """Say it in words."""
        if self.difference == 0:
            return f"{self.value} is exactly {self.limit}"
        side = "above" if self.difference > 0 else "below"
        share = "" if self.share is None else f", {abs(self.share) * 100:.3g} %"
        return f"{self.value} is {number(abs(self.difference))} {side} {self.limit}{share}"


@dataclass(frozen=True, slots=True)
class Turn:
    """The nearest value of one name at which a condition would come out otherwise."""

    name: str
    now: float
    turns: float

    @property
    def sentence(self) -> str:
        """Say it in words."""
        return f"would turn at {self.name} = {number(self.turns)} (now {number(self.now)})"


def number(value: float) -> str:
    """Write a number as people read it.

    >>> number(3), number(0.1 + 0.2), number(1234567.0)
    ('3', '0.3', '1234567')
    """
    return kinds.plain(value) if isinstance(value, int) else f"{value:.10g}"


def distances(tree: ast.expr, source: str, value_of: Any) -> list[Distance]:
    """Return the distances of a comparison's links between two numbers.

    Args:
        tree: A comparison.
        source: The text that it is in.
        value_of: Gives the value of a part, None where there is none.
    """
    if not isinstance(tree, ast.Compare):
        return []
    found = []
    left = tree.left
    for operator, right in zip(tree.ops, tree.comparators, strict=True):
        symbol = _SYMBOLS.get(type(operator))
        sides = (value_of(left), value_of(right))
        if symbol is not None and all(_is_finite(side) for side in sides):
            value, limit = (left, right), sides
            if _is_limit(left) and not _is_limit(right):
                value, limit = (right, left), (sides[1], sides[0])
            difference = limit[0] - limit[1]
            found.append(
                Distance(
                    value=segment(source, value[0]),
                    symbol=symbol,
                    limit=segment(source, value[1]),
                    difference=difference,
                    share=difference / abs(limit[1]) if limit[1] else None,
                )
            )
        left = right
    return found


def segment(source: str, node: ast.AST) -> str:
    """Return the text of a part, in one line.

    >>> segment("a +  b", trees.parse("a +  b"))
    'a + b'
    """
    text = ast.get_source_segment(source.strip(), node) or trees.write(node)  # type: ignore[arg-type]
    return " ".join(text.split())


def _is_limit(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) or (
        isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant)
    )


def _is_finite(value: Any) -> bool:
    return type(value) in kinds.NUMBERS and math.isfinite(value)


def turns(source: str, functions: Functions, known: Mapping[str, Any]) -> list[Turn]:
    """Return, for each number in a condition, the nearest value at which the condition would turn.

    It looks on both sides, further and further away, and then in between: right for conditions that
    turn once on each side, as those with a limit do.

    Args:
        source: The text of the condition.
        functions: What it may call.
        known: The values of its names.
    """
    expression = Expression(source, functions)
    if any(isinstance(known.get(name), list | tuple | dict | Record) for name in expression.names):
        # A condition over whole lists could take long, and is tried many hundred times.
        return []
    found = []
    for name in expression.names:
        now: Any = known.get(name)
        if _is_finite(now):
            turn = _turn(expression, known, name, now)
            if turn is not None:
                found.append(Turn(name, now, turn))
    return found


def _turn(expression: Expression, known: Mapping[str, Any], name: str, now: float) -> float | None:
    whole = type(now) is int

    def holds(value: float) -> bool | None:
        try:
            return expression.decide({**known, name: int(value) if whole else value})
        except EvaluationError:
            return None

    at_present = holds(now)
    nearest: float | None = None
    for sign in (1, -1):
        far = _first_other(holds, now, sign, at_present, whole)
        if far is not None:
            turn = _between(holds, now, far, at_present, whole)
            if nearest is None or abs(turn - now) < abs(nearest - now):
                nearest = turn
    return nearest


def _first_other(holds: Any, now: float, sign: int, at_present: bool | None, whole: bool) -> float | None:
    """Look further and further away for a value at which the condition turns."""
    step = 1.0 if whole else max(abs(now), 1e-6) * 1e-6
    most = max(abs(now), 1.0) * _FAR
    while step <= most:
        value = now + sign * (int(step) if whole else step)
        other = holds(value)
        if other is not None and other is not at_present:
            return value
        step = step * 2 if whole and step < 16 else step * _GROWTH
    return None


def _between(holds: Any, near: float, far: float, at_present: bool | None, whole: bool) -> float:
    """Narrow down where a condition turns; return the first value on the other side."""
    for _ in range(_STEPS):
        middle = (near + far) // 2 if whole else (near + far) / 2
        if middle in (near, far):
            break
        if holds(middle) is at_present:
            near = middle
        else:
            far = middle
    return int(far) if whole else far
