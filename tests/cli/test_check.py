"""`check` as a process: paths, files, exit codes, and what it does inside a workflow."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path

import pytest

from submission_checker.reports import FORMATS
from tests.cli.conftest import COMMAND, Run, environment
from tests.reports.readers import read_github, read_markdown
from tests.reports.test_hostile import PARSERS


def test_exit_codes_and_streams(run: Run, sound: Path, broken: Path) -> None:
    good, bad = run("check", sound), run("check", broken)
    assert (good.returncode, good.stderr) == (0, "")
    assert (bad.returncode, bad.stderr) == (1, "")
    assert "\nPASSED: no errors" in good.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ([], 2, "Missing argument 'PATH...'"),
        (["nowhere"], 1, "FAILED"),
        ([".", "--format", "morse"], 2, "'morse' is not one of"),
        ([".", "--limit", "-1"], 2, "--limit"),
        ([".", "-o", "nowhere/report.json"], 2, "the folder 'nowhere' does not exist"),
        ([".", "--ruleset", "2026-1"], 3, "no ruleset named 2026-1"),
        ([".", "--ruleset", "2026-10", "--rules", "."], 2, "exclude each other"),
    ],
)
def test_wrong_calls(run: Run, arguments: list[str], code: int, said: str) -> None:
    done = run("check", *arguments)
    assert done.returncode == code
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


class TestSeveralPaths:
    def test_the_worst_decides(self, run: Run, sound: Path, broken: Path) -> None:
        done = run("check", sound, broken, sound)
        assert done.returncode == 1
        assert done.stdout.rstrip().endswith("2 of 3 submissions passed.")
        assert done.stdout.count("PASSED: ") == 2

    def test_json_is_one_list(self, run: Run, sound: Path, broken: Path) -> None:
        reports = json.loads(run("check", sound, broken, "--format", "json").stdout)
        assert [report["passed"] for report in reports] == [True, False]

    def test_github_and_markdown_follow_each_other(self, run: Run, sound: Path, broken: Path) -> None:
        written = run("check", sound, broken, "--format", "markdown").stdout
        assert sum(token.tag == "h1" for token in read_markdown(written)) == 4  # opened and closed

    @pytest.mark.parametrize("form", ["html", "sarif", "junit"])
    def test_what_holds_one_submission_is_refused(self, run: Run, sound: Path, form: str) -> None:
        done = run("check", sound, sound, "--format", form)
        assert done.returncode == 2
        assert f"-o {form}={{name}}{FORMATS[form].suffix}" in " ".join(done.stderr.split())

    def test_each_gets_its_files(self, run: Run, sound: Path, broken: Path, tmp_path: Path) -> None:
        done = run("check", sound, broken, "-q", "-o", "html={name}.html", "-o", "{name}.json")
        assert done.returncode == 1
        assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == [
            "broken.html", "broken.json", "sound.html", "sound.json",
        ]  # fmt: skip
        assert json.loads((tmp_path / "sound.json").read_text("utf-8"))["passed"]

    def test_two_reports_in_one_file_are_refused(self, run: Run, sound: Path, broken: Path) -> None:
        done = run("check", sound, broken, "-o", "report.json")
        assert done.returncode == 2
        assert "write {name} for the submission's name" in " ".join(done.stderr.split())


@pytest.mark.parametrize("form", FORMATS)
def test_two_runs_give_the_same_bytes(run: Run, broken: Path, form: str) -> None:
    first = run("check", broken, "--format", form, "-v", env={"PYTHONHASHSEED": "1"})
    again = run("check", broken, "--format", form, "-v", env={"PYTHONHASHSEED": "2"})
    assert first.stdout == again.stdout
    PARSERS.get(form, lambda _: None)(first.stdout)


def test_a_page_has_curves_and_reasons(run: Run, broken: Path, tmp_path: Path) -> None:
    run("check", broken, "-q", "-o", "html=page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert page.count("<figure>") == 2 and "provisioned power" in page and "not applicable" in page


def test_limit_counts_the_rest(run: Run, broken: Path) -> None:
    everything, two = run("check", broken), run("check", broken, "--limit", "2")
    assert two.stdout.count("more    ") == 2 < everything.stdout.count("more    ")
    assert "of 9 findings not shown" in two.stdout
    assert run("check", broken, "--limit", "0").stdout == everything.stdout


class TestWorkflow:
    def test_annotations_and_summary_come_by_themselves(self, run: Run, broken: Path, tmp_path: Path) -> None:
        summary = tmp_path / "summary.md"
        summary.write_text("before\n")
        inside = {
            "GITHUB_ACTIONS": "true",
            "GITHUB_STEP_SUMMARY": str(summary),
            "GITHUB_WORKSPACE": str(tmp_path),
        }
        done = run("check", broken, env=inside)
        commands = read_github(done.stderr + "FAILED: that is all\n")
        assert {command for command, _, _ in commands} == {"error", "warning"}
        files = {properties.get("file", "") for _, properties, _ in commands}
        assert files and all(file.startswith("broken/results") for file in files)
        assert done.stdout == run("check", broken).stdout
        written = summary.read_text("utf-8")
        assert written.startswith("before\n# Submission check: failed")
        read_markdown(written)

    @pytest.mark.parametrize(
        ("option", "inside", "told"),
        [("--annotate", "false", True), ("--no-annotate", "true", False), ("", "false", False)],
    )
    def test_the_option_decides(
        self, run: Run, broken: Path, tmp_path: Path, option: str, inside: str, told: bool
    ) -> None:
        summary = tmp_path / "summary.md"
        env = {"GITHUB_ACTIONS": inside, "GITHUB_STEP_SUMMARY": str(summary)}
        done = run("check", broken, *filter(None, [option]), env=env)
        assert ("::error " in done.stderr) is told
        assert summary.exists() is told

    def test_the_format_is_not_told_twice(self, run: Run, broken: Path) -> None:
        done = run("check", broken, "--format", "github", env={"GITHUB_ACTIONS": "true"})
        assert "::error " in done.stdout and done.stderr == ""

    def test_a_summary_that_cannot_be_written_changes_no_verdict(self, run: Run, sound: Path) -> None:
        env = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(sound)}
        done = run("check", sound, env=env)
        assert done.returncode == 0
        assert "The job's summary cannot be written" in done.stderr

    def test_a_summary_keeps_to_what_github_takes(self, run: Run, broken: Path, tmp_path: Path) -> None:
        summary = tmp_path / "summary.md"
        summary.write_bytes(b"x" * (1024 * 1024 - 3000))
        run("check", broken, env={"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(summary)})
        written = summary.read_bytes()
        assert len(written) <= 1024 * 1024
        assert b"# Submission check: failed" in written and b"not shown" in written


def test_a_reader_that_goes_away_is_no_mistake(broken: Path) -> None:
    command = subprocess.Popen(
        [*COMMAND, "check", str(broken), "-v"],
        env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert command.stdout is not None and command.stderr is not None
    command.stdout.close()
    assert command.stderr.read() == b""
    command.stderr.close()
    assert command.wait(60) == 1


def test_a_current_folder_that_is_gone_is_said(sound: Path, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    python = f'import os, sys; os.rmdir("{gone}"); os.execv(sys.executable, [sys.executable, *sys.argv[1:]])'
    done = subprocess.run(
        [*COMMAND[:1], "-c", python, *COMMAND[1:], "check", str(sound)],
        cwd=gone, env=environment({"PYTHONSAFEPATH": "1"}), capture_output=True, encoding="utf-8", timeout=60,
    )  # fmt: skip
    assert done.returncode == 2
    assert "the current folder was removed" in done.stderr and "Traceback" not in done.stderr


def test_an_interrupt_is_no_verdict(tmp_path: Path) -> None:
    fifo_like = tmp_path / "sub" / "results"
    for number in range(400):
        (fifo_like / f"system{number}" / "model" / "r1").mkdir(parents=True)
    command = subprocess.Popen(
        [*COMMAND, "check", str(tmp_path / "sub"), "--watch"],
        env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8",
    )  # fmt: skip
    assert command.stderr is not None
    for line in command.stderr:
        if "Watching" in line:
            break
    command.send_signal(signal.SIGINT)
    assert command.wait(30) == 1, "the last check's code"
    assert "Traceback" not in command.stderr.read()
    command.stderr.close()
