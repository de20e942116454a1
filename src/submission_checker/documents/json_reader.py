"""JSON text to values."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from submission_checker.documents.files import decode, line_and_column
from submission_checker.documents.problems import Limits, Problem, Refused

_CONTAINERS: Final = frozenset({dict, list})
_TEXTS: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_EMPTY: Final = re.compile(r"\[\s*\]|\{\s*\}")


class _Doubled(Exception):
    """A key is given twice in one object."""


def _build(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    built = dict(pairs)
    if len(built) != len(pairs):
        raise _Doubled
    return built


_STRICT: Final = json.JSONDecoder(object_pairs_hook=_build)
_LENIENT: Final = json.JSONDecoder()


def parse_json(data: bytes, limits: Limits) -> tuple[Any, tuple[Problem, ...]]:
    """Parse *data*.

    `NaN`, `Infinity` and `-Infinity` become floats; of equal keys the last one counts.

    Args:
        data: The file's bytes.
        limits: Nesting and number of values.

    Returns:
        The value, and a remark for each key that is given twice.

    Raises:
        Refused: It is not JSON in UTF-8, or exceeds a limit.
    """
    text = decode(data)
    if text.startswith("\ufeff"):
        raise Refused(
            Problem("encoding", "starts with a byte order mark, which JSON does not allow", "", 1, 1)
        )
    refuse_too_many(text, limits)
    doubled = False
    try:
        try:
            value = _STRICT.decode(text)
        except _Doubled:
            doubled = True
            value = _LENIENT.decode(text)
    except json.JSONDecodeError as error:
        line, column = line_and_column(text, error.pos)
        message = f"is not JSON: {_lower_first(error.msg)}" if text.strip() else "is empty"
        raise Refused(Problem("syntax", message, "", line, column)) from None
    except RecursionError:
        raise Refused(_too_deep(limits)) from None
    except ValueError:  # Python refuses to convert integers of thousands of digits
        raise Refused(Problem("too_large", "holds an integer with too many digits")) from None
    if text.count("[") + text.count("{") > limits.max_depth or len(text) > limits.max_nodes:
        _measure(value, limits)
    if not doubled:
        return value, ()
    from submission_checker.documents.positions import json_duplicates

    return value, json_duplicates(text)


def refuse_too_many(text: str, limits: Limits) -> None:
    """Count the values of a long text by its punctuation: to build a hundred million would take all memory.

    Args:
        text: JSON, or what should be.
        limits: Number of values.

    Raises:
        Refused: There are too many.
    """
    if len(text) <= limits.max_nodes:
        return
    if text.count(",") + text.count("[") + text.count("{") < limits.max_nodes:
        return
    bare = _TEXTS.sub("", text)
    nodes = 1 + bare.count(",")
    if nodes <= limits.max_nodes:
        nodes += bare.count("[") + bare.count("{") - sum(1 for _ in _EMPTY.finditer(bare))
    if nodes > limits.max_nodes:
        raise Refused(_too_many(limits))


def _measure(value: Any, limits: Limits) -> None:
    """Count the levels and the values below *value*, level by level."""
    level = [value]
    depth = nodes = 0
    while level:
        nodes += len(level)
        if nodes > limits.max_nodes:
            raise Refused(_too_many(limits))
        containers = [item for item in level if type(item) in _CONTAINERS]
        if containers:
            depth += 1
            if depth > limits.max_depth:
                raise Refused(_too_deep(limits))
        level = [child for item in containers for child in (item.values() if type(item) is dict else item)]


def _too_deep(limits: Limits) -> Problem:
    return Problem("too_deep", f"nests deeper than {limits.max_depth} levels")


def _too_many(limits: Limits) -> Problem:
    return Problem("too_many", f"holds more than {limits.max_nodes} values")


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]
