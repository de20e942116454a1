"""The report as JUnit XML, for dashboards: one suite for each family of rules, one case for each result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from xml.etree import ElementTree

from submission_checker.engine.model import CheckResult, Held, Report
from submission_checker.reports import digest
from submission_checker.reports.digest import ROOT, Kind
from submission_checker.reports.options import Options
from submission_checker.reports.strings import NAME_LIMIT, clause_list, visible


def render(report: Report, options: Options) -> str:
    """Return the results as XML: a case fails, errs (not evaluated) or is skipped (held back, waived).

    A warning passes with its text as output, unless `options.strict` makes it a failure.
    """
    root = ElementTree.Element("testsuites", name=report.checker or "submission-checker")
    if report.ruleset.tailoring:
        properties = ElementTree.SubElement(root, "properties")
        for change in report.ruleset.tailoring:
            ElementTree.SubElement(properties, "property", name="tailoring", value=_attribute(change))
    for family, cases in _cases(report, options):
        suite = ElementTree.SubElement(root, "testsuite", name=_attribute(family))
        suite.extend(cases)
        _count(suite, cases)
    _count(root, [case for suite in root.findall("testsuite") for case in suite])
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _cases(report: Report, options: Options) -> Iterator[tuple[str, list[ElementTree.Element]]]:
    suites: dict[str, list[ElementTree.Element]] = {family: [] for family in report.ruleset.families}
    for result in report.results:
        case = _case(report, result, options)
        suites.setdefault(digest.rule_of(result).family, []).append(case)
    families = {rule.id: rule.family for rule in report.rules}
    for held in report.held:
        for rule in held.rules:
            suites.setdefault(families.get(rule, ""), []).append(_held_case(rule, held))
    for family, cases in suites.items():
        if cases:
            yield digest.family_title(report, family), cases


def _case(report: Report, result: CheckResult, options: Options) -> ElementTree.Element:
    kind = digest.kind_of(result)
    case = _named(result.rule, digest.place_of(result))
    message = _attribute(result.message)
    if kind is Kind.INCOMPLETE:
        outcome = ElementTree.SubElement(case, "error", message=message, type="not evaluated")
    elif kind is Kind.ERROR or (kind is Kind.WARNING and options.strict):
        outcome = ElementTree.SubElement(case, "failure", message=message, type=kind.value)
    elif kind in (Kind.WARNING, Kind.NOTE):
        outcome = ElementTree.SubElement(case, "system-out")
    elif kind is Kind.WAIVED and result.waiver is not None:
        reason = f"waived until {result.waiver.expires}: {result.waiver.reason} ({result.message})"
        ElementTree.SubElement(case, "skipped", message=_attribute(reason))
        return case
    elif kind is Kind.NOT_CHECKED:
        ElementTree.SubElement(case, "skipped", message=message)
        return case
    else:
        return case
    outcome.text = "\n".join(_details(report, result))
    return case


def _details(report: Report, result: CheckResult) -> Iterator[str]:
    rule = digest.rule_of(result)
    yield visible(f"{digest.kind_of(result).value}: {result.message}")
    place = visible(result.location or digest.place_of(result), NAME_LIMIT)
    yield ":".join([place, *(str(number) for number in (result.line, result.column) if number is not None)])
    clauses = clause_list(digest.clauses_of(result))
    for label, text in (
        ("rule", f"{rule.title} ({clauses})" if clauses else rule.title),
        ("means", digest.consequence_of_result(report, result)),
        ("fix", digest.hint_of(result)),
    ):
        if text:
            yield f"{label}: {visible(' '.join(text.split()))}"


def _held_case(rule: str, held: Held) -> ElementTree.Element:
    case = _named(rule, held.subject)
    ElementTree.SubElement(
        case, "skipped", message=_attribute(f"not checked because of {', '.join(held.because)}")
    )
    return case


def _named(rule: str, place: str) -> ElementTree.Element:
    shown = "the submission itself" if place in (ROOT, "") else place
    return ElementTree.Element("testcase", name=_attribute(rule), classname=_attribute(shown))


def _attribute(text: str) -> str:
    return visible(text)


def _count(element: ElementTree.Element, cases: Iterable[ElementTree.Element]) -> None:
    cases = list(cases)
    element.set("tests", str(len(cases)))
    for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        element.set(attribute, str(sum(case.find(tag) is not None for case in cases)))
