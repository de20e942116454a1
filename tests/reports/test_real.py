"""Reports of real checks of the sample submissions, through every format."""

from __future__ import annotations

from pathlib import Path

import pytest

from submission_checker.api import SubmissionChecker
from submission_checker.engine.model import Report
from submission_checker.reports import FORMATS, Options, render
from tests.reports.readers import read_html
from tests.reports.test_hostile import PARSERS
from tests.reports.test_html import in_browser, needs_chromium

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


@pytest.mark.slow
@needs_chromium
def test_a_browser_complains_of_nothing_on_a_real_page(checked: Report, tmp_path: Path) -> None:
    markup, console = in_browser(render("html", checked, Options()), tmp_path)
    assert console == ""
    page = read_html(markup)
    drawn = [group for figure in page.all("figure") for group in figure.all("g", "point")]
    assert len([group for group in drawn if group.attributes.get("role") == "img"]) >= 7
