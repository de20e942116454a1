"""What several commands share: options, how a ruleset is chosen, and how errors end."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Collection
from datetime import date
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import click

from submission_checker import api
from submission_checker.cli import INCOMPLETE as INCOMPLETE
from submission_checker.engine import waivers
from submission_checker.engine.errors import RulesetError
from submission_checker.engine.ruleset import Ruleset
from submission_checker.engine.tailoring import Tailoring, TailoringError, mistake_of_unused

Command = TypeVar("Command", bound=Callable[..., Any])


class SubmissionPath(click.Path):
    """A path that is not empty: an empty one comes from a variable that is not set, and would mean `.`."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse an empty path."""
        if value == "":
            self.fail("it is empty; write . for the current folder", param, ctx)
        return super().convert(value, param, ctx)


def with_options(function: Command, *options: Callable[[Command], Command]) -> Command:
    """Add options to a command, to be listed in this order."""
    for option in reversed(options):
        function = option(function)
    return function


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


def checking_options(function: Command) -> Command:
    """Add `--seed-sets`, `--approved-drafters` and `--keep-going` to a command that checks submissions."""
    return with_options(
        function,
        click.option(
            "--seed-sets", type=click.Path(path_type=Path), metavar="FILE",
            help="Published seed sets instead of the ruleset's. [env: MLPERF_ENDPOINTS_SEED_SETS]",
        ),
        click.option(
            "--approved-drafters", type=click.Path(path_type=Path), metavar="FILE",
            help="Approved drafters instead of the ruleset's. [env: MLPERF_ENDPOINTS_APPROVED_DRAFTERS]",
        ),
        click.option("--keep-going", is_flag=True, help="Check also what a broken rule would hide."),
    )  # fmt: skip


def colour_option(function: Command) -> Command:
    """Add `--color` to a command; ask `wants_colour` what its value means."""
    return click.option(
        "--color", "colour", type=click.Choice(["auto", "always", "never"]), default="auto",
        show_default=True, help="Colours; auto means on a terminal, unless NO_COLOR is set.",
    )(function)  # fmt: skip


class Day(click.ParamType):  # type: ignore[type-arg]  # not generic in click 8.1
    """A day of the calendar, YYYY-MM-DD."""

    name = "date"

    def convert(self, value: str | date, param: click.Parameter | None, ctx: click.Context | None) -> date:
        """Read the day."""
        found = value if isinstance(value, date) else waivers.day(value)
        if found is None:
            self.fail(f"{value!r} is no day, written YYYY-MM-DD", param, ctx)
        return found


_TAILORING = f"{__name__}.tailoring"
"""Where the context of a command keeps what `tailoring_options` were given."""


def tailoring_options(function: Command) -> Command:
    """Add `--tailoring FILE`, `--as-of DATE` and `--no-waivers` to a command; ask `tailoring()` for them."""

    def keep(ctx: click.Context, param: click.Parameter, value: Any) -> None:
        ctx.meta.setdefault(_TAILORING, {})[param.name] = value

    return with_options(
        function,
        click.option(
            "--tailoring", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path),
            expose_value=False, callback=keep,
            help="Your own changes to the ruleset, and waivers; the report tells each of them.",
        ),
        click.option(
            "--as-of", metavar="DATE", type=Day(), expose_value=False, callback=keep,
            help="The day of the check, YYYY-MM-DD, by which waivers expire. [default: today, UTC]",
        ),
        click.option(
            "--no-waivers", is_flag=True, expose_value=False, callback=keep,
            help="Do not apply the waivers of the tailoring.",
        ),
    )  # fmt: skip


def tailoring() -> Tailoring | None:
    """Return what the command's tailoring options ask for, or end with its mistakes and exit code 3."""
    given = click.get_current_context().meta.get(_TAILORING, {})
    if given.get("tailoring") is None:
        return None
    try:
        return api.read_tailoring(given["tailoring"], as_of=given["as_of"], waivers=not given["no_waivers"])
    except RulesetError as error:
        fail_ruleset(error)


def tailoring_files() -> list[Path]:
    """Return the files and folders that the command's tailoring is made of."""
    file = click.get_current_context().meta.get(_TAILORING, {}).get("tailoring")
    if file is None:
        return []
    try:
        return [file, *api.read_tailoring(file).folders]
    except RulesetError:
        return [file]


def fail_unused(tailored: Tailoring | None, numbers: Collection[int]) -> None:
    """End with exit code 3 where waivers of these numbers are of no use anywhere."""
    if tailored is not None and numbers:
        entries = list(tailored.waivers())
        fail_ruleset(TailoringError([mistake_of_unused(entries[number]) for number in sorted(numbers)]))


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


def load_ruleset(name: str | None, tailored: Tailoring | None = None) -> Ruleset:
    """Load a ruleset, or end with its mistakes and exit code 3."""
    try:
        return api.load_ruleset(name, tailoring=tailored)
    except RulesetError as error:
        fail_ruleset(error)


def fail_ruleset(error: RulesetError) -> NoReturn:
    """Print the mistakes in a ruleset or a tailoring and end with exit code 3."""
    what = "tailoring" if isinstance(error, TailoringError) else "ruleset"
    click.echo(f"The {what} cannot be used:", err=True)
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
    # A terminal that does not know its width says 0, which Python 3.10 hands on.
    return max(40, min(120, shutil.get_terminal_size((80, 24)).columns or 80))
