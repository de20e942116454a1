"""`submission-checker docs`: the documentation made of the rules."""

from __future__ import annotations

import click

from submission_checker.cli import LazyGroup

VERBS = {
    "build": "Write the pages, and make a site of them.",
    "check": "See whether the pages are what they would be now.",
}
"""Verb to what `--help` says of it."""


@click.group(cls=LazyGroup, commands_in=__name__, summaries=VERBS)
def docs() -> None:
    """Make the documentation of the rules, or see whether it is up to date.

    There is a page for each rule, clause, document, table and function, made of
    what the program runs.

    \b
      submission-checker docs build
      submission-checker docs check
    """
