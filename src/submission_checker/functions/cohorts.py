"""Publication cohorts: two a month, named `YYYY-MM-C0` and `YYYY-MM-C1`."""

from __future__ import annotations

from typing import Any

from submission_checker.functions._cohort import COHORT, cohort_of, ordinal_of


def has_cohort_form(text: Any) -> bool:
    """Tell whether a text is written like a cohort, without asking whether its month exists.

    Args:
        text: Cohort as submitted.

    Returns:
        True if it is a text of four digits, two digits and C0 or C1, with nothing around it.

    Clause:
        endpoints_submission_rules.md §4.6

    >>> has_cohort_form("2026-11-C0"), has_cohort_form("2026-11-C2"), has_cohort_form(" 2026-11-C0")
    (True, False, False)
    """
    return isinstance(text, str) and COHORT.fullmatch(text) is not None


def cohort_after(cohort: Any, steps: int) -> str | None:
    """Name the cohort that comes a number of cohorts after another.

    Args:
        cohort: Cohort as submitted; blanks around it are passed over.
        steps: How many cohorts later.

    Returns:
        The later cohort; None when `cohort` names none.

    Clause:
        endpoints_submission_rules.md §4.2

    >>> cohort_after("2026-12-C1", 1), cohort_after("2026-12-C1", 2)
    ('2027-01-C0', '2027-01-C1')
    """
    ordinal = ordinal_of(cohort)
    return None if ordinal is None else cohort_of(ordinal + steps)


def cohorts_between(first: Any, second: Any) -> int | None:
    """Count the cohorts from one to another.

    Args:
        first: Cohort counted from; blanks around it are passed over.
        second: Cohort counted to, likewise.

    Returns:
        Number of steps, negative when `second` is the earlier one; None when either names no cohort.

    Clause:
        endpoints_submission_rules.md §4.2

    >>> cohorts_between("2026-11-C0", "2027-01-C0")
    4
    """
    start, end = ordinal_of(first), ordinal_of(second)
    return None if start is None or end is None else end - start
