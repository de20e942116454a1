"""A tailoring file: one user's changes on top of a ruleset, each of them told in the report."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from submission_checker.engine import shapes, source
from submission_checker.engine.errors import Mistake, RulesetError
from submission_checker.engine.model import Waiver
from submission_checker.engine.waivers import Entry, today

ADDED = "added"
"""Family of added rules that name none."""
_SHOWN = 80
_MANY = 8


class TailoringError(RulesetError):
    """A tailoring that cannot be used, or that does not fit the submission."""


@dataclass(frozen=True, slots=True, eq=False)
class Tailoring:
    """What a tailoring file asks for."""

    file: Path
    content: dict[str, Any] = field(repr=False)
    marks: source.Marks = field(repr=False)
    as_of: date
    """The day of the check: what decides whether a waiver still holds."""
    with_waivers: bool = True
    """Whether waivers are applied; a reviewer may want to see what is behind them."""

    @property
    def folders(self) -> list[Path]:
        """Folders of added rules."""
        return [self.file.parent / name for name in self.content.get("folders", ())]

    @property
    def fingerprint(self) -> str:
        """Name of the file, and what tells its content from another's."""
        written = json.dumps(self.content, sort_keys=True).encode()
        return f"{self.file.name} {hashlib.sha256(written).hexdigest()[:12]}"

    def waivers(self) -> Iterator[Entry]:
        """Yield the waivers with their places."""
        for index, entry in enumerate(self.content.get("waivers", ())):
            line, column = self.marks.place(("waivers", index))
            yield Entry(Waiver(**entry), self.marks.file, line, column)


def read(
    file: Path, *, schema: Path | None = None, as_of: date | None = None, with_waivers: bool = True
) -> Tailoring:
    """Read a tailoring file.

    Args:
        file: The file.
        schema: The JSON Schema of such files.
        as_of: The day of the check; today in UTC by default.
        with_waivers: Whether to apply its waivers.

    Raises:
        TailoringError: with every mistake in its form.
    """
    try:
        content, marks = source.load(file)
    except RulesetError as error:
        raise TailoringError(error.mistakes) from None
    content = {} if content is None else content
    found = [] if schema is None else shapes.mistakes(schema, content, marks)
    if not isinstance(content, dict) and not found:
        found = [marks.mistake((), "must be a mapping")]
    if found:
        raise TailoringError(found)
    return Tailoring(file, content, marks, as_of or today(), with_waivers)


def differences(before: Any, after: Any, name: str = "") -> Iterator[str]:
    """Yield what differs between two values, a phrase for each part.

    >>> list(differences({"a": {"b": 1, "c": 2}}, {"a": {"b": 3, "c": 2}}))
    ['a.b is 3 instead of 1']
    """
    if before == after and type(before) is type(after):
        return
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in [*before, *(key for key in after if key not in before)]:
            inner = f"{name}.{key}" if name else str(key)
            if key not in after:
                yield f"{inner} is taken away"
            elif key not in before:
                yield f"{inner} is {shown(after[key])}, and was not there"
            else:
                yield from differences(before[key], after[key], inner)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from differences(old, new, f"{name}[{index}]")
    else:
        yield f"{name} is {shown(after)} instead of {shown(before)}"


def shown(value: Any) -> str:
    """Write a value of a rule in a sentence, shortened.

    >>> shown(None), shown(True), shown([1, "a"])
    ('null', 'true', '[1, a]')
    """
    text = _written(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _written(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, list):
        return f"[{', '.join(_written(item) for item in value)}]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_written(item)}" for key, item in value.items()) + "}"
    return " ".join(str(value).split())


def listed(phrases: Iterator[str]) -> str:
    """Join phrases, the first of many.

    >>> listed(iter("abc"))
    'a; b; c'
    """
    found = list(phrases)
    more = f"; and {len(found) - _MANY} more" if len(found) > _MANY else ""
    return "; ".join(found[:_MANY]) + more


def about_waiver(entry: Entry, with_waivers: bool) -> str:
    """Say what a waiver lets stand."""
    waiver = entry.waiver
    what = "is waived" if with_waivers else "would be waived, but waivers are set aside:"
    by = f"(by {waiver.approved_by}, until {waiver.expires})"
    return f"{waiver.rule} {what} at {waiver.where}: {waiver.reason} {by}"


def mistake_of_unused(entry: Entry) -> Mistake:
    """Say that a waiver is for no finding."""
    waiver = entry.waiver
    return entry.mistake(
        f"the waiver of {waiver.rule} matches no finding at {waiver.where}: take it away, or write where "
        "the finding is"
    )
