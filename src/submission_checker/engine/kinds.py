"""Kinds before values: how the rule language compares, orders and decides.

In a document `1` and `true` are different things, and null is not a number.
Python would let both pass; these operators do not.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from submission_checker.engine.errors import EvaluationError

MAX_COMPARED = 200_000
"""Parts that one comparison of lists or mappings may look at."""
MAX_PLAIN = 10_000
"""Characters of a list or mapping that is written as text."""
MAX_TEXT = 100_000
"""Characters of a text that an expression puts together; submissions hold longer ones than anybody reads."""
NUMBERS = frozenset({int, float})
"""Exact types of numbers; `bool` is a subclass of `int` and deliberately not one of them."""


def kind(value: Any) -> str:
    """Name the kind of a value in the words of the documents."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "a text"
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, Mapping):
        return "a mapping"
    return "something else"


def show(value: Any) -> str:
    """Write a value for an error message, shortened."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    try:
        written = _repr(value, [60])
    except ValueError:
        written = plain(value) if isinstance(value, int) else f"{kind(value)} with {TOO_LONG}"
    return written if len(written) <= 60 else written[:57] + "…"


def _repr(value: Any, budget: list[int]) -> str:
    """Return `repr(value)` where it fits the budget of characters, else its beginning.

    Values may share parts many times over, so that the whole could be longer than the memory.
    """
    if isinstance(value, list | tuple):
        opening, closing = ("[", "]") if isinstance(value, list) else ("(", ",)" if len(value) == 1 else ")")
        parts: Iterable[str] = (_repr(item, budget) for item in value)
    elif isinstance(value, dict):
        opening, closing = "{", "}"
        parts = (f"{key!r}: {_repr(item, budget)}" for key, item in value.items())
    else:
        # A text is cut before it is written: its beginning is all that is shown.
        written = repr(value[: budget[0] + 10] if isinstance(value, str) and budget[0] > 0 else value)
        budget[0] -= len(written)
        return written
    taken = []
    for part in parts:
        taken.append(part)
        budget[0] -= 2
        if budget[0] < 0:
            break
    return opening + ", ".join(taken) + closing


TOO_LONG = "an integer of thousands of digits"


def plain(value: Any) -> str:
    """Write a value as text; Python refuses to write integers of thousands of digits.

    >>> plain(1.5), plain(10**5000)
    ('1.5', 'an integer of thousands of digits')
    """
    try:
        return _repr(value, [MAX_PLAIN]) if isinstance(value, list | tuple | dict) else str(value)
    except ValueError:
        return TOO_LONG


def cut(text: str) -> str:
    """Cut a text that is longer than anybody reads, and show that it was cut.

    >>> cut("ab"), len(cut("ab" * 100_000))
    ('ab', 100000)
    """
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"


def truth(value: Any) -> bool:
    """Return a value that is exactly true or false.

    Raises:
        EvaluationError: for anything else; a list or a number never becomes a yes or no on its own.
    """
    if value is True or value is False:
        return bool(value)
    raise EvaluationError(f"expected true or false, found {show(value)}, {kind(value)}")


def equal(a: Any, b: Any) -> bool:
    """Tell whether two values are of one kind and equal, at every level.

    >>> equal(1, 1.0), equal(1, True), equal([1], [True]), equal(None, None)
    (True, False, False, True)
    """
    if isinstance(a, str) or isinstance(b, str):
        return bool(a == b)
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, list | tuple | Mapping) and isinstance(b, list | tuple | Mapping):
        return _equal_within(a, b, [MAX_COMPARED])
    return bool(a == b)


def _equal_within(a: Any, b: Any, budget: list[int]) -> bool:
    """Compare two values at every level, within a budget: values may share parts many times over."""
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        if len(a) != len(b):
            return False
        pairs: Iterable[tuple[Any, Any]] = zip(a, b, strict=True)
    elif isinstance(a, Mapping) and isinstance(b, Mapping):
        if a.keys() != b.keys():
            return False
        pairs = ((value, b[key]) for key, value in a.items())
    elif isinstance(a, list | tuple | Mapping) and isinstance(b, list | tuple | Mapping):
        return False
    else:
        return equal(a, b)
    budget[0] -= len(a)
    if budget[0] < 0:
        raise EvaluationError(f"compares more than {MAX_COMPARED:,} values")
    return all(_equal_within(left, right, budget) for left, right in pairs)


def distinct_items(items: Iterable[Any]) -> list[Any]:
    """Keep the first of equal items, in their order.

    >>> distinct_items([1, True, 1.0, "1", [1], [True]])
    [1, True, '1', [1], [True]]
    """
    kept: list[Any] = []
    known: set[Any] = set()
    budget = [MAX_COMPARED]
    for item in items:
        key = _key(item, budget)
        if key not in known:
            known.add(key)
            kept.append(item)
    return kept


def _key(value: Any, budget: list[int]) -> Any:
    """Make something hashable that is the same for values that are `equal`, and for those only."""
    if isinstance(value, float) and value != value:  # NaN equals nothing, itself included
        return object()
    if isinstance(value, list | tuple | Mapping):
        budget[0] -= len(value)
        if budget[0] < 0:
            raise EvaluationError(f"compares more than {MAX_COMPARED:,} values")
        if isinstance(value, Mapping):
            return "mapping", frozenset((key, _key(item, budget)) for key, item in value.items())
        return "list", tuple(_key(item, budget) for item in value)
    if isinstance(value, set):
        return "set", frozenset(value)
    return kind(value), value


def not_equal(a: Any, b: Any) -> bool:
    """Tell whether two values differ in kind or value."""
    return not equal(a, b)


def contains(item: Any, collection: Any) -> bool:
    """Tell whether *item* is in a list, a key of a mapping, or a part of a text."""
    if isinstance(collection, str):
        if isinstance(item, str):
            return item in collection
    elif isinstance(collection, Mapping):
        return isinstance(item, str) and item in collection
    elif isinstance(collection, list | tuple):
        if isinstance(item, str):
            return item in collection
        if isinstance(item, bool | int | float) and item not in collection:
            return False
        return any(equal(item, other) for other in collection)
    raise EvaluationError(f"cannot look for {show(item)} in {show(collection)}, {kind(collection)}")


def _order(name: str, compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def ordered(a: Any, b: Any) -> bool:
        if (type(a) in NUMBERS and type(b) in NUMBERS) or (isinstance(a, str) and isinstance(b, str)):
            return compare(a, b)
        raise EvaluationError(
            f"cannot order {show(a)} {name} {show(b)}: {kind(a)} and {kind(b)}"
            if kind(a) != kind(b)
            else f"cannot order {show(a)} {name} {show(b)}: {kind(a)} has no order"
        )

    return ordered


less = _order("<", operator.lt)
less_equal = _order("<=", operator.le)
greater = _order(">", operator.gt)
greater_equal = _order(">=", operator.ge)
