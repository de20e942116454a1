"""The JSON format: its published schema, and the keys that readers of the reference's report expect."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from submission_checker.engine.model import CheckResult, Report
from submission_checker.reports import render

SCHEMA = json.loads((Path(__file__).parents[2] / "schemas" / "report.schema.json").read_text("utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_a_report_keeps_to_the_schema(report: Report) -> None:
    VALIDATOR.validate(json.loads(render("json", report)))
    VALIDATOR.validate(json.loads(render("json", Report(submission_path=Path("town")))))


def test_the_keys_of_the_reference_come_first(report: Report) -> None:
    document = json.loads(render("json", report))
    assert list(document)[:5] == ["submission_path", "results", "errors", "warnings", "passed"]
    for finding in document["results"]:
        assert list(finding)[:6] == ["rule", "message", "severity", "path", "spec_ref", "passed"]
        assert finding["passed"] is (finding["severity"] != "error")
    assert document["passed"] is False
    assert all(finding in document["results"] for finding in document["errors"] + document["warnings"])


def test_the_text_is_the_model_written_out(report: Report) -> None:
    assert render("json", report) == report.model_dump_json(indent=2) + "\n"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda document: document.pop("results"),
        lambda document: document.update(verdict="PASSED"),
        lambda document: document["results"][0].update(severity="fatal"),
        lambda document: document["results"][0].update(line=0),
        lambda document: document["results"][0].pop("verdict"),
        lambda document: document["held"][0].update(because=[]),
        lambda document: document["waived"][0].update(waiver={}),
    ],
)
def test_the_schema_notices(report: Report, spoil: Any) -> None:
    document = json.loads(render("json", report))
    spoil(document)
    assert not VALIDATOR.is_valid(document)


def test_text_that_a_terminal_obeys_is_escaped_and_kept() -> None:
    message = "\x1b[31m \x9b1m \x7f \u202e \ud800 \U000e0041 é 漢 \n"
    report = Report(submission_path=Path("town"), results=[CheckResult("r", message)])
    written = render("json", report)
    assert json.loads(written)["results"][0]["message"] == message
    written.encode("utf-8")
    assert not set(written) & set("\x1b\x9b\x7f\u202e\U000e0041")
    assert "é 漢" in written
