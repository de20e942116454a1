"""What the pages are made of: rulesets, the help of commands, lints, guides."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from submission_checker import api, resources
from submission_checker.bench.lints import LINTS
from submission_checker.cli import common, main
from submission_checker.engine import source
from submission_checker.engine.errors import RulesetError
from submission_checker.engine.ruleset import Survey
from submission_checker.rulebook.book import REFERENCE, Deviation
from submission_checker.rulebook.building import Material, build
from submission_checker.rulebook.pages.commands import Command

Function = TypeVar("Function", bound=Callable[..., Any])

PROGRAM = "submission-checker"
HELP_WIDTH = 84
DEVIATIONS = "conformance-deviations.yaml"
"""File beside the pages that lists known differences from another checker."""
_FIRST = ("writing-rules", "rule-language", "architecture", "reports", "integrations", "conformance")
"""Guides that come before the others."""


def options(function: Function) -> Function:
    """Add the options that say which pages there are, and where."""
    function = click.option(
        "--ruleset", "rulesets", multiple=True, metavar="NAME",
        help="Only this ruleset: a shipped one, or the path of a ruleset's folder. Needs --out. "
        "[default: all shipped]",
    )(function)  # fmt: skip
    return click.option(
        "--out", metavar="DIR", type=click.Path(file_okay=False, path_type=Path),
        help="The documentation's folder. [default: docs/ of the checkout]",
    )(function)  # fmt: skip


def pages(out: Path | None, rulesets: Sequence[str]) -> tuple[dict[str, str], Path]:
    """Make the pages, and name the folder that they belong in.

    Ends with exit code 2 where no folder is given or known, and 3 where a ruleset cannot be used.
    """
    folder = _folder(out, rulesets)
    try:
        surveys = [_usable(api.survey_ruleset(name)) for name in rulesets or _shipped()]
    except RulesetError as error:
        common.fail_ruleset(error)
    material = Material(
        surveys=surveys,
        commands=list(_commands()),
        lints=LINTS,
        guides=list(_guides(folder)),
        deviations=list(_deviations(folder)),
        source=_source_link(folder),
    )
    return build(material), folder


def _folder(out: Path | None, rulesets: Sequence[str]) -> Path:
    if out is not None:
        return out
    if rulesets:
        raise click.UsageError("--ruleset needs --out: the checkout's pages are of all rulesets")
    checkout = resources.rulesets().parent
    if not (checkout / "docs").is_dir():
        raise click.UsageError("this is no checkout with docs/; say where the pages belong with --out DIR")
    return checkout / "docs"


def _usable(survey: Survey) -> Survey:
    if survey.mistakes or survey.ruleset is None:
        raise RulesetError(survey.mistakes)
    return survey


def _shipped() -> list[str]:
    """Name the shipped rulesets: the newest that is no draft first, then the others from new to old."""
    names = sorted((file.parent.name for file in resources.rulesets().glob("*/ruleset.yaml")), reverse=True)
    latest = api.load_ruleset("latest").info.id
    return sorted(names, key=lambda name: name != latest)


def _commands() -> Iterator[Command]:
    context = click.Context(main, info_name=PROGRAM, terminal_width=HELP_WIDTH, **main.context_settings)
    yield from _commands_of(main, context, "")


def _commands_of(command: click.Command, context: click.Context, name: str) -> Iterator[Command]:
    yield Command(name, command.get_help(context))
    if isinstance(command, click.Group):
        for verb in command.list_commands(context):
            inner = command.get_command(context, verb)
            if inner is not None and not inner.hidden:
                below = click.Context(inner, info_name=verb, parent=context)
                yield from _commands_of(inner, below, f"{name} {verb}".strip())


def _guides(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the pages that are written by hand, with their titles."""
    files = [
        file
        for file in folder.rglob("*.md")
        if file.relative_to(folder).parts[0] not in (REFERENCE, "README.md")
    ]

    def order(file: Path) -> tuple[int, int, str]:
        path = file.relative_to(folder)
        known = _FIRST.index(path.stem) if path.stem in _FIRST else len(_FIRST)
        return (len(path.parts), known, path.as_posix())

    for file in sorted(files, key=order):
        lines = file.read_text(encoding="utf-8").splitlines()
        title = next((line.removeprefix("# ").strip() for line in lines if line.startswith("# ")), file.stem)
        yield file.relative_to(folder).as_posix(), title


def _deviations(folder: Path) -> Iterator[Deviation]:
    file = folder / DEVIATIONS
    if file.is_file():
        content, _ = source.load(file)
        for entry in content or ():
            yield Deviation(rules=tuple(entry.get("rules", ())), why=" ".join(entry.get("why", "").split()))


def _source_link(folder: Path) -> Callable[[str], str | None]:
    """Return how a file of the rulesets or schemas is reached: only from the checkout's own pages."""
    checkout = folder.resolve().parent

    def link(file: str) -> str | None:
        return f"../{file}" if (checkout / file).is_file() else None

    return link
