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
