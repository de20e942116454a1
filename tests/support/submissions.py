"""The sample submissions, and others written as a difference from them.

A case is a YAML file under `fixtures/submissions/broken/`, or under `passing-2026-11/` for what passes:

    story: one point stops five minutes early      # one sentence
    base: compliant                                 # a folder beside `broken`; `compliant` unless said
    change:
      results/a/b/r8/result_summary.json:           # a path below the base, or a glob that matches something
        set: {/duration_ns: 900000000000}           #   JSON pointers into JSON or YAML; '-' appends to a list
        unset: [/tpot]
      docs/new.md: {text: "hello"}                  #   a whole file, new or replaced
      results/a/b/r9: {copy_of: results/a/b/r8}     #   a new file or folder like another
      results/a/b/r16: {moved_to: results/a/b/r017}
      src: removed                                  #   a file or folder
    expect:                                         # every error and warning of the check, and no other
      - {rule: point-duration, severity: warning, path: results/a/b/r8/result_summary.json}
    told:                                           # may be left out: what some result of a rule says
      power-descriptor: 12.50 kW provisioned        #   a part of its message
"""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

SUBMISSIONS = Path(__file__).resolve().parents[2] / "fixtures" / "submissions"

Finding = tuple[str, str, str]
"""Rule, severity, and the path below the submission's root."""


@dataclass(frozen=True, slots=True)
class Case:
    """A submission: how it differs from a sound one, and what that leads to."""

    name: str
    story: str
    base: Path
    change: dict[str, Any]
    expect: list[Finding]
    told: dict[str, str]
    """Rule to a part of the message of one of its results."""

    def materialise(self, root: Path) -> Path:
        """Write the whole submission to *root*, which does not exist yet, and return it."""
        shutil.copytree(self.base, root)
        for pattern, change in self.change.items():
            _apply(root, pattern, change)
        return root


def cases(folder: str = "broken") -> list[Case]:
    """Read every case of a folder, ordered by name."""
    return [_read(path) for path in sorted((SUBMISSIONS / folder).glob("*.yaml"))]


def findings_beside(folder: Path) -> list[Finding]:
    """Read what a sample that lies on disk is expected to lead to, from `<folder>.expect.yaml`."""
    return _findings(yaml.safe_load(folder.with_suffix(".expect.yaml").read_text(encoding="utf-8")))


def _read(path: Path) -> Case:
    told = yaml.safe_load(path.read_text(encoding="utf-8"))
    unknown = set(told) - {"story", "base", "change", "expect", "told"}
    if unknown:
        raise ValueError(f"{path}: unknown keys {sorted(unknown)}")
    return Case(
        name=path.stem,
        story=told["story"],
        base=SUBMISSIONS / told.get("base", "compliant"),
        change=told["change"],
        expect=_findings(told["expect"]),
        told=told.get("told", {}),
    )


def _findings(expected: list[dict[str, str]]) -> list[Finding]:
    return sorted((row["rule"], row["severity"], row["path"]) for row in expected)


def _apply(root: Path, pattern: str, change: Any) -> None:
    if change == "removed":
        for place in _existing(root, pattern):
            shutil.rmtree(place) if place.is_dir() else place.unlink()
    elif "text" in change:
        target = root / pattern
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(change["text"], encoding="utf-8")
    elif "copy_of" in change:
        source, target = root / change["copy_of"], root / pattern
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(source, target) if source.is_dir() else shutil.copy(source, target)
    elif "moved_to" in change:
        target = root / change["moved_to"]
        target.parent.mkdir(parents=True, exist_ok=True)
        (root / pattern).rename(target)
    elif change.keys() <= {"set", "unset"}:
        for place in _existing(root, pattern):
            _edit(place, change.get("set", {}), change.get("unset", []))
    else:
        raise ValueError(f"{pattern}: a change is removed, text, copy_of, moved_to, set or unset")


def _existing(root: Path, pattern: str) -> list[Path]:
    places = sorted(root.glob(pattern))
    if not places:
        raise ValueError(f"{pattern} matches nothing in the base submission")
    return places


def _edit(file: Path, put: dict[str, Any], drop: list[str]) -> None:
    is_json = file.suffix == ".json"
    text = file.read_text(encoding="utf-8")
    document = json.loads(text) if is_json else yaml.safe_load(text)
    for pointer, value in put.items():
        parent, last = _parent(document, pointer)
        if isinstance(parent, list) and last == "-":
            parent.append(value)
        else:
            parent[_key(parent, last)] = value
    for pointer in drop:
        parent, last = _parent(document, pointer)
        del parent[_key(parent, last)]
    text = json.dumps(document, indent=2) + "\n" if is_json else yaml.safe_dump(document, sort_keys=False)
    file.write_text(text, encoding="utf-8")


def _parent(document: Any, pointer: str) -> tuple[Any, str]:
    *path, last = (part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:])
    for part in path:
        document = document[_key(document, part)]
    return document, last


def _key(container: Any, part: str) -> str | int:
    return int(part) if isinstance(container, list) else part
