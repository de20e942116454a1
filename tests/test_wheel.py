"""The program works from its wheel alone: in an empty environment, far from the checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.submissions import SUBMISSIONS

CHECKOUT = Path(__file__).resolve().parents[1]

pytestmark = pytest.mark.slow


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run *command* with nothing in the environment that could lead back to the checkout."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL_ENV"))}
    return subprocess.run(command, cwd=cwd, env=clean, capture_output=True, text=True, timeout=300)


def succeed(*command: str | Path, cwd: Path) -> str:
    """Run *command*, which must not fail, and return what it printed."""
    done = run(*command, cwd=cwd)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """An environment that holds the built wheel and its dependencies; its folder of commands."""
    home = tmp_path_factory.mktemp("wheel")
    succeed(
        *(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", home / "dist", CHECKOUT),
        cwd=home,
    )
    (wheel,) = (home / "dist").glob("*.whl")
    succeed(sys.executable, "-m", "venv", home / "venv", cwd=home)
    commands = home / "venv" / "bin"
    succeed(commands / "python", "-m", "pip", "--disable-pip-version-check", "install", wheel, cwd=home)
    return commands


@pytest.mark.parametrize(("sample", "code"), [("compliant-2026-11", 0), ("non-compliant", 1)])
def test_installed_command_checks_a_folder(installed, tmp_path, sample, code):
    """The console command finds its rules and schemas in the wheel, and says so by its exit code."""
    shutil.copytree(SUBMISSIONS / sample, tmp_path / "submission")

    done = run(installed / "submission-checker", "check", "submission", cwd=tmp_path)

    assert done.returncode == code, done.stdout + done.stderr


def test_installed_module_runs(installed, tmp_path):
    """`python -m submission_checker` is the same program."""
    assert "check" in succeed(installed / "python", "-m", "submission_checker", "--help", cwd=tmp_path)


def test_wheel_brings_every_rule_and_schema(installed, tmp_path):
    """Nothing of rules/ and schemas/ is left behind."""
    place = "import submission_checker.resources as r; print(r.rulesets().parent)"

    bundled = Path(succeed(installed / "python", "-c", place, cwd=tmp_path).strip())

    for name in ("rules", "schemas"):
        here = {path.relative_to(CHECKOUT) for path in (CHECKOUT / name).rglob("*") if path.is_file()}
        there = {path.relative_to(bundled) for path in (bundled / name).rglob("*") if path.is_file()}
        assert there == here
