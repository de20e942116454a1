"""A page for each document of a submission, made of its JSON Schema, and what the folders look like."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from submission_checker.engine.layout import Source
from submission_checker.rulebook import markdown as md
from submission_checker.rulebook import schemas
from submission_checker.rulebook.book import Book, first_line
from submission_checker.rulebook.schemas import Field
from submission_checker.rulebook.texts import texts_of
from submission_checker.rulebook.usage import Usage


def pages(book: Book) -> Iterator[tuple[str, str]]:
    """Yield the pages of the documents of a ruleset."""
    yield book.index("documents"), _index(book)
    for name, source in book.described.items():
        yield f"{book.root}/documents/{name}.md", _Page(book, name, source).text()


def _index(book: Book) -> str:
    here = book.index("documents")
    layout = book.ruleset.layout
    scopes = [
        (md.code(name), md.code(book.folder_of(name)), book.prose(scope.doc, here))
        for name, scope in layout.scopes.items()
    ]
    documents = [
        (
            md.code(name),
            book.document(name, here),
            source.scope,
            book.prose(source.doc, here),
            _count(book, name),
        )
        for name, source in layout.documents.items()
    ]
    places = [
        (md.code(name), md.code(source.path or source.glob or "."), source.scope)
        for name, source in layout.places.items()
    ]
    blocks = [
        first_line(f"rules/{book.id}/layout.yaml and schemas/{book.id}/"),
        "# Documents",
        f"The folders and files of a submission, as {book.titled(here)} "
        "sees them. The names are those that rules use.",
        "## Folders",
        md.table(("Scope", "Folders", "Is"), scopes),
        "## Documents",
        md.table(("Name", "File", "Of each", "Is", "Read by"), documents),
        *(["## Other places", md.table(("Name", "Path", "Of each"), places)] if places else []),
    ]
    return md.page(blocks)


def _count(book: Book, name: str) -> str:
    number = sum(name in used.documents for used in book.usages.rules.values())
    return f"{number} rules" if number != 1 else "1 rule"


class _Page:
    """The page of one document."""

    def __init__(self, book: Book, name: str, source: Source):
        self.book = book
        self.name = name
        self.source = source
        self.here = f"{book.root}/documents/{name}.md"
        self.schema = book.schema(name)
        self.fields = list(book.fields[name].values())
        self.readers = readers(book, name, self.schema)

    def text(self) -> str:
        """Return the page."""
        book, here = self.book, self.here
        below = book.schema_file(self.name)
        unread = [field for field in self.fields if self._is_unread(field)]
        blocks = [
            first_line(below),
            f"# {md.text(self.schema.get('title', self.source.doc))}",
            " · ".join(
                [
                    book.named(here),
                    md.link("Documents", book.index("documents"), here),
                    f"{md.code(self.name)} in rules",
                ]
            ),
            book.prose(self.schema.get("description", ""), here),
            self._facts(below),
            *self._section("Fields", [self._legend(unread), self._table()]),
            *self._section("Further conditions", [self._conditions()]),
            *self._section("The least that is valid", [self._example()]),
            *self._section("Read as a whole by", [self._wholes()]),
        ]
        return md.page(blocks)

    def _section(self, title: str, blocks: list[str]) -> list[str]:
        kept = [block for block in blocks if block]
        return [f"## {title}", *kept] if kept else []

    def _facts(self, below: str) -> str:
        book, here, source = self.book, self.here, self.source
        state = [rule for rule, used in book.usages.rules.items() if self.name in used.files]
        clause = self.schema.get("x-clause")
        rows = [
            ("Lies in", self._place()),
            ("Format", "JSON" if source.form == "json" else "YAML"),
            ("Clause", book.clause(clause, here, title=True) if clause else ""),
            ("Written", "leniently: numbers and booleans may be written as text, or as each other"
             if self.schema.get("x-lenient") else "as its kinds say"),
            ("Presence and form", book.rule_list(state, here)),
            ("Schema", book.outside(below, here)),
        ]  # fmt: skip
        return md.table(("", ""), [(label, value) for label, value in rows if value])

    def _place(self) -> str:
        source = self.source
        if source.option is not None:
            said = f"outside of the submission: {md.code('--' + source.option.replace('_', '-') + ' FILE')}"
            if source.variable:
                said += f" or {md.code('$' + source.variable)}"
            return f"{said}, else the ruleset's own"
        folder = self.book.folder_of(source.scope)
        path = source.path or source.glob
        return md.code(path if folder == "./" else f"{folder}{path}")

    def _is_unread(self, field: Field) -> bool:
        return not (self.readers.get(field.path) or field.has_inner or field.deprecated)

    def _legend(self, unread: list[Field]) -> str:
        said = "A field that is not required may be left out."
        if unread:
            said += (
                " A dash under *Rules*: no rule reads the field by its name "
                f"({len(unread)} of {len(self.fields)}); its kind is checked all the same."
            )
        return said

    def _table(self) -> str:
        return md.table(
            ("Field", "Kind", "Required", "Meaning", "Clause", "Rules"), map(self._row, self.fields)
        )

    def _row(self, field: Field) -> tuple[str, ...]:
        book, here = self.book, self.here
        kind = field.type + (f", in {field.unit}" if field.unit else "")
        meaning = [book.prose(field.description, here)]
        if field.default:
            meaning.append(f"Without it: {md.code(json.dumps(field.default[0], ensure_ascii=False))}.")
        if any(alias not in field.description for alias in field.aliases):
            meaning.append(f"Also read: {', '.join(md.code(alias) for alias in field.aliases)}.")
        rules = book.folded_rules(self.readers.get(field.path, []), here) or (
            "" if field.has_inner or field.deprecated else "—"
        )
        return (
            f"{md.anchor(field.anchor)}{md.code(field.path)}", md.text(kind), "yes" if field.required else "",
            " ".join(meaning), book.clause(field.clause, here) if field.clause else "", rules,
        )  # fmt: skip

    def _conditions(self) -> str:
        return md.bullets(self.book.prose(text, self.here) for text in schemas.conditions(self.schema))

    def _example(self) -> str:
        example = schemas.least(self.schema)
        if self.source.form == "json":
            return md.block(json.dumps(example, indent=2, ensure_ascii=False), "json")
        return md.block(md.as_yaml(example), "yaml")

    def _wholes(self) -> str:
        rules = [
            rule
            for rule, used in self.book.usages.rules.items()
            if any(whole == self.name or whole.startswith(f"{self.name}.") for whole in used.wholes)
        ]
        return self.book.rule_list(rules, self.here)


def readers(book: Book, document: str, schema: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return which rules read each field of a document by its name.

    A document that is handed to a function as a whole is read by the names that the function knows, or that
    stand in an entry of a table that is handed on with it.
    """
    fields = book.fields[document]
    called = {alias: field.path for field in fields.values() for alias in (field.path, *_alias_paths(field))}
    found: dict[str, list[str]] = {}
    for rule, used in book.usages.rules.items():
        names = {called.get(path) for path in _read(used, document)}
        for part in book.usages.parts(book.usages.direct[rule]):
            names |= _handed(book, part, document, called)
        for name in names:
            if name is not None:
                found.setdefault(name, []).append(rule)
    return found


def _alias_paths(field: Field) -> Iterator[str]:
    around, dot, _ = field.path.rpartition(".")
    for alias in field.aliases:
        yield f"{around}{dot}{alias}"


def _read(used: Usage, document: str) -> Iterator[str]:
    start = f"{document}."
    for path in used.fields:
        if path.startswith(start):
            yield path.removeprefix(start)
        elif path.startswith(f"{document}[]."):
            yield path.removeprefix(f"{document}[].")


def _handed(book: Book, used: Usage, document: str, called: Mapping[str, str]) -> set[str | None]:
    if not any(whole.split(".")[0] == document for whole in used.wholes):
        return set()
    words = {word for place in used.entries for word in _words(_value(book, place))}
    for name in used.functions:
        words |= texts_of(book.ruleset.functions[name])
    last: dict[str, list[str]] = {}
    for name, path in called.items():
        last.setdefault(name.rsplit(".", 1)[-1], []).append(path)
    return {path for word in words for path in last.get(word, ())}


def _value(book: Book, place: tuple[str, ...]) -> Any:
    value: Any = book.ruleset.tables
    for key in place:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _words(item)
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _words(item)
