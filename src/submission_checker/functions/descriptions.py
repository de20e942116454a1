"""Documents of a curve side by side: what is missing in one, and where copies of one differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def missing_fields(document: Mapping[str, Any], fields: Sequence[str]) -> list[str]:
    """List the fields that a document leaves out.

    Args:
        document: Document as submitted.
        fields: Names of the fields it should have.

    Returns:
        Those that are absent, null or an empty text, in the order of `fields`.

    Clause:
        endpoints_rules.md §8.3

    >>> missing_fields({"division": "", "model_name": " "}, ["division", "model_name", "seed_set"])
    ['division', 'seed_set']
    """
    return [field for field in fields if document.get(field) is None or document[field] == ""]


def first_difference(copies: Sequence[Mapping[str, Any]], *, ignored: Sequence[str]) -> dict[str, Any] | None:
    """Find the first copy of a document that differs from the first one.

    Order of keys does not matter, order of lists does; 1, 1.0 and true are equal.

    Args:
        copies: Copies as submitted.
        ignored: Fields at the top of the document that may differ.

    Returns:
        Its `index` among the copies and the top-level `fields` that differ, sorted; None when all are equal.

    Clause:
        endpoints_rules.md §8.5, §9.1

    >>> first_difference([{"a": 1, "b": 2}, {"a": 1.0, "b": 3}], ignored=[])
    {'index': 1, 'fields': ['b']}
    """
    if not copies:
        return None
    first = {name: value for name, value in copies[0].items() if name not in ignored}
    for index, copy in enumerate(copies):
        other = {name: value for name, value in copy.items() if name not in ignored}
        if other != first:
            names = {*first, *other}
            fields = [
                name
                for name in names
                if (name in first) != (name in other) or first.get(name) != other.get(name)
            ]
            return {"index": index, "fields": sorted(fields)}
    return None


def spellings_of(document: Mapping[str, Any], *, names: Sequence[str]) -> dict[str, Any]:
    """Read a field that may be spelled in several ways, and say whether the spellings agree.

    Args:
        document: Document as submitted.
        names: Names of the field, the one that counts first.

    Returns:
        `given`, value by name of those that are neither absent, null nor an empty text; `agree`, whether they
        are one text apart from letter case and blanks around it; and the `value` of the first one, or None.

    Clause:
        endpoints_rules.md §8.2

    >>> spellings_of({"status": "Available", "availability": "preview"}, names=["status", "availability"])
    {'given': {'status': 'Available', 'availability': 'preview'}, 'agree': False, 'value': 'Available'}
    """
    given = {
        name: document[name] for name in names if document.get(name) is not None and document[name] != ""
    }
    texts = {str(value).strip().lower() for value in given.values()}
    return {"given": given, "agree": len(texts) <= 1, "value": next(iter(given.values()), None)}
