"""Two sets of rows compared, and the differences that are meant.

The same reading of `docs/conformance-deviations.yaml` as in the differential-testing kit: an entry excuses
a row of one of its rules, on one of its sides (default: all), in a case with an operator that matches one
of its globs.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from .store import ROOT, Row

DEVIATIONS = ROOT / "docs" / "conformance-deviations.yaml"
SIDES = ("missing", "extra", "severity")


@dataclass(frozen=True)
class Deviation:
    """Rows that may differ: of these rules, in cases with these operators, on these sides."""

    rules: tuple[str, ...]
    ops: tuple[str, ...]
    sides: tuple[str, ...]
    why: str

    def covers(self, operators: Iterable[str]) -> bool:
        return any(fnmatch.fnmatchcase(name, glob) for name in operators for glob in self.ops)


@dataclass(frozen=True)
class Difference:
    """One row on which two verdicts differ. *severity* is the reference's, or ours where it has none."""

    side: str
    rule: str
    severity: str
    path: str
    ours: str = ""  # our severity, where only that differs

    def __str__(self) -> str:
        change = f"{self.severity} -> {self.ours}" if self.ours else self.severity
        return f"{self.side:8} {self.rule} ({change}) {self.path or '(no path)'}"


def load_deviations(path: Path = DEVIATIONS) -> list[Deviation]:
    """The entries of a deviations file; ValueError where one is not as it must be."""
    entries = yaml.safe_load(path.read_text("utf-8")) or []
    return [_deviation(entry, path) for entry in entries]


def _deviation(entry: Any, path: Path) -> Deviation:
    if not isinstance(entry, dict) or set(entry) - {"rules", "ops", "sides", "why"}:
        raise ValueError(f"{path.name}: an entry has rules, ops, why and may have sides: {entry!r}")
    for key in ("rules", "ops"):
        if not isinstance(entry.get(key), list) or not entry[key]:
            raise ValueError(f"{path.name}: {key} must be a list that is not empty: {entry!r}")
    sides = entry.get("sides", list(SIDES))
    if not entry.get("why") or not set(sides) <= set(SIDES):
        raise ValueError(f"{path.name}: an entry says why, and sides are among {SIDES}: {entry!r}")
    return Deviation(tuple(entry["rules"]), tuple(entry["ops"]), tuple(sides), str(entry["why"]))


def differences(reference: Iterable[Row], ours: Iterable[Row]) -> list[Difference]:
    """Where *ours* differs; a rule that reports the same path with another severity is one difference."""
    missing, extra = set(reference) - set(ours), set(ours) - set(reference)
    found = []
    for row in sorted(missing):
        rule, severity, path = row
        other = min((r for r in extra if r[0] == rule and r[2] == path), default=None)
        if other is not None:
            missing.discard(row)
            extra.discard(other)
            found.append(Difference("severity", rule, severity, path, other[1]))
    found += [Difference("missing", *row) for row in missing]
    found += [Difference("extra", *row) for row in extra]
    return sorted(found, key=lambda d: (d.rule, d.path, d.side))


def told(found: Iterable[Difference]) -> list[str]:
    """A line for each rule, side and severity, with the first of its paths."""
    groups: dict[tuple[str, str, str, str], list[Difference]] = {}
    for one in found:
        groups.setdefault((one.rule, one.side, one.severity, one.ours), []).append(one)
    return [
        f"{some[0]}" + (f" and {len(some) - 1} more" if len(some) > 1 else "") for some in groups.values()
    ]


def excusing(
    difference: Difference, operators: Sequence[str], deviations: Iterable[Deviation]
) -> Deviation | None:
    """The first entry that excuses *difference* in a case of these operators."""
    return next(
        (
            entry
            for entry in deviations
            if difference.rule in entry.rules and difference.side in entry.sides and entry.covers(operators)
        ),
        None,
    )
