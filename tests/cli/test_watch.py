"""`check --watch`, with the system's word of changes and without."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from tests.cli.conftest import COMMAND, environment

PATIENCE = 30.0
"""Seconds; a busy machine is no failure."""


class Watch:
    """A watching command, and what it printed so far."""

    def __init__(self, *arguments: str | Path, without_watchfiles: Path | None = None):
        env = {} if without_watchfiles is None else {"PYTHONPATH": str(without_watchfiles)}
        self.process = subprocess.Popen(
            [*COMMAND, "check", "--watch", "-q", *map(str, arguments)],
            env=environment(env), stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
        )  # fmt: skip
        self.told: list[str] = []
        self.readers = [Thread(target=self._read, args=(stream,)) for stream in self._streams()]
        for reader in self.readers:
            reader.start()

    def _streams(self) -> list[object]:
        return [self.process.stdout, self.process.stderr]

    def _read(self, stream: Iterator[str]) -> None:
        for line in stream:
            self.told.append(line)

    def wait_for(self, text: str, times: int = 1) -> float:
        """Wait until a line with the text came so often; return the seconds that took."""
        begun = time.monotonic()
        while time.monotonic() - begun < PATIENCE:
            if sum(text in line for line in self.told) >= times:
                return time.monotonic() - begun
            time.sleep(0.02)
        raise AssertionError(f"no {text!r}, {times} times, in {''.join(self.told)}")

    def end(self) -> int:
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(PATIENCE)
        for reader in self.readers:
            reader.join(PATIENCE)
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()
        return code


@pytest.fixture(params=["watchfiles", "polling"])
def watch(request: pytest.FixtureRequest, tmp_path: Path):
    stub = None
    if request.param == "polling":
        stub = tmp_path / "stub"
        stub.mkdir()
        (stub / "watchfiles.py").write_text("raise ImportError('not here')\n")
    else:
        pytest.importorskip("watchfiles")
    started: list[Watch] = []

    def start(*arguments: str | Path) -> Watch:
        started.append(Watch(*arguments, without_watchfiles=stub))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            one.process.kill()
            one.process.wait()


def test_each_change_is_checked_and_ctrl_c_ends_it(watch, sound: Path) -> None:
    point = next(sound.glob("results/*/*/r16/point.yaml"))
    good = point.read_text("utf-8")
    watching = watch(sound)
    watching.wait_for("Watching", 1)
    watching.wait_for("PASSED", 1)
    point.write_text(good + "x: [\n", encoding="utf-8")
    watching.wait_for("FAILED", 1)
    watching.wait_for("r16/point.yaml", 1)
    watching.wait_for("Watching", 2)
    point.write_text(good, encoding="utf-8")
    watching.wait_for("PASSED", 2)
    watching.wait_for("Watching", 3)
    assert watching.end() == 0
    assert "Traceback" not in "".join(watching.told)


def test_its_own_files_are_no_change(watch, sound: Path) -> None:
    watching = watch(sound, "-o", sound / "report.json", "-o", f"html={sound / 'report.html'}")
    watching.wait_for("Watching", 1)
    time.sleep(1.5)
    assert sum("Watching" in line for line in watching.told) == 1
    assert watching.end() == 0


def test_a_folder_may_come_and_go(watch, sound: Path) -> None:
    away = sound.with_name("away")
    watching = watch(sound / "results")  # no submission: fails
    watching.wait_for("FAILED", 1)
    watching.wait_for("Watching", 1)
    sound.rename(away)
    (sound / "results").mkdir(parents=True)
    (sound / "results" / "x").touch()
    time.sleep(1)
    assert watching.process.poll() is None
    assert watching.end() == 1


def test_lists_beside_the_submission_are_watched(watch, sound: Path, tmp_path: Path) -> None:
    drafters = tmp_path / "drafters.yaml"
    drafters.write_text("drafters: []\n")
    watching = watch(sound, "--approved-drafters", drafters)
    watching.wait_for("Watching", 1)
    drafters.write_text("drafters: {\n")
    watching.wait_for("drafters.yaml", 1)
    watching.wait_for("Watching", 2)
    watching.end()
