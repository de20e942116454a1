"""The facts of a ruleset on one page: what rules share."""

from __future__ import annotations

from collections.abc import Iterator

from submission_checker.engine.rules import Compute, Extract, Fact
from submission_checker.rulebook import markdown as md
from submission_checker.rulebook.book import Book, first_line


def pages(book: Book) -> Iterator[tuple[str, str]]:
    """Yield the page of the facts."""
    if any(book.ruleset.facts.values()):
        yield f"{book.root}/facts.md", _facts(book)


def _facts(book: Book) -> str:
    here = f"{book.root}/facts.md"
    blocks = [
        first_line(f"rules/{book.id}/facts.yaml"),
        "# Facts",
        f"{book.named(here)} · Shared definitions, each computed once for a folder, on first use.",
    ]
    for scope, facts in book.ruleset.facts.items():
        rows = [
            (
                f"{md.anchor(f'{scope}.{fact.name}')}{md.code(fact.name)}", book.prose(fact.doc, here),
                _definition(fact), _users(book, scope, fact.name, here),
            )
            for fact in facts.values()
        ]  # fmt: skip
        if rows:
            blocks += [
                f"## Of each {scope.replace('_', ' ')}",
                md.table(("Fact", "Is", "Definition", "Used by"), rows),
            ]
    return md.page(blocks)


def _definition(fact: Fact) -> str:
    entry = fact.definition
    if isinstance(entry, Extract):
        return f"path {md.code(entry.source)}" + (f" of {md.code(entry.of)}" if entry.of else "")
    return md.code(entry.source) if isinstance(entry, Compute) else ""


def _users(book: Book, scope: str, name: str, here: str) -> str:
    rules = [rule for rule, used in book.usages.direct.items() if (scope, name) in used.facts]
    facts = [
        md.link(md.code(other), f"{here}#{around}.{other}", here)
        for (around, other), used in book.usages.facts.items()
        if (scope, name) in used.facts
    ]
    return ", ".join(part for part in (book.folded_rules(rules, here), ", ".join(facts)) if part)
