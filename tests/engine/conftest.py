"""A library of branches and shelves: folders, and the toy ruleset that is laid over them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from submission_checker.engine import ruleset as rulesets
from submission_checker.engine.judge import Judge
from submission_checker.engine.model import CheckResult, Held
from submission_checker.engine.ruleset import Ruleset
from submission_checker.engine.subjects import Run

ROOT = Path(__file__).parents[2]
RULESETS = ROOT / "fixtures" / "rulesets"
SCHEMAS = ROOT / "schemas"

LIBRARY: dict[str, str] = {
    "branches/north/s1/card.yaml": "books: 10\nsubject: poetry\n",
    "branches/north/s1/loans.json": '{"out": [{"reader": "Ann"}], "days": 3}',
    "branches/north/s2/card.yaml": 'books: "30"\nsubject: history\n',
    "branches/north/sign.TXT": "North",
    "house.yaml": "closed: [south]\n",
}


def load(name: str, **settings: Any) -> Ruleset:
    return rulesets.load(RULESETS / name, functions={}, schemas=SCHEMAS, **settings)


@pytest.fixture(scope="session")
def ruleset() -> Ruleset:
    return load("library")


@pytest.fixture
def library(tmp_path: Path) -> Callable[..., Path]:
    """Write a library; keyword-free changes are file to text, None leaves a file out."""

    def write(changes: dict[str, Any] | None = None) -> Path:
        for name, text in {**LIBRARY, **(changes or {})}.items():
            if text is None:
                continue
            file = tmp_path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(text, bytes):
                file.write_bytes(text)
            else:
                file.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
        return tmp_path

    return write


@pytest.fixture
def check(ruleset: Ruleset) -> Callable[..., tuple[list[CheckResult], list[Held]]]:
    def run(root: Path, rules: Ruleset = ruleset, **settings: Any) -> tuple[list[CheckResult], list[Held]]:
        return Judge(rules, Run(rules, root), **settings).judge_all()

    return run
