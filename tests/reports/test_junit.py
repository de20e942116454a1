"""The JUnit format, as a reader of test results sees it."""

from __future__ import annotations

from junitparser import Error, Failure, Skipped

from submission_checker.engine.model import Report
from submission_checker.reports import Options, render
from tests.reports.readers import read_junit


def test_a_reader_counts_what_we_count(report: Report) -> None:
    suites = read_junit(render("junit", report))
    assert [suite.name for suite in suites] == ["Building", "Loans", "Fees"]
    assert (suites.tests, suites.failures, suites.errors, suites.skipped) == (14, 8, 1, 3)
    written = [(suite.tests, suite.failures, suite.errors, suite.skipped) for suite in suites]
    suites.update_statistics()
    assert written == [(suite.tests, suite.failures, suite.errors, suite.skipped) for suite in suites]


def test_outcomes(report: Report) -> None:
    cases = {
        (case.name, case.classname): case for suite in read_junit(render("junit", report)) for case in suite
    }
    assert cases["shelf-present", "the submission itself"].is_passed
    [failure] = cases["loan-days", "branches/north/loan1"].result
    assert isinstance(failure, Failure) and failure.message == "35 days, at most 28"
    assert failure.text is not None
    assert failure.text.splitlines() == [
        "error: 35 days, at most 28",
        "branches/north/loan1/loan.json:3:11",
        "rule: A loan lasts at most 28 days (§4.1, §9.1)",
        "means: the reader pays a fine",
        "fix: Shorten the loan, or record a renewal.",
    ]
    [error] = cases["fee-table", "the submission itself"].result
    assert isinstance(error, Error)
    [held] = cases["fee-table", "branches/north"].result
    assert isinstance(held, Skipped) and held.message == "not checked because of shelf-present"
    [waived] = cases["reader-known", "branches/north/loan1"].result
    assert isinstance(waived, Skipped) and "The card is in the post." in (waived.message or "")


def test_a_warning_passes_unless_strict(report: Report) -> None:
    def warned(strict: bool) -> bool:
        suites = read_junit(render("junit", report, Options(strict=strict)))
        return next(case.is_passed for suite in suites for case in suite if case.name == "loan-title")

    assert warned(strict=False) and not warned(strict=True)
