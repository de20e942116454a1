"""What the verbs of `rules` print alike: JSON, tables, wrapped text."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn, TypeVar

import click

from submission_checker import api
from submission_checker.cli import common
from submission_checker.engine.errors import RulesetError, did_you_mean
from submission_checker.engine.rules import Rule
from submission_checker.engine.ruleset import Ruleset, Survey

Command = TypeVar("Command", bound=Callable[..., Any])


def format_option(function: Command) -> Command:
    """Add `--format` to a verb."""
    return click.option(
        "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True,
        help="How to print.",
    )(function)  # fmt: skip


def subject_option(function: Command) -> Command:
    """Add `--subject` to a verb."""
    return click.option(
        "--subject", "subjects", multiple=True, metavar="PATTERN",
        help="Only folders of this name or path below the root; * and ** stand for anything. "
        "May be given several times.",
    )(function)  # fmt: skip


def ruleset_options(function: Command) -> Command:
    """Add `--ruleset`, `--rules` and `--tailoring` to a verb."""
    return common.ruleset_option(common.own_rules_option(common.tailoring_options(function)))


def survey(ruleset: str | None, own_rules: str | None) -> Survey:
    """Load what can be used of the chosen ruleset, or end with exit code 3 where there is none."""
    try:
        return api.survey_ruleset(common.chosen_ruleset(ruleset, own_rules), tailoring=common.tailoring())
    except RulesetError as error:
        common.fail_ruleset(error)


def load(ruleset: str | None, own_rules: str | None) -> tuple[Ruleset, Survey]:
    """Load the chosen ruleset with its examples, or end with its mistakes and exit code 3."""
    found = survey(ruleset, own_rules)
    if found.mistakes or found.ruleset is None:
        common.fail_ruleset(RulesetError(found.mistakes))
    return found.ruleset, found


def find_rules(ruleset: Ruleset, names: Sequence[str]) -> list[Rule]:
    """Return the rules of these ids or aliases; all of them for none."""
    return [find_rule(ruleset, name) for name in names] if names else list(ruleset.rules.values())


def find_rule(ruleset: Ruleset, name: str) -> Rule:
    """Return the rule of that id or alias, or end with what was probably meant."""
    found = ruleset.find(name)
    return fail_name("rule", name, known_names(ruleset)) if found is None else found


def known_names(ruleset: Ruleset) -> list[str]:
    """Return every id and alias."""
    return [*ruleset.rules, *(alias for rule in ruleset.rules.values() for alias in rule.aliases)]


def fail_name(kind: str, name: str, known: Iterable[str]) -> NoReturn:
    """End with exit code 2: nothing is called so."""
    raise click.UsageError(f"no {kind} {name!r}{did_you_mean(name, known)}", click.get_current_context())


def print_json(value: Any) -> None:
    """Print a value as JSON."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=True, default=str))


def table(rows: Sequence[Sequence[str]], width: int) -> Iterable[str]:
    """Lay out rows of texts in columns; the last column is cut at the width of the terminal."""
    if not rows:
        return
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    for cells in rows:
        *first, last = cells
        line = "  " + "".join(cell.ljust(size + 2) for cell, size in zip(first, widths, strict=False)) + last
        yield line if len(line) <= width else line[: width - 1] + "…"


def wrapped(text: str, width: int, indent: str = "  ") -> str:
    """Wrap a text, indented."""
    return textwrap.fill(
        text, width, initial_indent=indent, subsequent_indent=indent, break_long_words=False,
        break_on_hyphens=False,
    )  # fmt: skip
