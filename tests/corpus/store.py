"""The files of the fixed corpus, and a case put on disk.

    fixtures/corpus/rules.yaml      the rule ids of each policy, and which never break or never pass
    fixtures/corpus/bases.yaml      how the bases are made (read by `refresh` only)
    fixtures/corpus/<policy>.jsonl  a case a line: its base, its changes, the reference's verdict

A line without operators is a base: a valid submission, told as changes of nothing, with all rows of its
verdict. Every other line is told by how it differs: `changes` of the base's files, and of the base's rows
those that are `gone` and those that are `new` (after the moves among the changes, so that a renamed folder
is one change and not a hundred). Paths that differ in one name only share a text: `r{1,2,8}/point.yaml`.

The folder of a case holds `submission/` and, where they belong to it, `seed_sets.yaml` and
`approved_drafters.yaml`, which are then passed to the checker (also where the case took the file away).
"""

from __future__ import annotations

import functools
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from . import trees
from .trees import Change, Tree

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "fixtures" / "corpus"
POLICIES = ("2026-10", "2026-11")

SUBMISSION = "submission"
OPTIONS = {"seed_sets": "seed_sets.yaml", "approved_drafters": "approved_drafters.yaml"}

Row = tuple[str, str, str]
"""Rule, severity (`info` where it passed), path below what was checked ("" for none, "." for that itself)."""
Rows = frozenset[Row]

_NUMBER = re.compile(r"/r(\d+)(?=/|$)")
_BRACES = re.compile(r"\{([\d,]+)\}")


@dataclass(frozen=True)
class Request:
    """What a checker is asked: a path and the external lists."""

    policy: str
    path: Path
    seed_sets: Path | None
    approved_drafters: Path | None


@dataclass(frozen=True)
class Case:
    """One submission and what the reference said about it."""

    policy: str
    base: str
    operators: tuple[str, ...]
    changes: list[Change] = field(repr=False)
    asked: str = ""
    crash: str = ""  # the reference's exception, where it gave no verdict
    rows: Rows = field(default=frozenset(), repr=False)

    @property
    def name(self) -> str:
        return "{} {} on {}".format(self.policy, " & ".join(self.operators) or "(valid)", self.base)

    @property
    def has_modes(self) -> bool:
        return any("chmod" in change for change in self.changes)

    def tree(self, bases: Mapping[str, Tree] | None = None) -> Tree:
        """The case's files; *bases* stand in for the stored ones."""
        return trees.apply(self.start(bases), self.changes)

    def start(self, bases: Mapping[str, Tree] | None = None) -> Tree:
        """What the changes start from: nothing for a base itself."""
        if not self.operators:
            return {}
        return (base_trees(self.policy) if bases is None else bases)[self.base]

    def request(self, folder: Path, bases: Mapping[str, Tree] | None = None) -> Request:
        """What is asked where *folder* holds the case."""
        start, tree = self.start(bases), self.tree(bases)
        asked = os.path.join(folder, SUBMISSION, self.asked) if self.asked else folder / SUBMISSION  # noqa: PTH118
        given = {name: folder / file for name, file in OPTIONS.items() if file in start or file in tree}
        return Request(self.policy, Path(asked), given.get("seed_sets"), given.get("approved_drafters"))

    def materialise(self, folder: Path, bases: Mapping[str, Tree] | None = None) -> Request:
        """Write the case into *folder*; modes are left to `close`."""
        folder.mkdir(parents=True, exist_ok=True)
        trees.write(self.tree(bases), folder)
        return self.request(folder, bases)

    def close(self, folder: Path) -> None:
        """Set the modes of the case's files and folders."""
        for path, mode in trees.modes(self.changes):
            (folder / path).chmod(mode)

    def reopen(self, folder: Path) -> None:
        """Make what `close` closed removable again."""
        for path, _ in reversed(trees.modes(self.changes)):
            (folder / path).chmod(0o755)


# ---------------------------------------------------------------- the file


def path_of(policy: str) -> Path:
    return FOLDER / f"{policy}.jsonl"


@functools.cache
def cases(policy: str) -> tuple[Case, ...]:
    """The cases of *policy*, in the order of their file: the bases, then the others by operator."""
    with path_of(policy).open(encoding="ascii") as lines:
        return tuple(_parsed(policy, lines))


@functools.cache
def base_trees(policy: str) -> dict[str, Tree]:
    """The files of each base of *policy*. Shared: not to be changed."""
    return {case.base: case.tree() for case in cases(policy) if not case.operators}


def _parsed(policy: str, lines: Iterable[str]) -> Iterator[Case]:
    valid: dict[str, Rows] = {}
    for line in lines:
        record = json.loads(line)
        base, changes = record["base"], record.get("changes", [])
        crash = record.get("crash", "")
        rows = frozenset() if crash else valid.get(base, frozenset())
        rows = _moved(rows, changes) - _ungrouped(record.get("gone", {}))
        if record.get("gone") == "all":
            rows = frozenset()
        rows |= _ungrouped(record.get("new", {}))
        if not record["ops"]:
            valid[base] = rows
        yield Case(policy, base, tuple(record["ops"]), changes, record.get("ask", ""), crash, rows)


def text_of(cases: Iterable[Case]) -> str:
    """The file that says *cases*; a base comes before what is told by it."""
    valid: dict[str, Rows] = {}
    lines = []
    for case in cases:
        lines.append(line_of(case, valid.get(case.base, frozenset())) + "\n")
        if not case.operators:
            valid[case.base] = case.rows
    return "".join(lines)


def line_of(case: Case, valid: Rows) -> str:
    """The line of *case*; *valid* are the rows of its base (none for a base itself)."""
    record: dict[str, Any] = {"base": case.base, "ops": list(case.operators)}
    if case.asked:
        record["ask"] = case.asked
    if case.changes:
        record["changes"] = case.changes
    if case.crash:
        return json.dumps({**record, "crash": case.crash})
    expected = _moved(valid, case.changes)
    new = _grouped(case.rows - expected)
    gone = _grouped(expected - case.rows)
    told: list[dict[str, Any]] = [{"gone": "all", "new": _grouped(case.rows)}, {"gone": gone, "new": new}]
    best = min(told, key=lambda way: len(json.dumps(way)))
    return json.dumps({**record, **{key: value for key, value in best.items() if value}})


# ---------------------------------------------------------------- rows


def _moved(rows: Rows, changes: Iterable[Change]) -> Rows:
    """*rows* with their paths where the moves among *changes* put them."""
    for change in changes:
        if "move" in change:
            old, new = (path.removeprefix(SUBMISSION + "/") for path in change["move"])
            rows = frozenset(
                (rule, severity, new + path[len(old) :] if f"{path}/".startswith(f"{old}/") else path)
                for rule, severity, path in rows
            )
    return rows


def _grouped(rows: Iterable[Row]) -> dict[str, str]:
    """{"error results/a/b": "point-cap point-count"}"""
    paths: dict[tuple[str, str], set[str]] = {}
    for rule, severity, path in sorted(rows):
        paths.setdefault((severity, rule), set()).add(path)
    rules: dict[str, list[str]] = {}
    for (severity, rule), some in paths.items():
        for text in _folded(some):
            rules.setdefault(f"{severity} {text}", []).append(rule)
    return {place: " ".join(names) for place, names in sorted(rules.items())}


def _ungrouped(groups: Mapping[str, str] | str) -> Rows:
    if isinstance(groups, str):
        return frozenset()
    return frozenset(
        (rule, severity, path)
        for place, names in groups.items()
        for severity, text in [place.split(" ", 1)]
        for path in _unfolded(text)
        for rule in names.split(" ")
    )


def _folded(paths: set[str]) -> list[str]:
    """Paths that differ in the number of one folder only, as one text: `a/r{1,2}/b`."""
    groups: dict[tuple[str, str], list[str]] = {}
    for path in sorted(paths):
        found = _NUMBER.search(path)
        key = (path[: found.start(1)], path[found.end(1) :]) if found else (path, "")
        groups.setdefault(key, []).append(found.group(1) if found else "")
    return [
        f"{before}{numbers[0]}{after}" if len(numbers) == 1 else f"{before}{{{','.join(numbers)}}}{after}"
        for (before, after), numbers in groups.items()
    ]


def _unfolded(text: str) -> list[str]:
    found = _BRACES.search(text)
    if not found:
        return [text]
    return [text[: found.start()] + number + text[found.end() :] for number in found.group(1).split(",")]


def rule_lists(policy: str) -> dict[str, set[str]]:
    """`rules`, `never_broken` and `never_passed` of *policy*: what the reference can report."""
    lists: dict[str, dict[str, str]] = yaml.safe_load((FOLDER / "rules.yaml").read_text("utf-8"))
    return {name: set(rules.split()) for name, rules in lists[policy].items()}
