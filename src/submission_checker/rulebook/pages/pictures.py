"""Pictures of bands, as the ruleset's `views.yaml` asks for: one for each worked example."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from submission_checker.engine.errors import EvaluationError
from submission_checker.engine.rules import Compute, Message
from submission_checker.rulebook import bands
from submission_checker.rulebook import markdown as md
from submission_checker.rulebook.book import Book, first_line


def pages(book: Book) -> Iterator[tuple[str, str]]:
    """Yield the pictures of a ruleset."""
    for picture in _all(book):
        for number, case in enumerate(picture["cases"], 1):
            drawn = _draw(book, picture, case)
            if drawn is not None:
                yield _path(book, picture, number), bands.svg(*drawn, comment=_comment(book))


def of_clause(book: Book, number: str, here: str) -> list[str]:
    """Return the pictures that belong to a clause, with what they show."""
    found = []
    for picture in _all(book):
        if number in picture["clauses"]:
            for index, case in enumerate(picture["cases"], 1):
                drawn = _draw(book, picture, case)
                if drawn is not None:
                    title, bounds = drawn
                    told = ", ".join(f"{name} {span['start']}–{span['end']}" for name, span in bounds.items())
                    path = md.target(_path(book, picture, index), here)
                    found += [f"![{md.text(title)}]({path})", book.prose(f"{title}: {told}.", here)]
            found += [book.prose(note, here) for note in picture.get("notes", ())]
    return found


def _all(book: Book) -> list[Mapping[str, Any]]:
    found: list[Mapping[str, Any]] = book.ruleset.views.get("pictures") or []
    return found


def _path(book: Book, picture: Mapping[str, Any], number: int) -> str:
    return f"{book.root}/pictures/{picture['name']}-{number}.svg"


def _comment(book: Book) -> str:
    return first_line(f"rules/{book.id}/views.yaml", mark="{}")


def _draw(book: Book, picture: Mapping[str, Any], case: Mapping[str, Any]) -> tuple[str, bands.Bounds] | None:
    names = {**book.ruleset.tables, **case}
    try:
        bounds = Compute(picture["bands"], book.ruleset.functions).evaluate(names)
        title = Message(picture["title"]).template.render(names)
    except EvaluationError:
        return None
    return (title, bounds) if isinstance(bounds, Mapping) and bounds else None
