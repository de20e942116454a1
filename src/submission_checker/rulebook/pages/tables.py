"""A page for each table: its entries with what they mean, and the file itself."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from submission_checker.rulebook import markdown as md
from submission_checker.rulebook import schemas
from submission_checker.rulebook.book import Book, first_line

Place = tuple[str, ...]


def pages(book: Book) -> Iterator[tuple[str, str]]:
    """Yield the pages of the tables of a ruleset."""
    yield book.index("tables"), _index(book)
    for name in book.ruleset.tables:
        yield book.page_of_table(name), _table(book, name)


def _index(book: Book) -> str:
    here = book.index("tables")
    rows = [
        (
            md.link(md.code(name), book.page_of_table(name), here),
            book.prose(schema_of(book, name).get("description", ""), here),
            book.folded_rules(_rules(book, (name,)), here),
        )
        for name in book.ruleset.tables
    ]
    return md.page(
        [
            first_line(f"rules/{book.id}/tables/"),
            "# Tables",
            "What rules look things up in: numbers, words and lists that change from round to round.",
            md.table(("Table", "Holds", "Rules that use it"), rows),
        ]
    )


def _table(book: Book, name: str) -> str:
    here = book.page_of_table(name)
    file = table_file(book, name)
    schema = schema_of(book, name)
    written = file.read_text(encoding="utf-8") if file is not None else ""
    source = f"{file.parent.parent.name}/tables/{file.name}" if file is not None else f"{book.id}/tables"
    merged = name in (book.settings.get("merge_tables") or ())
    blocks = [
        first_line(f"rules/{source}"),
        f"# {name}",
        f"{book.named(here)} · {md.link('Tables', book.index('tables'), here)}",
        book.prose(schema.get("description", schema.get("title", "")), here),
        book.prose(_head(written), here),
        "## Entries",
        md.table(("Entry", "Value", "Meaning", "Rules"), _rows(book, name, here)),
        "## As written",
        book.source(source, here),
        md.block(md.as_yaml(book.ruleset.tables[name]) if merged or not written else _body(written), "yaml"),
    ]
    return md.page(blocks)


def _rows(book: Book, name: str, here: str) -> Iterator[tuple[str, str, str, str]]:
    schema = schema_of(book, name)
    for place, value, meaning in _entries((name,), book.ruleset.tables[name], schema, schema):
        shown = "" if isinstance(value, Mapping) and value else md.code(md.as_yaml(value, flow=True))
        mark = md.anchor(anchor_of(place))
        rules = _rules(book, place) if shown else []
        yield (
            f"{mark}{md.code('.'.join(place[1:]))}",
            shown,
            book.prose(meaning, here),
            book.folded_rules(rules, here),
        )


def _rules(book: Book, place: Place) -> list[str]:
    """Return the rules that use an entry: itself, with what is around it, or something in it."""
    return [
        rule
        for rule, used in book.usages.rules.items()
        if any(place[: len(entry)] == entry or entry[: len(place)] == place for entry in used.entries)
    ]


def _entries(
    place: Place, content: Any, schema: Any, root: Mapping[str, Any]
) -> Iterator[tuple[Place, Any, str]]:
    for key, value in content.items() if isinstance(content, Mapping) else ():
        inner = _inner(schema, key, root)
        here = (*place, str(key))
        yield here, value, str(inner.get("description", ""))
        if isinstance(value, Mapping):
            yield from _entries(here, value, inner, root)


def _inner(schema: Any, key: str, root: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the part of a schema that describes an entry."""
    found = schema if isinstance(schema, Mapping) else {}
    if isinstance(found.get("$ref"), str):
        found = {**schemas.referred(root, found["$ref"]), **found}
    described = found.get("properties", {}).get(key, found.get("additionalProperties"))
    inner: Mapping[str, Any] = described if isinstance(described, Mapping) else {}
    if isinstance(inner.get("$ref"), str):
        inner = {**schemas.referred(root, inner["$ref"]), **inner}
    return inner


def entry(book: Book, place: Place) -> tuple[Any, str] | None:
    """Return an entry's value and what it means; None where there is no such entry."""
    schema: Any = schema_of(book, place[0])
    root = schema
    value: Any = book.ruleset.tables.get(place[0])
    for key in place[1:]:
        if not isinstance(value, Mapping) or key not in value:
            return None
        value, schema = value[key], _inner(schema, key, root)
    return value, str(schema.get("description", ""))


def page_of_entry(book: Book, place: Place) -> str:
    """Return the page of an entry, with its mark."""
    page = book.page_of_table(place[0])
    return page if len(place) == 1 else f"{page}#{anchor_of(place)}"


def anchor_of(place: Sequence[str]) -> str:
    """Return the mark of an entry on its table's page."""
    return "entry-" + "".join(c if c.isalnum() or c in "_.-" else "-" for c in ".".join(place[1:]))


def schema_of(book: Book, name: str) -> Mapping[str, Any]:
    """Return the schema that describes a table; an empty one where there is none."""
    folder = book.ruleset.schemas_folder
    file = None if folder is None else folder / "tables" / f"{name}.schema.json"
    if file is None or not file.is_file():
        return {}
    content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return content


def table_file(book: Book, name: str) -> Path | None:
    """Return the file of a table: of the ruleset itself, else of what it extends."""
    files = (folder / "tables" / f"{name}.yaml" for folder in book.ruleset.chain)
    return next((file for file in files if file.is_file()), None)


def _head(written: str) -> str:
    """Return the comment at the head of a file, without the line for editors."""
    lines = []
    for line in written.splitlines():
        if not line.startswith("#"):
            break
        if "yaml-language-server" not in line:
            lines.append(line.removeprefix("#").strip())
    return " ".join(lines)


def _body(written: str) -> str:
    return "\n".join(line for line in written.splitlines() if "yaml-language-server" not in line)
