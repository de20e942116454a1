"""Plain conversions of submitted values, shared by the families of functions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def plain_float(value: Any) -> float | None:
    """Read a number, a boolean or the text of a number as a double; None for anything else."""
    if not isinstance(value, (int, float, str)):
        return None
    try:
        return float(value)
    except (ValueError, OverflowError):
        return None


def plain_int(value: Any) -> int | None:
    """Read a number (cut off after the point), a boolean or the digits of a whole number; else None."""
    if not isinstance(value, (int, float, str)):
        return None
    try:
        return int(value)
    except (ValueError, OverflowError):
        return None


def strict_float(value: Any) -> float | None:
    """Read a JSON number as a double; a boolean, a text or a number beyond a double's range is None."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return plain_float(value)


def add_up(numbers: Iterable[float]) -> float:
    """Add numbers from left to right: `sum` rounds otherwise since Python 3.12, and a verdict may hang on it.

    >>> add_up([0.1] * 10)
    0.9999999999999999
    """
    total: float = 0
    for number in numbers:
        total += number
    return total
