"""`submission-checker rules lint`."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence

import click

from submission_checker import api
from submission_checker.bench.lint import Finding, run
from submission_checker.bench.lints import LINTS
from submission_checker.cli import common
from submission_checker.cli.rules import printing
from submission_checker.engine.errors import RulesetError
from submission_checker.engine.ruleset import Ruleset
from submission_checker.engine.source import Marks


@click.command()
@click.argument("rules", nargs=-1, metavar="[RULE]...")
@click.option("--explain", metavar="LINT", help="Explain one lint, with an example, and exit.")
@printing.format_option
@printing.ruleset_options
@click.pass_context
def lint(
    ctx: click.Context,
    rules: tuple[str, ...],
    explain: str | None,
    form: str,
    ruleset: str | None,
    own_rules: str | None,
) -> None:
    """Find everything that is wrong with a ruleset, or with each RULE of it.

    That is what keeps a rule from being used (not YAML, unknown keys, names and functions), and what
    a check would not notice: fields that no schema describes, conditions that are always true, limits
    without an example on them, and more.

    A rule that is right all the same says so in its file: `allow: [{lint: …, reason: …}]`.

    \b
      submission-checker rules lint --rules my-ruleset
      submission-checker rules lint point-count --format json
      submission-checker rules lint --explain float-equality

    \b
    Exit codes:
      0  nothing is wrong
      1  something is
      2  the command was called wrongly
      3  there is no ruleset to look at
    """
    if explain is not None:
        _explain(explain)
        return
    try:
        survey = api.survey_ruleset(common.chosen_ruleset(ruleset, own_rules), tailoring=common.tailoring())
    except RulesetError as error:
        common.fail_ruleset(error)
    found = run(survey, LINTS.values())
    if rules:
        files = {_file(survey.ruleset, survey.marks, name) for name in rules}
        ids = {_id(survey.ruleset, name) for name in rules}
        found = [finding for finding in found if finding.file in files or finding.rule in ids]
    wrong = [finding for finding in found if finding.allowed is None]
    allowed = [finding for finding in found if finding.allowed is not None]
    if form == "json":
        printing.print_json({"passed": not wrong, "findings": [_as_json(finding) for finding in found]})
    else:
        _print(wrong, allowed)
    ctx.exit(1 if wrong else 0)


def _file(ruleset: Ruleset | None, marks: Mapping[str, Marks], name: str) -> str:
    """Return the file of a rule, also of one that cannot be used."""
    known = None if ruleset is None else ruleset.find(name)
    key = name if known is None else known.id
    if key in marks:
        return marks[key].file
    return printing.fail_name("rule", name, marks if ruleset is None else printing.known_names(ruleset))


def _id(ruleset: Ruleset | None, name: str) -> str:
    known = None if ruleset is None else ruleset.find(name)
    return name if known is None else known.id


def _as_json(finding: Finding) -> dict[str, object]:
    return {
        "lint": finding.lint,
        "rule": finding.rule,
        "file": finding.file,
        "line": finding.line,
        "column": finding.column,
        "message": finding.message,
        "allowed": finding.allowed,
    }


def _print(wrong: Sequence[Finding], allowed: Sequence[Finding]) -> None:
    for finding in wrong:
        click.echo(str(finding))
    if wrong:
        click.echo("")
        for name, count in Counter(finding.lint for finding in wrong).most_common():
            click.echo(f"{count:5}  {name:22} {LINTS[name].title}")
    also = f" ({len(allowed)} allowed)" if allowed else ""
    click.echo(f"\n{len(wrong)} findings{also}" if wrong else f"Nothing is wrong{also}.")
    sys.stdout.flush()


def _explain(name: str) -> None:
    found = LINTS.get(name)
    if found is None:
        printing.fail_name("lint", name, LINTS)
    click.echo(f"{found.id}: {found.title}\n\n{found.why.rstrip()}")
    for title, example in (("Wrong", found.bad), ("Right", found.good)):
        if example:
            click.echo(f"\n{title}:\n")
            click.echo("\n".join(f"  {line}" for line in example.rstrip().split("\n")))
