"""The report for people at a terminal: grouped by place, worst first, the summary last."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from submission_checker.engine.model import CheckResult, Held, Report
from submission_checker.reports import digest
from submission_checker.reports.digest import Finding, Group, Kind
from submission_checker.reports.options import Options
from submission_checker.reports.source import Snippet, Sources
from submission_checker.reports.strings import (
    NAME_LIMIT,
    clause_list,
    columns_of,
    count,
    enumeration,
    natural_key,
    visible,
)

SNIPPETS = 3
"""Messages of one finding that are shown with their line of source; further ones get a line each."""
FURTHER = 8
"""Further places of one finding that are listed before the rest is only counted."""

# A line that begins so is an order to the runner of a GitHub workflow, which reads all that a step prints.
_COMMANDS = ("::", "##[")
_COLOUR = re.compile("\x1b\\[[0-9;]*m")
_STYLES: dict[Kind | str, str] = {
    "bold": "1",
    "dim": "2",
    Kind.INCOMPLETE: "1;35",
    Kind.ERROR: "1;31",
    Kind.WARNING: "1;33",
    Kind.NOTE: "1;36",
    Kind.WAIVED: "1;34",
    Kind.PASSED: "32",
    Kind.NOT_CHECKED: "2",
}


def render(report: Report, options: Options) -> str:
    """Return the report as text."""
    return "\n".join(_Writer(report, options).lines()) + "\n"


class _Writer:
    """Writes one report; every line it yields is safe to print."""

    def __init__(self, report: Report, options: Options) -> None:
        self.report = report
        self.options = options
        self.width = max(options.width, 40)
        self.sources = Sources(report.submission_path)

    def lines(self) -> Iterator[str]:
        yield from self.incomplete()
        yield from self.findings()
        if not self.options.quiet:
            yield from self.held()
            if self.options.verbose:
                yield from self.passes()
                yield from self.not_checked()
            yield from self.families()
            yield from self.notes()
        yield from self.verdict()

    # -- findings

    def incomplete(self) -> Iterator[str]:
        groups = digest.groups_of(self.report, [Kind.INCOMPLETE])
        if not groups:
            return
        yield self.paint("Rules that could not be evaluated", Kind.INCOMPLETE)
        yield from self.wrapped(
            "The fault is in a rule or a table; whether the submission keeps to it is not known.",
            "  ",
        )
        yield ""
        yield from self.groups(groups)

    def findings(self) -> Iterator[str]:
        kinds = [Kind.ERROR, Kind.WARNING]
        if not self.options.quiet:
            kinds += [Kind.NOTE, Kind.WAIVED]
        groups = digest.groups_of(self.report, kinds)
        total = sum(len(group.findings) for group in groups)
        shown, left = _cut(groups, self.options.limit)
        yield from self.groups(shown)
        if left:
            yield from self.wrapped(
                f"{left} of {count(total, 'finding')} not shown; "
                f"`{self.options.command} check --verbose`, or a file in another format, has them all.",
                "",
            )
            yield ""

    def groups(self, groups: Iterable[Group]) -> Iterator[str]:
        for group in groups:
            counts = digest.counts_in_words(group.counts)
            yield self.two_ends(self.paint(self.place(group.place), "bold"), self.paint(counts, "dim"))
            yield ""
            for finding in group.findings:
                yield from self.finding(finding)
                yield ""

    def finding(self, finding: Finding) -> Iterator[str]:
        same_message = list(_runs(finding.results))
        for index, results in enumerate(same_message[:SNIPPETS]):
            yield from self.occurrence(finding, results, first=index == 0)
        yield from self.further(finding, same_message[SNIPPETS:])
        yield from self.explanation(finding)

    def occurrence(self, finding: Finding, results: list[CheckResult], *, first: bool) -> Iterator[str]:
        head = results[0]
        if first:
            mark = self.paint(f"{finding.kind.value}[{visible(head.rule, NAME_LIMIT)}]", finding.kind)
            yield from self.wrapped(f"{mark}: {visible(head.message)}", "  ", "    ")
        else:
            yield from self.wrapped(f"and {visible(head.message)}", "    ", "      ")
        if head.location:
            yield "    " + self.paint(self.position(head), "dim")
            snippet = self.sources.snippet(head, self.width - 12)
            if snippet is not None:
                yield from self.snippet(snippet, finding.kind)
        others = list(dict.fromkeys(self.other_place(result, head, finding.place) for result in results[1:]))
        if others:
            listed = enumeration(others, len(others) if self.options.verbose else FURTHER)
            yield from self.wrapped(
                f"the same {count(len(results) - 1, 'time')} more: {listed}", "    ", "      "
            )

    def other_place(self, result: CheckResult, head: CheckResult, base: str) -> str:
        place = digest.place_of(result)
        if place != digest.place_of(head):
            return visible(digest.short_place(place, base), NAME_LIMIT)
        line = "" if result.line is None else f":{result.line}"
        return visible(digest.short_place(result.location or place, place), NAME_LIMIT) + line

    def further(self, finding: Finding, runs: list[list[CheckResult]]) -> Iterator[str]:
        shown = runs if self.options.verbose else runs[:FURTHER]
        for results in shown:
            head = results[0]
            where = digest.short_place(head.location or digest.place_of(head), finding.place)
            line = "" if head.line is None else f":{head.line}"
            also = f" (and {len(results) - 1} more)" if len(results) > 1 else ""
            text = f"and {visible(where, NAME_LIMIT)}{line}: {visible(head.message, 200)}{also}"
            yield from self.wrapped(text, "    ", "      ")
        left = sum(len(results) for results in runs[len(shown) :])
        if left:
            yield f"    and {left} more like these"

    def snippet(self, snippet: Snippet, kind: Kind) -> Iterator[str]:
        number = f"{snippet.line:>8} | "
        yield self.paint(number, "dim") + snippet.text
        caret = "^" * min(snippet.length, max(1, self.width - 11 - snippet.start))
        yield self.paint(f"{'':>8} | ", "dim") + " " * snippet.start + self.paint(caret, kind)

    def explanation(self, finding: Finding) -> Iterator[str]:
        rule = finding.rule
        clauses = clause_list(digest.clauses_of(finding.results[0]))
        required = f"{rule.title} ({clauses})" if rule.title and clauses else rule.title or clauses
        if required:
            yield from self.labelled("rule", required)
        consequence = digest.consequence_of_result(self.report, finding.results[0])
        if consequence:
            yield from self.labelled("means", consequence)
        waiver = finding.results[0].waiver
        if waiver is not None:
            yield from self.labelled(
                "waived",
                f"{waiver.reason} (by {waiver.approved_by}, until {waiver.expires}, for {waiver.where})",
            )
            return
        hint = digest.hint_of(finding.results[0])
        if hint:
            yield from self.labelled("fix", hint)
        more = f"{self.options.command} rules show {finding.results[0].rule}"
        yield from self.labelled("more", f"{more}, {rule.page}" if rule.page else more)

    def labelled(self, label: str, text: str) -> Iterator[str]:
        indent = self.paint(f"    {label:<8}", "dim")
        yield from self.wrapped(visible(" ".join(text.split())), indent, " " * 12)

    # -- what was not found

    def held(self) -> Iterator[str]:
        if not self.report.held:
            return
        yield self.paint("Not checked", "bold")
        for because, held in _by_reason(self.report.held):
            rules = {rule for item in held for rule in item.rules}
            places = list(dict.fromkeys(self.place(item.subject) for item in held))
            where = "" if places == [self.place(digest.ROOT)] else f" at {enumeration(places, 3)}"
            broken = " and ".join(visible(rule, NAME_LIMIT) for rule in because)
            yield from self.wrapped(
                f"{count(len(rules), 'rule')} not checked{where} because {broken} "
                f"{'is' if len(because) == 1 else 'are'} broken; --keep-going checks what it can",
                "  ",
                "    ",
            )
            if self.options.verbose:
                yield from self.wrapped(
                    ", ".join(sorted(visible(rule, NAME_LIMIT) for rule in rules)), "    "
                )
        yield ""

    def passes(self) -> Iterator[str]:
        groups = digest.groups_of(self.report, [Kind.PASSED])
        if not groups:
            return
        yield self.paint("Passed", "bold")
        for group in sorted(groups, key=lambda group: natural_key(group.place)):
            yield f"  {self.place(group.place)}"
            for finding in group.findings:
                for results in _runs(finding.results):
                    places = [digest.short_place(digest.place_of(result), group.place) for result in results]
                    named = list(dict.fromkeys(place for place in places if place != group.place))
                    at = f" [{visible(', '.join(named))}]" if named else ""
                    text = f"{self.paint(visible(finding.rule.id, NAME_LIMIT), Kind.PASSED)}: "
                    yield from self.wrapped(text + visible(results[0].message) + at, "    ", "      ")
        yield ""

    def not_checked(self) -> Iterator[str]:
        reasons: dict[tuple[str, str], list[str]] = {}
        for item in self.report.not_applicable:
            reasons.setdefault((item.rule, item.reason), []).append(item.subject)
        for result in self.report.results:
            if digest.kind_of(result) is Kind.NOT_CHECKED:
                reasons.setdefault((result.rule, result.message), []).append(digest.place_of(result))
        silent = [rule.id for rule in digest.silent_rules(self.report)]
        for rule in silent:
            if not any(known == rule for known, _ in reasons):
                reasons[rule, ""] = []
        if not reasons:
            return
        yield self.paint("Not applicable, or nothing to report", "bold")
        for (rule, reason), subjects in reasons.items():
            places = enumeration([self.place(subject) for subject in dict.fromkeys(subjects)], 3)
            text = f"{visible(rule, NAME_LIMIT)}: {visible(reason) or 'nothing to report'}"
            text += f" [{places}]" if places else ""
            yield from self.wrapped(text, "  ", "    ")
        yield ""

    # -- summary

    def families(self) -> Iterator[str]:
        families = digest.family_counts(self.report)
        if not families:
            return
        titles = [visible(title, 40) for title, _ in families]
        longest = max(columns_of(title) for title in titles)
        for title, (_, counts) in zip(titles, families, strict=True):
            passed = self.paint(
                f"{counts[Kind.PASSED]:>5} passed", Kind.PASSED if counts[Kind.PASSED] else "dim"
            )
            found = ", ".join(
                self.paint(digest.counts_in_words(type(counts)({kind: counts[kind]})), kind)
                for kind in digest.FINDINGS
                if counts[kind]
            )
            padding = " " * (longest - columns_of(title))
            yield f"  {title}{padding}  {passed}" + (f"  {found}" if found else "")
        yield ""

    def notes(self) -> Iterator[str]:
        for note in self.report.notes:
            yield from self.wrapped(visible(note), "  note: ", "    ")
        for change in self.report.ruleset.tailoring:
            yield from self.wrapped(visible(change), "  tailoring: ", "    ")
        if self.report.notes or self.report.ruleset.tailoring:
            yield ""

    def verdict(self) -> Iterator[str]:
        word = digest.verdict_word(self.report, strict=self.options.strict)
        kind = {"PASSED": Kind.PASSED, "FAILED": Kind.ERROR}.get(word, Kind.INCOMPLETE)
        sentence = digest.verdict_sentence(self.report, strict=self.options.strict)
        yield from self.wrapped(f"{self.paint(word, kind)}: {sentence}", "", "  ")
        if not self.options.quiet:
            with_rules = digest.ruleset_sentence(self.report)
            where = _inert(visible(str(self.report.submission_path)))
            yield from self.wrapped(f"{where}{', ' if with_rules else ''}{visible(with_rules)}", "", "  ")

    # -- small things

    def place(self, place: str) -> str:
        return "the submission itself" if place in (digest.ROOT, "") else _inert(visible(place, NAME_LIMIT))

    def position(self, result: CheckResult) -> str:
        path = visible(str(result.path) if result.path is not None else result.location, NAME_LIMIT * 2)
        numbers = [number for number in (result.line, result.column) if number is not None]
        return _inert(":".join([path, *map(str, numbers)]))

    def paint(self, text: str, style: Kind | str) -> str:
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.options.colour and text else text

    def two_ends(self, left: str, right: str) -> str:
        gap = self.width - columns_of(_plain(left)) - columns_of(_plain(right))
        return f"{left}{' ' * gap if gap >= 2 else '  '}{right}"

    def wrapped(self, text: str, indent: str, later: str | None = None) -> Iterator[str]:
        """Yield a text in lines of the page's width; colour codes may stand in it and take no room."""
        later = indent if later is None else later
        line, room = indent, self.width - columns_of(_plain(indent))
        empty = True
        for word in text.split(" "):
            needed = columns_of(_plain(word)) + (0 if empty else 1)
            if not empty and needed > room and not word.startswith(_COMMANDS):
                yield line
                line, room, empty = later, self.width - columns_of(later), True
                needed -= 1
            line += word if empty else " " + word
            room -= needed
            empty = False
        yield line


def _inert(path: str) -> str:
    return f"./{path}" if path.startswith(_COMMANDS) else path


def _plain(text: str) -> str:
    return _COLOUR.sub("", text) if "\x1b" in text else text


def _runs(results: Iterable[CheckResult]) -> Iterator[list[CheckResult]]:
    """Results with equal messages together, in the order of the first of them."""
    equal: dict[str, list[CheckResult]] = {}
    for result in results:
        equal.setdefault(result.message, []).append(result)
    return iter(equal.values())


def _cut(groups: list[Group], limit: int) -> tuple[list[Group], int]:
    """Return the first groups with at most `limit` findings together, and how many findings are left."""
    if limit <= 0:
        return groups, 0
    shown: list[Group] = []
    room = limit
    for group in groups:
        if room > 0:
            shown.append(Group(group.place, group.findings[:room]))
        room -= len(group.findings)
    return shown, max(0, -room)


def _by_reason(held: Iterable[Held]) -> Iterator[tuple[tuple[str, ...], list[Held]]]:
    ordered = sorted(held, key=lambda item: (item.because, natural_key(item.subject)))
    for because, items in groupby(ordered, key=lambda item: item.because):
        yield because, list(items)
