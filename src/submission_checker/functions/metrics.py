"""Metrics that follow from a result summary, and how far a stored one is from its derivation."""

from __future__ import annotations

import math
from typing import Any

from submission_checker.functions._numbers import plain_float, strict_float

NANOSECONDS_A_SECOND = 1e9
NANOSECONDS_A_MILLISECOND = 1e6
MILLISECONDS_A_SECOND = 1000


def stored_number(value: Any) -> float | None:
    """Read a metric that a result file stores, as far as it is a number.

    A boolean counts as 1 or 0 and the text of a number as that number, NaN and the infinities among them.

    Args:
        value: Value as submitted.

    Returns:
        The number; None when there is none, or when it is beyond what a double can hold.

    Clause:
        endpoints_rules.md §9.1

    >>> stored_number("50.5"), stored_number("fast"), stored_number([50.5])
    (50.5, None, None)
    """
    return plain_float(value)


def relative_error(stored: float, derived: float, *, floor: float) -> float:
    """Measure how far a stored metric is from the derived one.

    Args:
        stored: Metric as stored.
        derived: Same metric as derived, in the same unit.
        floor: Least magnitude that the difference is divided by, in that unit.

    Returns:
        Absolute difference as a fraction of the derived metric; NaN when either is NaN.

    Clause:
        endpoints_rules.md §9.1

    >>> relative_error(1010, 1000, floor=1e-9)
    0.01
    """
    return abs(stored - derived) / max(abs(derived), floor)


def agrees(stored: float, derived: float, *, rel_tol: float, floor: float) -> bool:
    """Tell whether a stored metric agrees with the derived one.

    Args:
        stored: Metric as stored.
        derived: Same metric as derived, in the same unit.
        rel_tol: Largest relative error that still agrees, a fraction.
        floor: Least magnitude that the difference is divided by, in the metric's unit.

    Returns:
        False if the relative error is above the tolerance; a NaN is above nothing.

    Clause:
        endpoints_rules.md §9.1

    >>> agrees(1010, 1000, rel_tol=0.01, floor=1e-9), agrees(1010.01, 1000, rel_tol=0.01, floor=1e-9)
    (True, False)
    """
    return not relative_error(stored, derived, floor=floor) > rel_tol


def total_output_tokens(total: float | None) -> int | None:
    """Cut a total of output tokens to a whole number, toward zero.

    Args:
        total: Output tokens of a run.

    Returns:
        Whole tokens; None when the total is not known or not finite.

    Clause:
        endpoints_rules.md §4.1

    >>> total_output_tokens(1200.9), total_output_tokens(-0.5), total_output_tokens(float("nan"))
    (1200, 0, None)
    """
    return None if total is None or not math.isfinite(total) else int(total)


def elapsed_s(duration_ns: float) -> float:
    """Give the duration of a run in seconds.

    Args:
        duration_ns: Duration in nanoseconds.

    Returns:
        Duration in seconds.

    Clause:
        endpoints_rules.md §4.1

    >>> elapsed_s(600_000_000_000)
    600.0
    """
    return duration_ns / NANOSECONDS_A_SECOND


def system_tps(total_tokens: int | None, duration_ns: float | None) -> float | None:
    """Derive the throughput of a system.

    Args:
        total_tokens: Output tokens of the run, whole.
        duration_ns: Duration of the run in nanoseconds.

    Returns:
        Output tokens per second, 0 unless the duration is positive; None when either is not known.

    Clause:
        endpoints_rules.md §4.1

    >>> system_tps(1_200_000, 600e9), system_tps(1_200_000, 0)
    (2000.0, 0.0)
    """
    if total_tokens is None or duration_ns is None:
        return None
    seconds = elapsed_s(duration_ns)
    return total_tokens / seconds if seconds > 0 else 0.0


def tpot_p90_ms(tpot_p90_ns: float | None) -> float | None:
    """Give the P90 time per output token in milliseconds.

    Args:
        tpot_p90_ns: P90 time per output token in nanoseconds.

    Returns:
        The same in milliseconds; None when it is not known.

    Clause:
        endpoints_rules.md §4.1

    >>> tpot_p90_ms(20_000_000)
    20.0
    """
    return None if tpot_p90_ns is None else tpot_p90_ns / NANOSECONDS_A_MILLISECOND


def tps_per_user(p90_ms: float | None) -> float | None:
    """Derive the token rate that a user sees.

    Args:
        p90_ms: P90 time per output token in milliseconds.

    Returns:
        Output tokens per second and user; None unless the time is finite and positive.

    Clause:
        endpoints_rules.md §4.1

    >>> tps_per_user(20.0), tps_per_user(0.0)
    (50.0, None)
    """
    if p90_ms is None or not math.isfinite(p90_ms) or p90_ms <= 0:
        return None
    return MILLISECONDS_A_SECOND / p90_ms


def system_tps_per_kw(tps: float | None, power_kw: float | None) -> float | None:
    """Derive the throughput of a system for each kilowatt provisioned.

    Args:
        tps: Output tokens per second.
        power_kw: Provisioned power in kilowatts.

    Returns:
        Output tokens per second and kilowatt; None when either is not known or the power is zero or less.

    Clause:
        endpoints_rules.md §4.5.3

    >>> system_tps_per_kw(2000.0, 12.5)
    160.0
    """
    if tps is None or power_kw is None or power_kw <= 0:
        return None
    return tps / power_kw


def e2e_avg_interactivity(tokens_total: float | None, seconds_total: float | None) -> float | None:
    """Derive the average interactivity of an agentic run.

    Args:
        tokens_total: Output tokens of all turns.
        seconds_total: End-to-end time of all turns in seconds.

    Returns:
        Output tokens per second; None when either is not known or the time is zero or less.

    Clause:
        endpoints_rules.md §4.1

    >>> e2e_avg_interactivity(5000.0, 100.0), e2e_avg_interactivity(5000.0, 0.0)
    (50.0, None)
    """
    if tokens_total is None or seconds_total is None or seconds_total <= 0:
        return None
    return tokens_total / seconds_total


def reported_tps(total: Any, duration_ns: Any) -> float | None:
    """Derive a throughput from values as submitted, the total not cut to whole tokens.

    Args:
        total: Output tokens of the run, as submitted.
        duration_ns: Duration of the run in nanoseconds, as submitted.

    Returns:
        Output tokens per second, NaN when either number is; None unless both are JSON numbers, and when the
        duration is zero or less.

    Clause:
        endpoints_rules.md §8.2

    >>> reported_tps(1500, 1e9), reported_tps("1500", 1e9), reported_tps(True, 1e9)
    (1500.0, None, None)
    """
    tokens, nanoseconds = strict_float(total), strict_float(duration_ns)
    if tokens is None or nanoseconds is None:
        return None
    seconds = elapsed_s(nanoseconds)
    return None if seconds <= 0 else tokens / seconds


def reported_number(value: Any) -> float | None:
    """Read a value as submitted, if it is a JSON number.

    Args:
        value: Value as submitted.

    Returns:
        The number; None for a boolean, a text, anything else. An integer beyond what a double can hold is
        infinite, so that it is compared, and not taken for a value that is not there.

    Clause:
        endpoints_rules.md §8.2

    >>> reported_number(0.5), reported_number("0.5"), reported_number(True), reported_number(-(10**400))
    (0.5, None, None, -inf)
    """
    number = strict_float(value)
    if number is None and type(value) is int:
        return math.inf if value > 0 else -math.inf
    return number
