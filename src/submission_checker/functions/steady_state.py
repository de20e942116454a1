"""Steady state: the window a run reports, and whether the report agrees with itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

MILLISECONDS_A_SECOND = 1000
NANOSECONDS_A_MILLISECOND = 1e6


def super_pass_span(first: int | None, last: int | None) -> int | None:
    """Count the super-passes of a window.

    Args:
        first: Number of the first super-pass.
        last: Number of the last super-pass.

    Returns:
        How many there are, both ends among them, zero or less when they are the wrong way round; None when
        either is not known.

    Clause:
        endpoints_rules.md §4.4

    >>> super_pass_span(3, 6), super_pass_span(3, None)
    (4, None)
    """
    return None if first is None or last is None else last - first + 1


def measured_duration_ms(window_s: float | None, duration_ns: float | None) -> float | None:
    """Give the duration that a run's measurements cover.

    Args:
        window_s: Duration of the steady-state window in seconds.
        duration_ns: Duration of the whole run in nanoseconds.

    Returns:
        Duration of the window if it is stated, zero too, and otherwise of the run, in milliseconds; None when
        neither is known.

    Clause:
        endpoints_rules.md §6.2

    >>> measured_duration_ms(1200.0, 9e12), measured_duration_ms(None, 600e9)
    (1200000.0, 600000.0)
    """
    if window_s is not None:
        return window_s * MILLISECONDS_A_SECOND
    return None if duration_ns is None else duration_ns / NANOSECONDS_A_MILLISECOND


def drifting_metrics(states: Mapping[str, str] | None, *, drift_prefix: str) -> list[str]:
    """List the metrics whose state is a drift.

    Args:
        states: For each metric its state, as submitted.
        drift_prefix: How every state that is a drift begins.

    Returns:
        Names of those metrics, in order.

    Clause:
        endpoints_rules.md §4.4

    >>> drifting_metrics({"ttft": "Plateau", "tpot": "Drifting Up"}, drift_prefix="Drifting")
    ['tpot']
    """
    return [metric for metric, state in (states or {}).items() if state.startswith(drift_prefix)]


def unknown_steady_state_words(
    block: Mapping[str, Any], *, statuses: Sequence[str], verdicts: Sequence[str], states: Sequence[str]
) -> list[dict[str, Any]]:
    """List the words of a steady-state report that are not in its vocabulary.

    Args:
        block: Steady-state report of a point.
        statuses: Words that `status` may be.
        verdicts: Words that `verdict` may be.
        states: Words that each value of `state` may be.

    Returns:
        For each word that is none of these its `field` and `value`; what is absent or null is no word.

    Clause:
        endpoints_rules.md §4.4, §8.3

    >>> block = {"status": "fine", "state": {"tpot": "Plateau"}}
    >>> unknown_steady_state_words(block, statuses=["windowable"], verdicts=[], states=["Plateau"])
    [{'field': 'status', 'value': 'fine'}]
    """
    rows = [("status", block.get("status"), statuses), ("verdict", block.get("verdict"), verdicts)]
    rows += [(f"state.{metric}", state, states) for metric, state in (block.get("state") or {}).items()]
    return [
        {"field": field, "value": value}
        for field, value, words in rows
        if value is not None and value not in words
    ]
