from __future__ import annotations

import pytest

from submission_checker.functions import (
    cohort_after,
    cohorts_between,
    has_cohort_form,
)


@pytest.mark.parametrize(
    ("text", "form", "known"),
    [
        ("2026-11-C0", True, True),
        ("2026-11-C1", True, True),
        pytest.param("2026-13-C0", True, False, id="no-such-month"),
        pytest.param("2026-00-C0", True, False, id="month-zero"),
        pytest.param("２０２６-11-C0", True, True, id="other-digits"),
        pytest.param(" 2026-11-C0", False, True, id="blank-before"),
        pytest.param("2026-11-C0\n", False, True, id="newline-after"),
        ("2026-11-C2", False, False),
        ("2026-11-c0", False, False),
        ("2026-1-C0", False, False),
        ("", False, False),
        (None, False, False),
        (20261100, False, False),
        (["2026-11-C0"], False, False),
    ],
)
def test_form_and_reading_differ(text, form, known) -> None:
    assert has_cohort_form(text) is form
    assert (cohorts_between(text, text) == 0) is known


@pytest.mark.parametrize(
    ("cohort", "steps", "later"),
    [
        ("2026-11-C0", 0, "2026-11-C0"),
        ("2026-11-C0", 1, "2026-11-C1"),
        ("2026-11-C1", 1, "2026-12-C0"),
        ("2026-12-C1", 1, "2027-01-C0"),
        ("2026-12-C1", 2, "2027-01-C1"),
        ("2026-12-C0", 4, "2027-02-C0"),
        ("2027-01-C0", -1, "2026-12-C1"),
        (" 2026-12-C1 ", 1, "2027-01-C0"),
        ("2026-13-C0", 1, None),
        (None, 1, None),
    ],
)
def test_cohort_after(cohort, steps, later) -> None:
    assert cohort_after(cohort, steps) == later


def test_cohorts_are_ordered_over_the_new_year() -> None:
    cohorts = [cohort_after("2025-12-C0", step) for step in range(60)]
    assert [cohorts_between(cohorts[0], cohort) for cohort in cohorts] == list(range(60))
    assert cohorts == sorted(cohorts)


@pytest.mark.parametrize(
    ("first", "second", "steps"),
    [("2026-12-C1", "2027-01-C0", 1), ("2027-01-C0", "2026-12-C1", -1), ("2026-12-C1", "later", None)],
)
def test_cohorts_between(first, second, steps) -> None:
    assert cohorts_between(first, second) == steps
