"""Colours, progress and hostile strings on a real terminal and in a pipe."""

from __future__ import annotations

import io
import os
import pty
import re
import select
import subprocess
import time
import unicodedata
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from submission_checker.cli.progress import ProgressLine
from submission_checker.reports import FORMATS
from tests.cli.conftest import COMMAND, Run, environment
from tests.reports.test_hostile import PARSERS

COLOUR = re.compile("\x1b\\[[0-9;]*m")


def on_a_terminal(*arguments: str | Path, env: Mapping[str, str] | None = None) -> str:
    """What the command prints where all its streams are a terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *map(str, arguments)],
        stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True,
        env=environment({"TERM": "xterm-256color", **(env or {})}),
    )  # fmt: skip
    os.close(theirs)
    printed = bytearray()
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        if select.select([ours], [], [], 0.2)[0]:
            try:
                chunk = os.read(ours, 65536)
            except OSError:  # Linux: the other end was closed
                break
            if not chunk:
                break
            printed += chunk
    assert process.wait(30) in (0, 1)
    os.close(ours)
    return printed.decode("utf-8").replace("\r\n", "\n")


def test_a_terminal_gets_colours_and_the_same_words(run: Run, broken: Path) -> None:
    printed = on_a_terminal("check", broken)
    piped = run("check", broken).stdout
    assert COLOUR.search(printed)
    assert "\x1b" not in piped
    assert COLOUR.sub("", printed) == piped


@pytest.mark.parametrize(
    ("arguments", "env", "coloured"),
    [
        ([], {"NO_COLOR": "1"}, False),
        ([], {"TERM": "dumb"}, False),
        (["--color", "never"], {}, False),
        (["--color", "always"], {"NO_COLOR": "1"}, True),
    ],
)
def test_who_wants_no_colours_gets_none(
    broken: Path, arguments: list[str], env: dict[str, str], coloured: bool
) -> None:
    assert bool(COLOUR.search(on_a_terminal("check", broken, *arguments, env=env))) is coloured


def test_a_pipe_may_have_colours_too(run: Run, broken: Path) -> None:
    assert COLOUR.search(run("check", broken, "--color", "always").stdout)


HOSTILE = (
    "\x1b[31mred\x1b]8;;http://evil.example\x07\x9b2J\u202egnp\u2066"
    " ::error::x <script>alert(1)</script> =1+1"
)
FOLDER = "r8\x1b[2J\u202e<img src=x onerror=alert(1)>\n::error::y"


@pytest.fixture
def hostile(broken: Path) -> Path:
    """A submission that means ill: in values, in keys, in names of folders and files."""
    curve = next(broken.glob("results/*/*"))
    for file in curve.glob("r*/point.yaml"):
        point = yaml.safe_load(file.read_text("utf-8"))
        point.update(model_name=HOSTILE, region=HOSTILE, shared_src=HOSTILE, **{HOSTILE: HOSTILE})
        file.write_text(yaml.safe_dump(point, allow_unicode=True), encoding="utf-8")
    (curve / "r16" / "result_summary.json").write_text(f'{{"{"N" * 1_000_000}": 1', encoding="utf-8")
    curve.rename(curve.with_name("model\x1b[31m\u202e<b>\n::error::z"))
    (broken / "src" / FOLDER.replace("/", "")).mkdir()
    (broken / "results" / os.fsdecode(b"bad\xff\x9b2Jname")).mkdir()
    return broken


@pytest.mark.parametrize("form", FORMATS)
def test_hostile_strings_stay_text(run: Run, hostile: Path, form: str) -> None:
    done = run("check", hostile, "--format", form, "-v")
    assert done.returncode in (1, 3) and "Traceback" not in done.stderr
    shown = {c for c in done.stdout if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")}
    assert shown <= {"\n"}
    PARSERS.get(form, lambda _: None)(done.stdout)
    if form != "github":
        assert not [line for line in done.stdout.splitlines() if line.lstrip().startswith("::")]
    assert len(done.stdout) < 3_000_000


def test_hostile_strings_on_a_terminal(hostile: Path) -> None:
    plain = COLOUR.sub("", on_a_terminal("check", hostile, "--color", "never"))
    assert {c for c in plain if unicodedata.category(c) in ("Cc", "Cf")} <= {"\n"}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class TestProgress:
    def test_what_is_over_soon_shows_nothing(self) -> None:
        terminal, clock = Terminal(), Clock()
        with ProgressLine("Checking", "folders", stream=terminal, clock=clock) as progress:
            clock.now = 0.9
            progress(3, 4)
        assert terminal.getvalue() == ""

    def test_what_takes_long_shows_how_far_it_is(self) -> None:
        terminal, clock = Terminal(), Clock()
        with ProgressLine(
            "Checking \x1b[31m", "folders", stream=terminal, clock=clock, columns=44
        ) as progress:
            for clock.now, done in ((1.1, 3), (1.11, 4), (1.3, 5)):
                progress(done, 8)
        assert terminal.getvalue() == (
            "\rChecking \\x1b[31m: 3 of 8 folders (37 %)\x1b[K"
            "\rChecking \\x1b[31m: 5 of 8 folders (62 %)\x1b[K"
            "\r\x1b[K"
        )

    def test_a_pipe_gets_none(self) -> None:
        clock, pipe = Clock(), io.StringIO()
        with ProgressLine("Checking", "folders", stream=pipe, clock=clock) as progress:
            clock.now = 5.0
            progress(3, 4)
        assert pipe.getvalue() == ""

    def test_a_line_fits_the_terminal(self) -> None:
        terminal, clock = Terminal(), Clock()
        progress = ProgressLine("Checking " + "x" * 500, "folders", stream=terminal, clock=clock, columns=20)
        clock.now = 5.0
        progress(3, 4)
        assert len(terminal.getvalue()) == len("\r") + 19 + len("\x1b[K")
