from __future__ import annotations

import pytest

from submission_checker.functions import (
    drifting_metrics,
    measured_duration_ms,
    super_pass_span,
    unknown_steady_state_words,
)


@pytest.mark.parametrize(
    ("first", "last", "span"), [(0, 3, 4), (5, 5, 1), (5, 4, 0), (9, 2, -6), (None, 3, None), (0, None, None)]
)
def test_super_pass_span(first, last, span) -> None:
    assert super_pass_span(first, last) == span


@pytest.mark.parametrize(
    ("window_s", "duration_ns", "ms"),
    [(1200.0, 1.0, 1_200_000.0), (0.0, 9e12, 0.0), (None, 6e11, 600_000.0), (None, None, None)],
)
def test_measured_duration_ms(window_s, duration_ns, ms) -> None:
    assert measured_duration_ms(window_s, duration_ns) == ms


def test_a_hair_less_than_the_minimum_is_less(tables) -> None:
    minimum = tables.durations["minimum_ms"]["high_concurrency"]
    assert measured_duration_ms(1200.0, None) >= minimum
    assert measured_duration_ms(1199.9999999, None) < minimum


@pytest.mark.parametrize(
    ("states", "drifting"),
    [
        ({"a": "Plateau", "b": "Drifting Up", "c": "Drifting sideways"}, ["b", "c"]),
        ({"a": "drifting up"}, []),
        ({}, []),
        (None, []),
    ],
)
def test_drifting_metrics(tables, states, drifting) -> None:
    prefix = tables.vocabularies["steady_state"]["drift_prefix"]
    assert drifting_metrics(states, drift_prefix=prefix) == drifting


@pytest.mark.parametrize(
    ("block", "fields"),
    [
        ({}, []),
        ({"status": None, "verdict": None, "state": None}, []),
        ({"status": "windowable", "verdict": "STEADY STATE", "state": {"ttft": "Plateau"}}, []),
        ({"status": "partial_dataset", "verdict": "not found", "state": {"ttft": "Drifting Down"}}, []),
        ({"status": "Windowable"}, ["status"]),
        ({"status": ""}, ["status"]),
        (
            {"status": "x", "verdict": "y", "state": {"a": "z", "b": "Plateau"}},
            ["status", "verdict", "state.a"],
        ),
    ],
)
def test_unknown_steady_state_words(tables, block, fields) -> None:
    words = {name: tables.vocabularies["steady_state"][name] for name in ("statuses", "verdicts", "states")}
    assert [row["field"] for row in unknown_steady_state_words(block, **words)] == fields
