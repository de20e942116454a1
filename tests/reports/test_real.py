"""Reports of real checks of the sample submissions, through every format."""

from __future__ import annotations

from pathlib import Path

import pytest

from submission_checker.api import SubmissionChecker
from submission_checker.engine.model import Report
from submission_checker.reports import FORMATS, Options, render
from tests.reports.test_hostile import PARSERS

SUBMISSIONS = Path(__file__).parents[2] / "fixtures" / "submissions"


@pytest.fixture(scope="module", params=["compliant", "compliant-agentic", "non-compliant"])
def checked(request: pytest.FixtureRequest) -> Report:
    return SubmissionChecker(SUBMISSIONS / request.param, details=True, views=True).run()


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_takes_a_real_report(checked: Report, name: str) -> None:
    written = render(name, checked, Options(verbose=True))
    PARSERS.get(name, lambda _: None)(written)
    assert written == render(name, checked, Options(verbose=True))
    if name in ("text", "markdown", "html"):
        for result in checked.errors:
            assert result.rule in written
