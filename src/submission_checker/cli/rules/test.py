"""`submission-checker rules test`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from submission_checker.bench import examples, mutation
from submission_checker.bench.examples import Outcome
from submission_checker.bench.mutation import Score
from submission_checker.cli import common
from submission_checker.cli.rules import printing


@click.command()
@click.argument("rules", nargs=-1, metavar="[RULE]...")
@click.option(
    "--mutate", is_flag=True, help="Change each rule in small ways and list what no example notices."
)
@click.option(
    "--min-score", type=click.FloatRange(0, 100), metavar="PERCENT",
    help="Fail where the examples of a rule notice less of its mutants. Implies --mutate.",
)  # fmt: skip
@printing.format_option
@printing.ruleset_options
@click.pass_context
def test(
    ctx: click.Context,
    rules: tuple[str, ...],
    mutate: bool,
    min_score: float | None,
    form: str,
    ruleset: str | None,
    own_rules: str | None,
) -> None:
    """Run the examples inside the rules: of each RULE (an id or an alias), or of all.

    A mutant is a rule with one small change: an operator, a number by one unit, a part or a check
    left out, a severity, a blank message. What no example notices, no test would notice either.
    A change that cannot make a difference is justified in the rule's file, under `mutants:`.

    \b
      submission-checker rules test
      submission-checker rules test point-count --mutate
      submission-checker rules test --min-score 95 --format json

    \b
    Exit codes:
      0  every example comes out as it says (and every score is high enough)
      1  an example does not, nothing ran, a score is too low, or a justified mutant is noticed
      2  the command was called wrongly
      3  the ruleset cannot be used
    """
    loaded, survey = printing.load(ruleset, own_rules)
    chosen = printing.find_rules(loaded, rules)
    outcomes = examples.run(loaded, survey.marks, chosen)
    failed = [outcome for outcome in outcomes if outcome.shortcomings]
    ran = {outcome.example.rule for outcome in outcomes}
    idle = [rule.id for rule in chosen if rule.id not in ran]
    scores: list[Score] = []
    if (mutate or min_score is not None) and not failed:
        scores = [mutation.score(loaded, rule) for rule in chosen if rule.id in ran]
    below = [] if min_score is None else [score for score in scores if score.percent < min_score]
    unused = [score for score in scores if score.unused]
    passed = not (failed or below or unused or not outcomes or (rules and idle))
    if form == "json":
        printing.print_json(_as_json(loaded.info.id, passed, outcomes, idle, scores))
    else:
        _print_examples(outcomes, failed, idle)
        _print_scores(scores, min_score)
    ctx.exit(0 if passed else 1)


def _print_examples(outcomes: Sequence[Outcome], failed: Sequence[Outcome], idle: Sequence[str]) -> None:
    for outcome in failed:
        example = outcome.example
        for shortcoming in outcome.shortcomings:
            place = f"{outcome.file}:{outcome.line}:{outcome.column}"
            click.echo(f"{place}: {example.kind}[{example.number}] {shortcoming}")
    for rule in idle:
        click.echo(f"{rule} has no examples")
    tested = len({outcome.example.rule for outcome in outcomes})
    if not outcomes:
        click.echo("No example ran.")
    elif failed:
        click.echo(f"{len(failed)} of {len(outcomes)} examples of {tested} rules come out otherwise.")
    else:
        click.echo(f"{len(outcomes)} examples of {tested} rules come out as they say.")


def _print_scores(scores: Sequence[Score], min_score: float | None) -> None:
    if not scores:
        return
    click.echo("")
    header = ("RULE", "NOTICED", "JUSTIFIED", "SCORE")
    rows = [
        (s.rule, f"{s.noticed} of {s.mutants - len(s.justified)}", str(len(s.justified) or "-"),
         f"{s.percent:.1f} %" + (" too low" if min_score is not None and s.percent < min_score else ""))
        for s in scores
    ]  # fmt: skip
    for line in printing.table([header, *rows], max(common.width(), 100)):
        click.echo(line)
    for score in scores:
        for survivor in score.survivors:
            click.echo(f"\n{score.rule}: no example notices that {survivor.change}")
            click.echo(f"  it is {survivor.before}")
        for change in score.unused:
            click.echo(f"\n{score.rule}: `mutants` justifies {change!r}, which is noticed or is no mutant")
    mutants = sum(score.mutants for score in scores)
    click.echo(f"\n{mutants} mutants of {len(scores)} rules, score {mutation.total(scores):.1f} %")


def _as_json(
    ruleset: str,
    passed: bool,
    outcomes: Sequence[Outcome],
    idle: Sequence[str],
    scores: Sequence[Score],
) -> dict[str, Any]:
    found: dict[str, Any] = {
        "ruleset": ruleset,
        "passed": passed,
        "examples": len(outcomes),
        "failures": [
            {
                "rule": outcome.example.rule,
                "example": f"{outcome.example.kind}[{outcome.example.number}]",
                "file": outcome.file,
                "line": outcome.line,
                "column": outcome.column,
                "shortcomings": list(outcome.shortcomings),
            }
            for outcome in outcomes
            if outcome.shortcomings
        ],
        "without_examples": list(idle),
    }
    if scores:
        found["mutation"] = {
            "mutants": sum(score.mutants for score in scores),
            "score": round(mutation.total(scores), 2),
            "rules": [
                {
                    "rule": score.rule,
                    "mutants": score.mutants,
                    "noticed": score.noticed,
                    "score": round(score.percent, 2),
                    "survivors": [{"change": s.change, "instead_of": s.before} for s in score.survivors],
                    "justified": dict(score.justified),
                    "unused": list(score.unused),
                }
                for score in scores
            ],
        }
    return found
