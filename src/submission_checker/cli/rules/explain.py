"""`submission-checker rules explain`."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from submission_checker.bench import explanation
from submission_checker.bench.explanation import (
    ERROR,
    NOT_NEEDED,
    VALUE,
    Condition,
    Decisive,
    Explained,
    Judged,
    Named,
    Part,
)
from submission_checker.bench.places import plain
from submission_checker.cli import common
from submission_checker.cli.output import echo
from submission_checker.cli.rules import printing
from submission_checker.cli.rules.query import place_as_json, place_lines, written
from submission_checker.engine.model import CheckResult
from submission_checker.engine.rules import Rule
from submission_checker.engine.ruleset import Ruleset
from submission_checker.reports.strings import count, visible

_MOST_VALUES = 6
_MOST_WRITTEN = 200


@click.command()
@click.argument("rule")
@click.argument("folder", type=click.Path(exists=True, path_type=Path))
@printing.subject_option
@printing.format_option
@printing.ruleset_options
@click.pass_context
def explain(
    ctx: click.Context,
    rule: str,
    folder: Path,
    subjects: tuple[str, ...],
    form: str,
    ruleset: str | None,
    own_rules: str | None,
) -> None:
    """Explain what RULE says of each folder of its scope in the submission in FOLDER, and why.

    Whether it was asked at all; every value that it used, with its place; how each condition came out, which
    part decided, and how far it is from coming out otherwise. What a gate holds back is explained too.

    \b
      submission-checker rules explain point-duration my-submission
      submission-checker rules explain point-duration my-submission --subject 'r1*'

    \b
    Exit codes:
      0  explained
      2  the command was called wrongly, or no such folder is there
      3  the ruleset cannot be used
    """
    rules = common.load_ruleset(common.chosen_ruleset(ruleset, own_rules), common.tailoring())
    found = printing.find_rule(rules, rule)
    explained = list(explanation.explain(rules, folder, found, subjects))
    if form == "json":
        printing.print_json(_as_json(rules, found, explained))
    else:
        echo("\n".join(_lines(rules, found, explained)) + "\n")
    if subjects and not explained:
        ctx.exit(2)


# -- as text


def _lines(ruleset: Ruleset, rule: Rule, explained: Sequence[Explained]) -> Iterator[str]:
    width = common.width()
    clauses = " ".join(f"§{number}" for number in rule.info.clauses)
    yield " ".join(part for part in (f"{rule.id} ({rule.info.severity})", clauses) if part)
    yield printing.wrapped(rule.info.title, width)
    if not explained:
        yield f"\nNo {rule.info.scope} of this name is here: there is nothing to judge."
    for entry in explained:
        yield ""
        yield from _subject(entry, width)
    outcomes = [entry.outcome for entry in explained]
    told = [f"{outcomes.count(outcome)} {outcome}" for outcome in dict.fromkeys(outcomes)]
    if len(outcomes) > 1:
        yield f"\n{count(len(outcomes), 'folder')}: {', '.join(told)}"


def _subject(entry: Explained, width: int) -> Iterator[str]:
    reason = f" ({entry.reason})" if entry.reason and entry.outcome == "not checked" else ""
    yield f"{visible(entry.subject)}: {entry.outcome}{reason}"
    if entry.held:
        yield from _wrapped(
            f"a check does not ask it here, because {visible(entry.held)}; without that:", "  ", width
        )
    for condition in entry.before:
        yield from _condition(condition, width)
    several = len(entry.judged) > 1
    for number, judged in enumerate(entry.judged, 1):
        if several:
            yield f"  - item {number} of {len(entry.judged)}: {judged.outcome}"
        yield from _judged(judged, width)


def _judged(judged: Judged, width: int) -> Iterator[str]:
    for result in judged.results:
        yield from _result(result, width)
    shown = [
        name for name in judged.names if name.state != NOT_NEEDED and name.kind not in ("table", "folder")
    ]
    if shown:
        yield "  Values"
    for name in shown:
        yield from _named(name, "    ", width)
    idle = [name.name for name in judged.names if name.state == NOT_NEEDED]
    if idle:
        yield from _wrapped(f"not needed: {', '.join(idle)}", "    ", width)
    if judged.conditions:
        yield "  Conditions"
    for condition in judged.conditions:
        yield from _condition(condition, width)
    if judged.reason:
        yield f"  not checked: {judged.reason}"


def _result(result: CheckResult, width: int) -> Iterator[str]:
    verdict = result.severity.value if result.verdict.value == "broken" else result.verdict.value
    yield from _wrapped(f"{verdict}: {visible(result.message)}", "  ", width, "    ")


def _named(name: Named, indent: str, width: int) -> Iterator[str]:
    told = _told(name)
    source = f"   [{'fact ' if name.kind == 'fact' else ''}{_one_line(name.source)}]" if name.source else ""
    first = f"{name.name} = {told}" if name.state == VALUE else f"{name.name} is {told}"
    yield from _wrapped(f"{first}{source}", indent, width, indent + "    ")
    for line in place_lines(name.places, _MOST_VALUES):
        yield f"{indent}  {'' if line.startswith('…') else 'at '}{line}"
    for part in name.parts:
        yield from _part(part, f"{indent}  ", width)
    for used in name.uses:
        yield from _named(used, f"{indent}  ", width)


def _told(name: Named) -> str:
    if name.state == ERROR:
        return f"an error: {visible(name.error)}"
    return _short(name.value) if name.state == VALUE else name.state


def _part(part: Part, indent: str, width: int) -> Iterator[str]:
    yield from _wrapped(f"{part.source} is {_values(part.values)}", indent, width, indent + "    ")


def _values(values: Sequence[Any]) -> str:
    if len(values) == 1:
        return _short(values[0])
    more = f", … ({len(values)} in all)" if len(values) > _MOST_VALUES else ""
    return ", ".join(_short(value) for value in values[:_MOST_VALUES]) + more


def _condition(condition: Condition, width: int) -> Iterator[str]:
    place = condition.place
    if condition.error:
        yield from _wrapped(f"{place}: {condition.source}", "    ", width, "      ")
        yield from _wrapped(f"has no answer: {visible(condition.error)}", "      ", width)
        return
    yield from _wrapped(f"{place} is {_short(condition.value)}: {condition.source}", "    ", width, "      ")
    decided = {part.source for part in condition.decided}
    for part in condition.decided:
        yield from _decisive(part, condition, width)
    for other in condition.parts:
        if other.source not in decided:
            yield from _part(other, "        ", width)


def _decisive(part: Decisive, condition: Condition, width: int) -> Iterator[str]:
    if part.source != condition.source:
        yield from _wrapped(f"> {part.source} is {_short(part.value)}", "      ", width, "        ")
    told = [distance.sentence for distance in part.distances] + [turn.sentence for turn in part.turns]
    if part.offending:
        shown = ", ".join(_short(item) for item in part.offenders)
        more = (
            f" and {part.offending - len(part.offenders)} more"
            if part.offending > len(part.offenders)
            else ""
        )
        told.append(f"decided by {shown}{more}")
    for text in told:
        yield from _wrapped(text, "      = ", width, "        ")


def _short(value: Any) -> str:
    text = visible(written(plain(value)))
    return text if len(text) <= _MOST_WRITTEN else text[: _MOST_WRITTEN - 1] + "…"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _wrapped(text: str, indent: str, width: int, following: str | None = None) -> Iterator[str]:
    yield from textwrap.wrap(
        text, width, initial_indent=indent, subsequent_indent=indent if following is None else following,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


# -- as JSON


def _as_json(ruleset: Ruleset, rule: Rule, explained: Sequence[Explained]) -> dict[str, Any]:
    return {
        "ruleset": ruleset.info.id,
        "rule": rule.id,
        "title": rule.info.title,
        "scope": rule.info.scope,
        "subjects": [
            {
                "subject": entry.subject,
                "outcome": entry.outcome,
                "reason": entry.reason,
                "held": entry.held or None,
                "before": [_condition_as_json(condition) for condition in entry.before],
                "judgements": [_judged_as_json(judged) for judged in entry.judged],
                "results": [_result_as_json(result) for result in entry.results],
            }
            for entry in explained
        ],
    }


def _judged_as_json(judged: Judged) -> dict[str, Any]:
    return {
        "outcome": judged.outcome,
        "reason": judged.reason,
        "item": plain(judged.item),
        "names": [_named_as_json(name) for name in judged.names],
        "conditions": [_condition_as_json(condition) for condition in judged.conditions],
        "results": [_result_as_json(result) for result in judged.results],
    }


def _result_as_json(result: CheckResult) -> dict[str, Any]:
    return {
        "verdict": result.verdict.value,
        "severity": result.severity.value,
        "message": result.message,
        "location": result.location,
        "pointer": result.pointer,
    }


def _named_as_json(name: Named) -> dict[str, Any]:
    return {
        "name": name.name,
        "kind": name.kind,
        "source": name.source,
        "state": name.state,
        "value": plain(name.value),
        "error": name.error or None,
        "places": [place_as_json(place) for place in name.places],
        "parts": [_part_as_json(part) for part in name.parts],
        "uses": [_named_as_json(used) for used in name.uses],
    }


def _part_as_json(part: Part) -> dict[str, Any]:
    return {"source": part.source, "values": [plain(value) for value in part.values]}


def _condition_as_json(condition: Condition) -> dict[str, Any]:
    return {
        "place": condition.place,
        "source": condition.source,
        "value": plain(condition.value),
        "error": condition.error or None,
        "decided_by": [
            {
                "source": part.source,
                "value": plain(part.value),
                "distances": [
                    {
                        "value": apart.value,
                        "symbol": apart.symbol,
                        "limit": apart.limit,
                        "difference": apart.difference,
                        "share": apart.share,
                    }
                    for apart in part.distances
                ],
                "turns": [{"name": t.name, "now": t.now, "at": t.turns} for t in part.turns],
                "offenders": [plain(item) for item in part.offenders],
                "offending": part.offending,
            }
            for part in condition.decided
        ],
        "parts": [_part_as_json(part) for part in condition.parts],
    }  # fmt: skip
