"""The command as a process, as people start it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.support.submissions import SUBMISSIONS

COMMAND = [sys.executable, "-m", "submission_checker"]
RUNNER = ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "GITHUB_WORKSPACE", "NO_COLOR", "MLPERF_ENDPOINTS_RULESET")

Run = Callable[..., subprocess.CompletedProcess[str]]


def environment(changes: Mapping[str, str] | None = None) -> dict[str, str]:
    """Ours, without what a machine may say of terminals and workflows, and with the rules of the samples."""
    kept = {key: value for key, value in os.environ.items() if key not in RUNNER}
    return {**kept, "PYTHONUTF8": "1", "MLPERF_ENDPOINTS_RULESET": "2026-10", **(changes or {})}


@pytest.fixture(scope="session", autouse=True)
def ctrl_c_counts() -> Iterator[None]:
    """A shell that starts the tests in the background has Ctrl-C ignored, by them and all they start."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Start the command in an empty folder."""

    def start(
        *arguments: str | Path, env: Mapping[str, str] | None = None, cwd: Path = tmp_path
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*COMMAND, *map(str, arguments)],
            cwd=cwd,
            env=environment(env),
            capture_output=True,
            encoding="utf-8",
            timeout=120,
        )

    return start


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    """A copy of the sound sample."""
    return Path(shutil.copytree(SUBMISSIONS / "compliant", tmp_path / "sound"))


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A copy of the sample with mistakes."""
    return Path(shutil.copytree(SUBMISSIONS / "non-compliant", tmp_path / "broken"))
