"""`submission-checker rules query`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from submission_checker.bench import query as bench
from submission_checker.bench.places import VALUE, Place, plain
from submission_checker.bench.query import Answer
from submission_checker.cli import common
from submission_checker.cli.output import echo
from submission_checker.cli.rules import printing
from submission_checker.engine.errors import ExpressionError
from submission_checker.reports.strings import count, visible

_MOST_PLACES = 8


@click.command()
@click.argument("folder", type=click.Path(exists=True, path_type=Path))
@click.argument("expression", metavar="EXPR")
@click.option(
    "--scope", metavar="NAME",
    help="Which kind of folder to ask; by default the outermost one that knows the names in EXPR.",
)  # fmt: skip
@printing.subject_option
@printing.format_option
@printing.ruleset_options
@click.pass_context
def query(
    ctx: click.Context,
    folder: Path,
    expression: str,
    scope: str | None,
    subjects: tuple[str, ...],
    form: str,
    ruleset: str | None,
    own_rules: str | None,
) -> None:
    """Print what EXPR, a JMESPath, finds in the submission in FOLDER, and where it stands.

    EXPR sees what the `extract:` of a rule sees: documents by name, raw.NAME as written, files.NAME, facts,
    tables, and the folders below as lists. What is absent is told apart from what is null.

    \b
      submission-checker rules query my-submission 'summary.tpot.percentiles."90"'
      submission-checker rules query my-submission 'disclosure.region' --subject 'r1*'
      submission-checker rules query my-submission 'points[].concurrency' --scope curve

    \b
    Exit codes:
      0  it found something
      1  it found nothing, or no folder of the scope is there
      2  the command was called wrongly
      3  it has no answer somewhere (a function of JMESPath that meets a wrong kind)
    """
    rules = common.load_ruleset(common.chosen_ruleset(ruleset, own_rules), common.tailoring())
    if scope is not None and scope not in rules.layout.scopes:
        printing.fail_name("scope", scope, rules.layout.scopes)
    try:
        path, chosen = bench.compile_for(rules, expression, scope)
    except ExpressionError as error:
        raise click.UsageError(error.message, ctx) from None
    answers = list(bench.ask(rules, folder, path, chosen, subjects))
    if form == "json":
        printing.print_json(
            {"scope": chosen, "expression": expression, "answers": [_as_json(answer) for answer in answers]}
        )
    else:
        echo("\n".join(_lines(answers, chosen)) + "\n")
    if any(answer.error for answer in answers):
        ctx.exit(common.INCOMPLETE)
    ctx.exit(0 if any(answer.found and answer.found.state == VALUE for answer in answers) else 1)


def _as_json(answer: Answer) -> dict[str, Any]:
    if answer.found is None:
        return {"subject": answer.subject, "state": "error", "error": answer.error}
    return {
        "subject": answer.subject,
        "state": answer.found.state,
        "value": plain(answer.found.value),
        "places": [place_as_json(place) for place in answer.found.places],
    }


def place_as_json(place: Place) -> dict[str, Any]:
    """Return a place as plain data."""
    return {
        "state": place.state,
        "file": place.location,
        "pointer": place.pointer,
        "line": place.line,
        "column": place.column,
        "note": place.note,
    }


def _lines(answers: Sequence[Answer], scope: str) -> Iterator[str]:
    if not answers:
        yield f"There is no {scope} here."
    for answer in answers:
        if answer.found is None:
            yield f"{visible(answer.subject)}: no answer: {visible(answer.error)}"
            continue
        shown = written(plain(answer.found.value)) if answer.found.state == VALUE else answer.found.state
        yield f"{visible(answer.subject)}: {visible(shown)}"
        yield from (f"  {line}" for line in place_lines(answer.found.places))


def place_lines(places: Sequence[Place], most: int = _MOST_PLACES) -> Iterator[str]:
    """Yield a line for each place, as many as there is room for."""
    for place in places[:most]:
        numbers = f":{place.line}:{place.column}" if place.line is not None else ""
        pointer = f"#{place.pointer}" if place.pointer and not numbers else ""
        note = f" ({visible(place.note)})" if place.note else ""
        state = "" if place.state == VALUE or place.note else f" ({place.state})"
        yield f"{visible(place.location)}{numbers}{visible(pointer)}{note}{state}"
    if len(places) > most:
        yield f"… and {count(len(places) - most, 'more place')}"


def written(value: Any) -> str:
    """Write a value as JSON, NaN and the like as they are."""
    return json.dumps(value, ensure_ascii=False, default=str)
