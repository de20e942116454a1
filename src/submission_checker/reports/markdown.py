"""The report as Markdown, for a pull request, an issue or the summary of a GitHub job.

Whatever can come from a submission stands in code spans, where neither markup nor a link, an image, a mention
of a person or a reference to an issue is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from submission_checker.engine.model import CheckResult, Report
from submission_checker.reports import digest
from submission_checker.reports.digest import ROOT, Finding, Group, Kind
from submission_checker.reports.options import Options
from submission_checker.reports.strings import NAME_LIMIT, clause_list, count, enumeration, visible

PLACES = 8
"""Places of one finding that are named before the rest is only counted."""

_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+!|<>~&@$^=-])")
_TICKS = re.compile(r"`+")


def render(report: Report, options: Options) -> str:
    """Return the report as GitHub-flavoured Markdown."""
    return "\n".join(_lines(report, options)) + "\n"


def _lines(report: Report, options: Options) -> Iterator[str]:
    word = digest.verdict_word(report, strict=options.strict)
    yield f"# Submission check: {word.lower()}"
    yield ""
    yield f"{_code(str(report.submission_path))}: {digest.verdict_sentence(report, strict=options.strict)}."
    yield ""
    kinds = digest.FINDINGS[:3] if options.quiet else digest.FINDINGS
    groups = digest.groups_of(report, kinds)
    room = options.limit if options.limit > 0 else sum(len(group.findings) for group in groups)
    for group in groups:
        if room > 0:
            yield from _group(report, group, room, options)
        room -= len(group.findings)
    if room < 0:
        yield f"{count(-room, 'more finding')} not shown."
        yield ""
    if not options.quiet:
        yield from _held(report)
        yield from _families(report)
        yield from _origin(report)


def _group(report: Report, group: Group, room: int, options: Options) -> Iterator[str]:
    yield f"## {_place(group.place)}"
    yield ""
    for finding in group.findings[:room]:
        yield from _finding(report, finding, options)
    yield ""


def _finding(report: Report, finding: Finding, options: Options) -> Iterator[str]:
    first = finding.results[0]
    rule = finding.rule
    yield f"- **{finding.kind.value.capitalize()}** {_code(first.rule)}: {_code(first.message)}"
    yield f"  - at {_position(first)}"
    places = dict.fromkeys(digest.place_of(result) for result in finding.results[1:])
    named = [_code(digest.short_place(place, finding.place)) for place in places]
    if named:
        same = all(result.message == first.message for result in finding.results)
        listed = enumeration(named, len(named) if options.verbose else PLACES)
        yield f"  - {'the same' if same else 'similar'} at {listed}"
    clauses = clause_list(digest.clauses_of(first))
    waiver = first.waiver
    for name, text in (
        ("rule", f"{rule.title} ({clauses})" if clauses else rule.title),
        ("means", digest.consequence_of_result(report, first)),
        ("fix", digest.hint_of(first)),
        ("waived", waiver and f"{waiver.reason} (by {waiver.approved_by}, until {waiver.expires})"),
    ):
        if text:
            yield f"  - {name}: {_prose(text)}"


def _held(report: Report) -> Iterator[str]:
    if not report.held:
        return
    yield "## Not checked"
    yield ""
    for held in report.held:
        because = ", ".join(_code(rule) for rule in held.because)
        yield f"- {count(len(held.rules), 'rule')} at {_place(held.subject)}, because of {because}"
    yield ""


def _families(report: Report) -> Iterator[str]:
    families = digest.family_counts(report)
    if not families:
        return
    yield "| Rules | Passed | Errors | Warnings | Waived | Not evaluated |"
    yield "|---|--:|--:|--:|--:|--:|"
    for title, counts in families:
        numbers = [counts[k] for k in (Kind.PASSED, Kind.ERROR, Kind.WARNING, Kind.WAIVED, Kind.INCOMPLETE)]
        yield f"| {_prose(title)} | {' | '.join(map(str, numbers))} |"
    yield ""


def _origin(report: Report) -> Iterator[str]:
    for note in report.notes:
        yield f"- {_code(note)}"
    for change in report.ruleset.tailoring:
        yield f"- Tailoring: {_code(change)}"
    origin = ", ".join(
        _prose(part)
        for part in (report.checker, digest.ruleset_sentence(report), report.ruleset.policy)
        if part
    )
    if origin:
        yield ""
        yield f"Checked by {origin}."


def _position(result: CheckResult) -> str:
    place = result.location or digest.place_of(result)
    numbers = [str(number) for number in (result.line, result.column) if number is not None]
    return _place(place) if place in (ROOT, "") else _code(":".join([visible(place, NAME_LIMIT), *numbers]))


def _place(place: str) -> str:
    return "the submission itself" if place in (ROOT, "") else _code(visible(place, NAME_LIMIT))


def _code(text: str) -> str:
    """Return a text as a code span, with as many backticks around it as its own demand."""
    shown = visible(text)
    longest = max((len(run) for run in _TICKS.findall(shown)), default=0)
    fence = "`" * (longest + 1)
    # CommonMark takes one space off each end, if there is one at both.
    pad = " " if longest or shown[:1] == " " or not shown.strip() else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def _prose(text: str) -> str:
    """Return a text of the ruleset or of a waiver, its markup disarmed."""
    return _SPECIAL.sub(r"\\\1", visible(" ".join(text.split())))
