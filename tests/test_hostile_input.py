"""Whatever a folder holds, `check` gives a verdict: no traceback, no rule without answer, no end of memory.

`python -m tests.fuzz` looks further than there is time for here.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from itertools import cycle
from pathlib import Path

import pytest

from tests.fuzz.spoil import NAMES
from tests.support.submissions import SUBMISSIONS

ROOT = Path(__file__).parents[1]
MEMORY = 1_000_000_000
"""Bytes that the command may take."""
SECONDS = 5
"""Seconds of the processor that one submission may take; on average, a quarter of that."""

Spoil = Callable[[Path], None]
CASES: dict[str, Spoil] = {}
"""What chance does not reach: by name, each spoils a copy of the sound sample."""


def case(spoil: Spoil) -> Spoil:
    CASES[spoil.__name__] = spoil
    return spoil


def points(root: Path) -> list[Path]:
    return sorted(root.glob("results/*/*/r*"))


def write(file: Path, data: bytes) -> None:
    file.write_bytes(data)


@case
def alias_bomb(root: Path) -> None:
    lines = [b"a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    for number in range(1, 12):
        lines.append(b"a%d: &a%d [%s]" % (number, number, b", ".join([b"*a%d" % (number - 1)] * 9)))
    write(points(root)[0] / "point.yaml", b"\n".join(lines))


@case
def merge_bomb(root: Path) -> None:
    lines = [b"a0: &a0 {x: 1}"]
    for number in range(1, 12):
        lines.append(b"a%d: &a%d {<<: [%s]}" % (number, number, b", ".join([b"*a%d" % (number - 1)] * 9)))
    write(points(root)[0] / "point.yaml", b"\n".join(lines))


@case
def a_value_inside_itself(root: Path) -> None:
    write(points(root)[0] / "point.yaml", b"concurrency: &a [*a]\n")


@case
def nested_without_end(root: Path) -> None:
    first, second, third, *_ = points(root)
    write(first / "point.yaml", b"[" * 500_000)
    write(first / "result_summary.json", b'{"a":' * 100_000 + b"1" + b"}" * 100_000)
    write(second / "point.yaml", b"- " * 50_000)
    write(third / "point.yaml", b"concurrency: " + b"[" * 490 + b"]" * 490)


@case
def numbers_of_a_million_digits(root: Path) -> None:
    first, second, third, *_ = points(root)
    write(first / "result_summary.json", b'{"duration_ns": ' + b"9" * 1_000_000 + b"}")
    write(first / "point.yaml", b"concurrency: " + b"9" * 1_000_000)
    write(second / "result_summary.json", b'{"duration_ns": 1.' + b"9" * 1_000_000 + b"}")
    write(third / "point.yaml", b"concurrency: 1" + b":59" * 300_000)


@case
def fifty_megabytes_of_text(root: Path) -> None:
    write(points(root)[0] / "result_summary.json", b'{"a": "' + b"x" * 50_000_000 + b'"}')


@case
def fifty_megabytes_of_values(root: Path) -> None:
    write(points(root)[0] / "result_summary.json", b"[" + b"{}," * 17_000_000 + b"{}]")


@case
def seventy_megabytes(root: Path) -> None:
    with (points(root)[0] / "point.yaml").open("wb") as file:
        file.truncate(70_000_000)


@case
def a_million_lines(root: Path) -> None:
    write(points(root)[0] / "point.yaml", b"".join(b"k%d: v\n" % number for number in range(100_000)))
    write(points(root)[1] / "point.yaml", b"a: 1\n" * 100_000)


@case
def a_hundred_thousand_wrong_items(root: Path) -> None:
    file = points(root)[0] / "system_desc.json"
    write(file, json.dumps({**json.loads(file.read_text("utf-8")), "node_types": [{}] * 20_000}).encode())


@case
def a_text_too_long_for_patterns(root: Path) -> None:
    for point in points(root):
        file = point / "point.yaml"
        lines = file.read_text("utf-8").splitlines()
        fields = ("target_cohort: ", "model_name: ", "seed_set: ", "dataset: ", "shared_src: ", "region: ")
        longer = [line + "x" * 150_000 if line.startswith(fields) else line for line in lines]
        file.write_text("\n".join(longer), "utf-8")


@case
def ten_thousand_points(root: Path) -> None:
    curve = points(root)[0].parent
    for number in range(20_000, 30_000):
        (curve / f"r{number}").mkdir()


@case
def folders_nested_two_hundred_deep(root: Path) -> None:
    here = os.open(root / "results", os.O_RDONLY)
    for _ in range(200):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)


@case
def links_in_a_ring(root: Path) -> None:
    for number in range(30):
        (root / "results" / f"l{number}").symlink_to(".")
    curve = points(root)[0].parent
    (curve / "r7").symlink_to("..")
    (curve / "r8").symlink_to("r8")
    (root / "docs" / "more").symlink_to("..")
    (root / "src" / "more").symlink_to("../..")


@case
def pipes_for_files(root: Path) -> None:
    for file in [file for file in root.rglob("*.*") if file.is_file()]:
        file.unlink()
        os.mkfifo(file)


@case
def devices_for_files(root: Path) -> None:
    for file in [file for file in root.rglob("*.*") if file.is_file()]:
        file.unlink()
        file.symlink_to("/dev/zero")


@case
def odd_names(root: Path) -> None:
    point = points(root)[0]
    for name in map(os.fsdecode, NAMES):
        for folder in (root / "src", root / "docs", root / "results", point.parent.parent, point.parent):
            if not (folder / name).exists():
                (folder / name).mkdir()


@case
def halves_of_characters(root: Path) -> None:
    for point in points(root):
        file = point / "point.yaml"
        text = file.read_text("utf-8").replace("model_name: llama3_1-8b", 'model_name: "\\ud800\\0\\e[31m"')
        file.write_text(text, "utf-8")
        write(point / "system_desc.json", b'{"system_name": "\\ud800", "\\udfff": 1}')


@case
def other_encodings(root: Path) -> None:
    files = [file for file in sorted(root.rglob("*.*")) if file.is_file()]
    for file, encoding in zip(files, cycle(["utf-16", "utf-32", "utf-8-sig", "cp037"]), strict=False):
        file.write_bytes(file.read_text("utf-8").encode(encoding))


@case
def a_file_for_the_folder(root: Path) -> None:
    shutil.rmtree(root)
    root.write_text("results/")


@case
def a_pipe_for_the_folder(root: Path) -> None:
    shutil.rmtree(root)
    os.mkfifo(root)


COMMAND = f"""
import resource
resource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY}))
from submission_checker.cli import main
main()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="pipes, devices and limits of memory as Linux has them")
def test_what_cannot_be_right_is_a_finding(tmp_path: Path) -> None:
    for name, spoil in CASES.items():
        spoil(Path(shutil.copytree(SUBMISSIONS / "compliant", tmp_path / name)))
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, "check", "--ruleset", "2026-10", "--format", "json", *CASES],
        cwd=tmp_path, env={**os.environ, "PYTHONUTF8": "1"}, capture_output=True, timeout=600,
    )  # fmt: skip
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    assert (done.returncode, done.stderr) == (1, b"")
    reports = dict(zip(CASES, json.loads(done.stdout), strict=True))
    assert [name for name, report in reports.items() if report["passed"]] == []
    unanswered = {
        (name, result["rule"], result["message"][:200])
        for name, report in reports.items()
        for result in report["results"]
        if result["verdict"] not in ("passed", "broken")
    }
    assert unanswered == set()
    assert (
        max(len(finding["message"]) for report in reports.values() for finding in report["errors"]) < 20_100
    )
    assert used < SECONDS * len(CASES) / 4, "seconds of the processor"


@pytest.mark.skipif(sys.platform != "linux", reason="pipes, devices and closed folders as Linux has them")
def test_what_chance_spoils_gets_a_verdict() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", "--count", "50", "--seed", "test"],
        cwd=ROOT, env={**os.environ, "PYTHONUTF8": "1"}, capture_output=True, encoding="utf-8", timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
