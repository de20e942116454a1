"""Waivers: findings that people decided to let stand, for a reason and until a day.

A waiver hides nothing: its findings stay in the report and only stop counting. One that is of no
use (for no such rule, past its day, for no finding) is a mistake, so that none stays around unseen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timezone
from typing import Any

from submission_checker.engine.errors import Mistake, did_you_mean
from submission_checker.engine.model import CheckResult, Held, Verdict, Waiver

NOWHERE = "nowhere"
"""What `where` says of findings without a place."""
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Entry:
    """A waiver, and where it is written."""

    waiver: Waiver
    file: str
    line: int
    column: int

    def mistake(self, message: str) -> Mistake:
        """Say *message* of it."""
        return Mistake(self.file, self.line, self.column, message)


def today() -> date:
    """Return the current day, in UTC."""
    return datetime.now(timezone.utc).date()


def day(text: str) -> date | None:
    """Read a day of the calendar, written YYYY-MM-DD.

    >>> day("2026-02-28"), day("2026-02-30"), day("28.2.2026")
    (datetime.date(2026, 2, 28), None, None)
    """
    try:
        return date.fromisoformat(text) if _DAY.fullmatch(text) else None
    except ValueError:
        return None


def refusal(waiver: Waiver, find: Callable[[str], object], known: Iterable[str], as_of: date) -> str:
    """Say why a waiver does not hold, whatever the submission is like; nothing where it does.

    Args:
        waiver: The waiver.
        find: Gives the rule of that id or alias, or None.
        known: All those names.
        as_of: The day of the check. A waiver holds to the end of its last day.
    """
    if find(waiver.rule) is None:
        return f"a waiver of no rule: {waiver.rule}{did_you_mean(waiver.rule, known)}"
    last = day(waiver.expires)
    if last is None:
        return f"expires: {waiver.expires!r:.40} is no day, written YYYY-MM-DD"
    if last < as_of:
        return f"the waiver of {waiver.rule} expired on {last}, and this is {as_of}"
    return ""


def matches(where: str, result: CheckResult) -> bool:
    """Tell whether a finding stands where a waiver says.

    Args:
        where: A pattern for its location, maybe with `#` and a pattern for its pointer.
        result: The finding.
    """
    location, hash_sign, pointer = where.partition("#")
    if location == NOWHERE or not result.location:
        return location == NOWHERE and not result.location
    if not _fits_path(location, result.location):
        return False
    return not hash_sign or _fits_path(pointer, result.pointer or "")


def fits(pattern: str, location: str) -> bool:
    """Tell whether a location fits a pattern: `*` is a part of a name, `**` any number of folders.

    >>> fits("results/*/r1*", "results/a/r16"), fits("results/**", "results/a/r16"), fits("r*", "results/a")
    (True, True, False)
    """
    return _fits_path(pattern, location)


def _fits_path(pattern: str, path: str) -> bool:
    return _glob(pattern.strip("/").split("/"), path.strip("/").split("/"), "**", _fits_name)


def _fits_name(pattern: str, name: str) -> bool:
    return _glob(pattern, name, "*", lambda wanted, letter: wanted in (letter, "?"))


def _glob(pattern: Sequence[str], items: Sequence[str], star: str, fit: Callable[[str, str], bool]) -> bool:
    """Match items to a pattern in which *star* stands for any number of them.

    It goes back to the last star only, so that no pattern takes more than the product of both lengths.
    """
    at = number = 0
    last, kept = -1, 0
    while number < len(items):
        if at < len(pattern) and pattern[at] == star:
            last, kept = at, number
            at += 1
        elif at < len(pattern) and fit(pattern[at], items[number]):
            at += 1
            number += 1
        elif last >= 0:
            kept += 1
            at, number = last + 1, kept
        else:
            return False
    return all(part == star for part in pattern[at:])


@dataclass(frozen=True, slots=True)
class Outcome:
    """What waivers did to the results of a check."""

    results: list[CheckResult]
    used: tuple[Entry, ...]
    unused: tuple[Entry, ...]
    """Waivers of no finding."""
    untried: tuple[Entry, ...]
    """Waivers of no finding, whose rule was held back somewhere: there may be one yet."""


def apply(
    entries: Sequence[Entry],
    find: Callable[[str], Any],
    results: Iterable[CheckResult],
    held: Iterable[Held] = (),
) -> Outcome:
    """Waive the findings that waivers are for.

    Only a broken rule can be waived: one that could not be evaluated has found nothing yet.

    Args:
        entries: The waivers, of which each holds.
        find: Gives the rule of that id or alias.
        results: The results of a check.
        held: What gates held back in it.
    """
    wanted = [(entry, find(entry.waiver.rule).id) for entry in entries]
    used: set[Entry] = set()
    after: list[CheckResult] = []
    for result in results:
        if result.verdict is Verdict.BROKEN:
            here = [e for e, rule in wanted if rule == result.rule and matches(e.waiver.where, result)]
            used.update(here)
            result = replace(result, waiver=here[0].waiver) if here else result
        after.append(result)
    back = {rule for gate in held for rule in gate.rules}
    left = [(entry, rule) for entry, rule in wanted if entry not in used]
    return Outcome(
        results=after,
        used=tuple(entry for entry in entries if entry in used),
        unused=tuple(entry for entry, rule in left if rule not in back),
        untried=tuple(entry for entry, rule in left if rule in back),
    )
