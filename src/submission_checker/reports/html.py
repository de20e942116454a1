"""The report as one page of HTML that works offline, straight from a mail.

Everything is inside the page, and its content security policy forbids the rest: no request leaves it, and no
script runs but the one whose hash it names. What a template prints is passed through `visible` and escaped.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from submission_checker.engine.model import Chart, CheckResult, Report, RuleInfo, Table
from submission_checker.reports import chart, digest
from submission_checker.reports.digest import ROOT, Finding, Group, Kind
from submission_checker.reports.options import Options
from submission_checker.reports.source import Snippet, Sources
from submission_checker.reports.strings import NAME_LIMIT, clause_list, count, natural_key, visible

PAGE = Path(__file__).parent / "page"
FINDINGS_LIMIT = 1000
"""Findings on a page; browsers get slow with more, and nobody reads them."""
PLACES_LIMIT = 50
"""Places of one finding that are listed."""
SNIPPETS_LIMIT = 3
"""Places of one finding that are shown with their line of source."""
ROWS_LIMIT = 500
"""Rows of one table of measurements."""

_NUMBER = re.compile(r"[-+]?[0-9][0-9.,]*(?:[eE][-+]?[0-9]+)?|\W?|nan|inf")


def render(report: Report, options: Options) -> str:
    """Return the report as a page of HTML."""
    style, script = _asset("page.css"), _asset("page.js")
    return (
        _environment()
        .get_template("page.html.j2")
        .render(
            page=_Page(report, options),
            style=Markup(style),
            script=Markup(script),
            style_hash=_hash(style),
            script_hash=_hash(script),
        )
        + "\n"
    )


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One place of a finding."""

    place: str
    position: str
    message: str
    """Empty where it says the same as the first."""
    before: str
    value: str
    after: str


@dataclass(frozen=True, slots=True)
class Card:
    """A finding as a reader meets it."""

    id: str
    finding: Finding
    occurrences: tuple[Occurrence, ...]
    left: int
    clauses: tuple[str, ...]
    means: str
    hint: str

    @property
    def first(self) -> CheckResult:
        """The first of the results that it tells."""
        return self.finding.results[0]


@dataclass(frozen=True, slots=True)
class RuleRow:
    """What became of a rule."""

    rule: RuleInfo
    counts: Counter[Kind]
    state: str
    reason: str


@dataclass(frozen=True, slots=True)
class ClauseRow:
    """What became of a clause: the findings against it, and how often its rules passed."""

    clause: str
    title: str
    counts: Counter[Kind]
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Measurement:
    """Charts and tables of one subject."""

    subject: str
    drawings: tuple[chart.Drawing, ...]
    tables: tuple[tuple[Table, int, tuple[bool, ...]], ...]
    """Each table with the number of rows that did not fit, and which of its columns hold numbers."""


class _Page:
    """What the template asks for, in the order of the page."""

    def __init__(self, report: Report, options: Options) -> None:
        self.report = report
        self.options = options
        self.kinds = {kind.name: kind for kind in Kind}
        self.counts = digest.counts_of(report)
        self.word = digest.verdict_word(report, strict=options.strict)
        self.sentence = digest.verdict_sentence(report, strict=options.strict)
        self._sources = Sources(report.submission_path)
        groups = digest.groups_of(report, digest.FINDINGS)
        self.total = sum(len(group.findings) for group in groups)
        self.groups = self._cards(groups)
        self.cards = [card for _, cards in self.groups for card in cards]
        self.shown_kinds = [
            kind for kind in digest.FINDINGS if any(c.finding.kind is kind for c in self.cards)
        ]
        self._worst = self._worst_by_place()
        self._heard = {digest.place_of(result) for result in report.results}

    def clauses(self) -> list[ClauseRow]:
        """Every clause with a rule that said something, in the policy's order."""
        counts: dict[str, Counter[Kind]] = {}
        for result in self.report.results:
            for clause in digest.clauses_of(result):
                counts.setdefault(clause, Counter())[digest.kind_of(result)] += 1
        titles = self.report.ruleset.clauses
        rows = []
        for clause in sorted(counts, key=natural_key):
            cards = tuple(card for card in self.cards if clause in card.clauses)
            rows.append(ClauseRow(clause, titles.get(clause, ""), counts[clause], cards))
        return rows

    def families(self) -> list[tuple[str, list[RuleRow]]]:
        """Every rule in force under its family's title."""
        families: dict[str, list[RuleRow]] = {family: [] for family in self.report.ruleset.families}
        for row in self._rules():
            families.setdefault(row.rule.family, []).append(row)
        return [(digest.family_title(self.report, family), rows) for family, rows in families.items() if rows]

    def measurements(self) -> list[Measurement]:
        """Charts and tables by subject."""
        subjects: dict[str, tuple[list[Chart], list[Table]]] = {}
        for one in self.report.charts:
            subjects.setdefault(one.subject, ([], []))[0].append(one)
        for table in self.report.tables:
            subjects.setdefault(table.subject, ([], []))[1].append(table)
        return [
            Measurement(
                subject,
                tuple(chart.draw(one, self.state_of) for one in charts),
                tuple((t, max(0, len(t.rows) - ROWS_LIMIT), _numeric(t)) for t in tables),
            )
            for subject, (charts, tables) in sorted(subjects.items(), key=lambda item: _order(item[0]))
        ]

    def state_of(self, place: str) -> str:
        """Return the worst kind of finding at a place or below it, by name."""
        quiet = Kind.PASSED if place in self._heard else Kind.NOT_CHECKED
        return str(self._worst.get(place, quiet).value)

    def ruleset(self) -> str:
        """Which rules were laid over the submission."""
        return digest.ruleset_sentence(self.report)

    def _cards(self, groups: list[Group]) -> list[tuple[str, list[Card]]]:
        room = FINDINGS_LIMIT if self.options.limit else self.total
        shown: list[tuple[str, list[Card]]] = []
        for group in groups:
            cards: list[Card] = []
            for finding in group.findings[:room]:
                cards.append(self._card(finding, f"finding-{FINDINGS_LIMIT - room + len(cards) + 1}"))
            if cards:
                shown.append((group.place, cards))
            room = max(0, room - len(group.findings))
        return shown

    def _card(self, finding: Finding, identity: str) -> Card:
        first = finding.results[0]
        shown = finding.results[:PLACES_LIMIT]
        return Card(
            id=identity,
            finding=finding,
            occurrences=tuple(self._occurrence(result, finding, index) for index, result in enumerate(shown)),
            left=len(finding.results) - len(shown),
            clauses=digest.clauses_of(first),
            means=digest.consequence_of_result(self.report, first),
            hint=digest.hint_of(first),
        )

    def _occurrence(self, result: CheckResult, finding: Finding, index: int) -> Occurrence:
        where = result.location or digest.place_of(result)
        short = digest.short_place(where, finding.place)
        numbers = [str(part) for part in (result.line, result.column) if part is not None]
        snippet = self._sources.snippet(result, 100) if index < SNIPPETS_LIMIT else None
        before, value, after = _parts(snippet)
        return Occurrence(
            place=digest.place_of(result),
            position=""
            if where in (ROOT, finding.place) and not numbers
            else ":".join([visible(short, NAME_LIMIT), *numbers]),
            message="" if result.message == finding.results[0].message else result.message,
            before=before,
            value=value,
            after=after,
        )

    def _rules(self) -> list[RuleRow]:
        counts: dict[str, Counter[Kind]] = {}
        known = {rule.id: rule for rule in self.report.rules}
        for result in self.report.results:
            counts.setdefault(result.rule, Counter())[digest.kind_of(result)] += 1
            known.setdefault(result.rule, digest.rule_of(result))
        reasons = self._reasons()
        return [
            _rule_row(rule, counts.get(identity, Counter()), reasons.get(identity, ""))
            for identity, rule in known.items()
        ]

    def _reasons(self) -> dict[str, str]:
        """Why a rule was not checked somewhere; a gate's reason comes before one of the rule's own."""
        reasons: dict[str, str] = {}
        for held in self.report.held:
            for rule in held.rules:
                reasons.setdefault(rule, f"held back: {' and '.join(held.because)} broken")
        for item in self.report.not_applicable:
            if item.reason:
                reasons.setdefault(item.rule, f"not applicable: {item.reason}")
        return reasons

    def _worst_by_place(self) -> dict[str, Kind]:
        worst: dict[str, Kind] = {}
        for result in self.report.results:
            kind = digest.kind_of(result)
            place = digest.place_of(result)
            while kind in digest.FINDINGS:
                if place not in worst or kind.rank < worst[place].rank:
                    worst[place] = kind
                if "/" not in place:
                    break
                place = place.rpartition("/")[0]
        return worst


def _order(subject: str) -> list[list[tuple[int, int, str]]]:
    return [natural_key(part) for part in subject.split("/")] if subject != ROOT else []


def _numeric(table: Table) -> tuple[bool, ...]:
    """Tell which columns hold numbers; a dash among them is no hindrance."""
    columns = zip(*table.rows, strict=True) if table.rows else ((),) * len(table.columns)
    return tuple(
        all(map(_NUMBER.fullmatch, column)) and any(cell[-1:].isdigit() for cell in column)
        for column in columns
    )


def _rule_row(rule: RuleInfo, counts: Counter[Kind], reason: str) -> RuleRow:
    found = [kind for kind in digest.FINDINGS if counts[kind]]
    if found:
        state = found[0].value
    elif counts[Kind.PASSED]:
        state = Kind.PASSED.value
    elif reason:
        state = Kind.NOT_CHECKED.value
    else:
        # A rule without a word for its success says nothing when it holds, nor when it applies nowhere.
        state, reason = "silent", "holds where it applies, or applies nowhere"
    return RuleRow(rule, counts, state, reason)


def _parts(snippet: Snippet | None) -> tuple[str, str, str]:
    """Return the line of a snippet in three: before its value, the value, after it."""
    if snippet is None:
        return "", "", ""
    return snippet.before, snippet.value, snippet.after


def _place(place: str) -> str:
    return "the submission itself" if place in (ROOT, "") else visible(place, NAME_LIMIT)


def _slug(text: str) -> str:
    """Return a class name for one of our own words."""
    return text.replace(" ", "-")


def _safe(value: Any) -> Any:
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(PAGE),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_safe,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        place=_place,
        slug=_slug,
        clauses=clause_list,
        counts=digest.counts_in_words,
        trusted=Markup,
    )
    environment.globals.update(count=count, Kind=Kind, paper=chart)
    return environment


@cache
def _asset(name: str) -> str:
    return (PAGE / name).read_text("utf-8")


def _hash(content: str) -> str:
    digest_of = hashlib.sha256(content.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest_of).decode('ascii')}"
