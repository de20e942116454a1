"""Annotations of a GitHub workflow, read as its runner reads them."""

from __future__ import annotations

from pathlib import Path

from submission_checker.engine.model import Report
from submission_checker.reports import Options, render
from tests.reports.readers import read_github


def test_annotations_are_folded_and_worst_first(report: Report, library: Path) -> None:
    commands = read_github(render("github", report, Options(base=library)))
    assert [(name, properties["title"]) for name, properties, _ in commands] == [
        ("error", "fee-table (§7)"),
        ("error", "loan-days (§4.1, §9.1)"),
        ("warning", "loan-title (§4.2)"),
    ]
    assert commands[1] == (
        "error",
        {
            "file": "branches/north/loan1/loan.json",
            "line": "3",
            "col": "11",
            "title": "loan-days (§4.1, §9.1)",
        },
        "35 days, at most 28\nSimilar 7 times more.\nMeans: the reader pays a fine\n"
        "Fix: Shorten the loan, or record a renewal.",
    )


def test_the_verdict_is_the_last_line(report: Report) -> None:
    assert render("github", report).splitlines()[-1].startswith("NOT COMPLETED: 1 not evaluated, 8 errors")
