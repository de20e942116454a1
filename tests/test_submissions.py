"""Whole submissions: the sound samples, the one with mistakes, and every case that differs from them."""

from __future__ import annotations

from pathlib import Path

import pytest

from submission_checker import SubmissionChecker
from tests.support.submissions import SUBMISSIONS, Case, Finding, cases, findings_beside


def findings(folder: Path) -> list[Finding]:
    """Check *folder*; return its errors and warnings with paths relative to it."""
    report = SubmissionChecker(folder, ruleset="2026-10").run()
    return sorted(
        (found.rule, found.severity.value, "" if found.path is None else str(found.path.relative_to(folder)))
        for found in (*report.errors, *report.warnings)
    )


@pytest.mark.parametrize(
    ("sample", "ruleset"),
    [
        ("compliant", "2026-10"),
        ("compliant-agentic", "2026-10"),
        ("compliant-2026-11", "2026-11"),
        ("compliant-agentic-2026-11", "2026-11"),
    ],
)
def test_sound_sample_has_no_finding(sample, ruleset):
    """A sound submission earns neither an error nor a warning."""
    report = SubmissionChecker(SUBMISSIONS / sample, ruleset=ruleset).run()

    assert [(found.rule, found.message) for found in (*report.errors, *report.warnings)] == []
    assert report.passed
    assert len(report.results) > 100, "a check that looks at nothing would pass as well"


def test_sample_with_mistakes():
    """The sample with mistakes earns exactly what is written beside it."""
    sample = SUBMISSIONS / "non-compliant"

    assert findings(sample) == findings_beside(sample)


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_broken_case(case: Case, tmp_path):
    """One cause, and all of its effects: the complete list of errors and warnings."""
    assert findings(case.materialise(tmp_path / "submission")) == case.expect


@pytest.mark.parametrize("case", cases("passing-2026-11"), ids=lambda case: case.name)
def test_passing_case(case: Case, tmp_path):
    """Each way to a power: no error, the warnings that are meant, and the quantities in the results."""
    folder = case.materialise(tmp_path / "submission")
    report = SubmissionChecker(folder, ruleset="2026-11").run()

    found = sorted(
        (result.rule, result.severity.value, str(result.path.relative_to(folder)))
        for result in (*report.errors, *report.warnings)
    )
    assert found == case.expect
    assert report.passed
    for rule, words in case.told.items():
        told = [result.message for result in report.results if result.rule == rule]
        assert any(words in message for message in told), told
