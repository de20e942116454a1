"""What several commands share: options, how a ruleset is chosen, and how errors end."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import click

from submission_checker import api
from submission_checker.engine.errors import RulesetError
from submission_checker.engine.ruleset import Ruleset

Command = TypeVar("Command", bound=Callable[..., Any])

INCOMPLETE = 3
"""Exit code of a check that could not be completed."""


def ruleset_option(function: Command) -> Command:
    """Add `--ruleset NAME` to a command."""
    return click.option(
        "--ruleset",
        metavar="NAME",
        envvar=api.RULESET_VARIABLE,
        show_envvar=True,
        help="Ruleset to use: a shipped one, `latest`, `auto` (the one that the submission is meant for), or "
        "the path of a ruleset's folder.",
    )(function)


def own_rules_option(function: Command) -> Command:
    """Add `--rules DIR` to a command: the folder of a ruleset of the user's own."""
    return click.option(
        "--rules",
        "own_rules",
        metavar="DIR",
        type=click.Path(exists=True, file_okay=False),
        help="A ruleset of your own: the folder that holds its ruleset.yaml. Instead of --ruleset.",
    )(function)


def chosen_ruleset(ruleset: str | None, own_rules: str | None) -> str | None:
    """Return what `--ruleset` and `--rules` ask for; they exclude each other.

    Raises:
        click.UsageError: where both are given on the command line.
    """
    context = click.get_current_context()
    source = context.get_parameter_source("ruleset")
    if own_rules is not None and source is click.core.ParameterSource.COMMANDLINE:
        raise click.UsageError("--rules and --ruleset exclude each other", context)
    # A folder named like a shipped ruleset is meant as a folder.
    return ruleset if own_rules is None else str(Path(own_rules).absolute())


def load_ruleset(name: str | None) -> Ruleset:
    """Load a ruleset, or end with its mistakes and exit code 3."""
    try:
        return api.load_ruleset(name)
    except RulesetError as error:
        fail_ruleset(error)


def fail_ruleset(error: RulesetError) -> NoReturn:
    """Print the mistakes in a ruleset and end with exit code 3."""
    click.echo("The ruleset cannot be used:", err=True)
    for mistake in error.mistakes[:50]:
        click.echo(f"  {mistake}", err=True)
    if len(error.mistakes) > 50:
        click.echo(f"  … and {len(error.mistakes) - 50} more", err=True)
    sys.exit(INCOMPLETE)


def wants_colour(colour: str) -> bool:
    """Tell whether to print colours: as told, else on a terminal and without `NO_COLOR`.

    Args:
        colour: `auto`, `always` or `never`.
    """
    if colour != "auto":
        return colour == "always"
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def width() -> int:
    """Return how many columns to use: the terminal's, 80 in a pipe, 120 at the most."""
    return max(40, min(120, shutil.get_terminal_size((80, 24)).columns))
