"""`batch` and `rules corpus` over small archives."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.cli.conftest import COMMAND, Run, environment
from tests.reports.readers import read_html
from tests.support.submissions import SUBMISSIONS

SCHEMA = json.loads((Path(__file__).parents[2] / "schemas" / "batch.schema.json").read_text("utf-8"))


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Submissions of every kind, some of them one level deeper."""
    root = tmp_path / "archive"
    shutil.copytree(SUBMISSIONS / "compliant", root / "acme" / "good")
    shutil.copytree(SUBMISSIONS / "non-compliant", root / "acme" / "mistaken")
    (root / "zeta" / "results").mkdir(parents=True)
    nested = root / "hostile\x1b[31m" / "results" / "s" / "m" / "r1"
    nested.mkdir(parents=True)
    (nested / "point.yaml").write_bytes(b"\xff\xfe: [" + b"[" * 5000)
    (nested / "result_summary.json").symlink_to("/dev/zero")
    (root / "notes").mkdir()
    (root / "notes" / "readme.txt").write_text("no submission")
    return root


def records(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("ascii").splitlines()]


def test_one_line_for_each_and_one_record(run: Run, archive: Path, tmp_path: Path) -> None:
    done = run("batch", archive, "-o", "records.jsonl", "--jobs", "2")
    assert (done.returncode, done.stderr) == (1, "")
    heading, *lines, empty, summary = done.stdout.splitlines()
    assert heading.split() == ["submission", "verdict", "errors", "warnings"]
    assert [line.split()[:2] for line in lines] == [
        ["acme/good", "passed"],
        ["acme/mistaken", "failed"],
        ["hostile\\x1b[31m", "failed"],
        ["zeta", "failed"],
    ]
    assert (empty, summary) == ("", "4 submissions: 1 passed, 3 failed")
    found = records(tmp_path / "records.jsonl")
    for record in found:
        jsonschema.validate(record, SCHEMA)
    mistaken = found[1]
    expected = json.loads(run("check", archive / "acme" / "mistaken", "--format", "json").stdout)
    assert (mistaken["errors"], mistaken["warnings"]) == (len(expected["errors"]), len(expected["warnings"]))
    assert sum(kinds.get("error", 0) for kinds in mistaken["rules"].values()) == mistaken["errors"]
    assert sum(kinds.get("held", 0) for kinds in found[3]["rules"].values()) == found[3]["held"]


def test_the_number_of_workers_changes_nothing(run: Run, archive: Path, tmp_path: Path) -> None:
    one = run("batch", archive, "-o", "1.jsonl", "--jobs", "1")
    three = run("batch", archive, "-o", "3.jsonl", "--jobs", "3")
    assert one.stdout == three.stdout
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "3.jsonl").read_bytes()


def test_reports_of_each(run: Run, archive: Path, tmp_path: Path) -> None:
    run("batch", archive, "-q", "--reports", "html=pages", "--reports", "json=data")
    assert json.loads((tmp_path / "data" / "acme" / "good.json").read_text("utf-8"))["passed"]
    page = read_html((tmp_path / "pages" / "acme" / "mistaken.html").read_text("utf-8"))
    assert len(page.all("figure")) == 2
    assert len(list((tmp_path / "pages").rglob("*.html"))) == 4


def test_exit_codes(run: Run, archive: Path, tmp_path: Path) -> None:
    assert run("batch", archive / "acme" / "good").returncode == 0
    assert run("batch", archive / "notes").returncode == 3, "nothing was checked"
    assert run("batch", tmp_path / "nowhere").returncode == 2
    assert run("batch", archive, "--resume").returncode == 2
    slow = run("batch", archive / "acme", "--timeout", "0.001", "-q")
    assert slow.returncode == 3
    assert slow.stdout == "2 submissions: 2 timed out\n"


def test_a_file_is_gone_on_with_only_when_told(run: Run, archive: Path, tmp_path: Path) -> None:
    first = run("batch", archive, "-o", "records.jsonl")
    file = tmp_path / "records.jsonl"
    whole = file.read_bytes()
    refused = run("batch", archive, "-o", "records.jsonl")
    assert refused.returncode == 2 and "--resume" in refused.stderr
    assert file.read_bytes() == whole
    again = run("batch", archive, "-o", "records.jsonl", "--resume")
    assert (again.stdout, again.returncode) == (first.stdout, first.returncode)
    assert file.read_bytes() == whole


def test_killed_half_way_and_resumed_it_loses_and_repeats_nothing(run: Run, tmp_path: Path) -> None:
    archive = tmp_path / "many"
    for number in range(40):
        shutil.copytree(SUBMISSIONS / ("compliant", "non-compliant")[number % 2], archive / f"s{number:02}")
    run("batch", archive, "-o", "whole.jsonl", "--jobs", "2")
    file = tmp_path / "records.jsonl"
    command = subprocess.Popen(
        [*COMMAND, "batch", str(archive), "-o", str(file), "--jobs", "2"],
        env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (file.exists() and file.read_bytes().count(b"\n") >= 5):
        time.sleep(0.005)
    os.killpg(command.pid, signal.SIGKILL)
    command.wait()
    kept = file.read_bytes()
    done = kept.count(b"\n")
    assert 5 <= done < 40
    file.write_bytes(kept + b'{"submission": "s39", "verd')  # and torn, too

    # What is recorded is not checked again: its folder may as well be another's by now.
    recorded = {json.loads(line)["submission"] for line in kept.splitlines()}
    for name in recorded:
        shutil.rmtree(archive / name / "results" / "lakeside_l8")
    resumed = run("batch", archive, "-o", "records.jsonl", "--resume", "--jobs", "2")
    assert resumed.returncode == 1
    assert file.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


def test_an_interrupt_says_how_to_go_on(tmp_path: Path) -> None:
    archive = tmp_path / "many"
    for number in range(60):
        shutil.copytree(SUBMISSIONS / "compliant", archive / f"s{number:02}")
    file = tmp_path / "records.jsonl"
    command = subprocess.Popen(
        [*COMMAND, "batch", str(archive), "-o", str(file), "--jobs", "1"],
        env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
    )  # fmt: skip
    while not (file.exists() and file.stat().st_size):
        time.sleep(0.01)
    command.send_signal(signal.SIGINT)
    printed, said = command.communicate(timeout=60)
    assert (command.returncode, printed) == (130, "")
    assert "--resume goes on" in said and "Traceback" not in said


class TestCorpus:
    def test_each_rule_is_counted(self, run: Run, archive: Path) -> None:
        done = run("rules", "corpus", archive, "--jobs", "2")
        assert done.returncode == 0
        rows = {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines() if line.strip()}
        assert rows["required-dir"][0] == str(sum(map(int, rows["required-dir"][1:3])))
        assert "Applied, but never broken" in done.stdout
        assert "4 submissions" in done.stdout.splitlines()[-1]

    def test_records_say_the_same_as_the_archive(self, run: Run, archive: Path) -> None:
        run("batch", archive, "-o", "records.jsonl")
        recorded = run("rules", "corpus", "records.jsonl", "--format", "json")
        fresh = run("rules", "corpus", archive, "--format", "json")
        assert recorded.stdout == fresh.stdout
        told = json.loads(fresh.stdout)
        assert (told["submissions"], told["not_judged"]) == (4, [])
        held = {row["rule"]: row["held"] for row in told["rules"]}
        assert sum(held.values()) > 0

    def test_what_could_not_be_judged_is_said(self, run: Run, archive: Path) -> None:
        done = run("rules", "corpus", archive, "--timeout", "0.001")
        assert done.returncode == 3
        assert "Not judged: acme/good: timed out" in done.stdout

    @pytest.mark.parametrize("text", ["nonsense\n", '{"submission": "a", "verdict": "passed"'])
    def test_a_file_of_something_else_is_refused(self, run: Run, tmp_path: Path, text: str) -> None:
        (tmp_path / "other.jsonl").write_text(text)
        done = run("rules", "corpus", "other.jsonl")
        assert done.returncode == 2 and "is no record of this program" in done.stderr
