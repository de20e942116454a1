"""The SARIF format: what GitHub's code scanning reads of a log."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from submission_checker.engine.model import CheckResult, Report
from submission_checker.reports import Options, render
from tests.reports.readers import read_sarif, sarif_validator


def log(report: Report, **options: Any) -> dict[str, Any]:
    run: dict[str, Any] = json.loads(render("sarif", report, Options(**options)))["runs"][0]
    return run


def test_a_reader_counts_what_we_count(report: Report) -> None:
    written = read_sarif(render("sarif", report))
    assert written.get_distinct_tool_names() == ["library-checker"]
    levels = Counter(record["Severity"] for record in written.get_records())
    assert levels == {"error": 9, "warning": 1, "note": 1}
    first = written.get_records()[1]
    assert first["Code"] == "loan-days" and first["Line"] == 3
    assert first["Location"].endswith("branches/north/loan128/loan.json")


def test_a_result_has_rule_place_and_fingerprint(report: Report, library: Path) -> None:
    run = log(report, base=library.parent)
    found = next(result for result in run["results"] if result["ruleId"] == "loan-title")
    assert found["level"] == "warning"
    assert run["tool"]["driver"]["rules"][found["ruleIndex"]]["id"] == "loan-title"
    assert found["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "town/branches/north/loan1/loan.json"},
                "region": {"startLine": 2, "startColumn": 12},
            }
        }
    ]
    fingerprints = [result["partialFingerprints"]["primaryLocationLineHash"] for result in run["results"]]
    assert len(set(fingerprints)) == len(fingerprints)


def test_a_fingerprint_outlives_a_moved_line_and_another_value(report: Report) -> None:
    moved = replace(report, results=[replace(r, line=99, message="other") for r in report.results])
    assert [r["partialFingerprints"] for r in log(report)["results"]] == [
        r["partialFingerprints"] for r in log(moved)["results"]
    ]


def test_a_rule_has_help_and_clauses(report: Report) -> None:
    rule = next(rule for rule in log(report)["tool"]["driver"]["rules"] if rule["id"] == "loan-days")
    assert rule["help"]["markdown"].split("\n\n") == [
        "**Asks:** A loan lasts at most 28 days",
        "**Clause:** §4.1, §9.1",
        "**Means:** the reader pays a fine",
        "**Why:** Others wait for the book.",
        "**Fix:** Shorten the loan, or record a renewal.",
    ]
    assert rule["properties"]["tags"] == ["Loans", "§4.1", "§9.1"]


def test_what_could_not_be_evaluated_is_an_error_and_an_unsuccessful_run(report: Report) -> None:
    run = log(report)
    assert run["invocations"][0]["executionSuccessful"] is False
    assert run["results"][0]["level"] == "error"
    assert run["results"][0]["message"]["text"].startswith("this rule could not be evaluated:")


def test_a_waiver_is_a_suppression_with_its_reason(report: Report) -> None:
    suppressed = [result for result in log(report)["results"] if "suppressions" in result]
    assert [result["ruleId"] for result in suppressed] == ["reader-known"]
    assert "The card is in the post." in suppressed[0]["suppressions"][0]["justification"]


@pytest.mark.parametrize(
    ("root", "base", "uri"),
    [
        ("town", None, "town/a%20b/c.json"),
        ("./town", None, "town/a%20b/c.json"),
        (".", None, "a%20b/c.json"),
        ("/srv/town", "/srv", "town/a%20b/c.json"),
        ("/srv/town", "/srv/town", "a%20b/c.json"),
        ("/srv/town", "/other", "file:///srv/town/a%20b/c.json"),
        ("/srv/town", None, "file:///srv/town/a%20b/c.json"),
    ],
)
def test_the_address_of_a_file(root: str, base: str | None, uri: str) -> None:
    report = Report(submission_path=Path(root), results=[CheckResult("r", "m", location="a b/c.json")])
    run = log(report, base=None if base is None else Path(base))
    assert run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


def test_our_copy_of_the_schema_notices(report: Report) -> None:
    written = json.loads(render("sarif", report))
    written["runs"][0]["results"][0]["level"] = "fatal"
    assert not sarif_validator().is_valid(written)
