"""The commands with their help, as the program prints it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from submission_checker.rulebook import markdown as md
from submission_checker.rulebook.book import PROGRAM, first_line
from submission_checker.rulebook.pages.home import COMMANDS


@dataclass(frozen=True, slots=True)
class Command:
    """One command or verb."""

    name: str
    """All words of it, without the program's name."""
    help: str
    """What `--help` prints."""


def pages(commands: Sequence[Command]) -> Iterator[tuple[str, str]]:
    """Yield the page of the commands."""
    blocks = [
        first_line("what --help prints"),
        "# Commands",
        f"The command line of `{PROGRAM}`. The same texts are printed by `--help`.",
    ]
    for command in commands:
        level = "#" * (2 + max(0, len(command.name.split()) - 1))
        blocks += [f"{level} {command.name or PROGRAM}", md.block(command.help, "text")]
    yield COMMANDS, md.page(blocks)
