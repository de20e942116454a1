"""The findings as annotations of a GitHub workflow: lines that its runner turns into marks on a pull request.

The runner shows ten errors and ten warnings of a step: findings of one rule are folded, the worst come first.
"""

from __future__ import annotations

from submission_checker.engine.model import Report
from submission_checker.reports import digest
from submission_checker.reports.addresses import file_of
from submission_checker.reports.digest import ROOT, Finding, Kind
from submission_checker.reports.options import Options
from submission_checker.reports.strings import NAME_LIMIT, clause_list, count, visible

_COMMANDS = {Kind.INCOMPLETE: "error", Kind.ERROR: "error", Kind.WARNING: "warning"}


def render(report: Report, options: Options) -> str:
    """Return a workflow command for each folded error and warning, and the verdict as a last plain line."""
    word = digest.verdict_word(report, strict=options.strict)
    verdict = f"{word}: {digest.verdict_sentence(report, strict=options.strict)}"
    return "\n".join([*commands(report, options), verdict]) + "\n"


def commands(report: Report, options: Options) -> list[str]:
    """Return a workflow command for each folded error and warning, the worst first."""
    findings = digest.findings_of(report, _COMMANDS)
    findings.sort(key=lambda finding: finding.kind.rank)
    return [_annotation(report, finding, options) for finding in findings]


def _annotation(report: Report, finding: Finding, options: Options) -> str:
    first = finding.results[0]
    place = digest.place_of(first)
    properties: dict[str, str] = {}
    if (first.location or place) != ROOT:
        properties["file"] = visible(file_of(report, first, options), 4096)
    if first.line is not None:
        properties["line"] = str(first.line)
        if first.column is not None:
            properties["col"] = str(first.column)
    clauses = clause_list(digest.clauses_of(first))
    properties["title"] = visible(f"{first.rule} ({clauses})" if clauses else first.rule, NAME_LIMIT)
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{_COMMANDS[finding.kind]} {listed}::{_data(_message(report, finding))}"


def _message(report: Report, finding: Finding) -> str:
    first, *others = finding.results
    lines = [visible(first.message)]
    if others:
        same = all(other.message == first.message for other in others)
        lines.append(f"{'The same' if same else 'Similar'} {count(len(others), 'time')} more.")
    consequence = digest.consequence_of_result(report, first)
    if consequence:
        lines.append(f"Means: {visible(consequence)}")
    hint = digest.hint_of(first)
    if hint:
        lines.append(f"Fix: {visible(hint)}")
    return "\n".join(lines)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
