"""A report in the order in which people read it: findings folded, grouped by place, worst first; counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from posixpath import dirname

from submission_checker.engine.model import CheckResult, Report, RuleInfo, Severity, Verdict
from submission_checker.reports.strings import count, natural_key

ROOT = "."


class Kind(Enum):
    """What a result is to a reader, worst first."""

    INCOMPLETE = "not evaluated"
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"
    WAIVED = "waived"
    PASSED = "passed"
    NOT_CHECKED = "not checked"

    @property
    def rank(self) -> int:
        """0 for the worst."""
        return _RANKS[self]


_RANKS = {kind: rank for rank, kind in enumerate(Kind)}
FINDINGS = (Kind.INCOMPLETE, Kind.ERROR, Kind.WARNING, Kind.NOTE, Kind.WAIVED)


@dataclass(frozen=True, slots=True)
class Finding:
    """Results of one rule at neighbouring places, told together."""

    kind: Kind
    rule: RuleInfo
    place: str
    """The subject's folder; for several subjects the folder they share."""
    results: tuple[CheckResult, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """What was found at one place."""

    place: str
    findings: tuple[Finding, ...]

    @property
    def counts(self) -> Counter[Kind]:
        """How many results of each kind are behind the findings."""
        return Counter(finding.kind for finding in self.findings for _ in finding.results)


def kind_of(result: CheckResult) -> Kind:
    """Return what a result is to a reader.

    A rule that could not be evaluated stays that, whatever its severity and whoever waived it.
    """
    if result.verdict is Verdict.ERROR:
        return Kind.INCOMPLETE
    if result.verdict is Verdict.NOT_CHECKED:
        return Kind.NOT_CHECKED
    if result.waiver is not None:
        return Kind.WAIVED
    if result.severity is Severity.ERROR:
        return Kind.ERROR
    if result.severity is Severity.WARNING:
        return Kind.WARNING
    return Kind.NOTE if result.verdict is Verdict.BROKEN else Kind.PASSED


def place_of(result: CheckResult) -> str:
    """Return the folder or file a result belongs to."""
    return result.subject or result.location or ROOT


def rule_of(result: CheckResult) -> RuleInfo:
    """Return what is known of a result's rule, at least its id."""
    return result.info if result.info.id else RuleInfo(id=result.rule)


def clauses_of(result: CheckResult) -> tuple[str, ...]:
    """Return the clauses behind a result, or the reference text that stands in for them."""
    return result.clauses or ((result.spec_ref,) if result.spec_ref else ())


def findings_of(report: Report, kinds: Iterable[Kind] = FINDINGS) -> list[Finding]:
    """Return the results of some kinds, those of one rule at neighbouring places folded into one."""
    wanted = set(kinds)
    folded: dict[tuple[object, ...], list[CheckResult]] = {}
    for result in report.results:
        kind = kind_of(result)
        if kind in wanted:
            key = (kind, result.rule, dirname(place_of(result)), result.waiver)
            folded.setdefault(key, []).append(result)
    return [_finding(results) for results in folded.values()]


def groups_of(report: Report, kinds: Iterable[Kind] = FINDINGS) -> list[Group]:
    """Return the folded findings by place: the place with the worst finding first, and so within a place."""
    by_place: dict[str, list[Finding]] = {}
    for finding in findings_of(report, kinds):
        by_place.setdefault(finding.place, []).append(finding)
    groups = [Group(place, tuple(sorted(found, key=_finding_key))) for place, found in by_place.items()]
    return sorted(groups, key=lambda group: (group.findings[0].kind.rank, _place_key(group.place)))


def counts_of(report: Report) -> Counter[Kind]:
    """Return how many results there are of each kind."""
    return Counter(kind_of(result) for result in report.results)


def family_counts(report: Report) -> list[tuple[str, Counter[Kind]]]:
    """Return counts for each family of rules, by its title, in the ruleset's order."""
    counted: dict[str, Counter[Kind]] = {family: Counter() for family in report.ruleset.families}
    for result in report.results:
        counted.setdefault(rule_of(result).family, Counter())[kind_of(result)] += 1
    return [(family_title(report, family), kinds) for family, kinds in counted.items() if kinds]


def family_title(report: Report, family: str) -> str:
    """Return a family's title, or its id when the ruleset gives none."""
    return report.ruleset.families.get(family, family) or "Other"


def consequence_of(report: Report, rule: RuleInfo) -> str:
    """Return what the policy does with a submission that breaks a rule, in the ruleset's words."""
    return "" if rule.action is None else report.ruleset.actions.get(rule.action, rule.action)


def consequence_of_result(report: Report, result: CheckResult) -> str:
    """Return what the policy does about a result: nothing, unless it is an error or a warning."""
    stands = kind_of(result) in (Kind.ERROR, Kind.WARNING)
    return consequence_of(report, rule_of(result)) if stands else ""


def hint_of(result: CheckResult) -> str:
    """Return what a submitter can do about a result: nothing about a waived one, or a fault in a rule."""
    helps = kind_of(result) in (Kind.ERROR, Kind.WARNING, Kind.NOTE)
    return " ".join((rule_of(result).hint or "").split()) if helps else ""


def verdict_word(report: Report, *, strict: bool = False) -> str:
    """Return the outcome in a word or two."""
    return {0: "PASSED", 1: "FAILED"}.get(report.exit_code(strict=strict), "NOT COMPLETED")


def counts_in_words(counts: Counter[Kind]) -> str:
    """Return counts of findings as a list in words, worst first, or an empty text when there is none.

    >>> counts_in_words(Counter({Kind.WARNING: 2, Kind.ERROR: 1}))
    '1 error, 2 warnings'
    """
    nouns = {
        Kind.INCOMPLETE: ("not evaluated", "not evaluated"),
        Kind.WAIVED: ("waived", "waived"),
    }
    return ", ".join(
        count(counts[kind], *nouns.get(kind, (kind.value,))) for kind in FINDINGS if counts.get(kind)
    )


def verdict_sentence(report: Report, *, strict: bool = False) -> str:
    """Return the outcome in one sentence, without the word for it."""
    counts = counts_of(report)
    if not report.results:
        return "nothing was checked"
    found = counts_in_words(counts) or "no errors, no warnings"
    strictly = " (--strict: warnings fail)" if strict and not report.errors and report.warnings else ""
    held = {rule for item in report.held for rule in item.rules}
    left = f", {count(len(held), 'rule')} held back" if held else ""
    return f"{found}{strictly}; {count(counts[Kind.PASSED], 'check')} passed{left}"


def ruleset_sentence(report: Report) -> str:
    """Return which rules were laid over the submission, or an empty text when that is not known."""
    ruleset = report.ruleset
    if not ruleset.id:
        return ""
    number = ruleset.rules or len(report.rules)
    title = f" ({ruleset.title})" if ruleset.title else ""
    return f"ruleset {ruleset.id}{title}" + (f", {count(number, 'rule')}" if number else "")


def silent_rules(report: Report) -> list[RuleInfo]:
    """Return the rules in force that neither gave a result nor were held back by a gate."""
    heard = {result.rule for result in report.results} | {rule for held in report.held for rule in held.rules}
    return [rule for rule in report.rules if rule.id not in heard]


def _finding(results: list[CheckResult]) -> Finding:
    results = sorted(results, key=_result_key)
    places = list(dict.fromkeys(place_of(result) for result in results))
    place = places[0] if len(places) == 1 else dirname(places[0]) or ROOT
    return Finding(kind_of(results[0]), rule_of(results[0]), place, tuple(results))


def _result_key(result: CheckResult) -> tuple[object, ...]:
    return _place_key(place_of(result)), _place_key(result.location), result.line or 0, result.column or 0


def _finding_key(finding: Finding) -> tuple[object, ...]:
    first = finding.results[0]
    return finding.kind.rank, _place_key(first.location), first.line or 0, first.column or 0, finding.rule.id


def _place_key(place: str) -> tuple[bool, list[list[tuple[int, int, str]]]]:
    return place != ROOT, [natural_key(part) for part in place.split("/")]


def short_place(place: str, base: str) -> str:
    """Return a place as seen from another one.

    >>> short_place("results/a/r8", "results/a"), short_place("docs", "."), short_place("docs", "src")
    ('r8', 'docs', 'docs')
    """
    if base and base != ROOT and place.startswith(base + "/"):
        return place[len(base) + 1 :]
    return place
