"""`submission-checker check`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from submission_checker.api import SubmissionChecker
from submission_checker.cli import common
from submission_checker.reports import FORMATS, Options, render


class OutputTarget(click.ParamType):  # type: ignore[type-arg]  # not generic in click 8.1
    """`FILE`, or `FORMAT=FILE`."""

    name = "output"

    def convert(
        self, value: str | tuple[str, Path], param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, Path]:
        """Split the format from the file; a bare file is written as JSON."""
        if isinstance(value, tuple):
            return value
        form, equals, file = value.partition("=")
        if not equals or form not in FORMATS:
            form, file = "json", value
        path = Path(file)
        if not file or path.is_dir():
            self.fail(f"{file or value!r} is no file to write to", param, ctx)
        if not path.absolute().parent.is_dir():
            self.fail(f"the folder {str(path.parent)!r} does not exist", param, ctx)
        return form, path


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--strict", is_flag=True, help="Fail on warnings too.")
@click.option("-q", "--quiet", is_flag=True, help="Print findings and the verdict only.")
@click.option(
    "-v", "--verbose", is_flag=True, help="Print also what passed, and what was not checked and why."
)
@click.option(
    "-o", "--output", "outputs", type=OutputTarget(), multiple=True, metavar="[FORMAT=]FILE",
    help="Write the report to FILE as well, as JSON or in FORMAT. May be given several times.",
)  # fmt: skip
@click.option(
    "--format", "form", type=click.Choice(list(FORMATS)), default="text", show_default=True,
    help="How to print the report.",
)  # fmt: skip
@click.option(
    "--seed-sets", type=click.Path(path_type=Path), metavar="FILE",
    help="Published seed sets instead of the ruleset's. [env: MLPERF_ENDPOINTS_SEED_SETS]",
)  # fmt: skip
@click.option(
    "--approved-drafters", type=click.Path(path_type=Path), metavar="FILE",
    help="Approved drafters instead of the ruleset's. [env: MLPERF_ENDPOINTS_APPROVED_DRAFTERS]",
)  # fmt: skip
@click.option("--keep-going", is_flag=True, help="Check also what a broken rule would hide.")
@common.ruleset_option
@click.option(
    "--color", "colour", type=click.Choice(["auto", "always", "never"]), default="auto", show_default=True,
    help="Colours; auto means on a terminal, unless NO_COLOR is set.",
)  # fmt: skip
@click.pass_context
def check(
    ctx: click.Context,
    path: Path,
    strict: bool,
    quiet: bool,
    verbose: bool,
    outputs: tuple[tuple[str, Path], ...],
    form: str,
    seed_sets: Path | None,
    approved_drafters: Path | None,
    keep_going: bool,
    ruleset: str | None,
    colour: str,
) -> None:
    """Check the submission at PATH and print what was found.

    PATH is the folder that holds results/, docs/ and src/, or the one just above it.

    \b
      submission-checker check my-submission
      submission-checker check my-submission --strict -o report.json
      submission-checker check my-submission --format json | jq .passed

    \b
    Exit codes:
      0  every rule that applies holds
      1  at least one rule is broken (with --strict: or warns)
      2  the command was called wrongly
      3  the check could not be completed (ruleset, table, or a rule without an answer)
    """
    checker = SubmissionChecker(
        path,
        seed_sets,
        approved_drafters,
        common.load_ruleset(ruleset),
        keep_going=keep_going,
        details=verbose,
    )
    report = checker.run()
    options = Options(
        colour=common.wants_colour(colour), width=common.width(), quiet=quiet, verbose=verbose, strict=strict
    )
    for target_form, file in outputs:
        _write(file, render(target_form, report, Options(quiet=quiet, verbose=verbose, strict=strict)))
    _print(render(form, report, options))
    ctx.exit(report.exit_code(strict=strict))


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(_ending(text), encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise click.FileError(str(file), hint=error.strerror or str(error)) from None


def _print(text: str) -> None:
    try:
        click.echo(_ending(text).encode("utf-8", "backslashreplace"), nl=False)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has seen enough; the interpreter must not try to flush again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _ending(text: str) -> str:
    return text if text.endswith("\n") or not text else text + "\n"
