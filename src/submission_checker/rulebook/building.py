"""All pages of the documentation, made of what they are made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from submission_checker.bench.lint import Lint
from submission_checker.engine.ruleset import Survey
from submission_checker.rulebook import markdown as md
from submission_checker.rulebook.book import FUNCTIONS, REFERENCE, Book, Deviation, SourceLink, first_line
from submission_checker.rulebook.pages import (
    changes,
    clauses,
    commands,
    documents,
    facts,
    functions,
    home,
    lints,
    pictures,
    rules,
    tables,
)
from submission_checker.rulebook.pages.clauses import in_order
from submission_checker.rulebook.pages.commands import Command

NAVIGATION = f"{REFERENCE}/navigation.yml"
"""The pages as a tree, for what makes a site of them."""


def _nowhere(_: str) -> None:
    return None


@dataclass(frozen=True, kw_only=True)
class Material:
    """What the pages are made of.

    Args:
        surveys: The rulesets, loaded with examples; the one that readers mostly want comes first.
        commands: The commands with their help.
        lints: The lints by id.
        guides: Pages written by hand, in their order: path below the documentation's folder, and title.
        deviations: Known differences from another checker.
        source: How the files of rulesets are reached from the pages.
    """

    surveys: Sequence[Survey]
    commands: Sequence[Command] = ()
    lints: Mapping[str, Lint] = field(default_factory=dict)
    guides: Sequence[home.Guide] = ()
    deviations: Sequence[Deviation] = ()
    source: SourceLink = _nowhere


def build(material: Material) -> dict[str, str]:
    """Make all pages.

    Returns:
        Path below the documentation's folder to text. The same material gives the same texts.
    """
    books = [Book(survey, material.source, material.deviations) for survey in material.surveys]
    return dict(_pages(material, books))


def _pages(material: Material, books: Sequence[Book]) -> Iterator[tuple[str, str]]:
    yield from home.pages(books, material.guides, lints=bool(material.lints))
    for book in books:
        for kind in (rules, clauses, documents, tables, facts, pictures):
            yield from kind.pages(book)
        older = home.before(book, books)
        if older is not None:
            yield from changes.pages(book, older)
    yield from functions.pages(books)
    yield from commands.pages(material.commands)
    yield from lints.pages(material.lints)
    yield NAVIGATION, _navigation(material, books)


def _navigation(material: Material, books: Sequence[Book]) -> str:
    tree: list[Any] = [{"Home": home.HOME}]
    for book in books:
        tree.append({book.label: _of_ruleset(book, books)})
    named = sorted(functions.documented(books[0])) if books else []
    listed = [functions.INDEX, {"The rule language's": functions.OF_LANGUAGE}]
    tree.append({"Functions": [*listed, *({name: f"{FUNCTIONS}/{name}.md"} for name in named)]})
    tree.append({"Commands": home.COMMANDS})
    if material.lints:
        tree.append({"Lints": home.LINTS})
    if material.guides:
        tree.append({"Guides": [{title: path} for path, title in material.guides]})
    return f"{first_line('the rulesets', mark='# {}')}\n{md.as_yaml(tree, flow=False)}\n"


def _of_ruleset(book: Book, books: Sequence[Book]) -> list[Any]:
    families = [
        {book.ruleset.info.families.get(family, family): [{r.id: book.page_of_rule(r.id)} for r in members]}
        for family, members in groupby(book.rules.values(), key=lambda rule: rule.info.family)
    ]
    numbers = [{f"§{number}": book.page_of_clause(number)} for number in in_order(list(book.sections))]
    described = [{book.file_name(name): f"{book.root}/documents/{name}.md"} for name in book.described]
    held = [{name: book.page_of_table(name)} for name in book.ruleset.tables]
    tree: list[Any] = [book.home, {"Rules": [book.index("rules"), *families]}]
    if numbers:
        tree += [{"Coverage": book.coverage}, {"Clauses": [book.index("clauses"), *numbers]}]
    tree += [{"Documents": [book.index("documents"), *described]}, {"Tables": [book.index("tables"), *held]}]
    if any(book.ruleset.facts.values()):
        tree.append({"Facts": f"{book.root}/facts.md"})
    if home.before(book, books) is not None:
        tree.append({"Changes": book.changes})
    return tree
