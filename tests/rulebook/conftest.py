"""Pages of the toy ruleset and of the shipped ones; the site, made once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from submission_checker import api
from submission_checker.engine.ruleset import Survey
from submission_checker.rulebook.building import Material, build

ROOT = Path(__file__).parents[2]
RULESETS = ROOT / "fixtures" / "rulesets"
SHIPPED = sorted(file.parent.name for file in (ROOT / "rules").glob("*/ruleset.yaml"))


def survey(name: str | Path) -> Survey:
    found = api.survey_ruleset(name)
    assert found.mistakes == []
    return found


@pytest.fixture(scope="session")
def library() -> Mapping[str, str]:
    """The pages of the toy ruleset and of one that is laid over it."""
    return build(Material(surveys=[survey(RULESETS / name) for name in ("library", "library-strict")]))


def run(*arguments: str, checkout: Path = ROOT, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run `submission-checker` of a checkout, as a user would."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("MLPERF_")}
    return subprocess.run(
        [sys.executable, "-m", "submission_checker", *arguments],
        cwd=cwd or checkout,
        env={**clean, "PYTHONPATH": str(checkout / "src"), "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "90"},
        capture_output=True,
        text=True,
        timeout=300,
    )


def copy(checkout: Path, to: Path) -> Path:
    """Copy what the pages are made of, and the pages."""
    for name in ("src", "rules", "schemas", "docs"):
        shutil.copytree(checkout / name, to / name, ignore=shutil.ignore_patterns("__pycache__"))
    return to


def once(folder: Path, make: Callable[[Path], None]) -> Path:
    """Make something once, whichever of the test workers comes first."""
    done = folder.with_suffix(".done")
    try:
        folder.with_suffix(".begun").touch(exist_ok=False)
    except FileExistsError:
        end = time.monotonic() + 240
        while not done.exists():
            assert time.monotonic() < end, f"the other worker does not finish {folder}"
            time.sleep(0.2)
        return folder
    make(folder)
    done.touch()
    return folder


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all test workers of this run share."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base


@pytest.fixture(scope="session")
def checkout(shared: Path) -> Path:
    """A copy of the checkout with pages that are up to date."""

    def make(folder: Path) -> None:
        copy(ROOT, folder)
        done = run("docs", "build", checkout=folder)
        assert done.returncode == 0, done.stdout + done.stderr

    return once(shared / "docs-checkout", make)


@pytest.fixture(scope="session")
def site(shared: Path) -> Path:
    """The site of the checkout's pages."""

    def make(folder: Path) -> None:
        from submission_checker.rulebook.site import make as make_site

        make_site(ROOT / "docs", folder)

    return once(shared / "docs-site", make)
