"""`submission-checker rules fmt`."""

from __future__ import annotations

import difflib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import click

from submission_checker import resources
from submission_checker.bench.formatting import format_rule
from submission_checker.cli import common
from submission_checker.cli.rules import printing
from submission_checker.engine import source
from submission_checker.engine.errors import RulesetError


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="[FILE]...")
@click.option("--check", is_flag=True, help="Change nothing; fail if a file is laid out otherwise.")
@click.option("--diff", is_flag=True, help="Change nothing; print what would change.")
@printing.ruleset_options
@click.pass_context
def fmt(
    ctx: click.Context,
    files: tuple[Path, ...],
    check: bool,
    diff: bool,
    ruleset: str | None,
    own_rules: str | None,
) -> None:
    """Lay rule files out in one way, so that a review shows what changed in meaning.

    Formats each FILE, every rule below each folder, or without any every rule of the ruleset; a file
    called - is read from the input and printed. Comments stay, and what a rule says never changes.

    \b
      submission-checker rules fmt --rules my-ruleset
      submission-checker rules fmt --check rules/2026-10
      submission-checker rules fmt - < rule.yaml

    \b
    Exit codes:
      0  all files are laid out well, or are now
      1  with --check or --diff: some are not
      2  the command was called wrongly
      3  a file is no rule
    """
    schema = json.loads((resources.schemas() / "rule.schema.json").read_text(encoding="utf-8"))
    if files == (Path("-"),):
        click.echo(_formatted("-", sys.stdin.read(), schema), nl=False)
        return
    chosen = list(_rule_files(files, ruleset, own_rules))
    changed = 0
    for file in chosen:
        before = _read(file)
        after = _formatted(str(file), before, schema)
        if before == after:
            continue
        changed += 1
        if diff:
            _print_diff(str(file), before, after)
        elif check:
            click.echo(f"would change {file}")
        else:
            file.write_text(after, encoding="utf-8", newline="\n")
            click.echo(f"changed {file}")
    click.echo(f"{len(chosen)} rules, {changed} {'to change' if check or diff else 'changed'}")
    ctx.exit(1 if changed and (check or diff) else 0)


def _rule_files(files: tuple[Path, ...], ruleset: str | None, own_rules: str | None) -> Iterator[Path]:
    if not files:
        survey = printing.survey(ruleset, own_rules)
        if survey.ruleset is None:
            common.fail_ruleset(RulesetError(survey.mistakes))
        files = (survey.ruleset.folder,)
    for file in files:
        if file.is_dir():
            below = (path for path in sorted(file.rglob("*.yaml")) if _is_rule(path))
            yield from below
        elif file.is_file():
            yield file
        else:
            raise click.UsageError(f"there is no {file}", click.get_current_context())


def _is_rule(path: Path) -> bool:
    """Tell whether a file below a ruleset's folder is a rule: in a family's folder, no table."""
    return (path.parent.parent / "ruleset.yaml").is_file() and path.parent.name not in ("tables", "schemas")


def _read(file: Path) -> str:
    try:
        return source.read(file, str(file))
    except RulesetError as error:
        _fail(error)


def _formatted(name: str, text: str, schema: dict[str, object]) -> str:
    try:
        return format_rule(text, schema, name)
    except RulesetError as error:
        _fail(error)


def _fail(error: RulesetError) -> NoReturn:
    for mistake in error.mistakes:
        click.echo(str(mistake), err=True)
    sys.exit(common.INCOMPLETE)


def _print_diff(name: str, before: str, after: str) -> None:
    lines = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), name, f"{name} (laid out)"
    )
    click.echo("".join(lines), nl=False)
