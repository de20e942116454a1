"""The pages that lead to the others: of all the documentation, and of one ruleset."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from submission_checker.rulebook import markdown as md
from submission_checker.rulebook.book import FUNCTIONS, PROGRAM, REFERENCE, Book, first_line

HOME = "README.md"
COMMANDS = f"{REFERENCE}/commands.md"
LINTS = f"{REFERENCE}/lints.md"

Guide = tuple[str, str]
"""A page written by hand: its path and its title."""


def pages(books: Sequence[Book], guides: Sequence[Guide], *, lints: bool) -> Iterator[tuple[str, str]]:
    """Yield the home page and those of the rulesets."""
    yield HOME, _home(books, guides, lints=lints)
    for book in books:
        yield book.home, _ruleset(book, books)


def before(book: Book, books: Sequence[Book]) -> Book | None:
    """Return the ruleset that a ruleset is a difference to, else the next older one."""
    extended = book.settings.get("extends")
    older = sorted((other for other in books if other.id < book.id), key=lambda other: other.id)
    named = [other for other in books if other.id == extended]
    found = named or older[-1:]
    return found[0] if found else None


def _home(books: Sequence[Book], guides: Sequence[Guide], *, lints: bool) -> str:
    main = books[0]
    rows = [
        (md.link(book.label, book.home, HOME), md.text(book.ruleset.info.title), str(len(book.rules)))
        for book in books
    ]
    ways = _ways(main, lints=lints)
    blocks = [
        first_line("the rulesets and the titles of the pages"),
        f"# {PROGRAM}",
        "What is checked, by which clause, with which consequence, and what is not checked. "
        "The pages are generated from the rules, so they say what the program does.",
        "## You have …",
        md.table(("You have", "Look here"), ways),
        "## Rulesets",
        md.table(("Ruleset", "Is", "Rules"), rows),
        *(
            ["## Guides", md.bullets(md.link(md.text(title), path, HOME) for path, title in guides)]
            if guides
            else []
        ),
    ]
    return md.page(blocks)


def _ways(main: Book, *, lints: bool) -> list[tuple[str, str]]:
    """Return what readers may come with, and where each of them looks."""
    rules = md.link("Rules", main.index("rules"), HOME)
    clauses = md.link("Clauses", main.index("clauses"), HOME)
    ways = [
        ("a finding, and its rule", f"{rules}; in a terminal, {md.code(f'{PROGRAM} rules show RULE')}"),
        (
            "a clause of the policy",
            f"{clauses}; in a terminal, {md.code(f'{PROGRAM} rules list --clause N.N')}",
        ),
        ("a file, and a question about a field", md.link("Documents", main.index("documents"), HOME)),
        ("the question what is checked, and what is not", md.link("Coverage", main.coverage, HOME)),
        ("a number or a word that rules ask for", md.link("Tables", main.index("tables"), HOME)),
        ("a function in a rule", md.link("Functions", f"{FUNCTIONS}/README.md", HOME)),
        ("a command and its options", md.link("Commands", COMMANDS, HOME)),
    ]
    if not main.sections:
        ways = [way for way in ways if "clause" not in way[0] and "checked" not in way[0]]
    if lints:
        ways.append(("a complaint about a ruleset", md.link("Lints", LINTS, HOME)))
    return ways


def _ruleset(book: Book, books: Sequence[Book]) -> str:
    here, info = book.home, book.ruleset.info
    older = before(book, books)
    cohorts = book.settings.get("cohorts") or {}
    facts = [
        ("Policy", book.prose(info.policy, here)),
        ("State", "a draft: `latest` and `auto` pass over it" if book.is_draft else ""),
        ("Extends", md.link(older.id, older.home, here) if older and book.settings.get("extends") else ""),
        ("For submissions", _range(cohorts.get("first"), cohorts.get("last"))),
        ("Rules", str(len(book.rules))),
    ]
    pages = _pages_of(book, older)
    actions = _actions(book)
    blocks = [
        first_line(f"rules/{book.id}/ruleset.yaml"),
        f"# {book.label}",
        md.text(info.title) + ".",
        md.table(("", ""), [row for row in facts if row[1]]),
        "## Pages",
        md.bullets(f"{md.link(title, page, here)}: {what}" for page, title, what in pages),
        *(["## What the policy does with a broken rule",
           md.table(("Action", "Called", "Means", "Severity that fits"), actions)] if actions else []),
    ]  # fmt: skip
    return md.page(blocks)


def _pages_of(book: Book, older: Book | None) -> list[tuple[str, str, str]]:
    """Return the pages of a ruleset that are not empty: path, title, and what is there."""
    parts = [
        (book.index("rules"), "Rules", "each with its clause, sentence, messages and examples"),
        (book.index("clauses"), "Clauses", "each with the rules that serve it"),
        (book.coverage, "Coverage", "clauses, rows and rules both ways, counted"),
        (book.index("documents"), "Documents", "the files of a submission, field by field"),
        (book.index("tables"), "Tables", "numbers and words that rules look up"),
        (f"{book.root}/facts.md", "Facts", "definitions that rules share"),
    ]
    if older is not None:
        parts.append((book.changes, "Changes", f"what is different from {older.id}"))
    return [part for part in parts if book.sections or part[1] not in ("Clauses", "Coverage")]


def _actions(book: Book) -> list[tuple[str, str, str, str]]:
    """Return the rows of the table of what the policy does."""
    return [
        (
            md.code(name),
            md.text(entry["label"]),
            book.prose(entry["doc"], book.home),
            md.text(entry.get("severity", "")),
        )
        for name, entry in book.actions.items()
    ]


def _range(first: str | None, last: str | None) -> str:
    if first and last:
        return f"from {md.code(first)} to {md.code(last)}"
    if first or last:
        return f"from {md.code(first)} on" if first else f"up to {md.code(last or '')}"
    return ""
