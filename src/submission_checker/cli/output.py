"""Where reports go: standard output, and files of any format."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import click

from submission_checker.cli import INCOMPLETE
from submission_checker.cli.streams import flush
from submission_checker.engine.errors import did_you_mean
from submission_checker.reports import FORMATS

PLACEHOLDER = "{name}"
"""Stands for the submission's name in the name of a file."""


@dataclass(frozen=True, slots=True)
class Target:
    """A file to write, and its format."""

    form: str
    file: str

    def path(self, submission: Path) -> Path:
        """Return the file for a submission."""
        name = submission.name or submission.resolve().name or "submission"
        return Path(self.file.replace(PLACEHOLDER, name))


class TargetType(click.ParamType):  # type: ignore[type-arg]  # not generic in click 8.1
    """`FILE`, or `FORMAT=FILE`."""

    name = "output"

    def convert(
        self, value: str | Target, param: click.Parameter | None, ctx: click.Context | None
    ) -> Target:
        """Split the format from the file; a bare file is written as JSON."""
        if isinstance(value, Target):
            return value
        form, equals, file = value.partition("=")
        if not equals or (form not in FORMATS and not form.isalpha()):
            form, file = "json", value
        elif form not in FORMATS:
            hint = did_you_mean(form, FORMATS) or f"; there are {', '.join(FORMATS)}"
            self.fail(f"no format {form!r}{hint} (or ./{value} for a file of that name)", param, ctx)
        path = Path(file)
        if file == "-":
            self.fail(f"- is no file; to print a report, write --format {form}", param, ctx)
        if not file or path.is_dir():
            self.fail(f"{file or value!r} is no file to write to", param, ctx)
        if not path.absolute().parent.is_dir():
            self.fail(f"the folder {str(path.parent)!r} does not exist", param, ctx)
        return Target(form, file)


def check_targets(targets: tuple[Target, ...], paths: tuple[Path, ...]) -> None:
    """Refuse targets of which two reports would share a file.

    Raises:
        click.BadParameter: with the file, and what to write instead.
    """
    taken: set[Path] = set()
    for target in targets:
        for path in paths:
            file = target.path(path).absolute()
            if file in taken:
                advice = (
                    "" if PLACEHOLDER in target.file else f"; write {PLACEHOLDER} for the submission's name"
                )
                raise click.BadParameter(f"{file} would hold several reports{advice}", param_hint="--output")
            taken.add(file)


class FileTrouble(click.FileError):
    """A file cannot be read or written: what was asked for could not be completed."""

    exit_code = INCOMPLETE

    def __init__(self, file: object, error: OSError):
        super().__init__(str(file), error.strerror or str(error))


def write(file: Path, text: str) -> None:
    """Write a report to a file.

    Raises:
        FileTrouble: where it cannot be written.
    """
    try:
        file.write_text(ending(text), encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise FileTrouble(file, error) from None


def echo(text: str) -> None:
    """Print a report; a reader that went away is no mistake."""
    with suppress(BrokenPipeError):
        click.echo(ending(text).encode("utf-8", "backslashreplace"), nl=False)
    flush()


def ending(text: str) -> str:
    """Return a text with one line end at its end, at least."""
    return text if text.endswith("\n") or not text else text + "\n"
