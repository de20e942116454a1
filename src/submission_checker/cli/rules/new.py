"""`submission-checker rules new`."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import NoReturn

import click

from submission_checker import resources
from submission_checker.bench.scaffold import scaffold
from submission_checker.cli.rules import printing
from submission_checker.engine.errors import did_you_mean
from submission_checker.engine.ruleset import Ruleset

_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_FAMILY = re.compile(r"[a-z][a-z0-9_-]*")


@click.command()
@click.argument("rule")
@click.option(
    "--family", required=True, metavar="NAME", help="The family: the folder that the file is put in."
)
@click.option(
    "--scope", required=True, metavar="NAME", help="What the rule looks at: a scope of layout.yaml."
)
@click.option(
    "--in", "folder", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
    help="The folder of the ruleset to put it into; made where there is none, on top of --ruleset.",
)  # fmt: skip
@printing.ruleset_options
def new(
    rule: str,
    family: str,
    scope: str,
    folder: Path | None,
    ruleset: str | None,
    own_rules: str | None,
) -> None:
    """Write a new rule file, with examples and marks where something is left to do.

    RULE is its id: small letters, digits and dashes. The new file passes `rules test`, and `rules lint`
    but for its marks (TODO).

    \b
      submission-checker rules new books-sorted --family books --scope shelf --rules my-ruleset
      submission-checker rules new point-named --family points --scope point --in my-ruleset
    """
    target = folder if folder is not None else (Path(own_rules) if own_rules else None)
    if target is None:
        _refuse("say where to put it: --rules DIR for a ruleset of your own, --in DIR to begin one")
    begun = not (target / "ruleset.yaml").exists()
    loaded, _ = printing.load(ruleset, own_rules if begun else str(target))
    _check(loaded, rule, family, scope)
    file = target / family / f"{rule}.yaml"
    if file.exists():
        _refuse(f"{file} is there already")
    file.parent.mkdir(parents=True, exist_ok=True)
    if begun:
        _begin(target, loaded)
    schema = resources.schemas() / "rule.schema.json"
    text = scaffold(
        loaded, rule, scope,
        schema=json.loads(schema.read_text(encoding="utf-8")), schema_path=_path_from(file, schema),
    )  # fmt: skip
    file.write_text(text, encoding="utf-8", newline="\n")
    click.echo(f"wrote {file}")
    if family not in loaded.info.families:
        click.echo(f"{family} is a new family: give it a title under `families` in {target / 'ruleset.yaml'}")
    click.echo(f"Next: change it, then  rules lint {rule} --rules {target}  and  rules test {rule} --mutate")


def _check(ruleset: Ruleset, rule: str, family: str, scope: str) -> None:
    if not _ID.fullmatch(rule):
        _refuse(f"{rule!r} is no id: small letters, digits and dashes, such as books-sorted")
    if not _FAMILY.fullmatch(family) or family in ("tables", "schemas"):
        _refuse(f"{family!r} is no name for a family")
    if scope not in ruleset.layout.scopes:
        hint = did_you_mean(scope, ruleset.layout.scopes)
        _refuse(f"no scope {scope!r}{hint or '; there are ' + ', '.join(ruleset.layout.scopes)}")
    known = ruleset.find(rule)
    if known is not None:
        _refuse(f"there is a rule {rule} already: {known.info.source}")


def _begin(target: Path, extended: Ruleset) -> None:
    """Begin a ruleset on top of another."""
    name = target.resolve().name
    schema = _path_from(target / "ruleset.yaml", resources.schemas() / "ruleset.schema.json")
    text = (
        f"# yaml-language-server: $schema={schema}\n"
        f"id: {json.dumps(name)}\n"
        f"title: {json.dumps(f'Rules of {name}')}\n"
        f"extends: {json.dumps(extended.info.id)}\n"
    )
    (target / "ruleset.yaml").write_text(text, encoding="utf-8", newline="\n")
    click.echo(f"wrote {target / 'ruleset.yaml'}, on top of {extended.info.id}")


def _path_from(file: Path, schema: Path) -> str:
    """Return how a file names a schema: relative within one project, else by its whole path."""
    here, there = file.resolve().parent, schema.resolve()
    project = Path(os.path.commonpath([here, there]))
    if (project / "rules").is_dir() and (project / "schemas").is_dir():
        return Path(os.path.relpath(there, here)).as_posix()
    return there.as_posix()


def _refuse(message: str) -> NoReturn:
    raise click.UsageError(message, click.get_current_context())
