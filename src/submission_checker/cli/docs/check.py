"""`submission-checker docs check`."""

from __future__ import annotations

from pathlib import Path

import click

from submission_checker.cli.docs import material
from submission_checker.rulebook.files import drift

SHOWN = 10
"""Pages of which the difference is shown."""


@click.command()
@material.options
@click.pass_context
def check(ctx: click.Context, out: Path | None, rulesets: tuple[str, ...]) -> None:
    """See whether the generated pages are what they would be now; write nothing.

    \b
    Exit codes:
      0  they are
      1  some page is missing, different, or not generated any more
      2  the command was called wrongly
      3  a ruleset cannot be used
    """
    pages, folder = material.pages(out, rulesets)
    found = drift(pages, folder)
    for page in found[:SHOWN]:
        click.echo(f"{folder / page.path}: {page.what}")
        for line in page.lines:
            click.echo(f"    {line}")
    for page in found[SHOWN:]:
        click.echo(f"{folder / page.path}: {page.what}")
    if found:
        advice = "`submission-checker docs build` writes them anew"
        click.echo(f"{len(found)} of {len(pages)} pages are out of date; {advice}")
    else:
        click.echo(f"{len(pages)} pages are up to date")
    ctx.exit(1 if found else 0)
