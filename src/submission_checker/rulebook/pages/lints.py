"""The catalogue of lints: what can be wrong with a ruleset besides what keeps it from loading."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from submission_checker.bench.lint import Lint
from submission_checker.rulebook import markdown as md
from submission_checker.rulebook.book import PROGRAM, first_line
from submission_checker.rulebook.pages.home import HOME, LINTS


def pages(lints: Mapping[str, Lint]) -> Iterator[tuple[str, str]]:
    """Yield the page of the lints."""
    if not lints:
        return
    blocks = [
        first_line("src/submission_checker/bench/lints/"),
        "# Lints",
        f"{md.link('Home', HOME, LINTS)} · What {md.code(f'{PROGRAM} rules lint')} finds in a ruleset.",
    ]
    for chapter, members in groupby(lints.values(), key=lambda lint: lint.chapter):
        blocks.append(f"## {chapter.capitalize()}")
        for lint in members:
            blocks += [
                f"### {lint.id}",
                f"**{md.text(lint.title)}**",
                md.text(lint.why),
                *(["With the lint:", md.block(lint.bad, "yaml")] if lint.bad else []),
                *(["Without it:", md.block(lint.good, "yaml")] if lint.good else []),
            ]
    yield LINTS, md.page(blocks)
