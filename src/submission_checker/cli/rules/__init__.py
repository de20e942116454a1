"""`submission-checker rules`: the policy editor's bench, one verb a module."""

from __future__ import annotations

import click

from submission_checker.cli import LazyGroup

VERBS = {
    "list": "List the rules.",
    "show": "Show one rule: in a sentence, with its clause, limits, messages and examples.",
    "fmt": "Lay rule files out in one way.",
    "explain": "Explain what a rule says of a submission: values, places, what decided, how far off.",
    "query": "Print what a JMESPath finds in a submission, and where it stands.",
    "lint": "Find what is wrong with the rules.",
    "new": "Write a new rule file to start from.",
    "test": "Run the examples inside the rules; with --mutate, see what they would not notice.",
    "diff": "Say what changed between two rulesets, and whose verdict changes.",
    "corpus": "Say of each rule how often it applied, broke and passed over an archive.",
}
"""Verb to what `--help` says of it."""


@click.group(cls=LazyGroup, commands_in=__name__, summaries=VERBS)
def rules() -> None:
    """Look at the rules, test them, find what is wrong with them, write new ones.

    Every rule is a YAML file; nothing here needs Python.

    \b
      submission-checker rules list --clause 5.3
      submission-checker rules show point-count
      submission-checker rules test --mutate
      submission-checker rules list --rules my-ruleset
    """
