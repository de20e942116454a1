"""The policy editor's bench: real commands, and rulesets of the tests' own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from submission_checker.engine import ruleset as rulesets
from submission_checker.engine.ruleset import Survey

ROOT = Path(__file__).parents[2]
RULESETS = ROOT / "fixtures" / "rulesets"
LIBRARY = RULESETS / "library"
SCHEMAS = ROOT / "schemas"
SETTINGS = "id: own\ntitle: Own\nextends: library\n"


class Answer:
    """What a command printed and how it ended."""

    def __init__(self, done: subprocess.CompletedProcess[str]):
        self.code = done.returncode
        self.out = done.stdout
        self.err = done.stderr

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def rules(tmp_path: Path) -> Callable[..., Answer]:
    """Run `submission-checker rules …` as a user would, in an empty folder; `group=()` for other commands."""

    def run(
        *arguments: str | Path,
        cwd: Path = tmp_path,
        group: tuple[str, ...] = ("rules",),
        columns: str = "100",
    ) -> Answer:
        environment = {**os.environ, "PYTHONWARNINGS": "error", "COLUMNS": columns}
        command = [sys.executable, "-m", "submission_checker", *group, *map(str, arguments)]
        done = subprocess.run(
            command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=60, check=False
        )
        assert "Traceback" not in done.stderr, done.stderr
        return Answer(done)

    return run


@pytest.fixture
def own(tmp_path: Path) -> Callable[..., Path]:
    """Write a ruleset that extends the library's: name of file to text."""

    def write(files: dict[str, str], settings: str = SETTINGS) -> Path:
        folder = tmp_path / "own"
        for name, text in {"ruleset.yaml": settings, **files}.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        if not (tmp_path / "library").exists():
            (tmp_path / "library").symlink_to(LIBRARY)
        return folder

    return write


def survey(folder: Path) -> Survey:
    return rulesets.survey(folder, functions={}, schemas=SCHEMAS, rulesets=RULESETS, examples=True)
