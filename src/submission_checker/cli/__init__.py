"""The `submission-checker` command: one command, one module, imported when it is called."""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from submission_checker.cli import streams
from submission_checker.version import __version__

COMMANDS = {
    "check": "Check a submission and print what was found.",
    "batch": "Check every submission of an archive.",
    "regions": "Print the regions for a C_max and a C_min.",
    "docs": "Make the documentation of the rules, or see whether it is up to date.",
    "completion": "Print the script that completes commands in a shell.",
    "rules": "Look at the rules, test them, find what is wrong with them, write new ones.",
}
"""Command to what `--help` says of it; each is a module here with an object of the same name."""


INCOMPLETE = 3
"""Exit code of what could not be completed: a check, or the writing of its outcome."""
INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it: 1 would say that a rule is broken."""


class LazyGroup(click.Group):
    """A group that imports a command's module only when the command is asked for."""

    def __init__(self, *, commands_in: str, summaries: dict[str, str], **settings: object):
        super().__init__(**settings)  # type: ignore[arg-type]
        self._package = commands_in
        self._summaries = summaries

    def main(self, *args: Any, **settings: Any) -> Any:
        """Run the program; a full disk or a closed stream ends it with a code of its own."""
        streams.open_closed()
        try:
            try:
                return super().main(*args, **settings)
            finally:
                streams.flush()
        except OSError as error:
            with suppress(OSError):
                click.echo(f"Error: {error.filename or 'the output'}: {error.strerror or error}", err=True)
            sys.exit(INCOMPLETE)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands in the order of the table."""
        return list(self._summaries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command."""
        if cmd_name not in self._summaries:
            return None
        name = cmd_name.replace("-", "_")
        command: click.Command = getattr(import_module(f"{self._package}.{name}"), name)
        return command

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; neither Ctrl-C nor a folder that is gone ends it with a traceback."""
        try:
            Path.cwd()
        except OSError:
            ctx.fail("the current folder was removed")
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("\nInterrupted.", err=True)
            ctx.exit(INTERRUPTED)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or say which one was probably meant."""
        from submission_checker.engine.errors import did_you_mean

        if args and not args[0].startswith("-") and args[0] not in self._summaries:
            hint = did_you_mean(args[0], self._summaries)
            ctx.fail(f"no command {args[0]!r}{hint} (see `{ctx.command_path} --help`)")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self._summaries.items()))


def _print_version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        click.echo(f"submission-checker {__version__}")
        ctx.exit()


@click.group(
    cls=LazyGroup,
    commands_in=__name__,
    summaries=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_print_version,
    help="Print the version and exit.",
)  # fmt: skip
def main() -> None:
    """Check MLPerf Endpoints submissions against the policy.

    Every rule is a YAML file; `check` lays them over a folder and says what is
    broken, where, and by which clause.

    \b
      submission-checker check my-submission
      submission-checker regions -M 1024 -m 16
    """
