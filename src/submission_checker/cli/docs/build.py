"""`submission-checker docs build`."""

from __future__ import annotations

from pathlib import Path

import click

from submission_checker.cli.docs import material
from submission_checker.cli.output import FileTrouble
from submission_checker.rulebook.files import write
from submission_checker.rulebook.site import SiteError, make


@click.command()
@material.options
@click.option(
    "--site", metavar="DIR", type=click.Path(file_okay=False, path_type=Path),
    help="Make a site of the checkout's pages too (needs mkdocs-material).",
)  # fmt: skip
def build(out: Path | None, rulesets: tuple[str, ...], site: Path | None) -> None:
    """Write the pages of the rules, clauses, documents, tables, functions and commands.

    Pages that did not change are not touched; generated ones that are no pages
    any more are removed. The pages are Markdown, to be read as they are.

    \b
      submission-checker docs build
      submission-checker docs build --site site
      submission-checker docs build --ruleset my-ruleset --out my-pages
    """
    pages, folder = material.pages(out, rulesets)
    try:
        written, removed = write(pages, folder)
    except OSError as error:
        raise FileTrouble(error.filename, error) from None
    click.echo(f"{len(pages)} pages in {folder}: {len(written)} written, {len(removed)} removed")
    if site is not None:
        try:
            make(folder, site)
        except SiteError as error:
            raise click.ClickException(str(error)) from None
        click.echo(f"site in {site}")
