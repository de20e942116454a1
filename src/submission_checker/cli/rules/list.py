"""`submission-checker rules list`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import groupby

import click

from submission_checker.bench import overview
from submission_checker.cli import common
from submission_checker.cli.rules import printing
from submission_checker.engine.rules import Rule
from submission_checker.engine.ruleset import Ruleset


@click.command()
@click.option("--clause", "clauses", multiple=True, metavar="NUMBER",
              help="Only rules of this clause and of those below it.")  # fmt: skip
@click.option("--family", "families", multiple=True, metavar="NAME", help="Only rules of this family.")
@click.option("--severity", type=click.Choice(["error", "warning"]), help="Only rules of this severity.")
@printing.format_option
@printing.ruleset_options
def list(
    clauses: tuple[str, ...],
    families: tuple[str, ...],
    severity: str | None,
    form: str,
    ruleset: str | None,
    own_rules: str | None,
) -> None:
    """List the rules, in the order of reports.

    \b
      submission-checker rules list --severity warning
      submission-checker rules list --clause 5 --family regions
      submission-checker rules list --format json
    """
    rules, _ = printing.load(ruleset, own_rules)
    for family in families:
        if family not in {rule.info.family for rule in rules.rules.values()}:
            printing.fail_name("family", family, {rule.info.family for rule in rules.rules.values()})
    for clause in clauses:
        if not any(_serves(rule, clause) for rule in rules.rules.values()):
            printing.fail_name("rule serves clause", clause, _clauses(rules))
    chosen = [
        rule
        for rule in rules.rules.values()
        if (not families or rule.info.family in families)
        and (severity is None or rule.info.severity == severity)
        and (not clauses or any(_serves(rule, clause) for clause in clauses))
    ]
    if form == "json":
        printing.print_json(
            {"ruleset": rules.info.id, "rules": [overview.row(rules, rule) for rule in chosen]}
        )
        return
    _print(rules, chosen)


def _serves(rule: Rule, clause: str) -> bool:
    wanted = clause.removeprefix("§")
    return any(number == wanted or number.startswith(f"{wanted}.") for number in rule.info.clauses)


def _clauses(ruleset: Ruleset) -> set[str]:
    return {number for rule in ruleset.rules.values() for number in rule.info.clauses}


def _print(ruleset: Ruleset, rules: Sequence[Rule]) -> None:
    rows = [
        (rule.id, rule.info.severity, rule.info.action or "-", _clause_list(rule), rule.info.title)
        for rule in rules
    ]
    lines = iter(printing.table(rows, _width()))
    for family, members in groupby(rules, key=lambda rule: rule.info.family):
        click.echo(f"{ruleset.info.families.get(family, family)} ({family})")
        for _ in members:
            click.echo(next(lines))
        click.echo("")
    click.echo(f"{len(rules)} of {len(ruleset.rules)} rules of {ruleset.info.id}")


def _clause_list(rule: Rule) -> str:
    return " ".join(f"§{number}" for number in rule.info.clauses)


def _width() -> int:
    """Cut lines at the terminal's width only: what reads a pipe wants whole titles."""
    return common.width() if sys.stdout.isatty() else 10_000
