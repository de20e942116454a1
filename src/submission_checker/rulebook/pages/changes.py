"""What a ruleset changes against the one before it: rules, tables, documents, facts, clauses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from submission_checker.rulebook import markdown as md
from submission_checker.rulebook.book import Book, first_line
from submission_checker.rulebook.schemas import Field

_SAID = (
    "title", "severity", "action", "clauses", "row", "scope", "params", "where", "when", "require", "hint",
    "aliases",
)  # fmt: skip
"""Keys of a rule that are shown before and after; of others only that they changed is said."""
_UNSAID = ("examples", "mutants", "allow")
"""Keys that change nothing for those who submit."""
_SHORT = 160
"""Characters of a value that is shown."""


def pages(book: Book, before: Book) -> Iterator[tuple[str, str]]:
    """Yield the page of the differences between two rulesets."""
    here = book.changes
    blocks = [
        first_line(f"rules/{before.id}/ and rules/{book.id}/"),
        f"# From {before.id} to {book.id}",
        f"{book.named(here)} · What is different from "
        f"{md.link(md.text(before.ruleset.info.title), before.home, here)}.",
        _counted(book, before),
        *_rules(book, before, here),
        *_tables(book, before, here),
        *_documents(book, before, here),
        *_facts(book, before, here),
        *_clauses(book, before, here),
    ]
    yield here, md.page(blocks)


def _counted(book: Book, before: Book) -> str:
    added, removed, changed = _sets(book.rules, before.rules, lambda a, b: _raw(a.raw) != _raw(b.raw))
    return md.table(
        ("Rules", "Before", "Added", "Removed", "Changed", "After"),
        [
            (
                "",
                str(len(before.rules)),
                str(len(added)),
                str(len(removed)),
                str(len(changed)),
                str(len(book.rules)),
            )
        ],
    )


def _sets(
    after: Mapping[str, Any], before: Mapping[str, Any], differ: Callable[[Any, Any], bool]
) -> tuple[list[str], list[str], list[str]]:
    """Return what was added, removed and changed."""
    added = [name for name in after if name not in before]
    removed = [name for name in before if name not in after]
    changed = [name for name in after if name in before and differ(after[name], before[name])]
    return added, removed, changed


def _raw(raw: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in raw.items() if key not in _UNSAID}


def _rules(book: Book, before: Book, here: str) -> Iterator[str]:
    added, removed, changed = _sets(book.rules, before.rules, lambda a, b: _raw(a.raw) != _raw(b.raw))
    if added:
        yield "## Added rules"
        yield md.bullets(
            f"{book.rule(name, here)}: {book.prose(book.rules[name].info.title, here)}" for name in added
        )
    if removed:
        yield "## Removed rules"
        yield md.bullets(
            f"{before.rule(name, here)}: {before.prose(before.rules[name].info.title, here)}"
            for name in removed
        )
    if changed:
        yield "## Changed rules"
    for name in changed:
        yield f"### {name}"
        yield f"{book.rule(name, here)}: {book.prose(book.rules[name].info.title, here)}"
        yield _sentences(book, before, name, here)
        yield _changed(_raw(book.rules[name].raw), _raw(before.rules[name].raw))


def _sentences(book: Book, before: Book, name: str, here: str) -> str:
    """Return what a rule asked and what it asks, where the two are said in other words."""
    old, new = (shelf.described_rules[name]["sentence"] for shelf in (before, book))
    if old == new:
        return ""
    return md.bullets([f"Before: {before.prose(old, here)}", f"After: {book.prose(new, here)}"])


def _changed(after: Mapping[str, Any], before: Mapping[str, Any]) -> str:
    shown, others = [], []
    for key in dict.fromkeys([*before, *after]):
        if before.get(key) != after.get(key):
            if key in _SAID:
                shown.append((md.code(key), _value(before.get(key)), _value(after.get(key))))
            else:
                others.append(md.code(key))
    told = f"Changed besides: {', '.join(others)}." if shown and others else ""
    told = told or (f"Changed: {', '.join(others)}." if others else "")
    return "\n\n".join(part for part in (md.table(("", "Before", "After"), shown), told) if part)


def _value(value: Any) -> str:
    if value is None:
        return "—"
    written = md.as_yaml(value, flow=True)
    return md.code(written if len(written) <= _SHORT else f"{written[: _SHORT - 1]}…")


def _tables(book: Book, before: Book, here: str) -> Iterator[str]:
    after_tables, before_tables = book.ruleset.tables, before.ruleset.tables
    added, removed, changed = _sets(after_tables, before_tables, lambda a, b: a != b)
    if not (added or removed or changed):
        return
    yield "## Tables"
    said = [f"Added: {md.link(md.code(name), book.page_of_table(name), here)}" for name in added]
    said += [f"Removed: {md.link(md.code(name), before.page_of_table(name), here)}" for name in removed]
    yield md.bullets(said)
    for name in changed:
        yield f"### Table {name}"
        yield md.link(md.code(name), book.page_of_table(name), here)
        rows = [
            (md.code(path), _value(old), _value(new))
            for path, old, new in _leaves(before_tables[name], after_tables[name], "")
        ]
        yield md.table(("Entry", "Before", "After"), rows)


def _leaves(before: Any, after: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in dict.fromkeys([*before, *after]):
            if before.get(key) != after.get(key) or (key in before) != (key in after):
                yield from _leaves(before.get(key), after.get(key), f"{path}.{key}" if path else str(key))
    else:
        yield path, before, after


def _documents(book: Book, before: Book, here: str) -> Iterator[str]:
    rows = []
    for name in dict.fromkeys([*before.fields, *book.fields]):
        old, new = before.fields.get(name, {}), book.fields.get(name, {})
        added, removed, changed = _sets(new, old, lambda a, b: _told(a) != _told(b))
        label = book.document(name, here) if name in book.described else before.document(name, here)
        if name not in before.fields or name not in book.fields:
            rows.append((label, "", "the document is new" if name in book.fields else "the document is gone"))
            continue
        rows += [(label, book.field(name, path, here), f"added: {md.text(new[path].type)}") for path in added]
        rows += [(label, before.field(name, path, here), "removed") for path in removed]
        rows += [
            (label, book.field(name, path, here), _field_change(old[path], new[path])) for path in changed
        ]
    if rows:
        yield "## Documents"
        yield md.table(("Document", "Field", "Change"), rows)


def _told(field: Field) -> tuple[Any, ...]:
    return (field.type, field.required, field.default, field.aliases, field.unit)


def _field_change(before: Field, after: Field) -> str:
    said = []
    if before.type != after.type:
        said.append(f"{md.text(before.type)} → {md.text(after.type)}")
    if before.required != after.required:
        said.append("now required" if after.required else "no longer required")
    if before.default != after.default:
        said.append("another default")
    if before.aliases != after.aliases:
        said.append(f"also read: {', '.join(md.code(alias) for alias in after.aliases) or 'nothing else'}")
    if before.unit != after.unit:
        said.append(f"in {after.unit or 'no unit'}")
    return "; ".join(said)


def _facts(book: Book, before: Book, here: str) -> Iterator[str]:
    rows = []
    for scope in dict.fromkeys([*before.ruleset.facts, *book.ruleset.facts]):
        old, new = before.ruleset.facts.get(scope, {}), book.ruleset.facts.get(scope, {})
        added, removed, changed = _sets(
            new,
            old,
            lambda a, b: getattr(a.definition, "source", None) != getattr(b.definition, "source", None),
        )
        for word, names, shelf in (
            ("added", added, book),
            ("removed", removed, before),
            ("changed", changed, book),
        ):
            for name in names:
                fact = shelf.ruleset.facts[scope][name]
                linked = md.link(md.code(name), f"{shelf.root}/facts.md#{scope}.{name}", here)
                rows.append((linked, scope, word, shelf.prose(fact.doc, here)))
    if rows:
        yield "## Facts"
        yield md.table(("Fact", "Of each", "", "Is"), rows)


def _clauses(book: Book, before: Book, here: str) -> Iterator[str]:
    rows = []
    for label, new, old in (
        ("clause", book.sections, before.sections), ("row", book.rows, before.rows),
        ("question for reviewers", book.manual, before.manual),
    ):  # fmt: skip
        added, removed, changed = _sets(new, old, lambda a, b: a != b)
        for word, names in (("added", added), ("removed", removed), ("changed", changed)):
            for name in names:
                shelf = before if word == "removed" else book
                shown = shelf.clause(name, here, title=True) if label == "clause" else md.text(name)
                rows.append((label, shown, word, _inside(old.get(name, {}), new.get(name, {}), word)))
    if rows:
        yield "## Clauses"
        yield md.table(("", "Which", "", "How"), rows)


def _inside(before: Mapping[str, Any], after: Mapping[str, Any], word: str) -> str:
    if word != "changed":
        return ""
    keys = [key for key in dict.fromkeys([*before, *after]) if before.get(key) != after.get(key)]
    return "; ".join(f"{md.code(key)}: {_value(before.get(key))} → {_value(after.get(key))}" for key in keys)
