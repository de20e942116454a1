"""The text format: what is said, in which order, and that it fits the page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from submission_checker.engine.model import CheckResult, Report, RuleInfo, Severity, Verdict
from submission_checker.reports import Options, render

ANSI = re.compile("\x1b\\[[0-9;]*m")


def text(report: Report, **options: object) -> str:
    return render("text", report, Options(**options))  # type: ignore[arg-type]


def block(written: str, start: str) -> str:
    """The paragraph that begins with a line starting so."""
    lines = written.splitlines()
    first = next(index for index, line in enumerate(lines) if line.lstrip().startswith(start))
    rest = lines[first:]
    return "\n".join(rest[: rest.index("")] if "" in rest else rest)


def test_a_finding_says_everything_a_submitter_needs(report: Report, library: Path) -> None:
    assert block(text(report), "warning[") == "\n".join(
        [
            "  warning[loan-title]: Moby-Dick has a subtitle",
            f"    {library}/branches/north/loan1/loan.json:2:12",
            '       2 | "title": "Moby-Dick",',
            "         |          ^^^^^^^^^^^",
            "    rule    A loan names its book (§4.2)",
            "    means   the reader is reminded",
            "    more    submission-checker rules show loan-title",
        ]
    )


def test_equal_findings_are_folded_and_sorted_by_number(report: Report) -> None:
    found = block(text(report), "error[loan-days]")
    assert found.count("loan.json:3:11") == 3
    assert "the same 5 times more: loan2, loan4, loan8, loan16, loan128" in found
    assert "and 36 days, at most 28" in found
    assert found.count("Shorten the loan") == 1


def test_worst_first_summary_last(report: Report) -> None:
    written = text(report)
    order = [
        written.index(mark)
        for mark in (
            "Rules that could not be evaluated",
            "not evaluated[fee-table]",
            "error[loan-days]",
            "warning[loan-title]",
            "waived[reader-known]",
            "Not checked",
            "  Building",
            "  Loans",
            "  note: The rules of 2026",
            "NOT COMPLETED: ",
        )
    ]
    assert order == sorted(order)


def test_what_gates_held_back_is_named(report: Report) -> None:
    held = " ".join(text(report).split())
    assert (
        "2 rules not checked at branches/north because shelf-present is broken; "
        "--keep-going checks what it can" in held
    )


def test_a_waived_finding_shows_its_reason_and_its_end(report: Report) -> None:
    waived = " ".join(block(text(report), "waived[").split())
    assert (
        "The card is in the post. (by Head librarian, until 2027-01-31, for branches/north/loan1)" in waived
    )


def test_quiet_keeps_findings_and_verdict_only(report: Report) -> None:
    written = text(report, quiet=True)
    assert "error[loan-days]" in written and "warning[loan-title]" in written
    assert "NOT COMPLETED" in written
    for absent in ("waived[", "Not checked", "  Building", "note:", "ruleset 2026"):
        assert absent not in written


def test_verbose_shows_passes_and_what_was_not_checked(report: Report) -> None:
    written = text(report, verbose=True)
    assert "shelf-present: north has a shelf" in written
    assert "night-hours: open_at_night is false" in written
    assert "fee-table, reader-known" in written
    assert "north has a shelf" not in text(report)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_lines_keep_to_the_width_except_for_paths(report: Report, width: int) -> None:
    for line in text(report, width=width, verbose=True).splitlines():
        assert len(line) <= width or "/loan.json:" in line or line.startswith(str(report.submission_path))


def test_colour_only_when_asked_for(report: Report) -> None:
    assert "\x1b" not in text(report, verbose=True)
    coloured = text(report, colour=True)
    assert "\x1b[1;31merror[loan-days]\x1b[0m" in coloured
    assert ANSI.sub("", coloured) == text(report)


@pytest.mark.parametrize(
    ("severity", "strict", "verdict"),
    [
        (Severity.INFO, False, "PASSED: no errors, no warnings; 1 check passed"),
        (Severity.WARNING, False, "PASSED: 1 warning; 0 checks passed"),
        (Severity.WARNING, True, "FAILED: 1 warning (--strict: warnings fail); 0 checks passed"),
        (Severity.ERROR, False, "FAILED: 1 error; 0 checks passed"),
    ],
)
def test_the_verdict(severity: Severity, strict: bool, verdict: str) -> None:
    passed = severity is Severity.INFO
    result = CheckResult(
        rule="r", message="m", severity=severity, verdict=Verdict.PASSED if passed else Verdict.BROKEN
    )
    report = Report(submission_path=Path("town"), results=[result])
    assert text(report, strict=strict, quiet=True).splitlines()[-1] == verdict


def test_nothing_checked_is_no_pass() -> None:
    assert text(Report(submission_path=Path("town")), quiet=True) == "FAILED: nothing was checked\n"


def test_long_lists_are_cut_with_a_count() -> None:
    results = [
        CheckResult(
            rule=f"rule-{n:03}",
            message="m",
            severity=Severity.ERROR if n % 2 else Severity.WARNING,
            subject="branch",
            info=RuleInfo(id=f"rule-{n:03}"),
        )
        for n in range(300)
    ]
    report = Report(submission_path=Path("town"), results=results)
    written = text(report, limit=40)
    assert written.count("error[rule-") == 40 and "warning[rule-" not in written
    assert "260 of 300 findings not shown" in written
    assert text(report, limit=0).count("[rule-") == 300


def test_many_places_are_cut_with_a_count() -> None:
    results = [CheckResult(rule="a-rule", message="m", subject=f"branch/loan{n}") for n in range(100)]
    report = Report(submission_path=Path("town"), results=results)
    assert "the same 99 times more: loan1, loan2, loan3, loan4, loan5, loan6, loan7, loan8 and 91 more" in (
        " ".join(text(report).split())
    )
    assert "loan99" in text(report, verbose=True)


def test_many_different_messages_are_cut_with_a_count() -> None:
    results = [
        CheckResult(rule="a-rule", message=f"value {n}", subject=f"branch/loan{n}") for n in range(100)
    ]
    written = text(Report(submission_path=Path("town"), results=results))
    assert "and loan10: value 10" in written
    assert "and 89 more like these" in written


def test_the_same_report_gives_the_same_text(report: Report) -> None:
    assert text(report, verbose=True) == text(report, verbose=True)


def test_an_unknown_action_is_shown_as_it_stands(report: Report) -> None:
    report.ruleset = type(report.ruleset)(id="2026")
    assert "    means   fine\n" in text(report)
