"""The cohort calendar's own arithmetic, shared by cohorts and seeds."""

from __future__ import annotations

import re
from typing import Any

COHORT = re.compile(r"(\d{4})-(\d{2})-C([01])")
COHORTS_A_MONTH = 2
MONTHS_A_YEAR = 12


def ordinal_of(value: Any) -> int | None:
    """Give the number of the cohort that a text names, blanks around it allowed; None if it names none."""
    match = COHORT.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        return None
    year, month, index = (int(part) for part in match.groups())
    if not 1 <= month <= MONTHS_A_YEAR:
        return None
    return (year * MONTHS_A_YEAR + month - 1) * COHORTS_A_MONTH + index


def cohort_of(ordinal: int) -> str:
    """Name the cohort with a number: the reverse of `ordinal_of`."""
    months, index = divmod(ordinal, COHORTS_A_MONTH)
    year, month = divmod(months, MONTHS_A_YEAR)
    return f"{year:04d}-{month + 1:02d}-C{index}"
