from __future__ import annotations

import math

import pytest

from submission_checker.functions import (
    agrees,
    e2e_avg_interactivity,
    relative_error,
    reported_number,
    reported_tps,
    stored_number,
    system_tps,
    system_tps_per_kw,
    total_output_tokens,
    tps_per_user,
)

HUGE = 10**400


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (50.5, 50.5),
        (50, 50.0),
        (True, 1.0),
        ("50.5", 50.5),
        (" 1e3 ", 1000.0),
        (math.inf, math.inf),
        ("fast", None),
        ("", None),
        (None, None),
        ([50.5], None),
        ({"value": 50.5}, None),
        pytest.param(HUGE, None, id="huge"),
    ],
)
def test_stored_number(value, number) -> None:
    assert stored_number(value) == number


@pytest.mark.parametrize("value", ["nan", math.nan])
def test_nan_is_stored_as_a_number(value) -> None:
    assert math.isnan(stored_number(value))


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (0.5, 0.5),
        (1, 1.0),
        (True, None),
        ("0.5", None),
        (None, None),
        ([], None),
        pytest.param(HUGE, math.inf, id="huge"),
    ],
)
def test_reported_number(value, number) -> None:
    assert reported_number(value) == number


@pytest.mark.parametrize(
    ("stored", "derived", "agree"),
    [
        (1000, 1000, True),
        (1010, 1000, True),
        (990, 1000, True),
        (1010.01, 1000, False),
        (989.99, 1000, False),
        (50.5, 50, True),
        (49.5, 50, True),
        (101, 100, True),
        (99, 100, True),
        (101.01, 100, False),
        (98.99, 100, False),
        (0, 0, True),
        (1e-10, 0, False),
        (math.nan, 100, True),
        (100, math.nan, True),
        (math.inf, 100, False),
        (-100, 100, False),
    ],
)
def test_agrees(tables, stored, derived, agree) -> None:
    assert agrees(stored, derived, **tables.metric_consistency) is agree


def test_relative_error_is_measured_by_the_derived_value() -> None:
    assert relative_error(50, 100, floor=1e-9) == 0.5
    assert relative_error(100, 50, floor=1e-9) == 1.0
    assert relative_error(1e-9, 0, floor=1e-9) == 1.0


@pytest.mark.parametrize(
    ("total", "tokens"),
    [
        (0.0, 0),
        (1200.9, 1200),
        (-0.5, 0),
        (-1.5, -1),
        (math.nan, None),
        (math.inf, None),
        (None, None),
        (1e300, int(1e300)),
    ],
)
def test_total_output_tokens(total, tokens) -> None:
    assert total_output_tokens(total) == tokens


@pytest.mark.parametrize(
    ("tokens", "duration_ns", "tps"),
    [
        (600, 60e9, 10.0),
        (600, 0, 0.0),
        (600, -1.0, 0.0),
        (600, math.nan, 0.0),
        (600, math.inf, 0.0),
        (600, None, None),
        (None, 60e9, None),
        (int(1e300), 1e-300, math.inf),
    ],
)
def test_system_tps(tokens, duration_ns, tps) -> None:
    assert system_tps(tokens, duration_ns) == tps


@pytest.mark.parametrize(
    ("p90_ms", "tps"),
    [(20.0, 50.0), (0.0, None), (-1.0, None), (math.nan, None), (math.inf, None), (None, None)],
)
def test_tps_per_user(p90_ms, tps) -> None:
    assert tps_per_user(p90_ms) == tps


@pytest.mark.parametrize(
    ("tps", "kw", "per_kw"),
    [
        (100.0, 2.0, 50.0),
        (100.0, 0.0, None),
        (100.0, -1.0, None),
        (100.0, None, None),
        (None, 2.0, None),
        (100.0, math.inf, 0.0),
    ],
)
def test_system_tps_per_kw(tps, kw, per_kw) -> None:
    assert system_tps_per_kw(tps, kw) == per_kw


@pytest.mark.parametrize(
    ("tokens", "seconds", "rate"),
    [(100.0, 10.0, 10.0), (100.0, 0.0, None), (100.0, -1.0, None), (None, 10.0, None), (100.0, None, None)],
)
def test_e2e_avg_interactivity(tokens, seconds, rate) -> None:
    assert e2e_avg_interactivity(tokens, seconds) == rate


def test_nan_seconds_give_a_rate_that_agrees_with_everything(tables) -> None:
    rate = e2e_avg_interactivity(100.0, math.nan)
    assert rate is not None
    assert agrees(5.0, rate, **tables.metric_consistency)


@pytest.mark.parametrize(
    ("total", "duration_ns", "tps"),
    [
        (1500.5, 1e9, 1500.5),
        (1500, 2_000_000_000, 750.0),
        (1500, 0, None),
        (1500, math.nan, math.nan),
        (math.nan, 1e9, math.nan),
        (1500, -1e9, None),
        pytest.param(1500, 5e-324, None, id="duration-vanishes-in-seconds"),
        ("1500", 1e9, None),
        (True, 1e9, None),
        (1500, True, None),
        (None, 1e9, None),
        pytest.param(HUGE, 1e9, None, id="huge-total"),
        pytest.param(1500, HUGE, None, id="huge-duration"),
        (math.inf, 1e9, math.inf),
    ],
)
def test_reported_tps(total, duration_ns, tps) -> None:
    assert reported_tps(total, duration_ns) == (tps if tps is None else pytest.approx(tps, nan_ok=True))
