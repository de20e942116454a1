"""The Markdown format, as a CommonMark parser sees it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from submission_checker.engine.model import CheckResult, Report
from submission_checker.reports import Options, render
from tests.reports.readers import read_markdown


def test_headings_and_findings(report: Report) -> None:
    tokens = read_markdown(render("markdown", report))
    headings = [after.content for token, after in pairwise(tokens) if token.type == "heading_open"]
    assert headings == [
        "Submission check: not completed",
        "the submission itself",
        "`branches/north`",
        "`branches/north/loan1`",
        "Not checked",
    ]
    code = [token.content for token in tokens if token.type == "code_inline"]
    assert "35 days, at most 28" in code
    assert "branches/north/loan1/loan.json:3:11" in code


def test_code_spans_say_exactly_what_was_submitted() -> None:
    for message in ("`", "``a``", "` a `", "a|b", " ", "<b>", "\\", "a`", "[x](y)"):
        report = Report(submission_path=Path("town"), results=[CheckResult("r", message)])
        code = [
            token.content
            for token in read_markdown(render("markdown", report))
            if token.type == "code_inline"
        ]
        assert message.strip() in [span.strip() for span in code], message


def test_a_long_report_is_cut_with_a_count(report: Report) -> None:
    many = [replace(r, rule=f"rule-{n}", info=replace(r.info, id=f"rule-{n}"))
            for n in range(300) for r in report.results[1:2]]  # fmt: skip
    written = render("markdown", replace(report, results=many), Options(limit=50))
    assert written.count("- **Error**") == 50
    assert "250 more findings not shown." in written
