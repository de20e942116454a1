"""How tests write results down: as rows."""

from __future__ import annotations

from collections.abc import Iterable

from submission_checker.engine.model import CheckResult


def rows(results: Iterable[CheckResult]) -> set[tuple[str, str, str]]:
    """Rule, severity and location of each result."""
    return {(r.rule, r.severity.value, r.location) for r in results}
