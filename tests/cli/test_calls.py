"""Wrong calls: the exit code says whose fault it is, and the text says what to do."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import COMMAND, Run, environment
from tests.support.submissions import SUBMISSIONS

LIBRARY = SUBMISSIONS.parent / "rulesets" / "library"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["check", ""], 2, "it is empty; write . for the current folder"),
        (["check", "sound", "-o", "-"], 2, "- is no file; to print a report, write --format json"),
        (["check", "sound", "-o", "htlm=page.html"], 2, "no format 'htlm'; did you mean html?"),
        (["check", "sound", "-o", "word=page.doc"], 2, "no format 'word'; there are text, json"),
        (["check", "sound", "-q", "-o", "/dev/full"], 3, "'/dev/full': No space left on device"),
        (["regions", "-M", "1024", "--svg", "/dev/full"], 3, "'/dev/full': No space left on device"),
        (["batch", ".", "-o", "sound/docs/x/records"], 3, "No such file or directory"),
        (["regions", "-M", "32"], 2, "C_max must be above 32, not 32"),
        (["regions", "-M", "1024", "-m", "33"], 2, "C_min must be from 1 to 32, not 33"),
        (
            ["regions", "-M", "1024", "--ruleset", str(LIBRARY)],
            2,
            "the ruleset library has no table of regions",
        ),
        (["chek", "sound"], 2, "no command 'chek'; did you mean check?"),
        (["rules", "shwo"], 2, "did you mean show?"),
        (["check", "sound", "--fromat", "json"], 2, "--format"),
        (["batch", "sound/docs"], 3, "nothing was checked"),
        (["batch", "nowhere"], 2, "'nowhere' does not exist"),
    ],
)
def test_what_is_wrong_with_a_call(run: Run, sound: Path, arguments: list[str], code: int, said: str) -> None:
    done = run(*arguments)
    assert done.returncode == code, done.stdout + done.stderr
    assert said in " ".join((done.stdout + done.stderr).split())
    assert "Traceback" not in done.stderr


def test_a_file_may_have_an_equals_sign(run: Run, sound: Path, tmp_path: Path) -> None:
    assert run("check", "sound", "-q", "-o", "./a=b", "--ruleset", "2026-10").returncode == 0
    assert (tmp_path / "a=b").is_file()


def test_what_was_held_back_is_said_even_quietly(run: Run, sound: Path) -> None:
    shutil.rmtree(sound / "docs")
    done = run("check", "-q", sound, "--ruleset", "2026-10")
    assert "FAILED: 1 error; " in done.stdout and " rules held back" in done.stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
@pytest.mark.parametrize("arguments", [["check", "-q", "sound"], ["regions", "-M", "1024"], ["--help"]])
def test_a_full_disk_is_no_verdict(sound: Path, arguments: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, *arguments], cwd=sound.parent, env=environment(), stdout=full, stderr=subprocess.PIPE,
            encoding="utf-8", timeout=60,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (3, "Error: the output: No space left on device\n")


@pytest.mark.parametrize(("sample", "code"), [("compliant", 0), ("non-compliant", 1)])
@pytest.mark.parametrize("closed", [1, 2])
def test_closed_streams_change_no_verdict(closed: int, sample: str, code: int) -> None:
    shell = f'exec "$0" "$@" {closed}>&-'
    done = subprocess.run(
        ["sh", "-c", shell, *COMMAND, "check", "--ruleset", "2026-10", str(SUBMISSIONS / sample)],
        env=environment(), capture_output=True, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (code, b"")
