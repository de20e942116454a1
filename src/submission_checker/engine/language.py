"""The functions of the rule language itself: general, pure, bounded, and strict about kinds."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from submission_checker.documents.problems import escape
from submission_checker.engine.errors import EvaluationError
from submission_checker.engine.kinds import (
    MAX_TEXT,
    NUMBERS,
    cut,
    distinct_items,
    equal,
    greater,
    less,
    less_equal,
    plain,
    truth,
)
from submission_checker.engine.patterns import safe_pattern

MAX_DIGITS = 30
"""Decimals that a number is rounded to."""


def within(a: float, b: float, *, rel: float = 0.0, abs: float = 0.0) -> bool:
    """Tell whether *a* lies within a tolerance of *b*.

    The edge belongs to the tolerance: exactly 1 % off is within `rel=0.01`.

    Args:
        a: The value to test.
        b: The value to compare with; `rel` is a share of it.
        rel: Relative tolerance, as a share of the size of *b*.
        abs: Absolute tolerance, in the unit of *b*. The larger tolerance counts.

    >>> within(1010.0, 1000.0, rel=0.01), within(1010.01, 1000.0, rel=0.01)
    (True, False)
    """
    return math.fabs(a - b) <= max(rel * math.fabs(b), abs)


def finite(value: Any) -> bool:
    """Tell whether *value* is a number that is neither NaN nor infinite.

    >>> finite(1), finite(float("nan")), finite(None), finite(True)
    (True, False, False, False)
    """
    return type(value) in NUMBERS and math.isfinite(value)


def is_number(value: Any) -> bool:
    """Tell whether *value* is a number (NaN and infinity count, true and false do not).

    >>> is_number(1.5), is_number(True), is_number("1")
    (True, False, False)
    """
    return type(value) in NUMBERS


def is_integer(value: Any) -> bool:
    """Tell whether *value* is an integer as written: neither true nor false, nor a float like 64.0.

    >>> is_integer(64), is_integer(64.0), is_integer(True), is_integer("64")
    (True, False, False, False)
    """
    return type(value) is int


def is_text(value: Any) -> bool:
    """Tell whether *value* is a text.

    >>> is_text(""), is_text(None)
    (True, False)
    """
    return isinstance(value, str)


def is_list(value: Any) -> bool:
    """Tell whether *value* is a list.

    >>> is_list([]), is_list({})
    (True, False)
    """
    return isinstance(value, list | tuple)


def is_mapping(value: Any) -> bool:
    """Tell whether *value* is a mapping.

    >>> is_mapping({}), is_mapping([])
    (True, False)
    """
    return isinstance(value, Mapping)


def is_boolean(value: Any) -> bool:
    """Tell whether *value* is true or false.

    >>> is_boolean(False), is_boolean(0)
    (True, False)
    """
    return isinstance(value, bool)


def length(value: Any) -> int:
    """Count the items of a list or mapping, or the characters of a text.

    >>> length([1, 2])
    2
    """
    if isinstance(value, list | tuple | str | Mapping):
        return len(value)
    raise EvaluationError(f"len() takes a list, a mapping or a text, not {value!r:.80}")


def distinct(items: Iterable[Any]) -> list[Any]:
    """Keep the first of equal items, in their order.

    >>> distinct(["b", "a", "b"])
    ['b', 'a']
    """
    return distinct_items(items)


def all_true(items: Iterable[Any]) -> bool:
    """Tell whether every item is true; true over nothing, so ask `len(...) > 0` beside it.

    >>> all_true([True, False])
    False
    """
    return all(truth(item) for item in items)


def any_true(items: Iterable[Any]) -> bool:
    """Tell whether some item is true; false over nothing.

    >>> any_true([False, True])
    True
    """
    return any(truth(item) for item in items)


def smallest(items: Iterable[Any], *, default: Any = ...) -> Any:
    """Return the smallest item, or *default* where there is none.

    >>> smallest([3, 1, 2]), smallest([], default=None)
    (1, None)
    """
    return _extreme("min", items, less, default)


def largest(items: Iterable[Any], *, default: Any = ...) -> Any:
    """Return the largest item, or *default* where there is none; a NaN counts only in the first place.

    >>> largest([3, 1, 2]), largest([], default=0)
    (3, 0)
    """
    return _extreme("max", items, greater, default)


def _extreme(name: str, items: Iterable[Any], better: Callable[[Any, Any], bool], default: Any) -> Any:
    best: Any = ...
    for item in items:
        if best is ... or better(item, best):
            best = item
    if best is not ...:
        return best
    if default is ...:
        raise EvaluationError(f"{name}() of nothing; say default=… if that can happen")
    return default


def total(items: Iterable[Any]) -> Any:
    """Add numbers up; 0 for none.

    >>> total([1, 2.5])
    3.5
    """
    result: Any = 0
    for item in items:
        if type(item) not in NUMBERS:
            raise EvaluationError(f"sum() takes numbers, not {item!r:.80}")
        result += item
    return result


def mean(items: Iterable[Any]) -> float:
    """Return the arithmetic mean of at least one number.

    >>> mean([1, 2])
    1.5
    """
    numbers = list(items)
    if not numbers:
        raise EvaluationError("mean() of nothing")
    return float(total(numbers) / len(numbers))


def absolute(value: Any) -> Any:
    """Return the size of a number.

    >>> absolute(-2)
    2
    """
    return abs(_number("abs", value))


def rounded(value: Any, digits: int = 0) -> Any:
    """Round to *digits* decimals, ties to even; without digits to an integer.

    >>> rounded(2.5), rounded(42.525, 2)
    (2, 42.52)
    """
    number = _number("round", value)
    if type(digits) is not int or abs(digits) > MAX_DIGITS:
        raise EvaluationError(f"round() takes up to {MAX_DIGITS} digits, not {digits!r:.80}")
    return round(number, digits) if digits else round(number)


def whole(value: Any) -> int:
    """Return a number without its fraction (toward zero), or the integer that a text writes.

    >>> whole(-0.5), whole(" 12 ")
    (0, 12)
    """
    if type(value) in NUMBERS or isinstance(value, str):
        return int(value)
    raise EvaluationError(f"int() takes a number or a text, not {value!r:.80}")


def _number(name: str, value: Any) -> Any:
    if type(value) not in NUMBERS:
        raise EvaluationError(f"{name}() takes a number, not {value!r:.80}")
    return value


def ordered(items: Iterable[Any]) -> list[Any]:
    """Sort items of one kind, ascending.

    >>> ordered([2, 1])
    [1, 2]
    """
    listed = list(items)
    for first, second in itertools.pairwise(listed):
        less_equal(first, second)
    return sorted(listed)


def keys(mapping: Mapping[str, Any]) -> list[str]:
    """List the keys of a mapping.

    >>> keys({"a": 1})
    ['a']
    """
    return list(_mapping("keys", mapping))


def values(mapping: Mapping[str, Any]) -> list[Any]:
    """List the values of a mapping.

    >>> values({"a": 1})
    [1]
    """
    return list(_mapping("values", mapping).values())


def items(mapping: Mapping[str, Any]) -> list[dict[str, Any]]:
    """List the entries of a mapping as `{key, value}`.

    >>> items({"a": 1})
    [{'key': 'a', 'value': 1}]
    """
    return [{"key": key, "value": value} for key, value in _mapping("items", mapping).items()]


def without(mapping: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Return a mapping without the keys in *names*.

    >>> without({"a": 1, "b": 2}, ["b"])
    {'a': 1}
    """
    left_out = set(names)
    return {key: value for key, value in _mapping("without", mapping).items() if key not in left_out}


def _mapping(name: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise EvaluationError(f"{name}() takes a mapping, not {value!r:.80}")
    return value


def lower(text: str) -> str:
    """Return *text* in lower case.

    >>> lower("Air")
    'air'
    """
    return _text("lower", text).lower()


def strip(text: str) -> str:
    """Return *text* without the white space around it.

    >>> strip(" a ")
    'a'
    """
    return _text("strip", text).strip()


def starts_with(text: str, beginning: str) -> bool:
    """Tell whether *text* begins with *beginning*.

    >>> starts_with("a.yaml", "a.")
    True
    """
    return _text("starts_with", text).startswith(beginning)


def ends_with(text: str, ending: str) -> bool:
    """Tell whether *text* ends with *ending*.

    >>> ends_with("a.yaml", ".yaml")
    True
    """
    return _text("ends_with", text).endswith(ending)


def join(items: Iterable[Any], separator: str = ", ") -> str:
    """Write the items of a list one after the other, up to a hundred thousand characters.

    >>> join(["a", 1])
    'a, 1'
    """
    _text("join", separator)
    written: list[str] = []
    length = 0
    for item in items:
        written.append(text(item))
        length += len(written[-1])
        if length > MAX_TEXT:
            break
        length += len(separator)
    return cut(separator.join(written))


def pointer(keys: Iterable[Any]) -> str:
    """Write the JSON pointer (RFC 6901) that these keys and indices lead along.

    >>> pointer(["a/b", 0])
    '/a~1b/0'
    """
    return "".join(f"/{escape(key)}" for key in keys)


def text(value: Any) -> str:
    """Write a value as a reader of the submission would: null, true, false, numbers and texts.

    >>> text(None), text(True), text(1.5)
    ('null', 'true', '1.5')
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return plain(value)


def matches(pattern: str, value: Any) -> bool:
    """Tell whether the whole of a text matches a regular expression; false for what is no text.

    Patterns that repeat what can match in several ways are refused, since they can take for ever.

    >>> matches("[0-9]{4}-[0-9]{2}", "2026-10")
    True
    """
    compiled = safe_pattern(pattern)
    return isinstance(value, str) and compiled.matches(value)


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise EvaluationError(f"{name}() takes a text, not {value!r:.80}")
    return value


LANGUAGE: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        "abs": absolute,
        "all": all_true,
        "any": any_true,
        "distinct": distinct,
        "ends_with": ends_with,
        "equal": equal,
        "finite": finite,
        "int": whole,
        "is_boolean": is_boolean,
        "is_integer": is_integer,
        "is_list": is_list,
        "is_mapping": is_mapping,
        "is_number": is_number,
        "is_text": is_text,
        "items": items,
        "join": join,
        "keys": keys,
        "len": length,
        "lower": lower,
        "matches": matches,
        "max": largest,
        "mean": mean,
        "min": smallest,
        "pointer": pointer,
        "round": rounded,
        "sorted": ordered,
        "starts_with": starts_with,
        "strip": strip,
        "sum": total,
        "text": text,
        "values": values,
        "within": within,
        "without": without,
    }
)
"""Name in the rule language to function."""
