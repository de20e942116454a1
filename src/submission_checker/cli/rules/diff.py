"""`submission-checker rules diff`."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import groupby
from pathlib import Path
from typing import Any

import click

from submission_checker import api
from submission_checker.bench.difference import ADDED, CHANGED, REMOVED, Change, Detail, Difference, compare
from submission_checker.bench.verdicts import Compared, Turned, Verdicts, totals
from submission_checker.cli import common
from submission_checker.cli.output import echo
from submission_checker.cli.rules import printing
from submission_checker.engine.errors import RulesetError
from submission_checker.engine.ruleset import Ruleset
from submission_checker.engine.tailoring import shown
from submission_checker.reports.strings import count, visible

_MOST_USERS = 6
_MOST_DETAILS = 40
_SECTIONS = (
    ("table", "Tables"),
    ("fact", "Facts"),
    ("gate", "Gates"),
    ("scope", "Scopes"),
    ("document", "Documents"),
    ("place", "Places"),
    ("schema", "Schemas"),
    ("clause", "Clauses"),
    ("view", "Charts and tables of reports"),
    ("setting", "Settings"),
)


@click.command()
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@click.option(
    "--over", "folders", multiple=True, metavar="FOLDER",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Check this submission with both, and say what comes out otherwise and why. May be given several "
    "times.",
)  # fmt: skip
@click.option(
    "--as-of", metavar="DATE", type=common.Day(),
    help="The day of the check, YYYY-MM-DD, by which waivers expire. [default: today, UTC]",
)  # fmt: skip
@click.option(
    "--format", "form", type=click.Choice(["text", "markdown", "json"]), default="text", show_default=True,
    help="How to print.",
)  # fmt: skip
@click.pass_context
def diff(
    ctx: click.Context, before: str, after: str, folders: tuple[Path, ...], as_of: date | None, form: str
) -> None:
    """Say what changed from ruleset A to ruleset B, rule by rule.

    A and B are shipped rulesets by name, or folders of your own; with +FILE behind, tailored by that file.

    \b
      submission-checker rules diff 2026-10 2026-11
      submission-checker rules diff 2026-10 2026-10+lab.yaml --over my-submission
      submission-checker rules diff 2026-10 my-ruleset --format markdown > notes.md

    \b
    Exit codes:
      0  compared
      2  the command was called wrongly
      3  a ruleset or a tailoring cannot be used
    """
    difference = compare(_load(before, as_of), _load(after, as_of))
    verdicts = Verdicts(difference)
    compared = [verdicts.compare(folder) for folder in folders]
    if form == "json":
        printing.print_json(_as_json(difference, compared))
        return
    style = _MARKDOWN if form == "markdown" else _Text(common.width())
    echo("\n".join(_notes(difference, compared, style)) + "\n")


def _load(spec: str, as_of: date | None) -> Ruleset:
    name, plus, file = spec.rpartition("+")
    if not plus or Path(spec).exists():
        name, file = spec, ""
    try:
        tailored = api.read_tailoring(file, as_of=as_of) if file else None
        return api.load_ruleset(name, examples=True, tailoring=tailored)
    except RulesetError as error:
        common.fail_ruleset(error)


# -- as notes


class _Text:
    """Plain text, wrapped."""

    def __init__(self, width: int):
        self._width = width

    def code(self, text: str) -> str:
        return text

    def heading(self, text: str, level: int) -> Iterator[str]:
        yield from ([] if level == 0 else [""])
        yield text

    def item(self, text: str, level: int) -> Iterator[str]:
        indent = "  " * (level + 1)
        yield from textwrap.wrap(
            text, self._width, initial_indent=indent + ("- " if level else ""),
            subsequent_indent=indent + ("    " if level else "  "),
            break_long_words=False, break_on_hyphens=False,
        )  # fmt: skip


class _Markdown:
    """Markdown; what a ruleset says is code."""

    def code(self, text: str) -> str:
        fence, pad = ("``", " ") if "`" in text else ("`", "")
        return f"{fence}{pad}{text}{pad}{fence}" if text else ""

    def heading(self, text: str, level: int) -> Iterator[str]:
        yield from ([] if level == 0 else [""])
        yield f"{'#' * (level + 2)} {text}"
        yield ""

    def item(self, text: str, level: int) -> Iterator[str]:
        yield f"{'  ' * level}- {text}"


_MARKDOWN = _Markdown()
Style = _Text | _Markdown


def _notes(difference: Difference, compared: Sequence[Compared], style: Style) -> Iterator[str]:
    old, new = difference.before.info, difference.after.info
    yield from style.heading(f"From {old.id} to {_other(difference)}", 0)
    told = [
        f"{count(len(found), 'rule')} {what}"
        for what in (ADDED, REMOVED, CHANGED)
        if (found := difference.of("rule", what))
    ]
    told += [f"{count(len(found), kind)} changed" for kind, _ in _SECTIONS if (found := difference.of(kind))]
    yield from style.item(
        f"{', '.join(told) or 'Nothing changed'} ({old.rules} rules before, {new.rules} now).", 0
    )
    for what, title in ((ADDED, "New rules"), (REMOVED, "Rules taken away")):
        found = difference.of("rule", what)
        if found:
            yield from style.heading(title, 1)
            for change in found:
                yield from style.item(_rule(change, style), 0)
    yield from _changed_rules(difference, style)
    for kind, title in _SECTIONS:
        yield from _section(difference.of(kind), title, style)
    if compared:
        yield from _verdicts(compared, style)


def _other(difference: Difference) -> str:
    name = difference.after.info.id
    tailored = difference.after.tailoring
    return name if tailored is None else f"{name} tailored by {tailored.file.name}"


def _rule(change: Change, style: Style) -> str:
    about = ", ".join([change.severity, *(f"§{number}" for number in change.clauses)])
    return f"{style.code(change.name)} ({about}): {visible(change.title)}"


def _changed_rules(difference: Difference, style: Style) -> Iterator[str]:
    found = difference.of("rule", CHANGED)
    if not found:
        return
    yield from style.heading("Changed rules", 1)
    for change in found:
        yield from style.item(_rule(change, style), 0)
        for group, details in groupby(change.details, key=lambda detail: detail.group):
            for detail in details:
                yield from style.item(_detail(detail, style, group), 1)


def _detail(detail: Detail, style: Style, group: str = "") -> str:
    label = {"number": "number", "condition": "condition", "wording": "wording", "clause": "clause"}.get(
        group, ""
    )
    part = detail.part.removeprefix("params.") if group == "number" else detail.part
    name = f"{label} {style.code(part)}".strip() if part else "it"
    if group == "examples":
        return (
            f"{part}: {detail.before} → {detail.after}"
            if detail.before != detail.after
            else f"{part}: others"
        )
    if detail.what == ADDED:
        return f"{name}: {style.code(_value(detail.after))} (new)"
    if detail.what == REMOVED:
        return f"{name}: {style.code(_value(detail.before))} (taken away)"
    return f"{name}: {style.code(_value(detail.before))} → {style.code(_value(detail.after))}"


def _value(value: Any) -> str:
    # Two texts that differ at their ends would look alike when they are cut.
    return visible(" ".join(value.split())) if isinstance(value, str) else visible(shown(value))


def _section(changes: Sequence[Change], title: str, style: Style) -> Iterator[str]:
    if not changes:
        return
    yield from style.heading(title, 1)
    for change in changes:
        scope = f" of a {change.family}" if change.family else ""
        what = {ADDED: " is new", REMOVED: " is gone"}.get(change.what, "")
        doc = f": {visible(change.title)}" if change.title and change.kind in ("fact", "clause") else ""
        yield from style.item(f"{style.code(visible(change.name))}{scope}{what}{doc}", 0)
        for detail in change.details[:_MOST_DETAILS]:
            yield from style.item(_detail(detail, style), 1)
        if len(change.details) > _MOST_DETAILS:
            yield from style.item(f"and {len(change.details) - _MOST_DETAILS} more", 1)
        if change.used_by and change.what == CHANGED:
            more = (
                f" and {len(change.used_by) - _MOST_USERS} more" if len(change.used_by) > _MOST_USERS else ""
            )
            users = ", ".join(map(style.code, change.used_by[:_MOST_USERS]))
            yield from style.item(f"rules that rest on it: {users}{more}", 1)


def _verdicts(compared: Sequence[Compared], style: Style) -> Iterator[str]:
    other = [entry for entry in compared if entry.before != entry.after]
    yield from style.heading("Verdicts", 1)
    yield from style.item(
        f"{count(len(other), 'verdict')} of {count(len(compared), 'submission')} "
        f"{'changes' if len(other) == 1 else 'change'}.", 0,
    )  # fmt: skip
    for entry in compared:
        verdict = entry.before if entry.before == entry.after else f"{entry.before} → {entry.after}"
        yield from style.heading(f"{visible(str(entry.folder))}: {verdict}", 2)
        for rule, turned in groupby(entry.turned, key=lambda one: one.rule):
            yield from _turned(rule, list(turned), style)
        rest = []
        if entry.reworded:
            rest.append(f"{count(entry.reworded, 'finding')} in other words")
        if entry.quiet:
            rest.append(f"{count(entry.quiet, 'check')} without findings differently")
        if rest or not entry.turned:
            yield from style.item("; ".join(rest) or "no check comes out otherwise", 0)
    if len(compared) > 1:
        yield from style.heading("By rule", 2)
        for rule, number in sorted(totals(list(compared)).items(), key=lambda pair: -pair[1]):
            yield from style.item(f"{style.code(rule)}: {count(number, 'judgement')}", 0)


def _turned(rule: str, turned: Sequence[Turned], style: Style) -> Iterator[str]:
    first = turned[0]
    for (before, after), entries in groupby(turned, key=lambda one: (one.before, one.after)):
        places = [entry.subject for entry in entries]
        where = visible(places[0]) + (f" and {len(places) - 1} more" if len(places) > 1 else "")
        yield from style.item(f"{style.code(rule)}: {before} → {after} at {style.code(where)}", 0)
    if first.message:
        yield from style.item(visible(first.message), 1)
    yield from style.item(f"because {'; '.join(first.why) or 'of a change elsewhere'}", 1)


# -- as JSON


def _as_json(difference: Difference, compared: Sequence[Compared]) -> dict[str, Any]:
    return {
        "before": _ruleset(difference.before),
        "after": _ruleset(difference.after),
        "changes": [
            {
                "kind": change.kind,
                "name": change.name,
                "what": change.what,
                "title": change.title,
                "scope" if change.kind == "fact" else "family": change.family,
                "severity": change.severity,
                "clauses": list(change.clauses),
                "details": [
                    {"part": d.part, "what": d.what, "group": d.group, "before": d.before, "after": d.after}
                    for d in change.details
                ],
                "used_by": list(change.used_by),
            }
            for change in difference.changes
        ],
        "over": [
            {
                "folder": str(entry.folder),
                "before": entry.before,
                "after": entry.after,
                "turned": [
                    {
                        "rule": turned.rule,
                        "subject": turned.subject,
                        "before": turned.before,
                        "after": turned.after,
                        "message": turned.message,
                        "why": list(turned.why),
                    }
                    for turned in entry.turned
                ],
                "reworded": entry.reworded,
                "silent": entry.quiet,
            }
            for entry in compared
        ],
    }


def _ruleset(ruleset: Ruleset) -> dict[str, Any]:
    return {
        "id": ruleset.info.id,
        "title": ruleset.info.title,
        "rules": ruleset.info.rules,
        "tailoring": list(ruleset.info.tailoring),
    }
