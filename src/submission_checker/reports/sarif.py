"""The report as SARIF 2.1.0, with what GitHub's code scanning reads of it."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from submission_checker.engine.model import CheckResult, Report, RuleInfo
from submission_checker.reports import digest
from submission_checker.reports.addresses import file_of, uri_of
from submission_checker.reports.digest import Kind
from submission_checker.reports.options import Options
from submission_checker.reports.strings import clause_list, escape_json_text, visible

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
PROJECT = "https://pypi.org/project/endpoints-submission-rules/"
_LEVELS = {
    Kind.INCOMPLETE: "error",
    Kind.ERROR: "error",
    Kind.WARNING: "warning",
    Kind.NOTE: "note",
    Kind.WAIVED: "note",
}
_RULE_LEVELS = {"error": "error", "warning": "warning"}


def render(report: Report, options: Options) -> str:
    """Return the findings as a SARIF log: one run, one result for each finding, passes left out."""
    results = [result for result in report.results if digest.kind_of(result) in digest.FINDINGS]
    results.sort(key=lambda result: digest.kind_of(result).rank)
    rules = {rule.id: rule for rule in report.rules}
    for result in results:
        rules.setdefault(result.rule, digest.rule_of(result))
    index = {rule: number for number, rule in enumerate(rules)}
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": _driver(report, list(rules.values()))},
                "columnKind": "unicodeCodePoints",
                "invocations": [
                    {
                        "executionSuccessful": not report.incomplete,
                        "toolExecutionNotifications": [
                            {"level": "note", "message": {"text": _text(note)}}
                            for note in [
                                *report.notes,
                                *(f"tailoring: {t}" for t in report.ruleset.tailoring),
                            ]
                        ],
                    }
                ],
                "results": [_result(report, result, index[result.rule], options) for result in results],
            }
        ],
    }
    return escape_json_text(json.dumps(log, indent=2, ensure_ascii=False)) + "\n"


def _driver(report: Report, rules: list[RuleInfo]) -> dict[str, Any]:
    name, _, version = report.checker.partition(" ")
    driver: dict[str, Any] = {"name": name or "submission-checker", "informationUri": PROJECT}
    if version:
        driver["version"] = version
    if report.ruleset.id:
        driver["properties"] = {"ruleset": report.ruleset.id, "policy": report.ruleset.policy}
    driver["rules"] = [_rule(report, rule) for rule in rules]
    return driver


def _rule(report: Report, rule: RuleInfo) -> dict[str, Any]:
    title = _text(rule.title or rule.id)
    level = _RULE_LEVELS.get(rule.severity, "note")
    family = digest.family_title(report, rule.family)
    return {
        "id": rule.id,
        "shortDescription": {"text": title},
        "fullDescription": {"text": _text(rule.why or rule.title or rule.id)},
        **({"helpUri": rule.page} if rule.page else {}),
        "help": {"text": _help(report, rule), "markdown": _help(report, rule, "**")},
        "defaultConfiguration": {"level": level},
        "properties": {
            "tags": list(dict.fromkeys([family, *(clause_list([clause]) for clause in rule.clauses)])),
            "problem.severity": level if level in ("error", "warning") else "recommendation",
            "precision": "very-high",
        },
    }


def _help(report: Report, rule: RuleInfo, strong: str = "") -> str:
    """Return the paragraphs that explain a rule."""
    parts = [
        ("Asks", rule.title),
        ("Clause", clause_list(rule.clauses)),
        ("Means", digest.consequence_of(report, rule)),
        ("Why", rule.why),
        ("Fix", rule.hint),
    ]
    told = [f"{strong}{label}:{strong} {' '.join(text.split())}" for label, text in parts if text]
    return "\n\n".join(_text(part) for part in told) or _text(rule.id)


def _result(report: Report, result: CheckResult, index: int, options: Options) -> dict[str, Any]:
    kind = digest.kind_of(result)
    written: dict[str, Any] = {
        "ruleId": result.rule,
        "ruleIndex": index,
        "level": _LEVELS[kind],
        "message": {"text": _text(result.message) or result.rule},
        "locations": [{"physicalLocation": _place(report, result, options)}],
        "partialFingerprints": {"primaryLocationLineHash": _fingerprint(result)},
    }
    waiver = result.waiver
    if waiver is not None and kind is Kind.WAIVED:
        decision = f"{waiver.reason} (by {waiver.approved_by}, until {waiver.expires})"
        written["suppressions"] = [
            {"kind": "external", "status": "accepted", "justification": _text(decision)},
        ]
    return written


def _place(report: Report, result: CheckResult, options: Options) -> dict[str, Any]:
    region = {"startLine": result.line or 1}
    if result.line and result.column:
        region["startColumn"] = result.column
    return {"artifactLocation": {"uri": uri_of(file_of(report, result, options))}, "region": region}


def _fingerprint(result: CheckResult) -> str:
    """Return what keeps a finding the same one while lines move: its rule, place and value."""
    parts = [result.rule, result.location, result.subject, result.pointer or ""]
    digits = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{digits}:1"


def _text(text: str) -> str:
    # `[text](target)` would be a link in a SARIF message.
    return visible(text).replace("](", "] (")
