"""What a script may rely on that was written for the reference checker's documented interface."""

from __future__ import annotations

import copy
import json
import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

import submission_checker
from submission_checker import CheckResult, Report, RulesetError, Severity, SubmissionChecker
from tests.support.submissions import SUBMISSIONS

RULESET = "MLPERF_ENDPOINTS_RULESET"
SEED_SETS = "MLPERF_ENDPOINTS_SEED_SETS"
DRAFTERS = "MLPERF_ENDPOINTS_APPROVED_DRAFTERS"

# The documented sample, with the import that it needs.
SCRIPT = """
import sys
from pathlib import Path
from submission_checker import SubmissionChecker, Report

checker = SubmissionChecker(Path(sys.argv[1]))
report = checker.run()

if report.passed:
    print("All checks passed")
else:
    for result in report.errors:
        print(f"[{result.rule}] {result.message}")
assert isinstance(report, Report)
Path(sys.argv[2]).write_text(report.model_dump_json(indent=2))
"""


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (SEED_SETS, DRAFTERS):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(RULESET, "2026-10")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A copy of the sound sample."""
    return Path(shutil.copytree(SUBMISSIONS / "compliant", tmp_path / "acme"))


@pytest.fixture(scope="module")
def report() -> Report:
    return SubmissionChecker(SUBMISSIONS / "non-compliant", ruleset="2026-10").run()


@pytest.mark.parametrize(("sample", "said"), [("compliant", "All checks passed\n"), ("non-compliant", "[")])
def test_the_documented_sample_runs(tmp_path: Path, sample: str, said: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", SCRIPT, SUBMISSIONS / sample, tmp_path / "report.json"],
        env={**os.environ, "PYTHONUTF8": "1"}, capture_output=True, encoding="utf-8", timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(said)
    written = json.loads((tmp_path / "report.json").read_text("utf-8"))
    assert list(written)[:5] == ["submission_path", "results", "errors", "warnings", "passed"]
    assert written["passed"] is (sample == "compliant")


class TestSeverity:
    def test_members_are_their_values(self) -> None:
        assert {s.name: s.value for s in Severity} == {"ERROR": "error", "WARNING": "warning", "INFO": "info"}
        assert Severity.ERROR == "error" and Severity("info") is Severity.INFO
        assert json.dumps([Severity.WARNING]) == '["warning"]'


class TestResult:
    def test_defaults(self) -> None:
        result = CheckResult(rule="r", message="m")
        assert (result.severity, result.path, result.spec_ref, result.passed) == (
            Severity.ERROR,
            None,
            "",
            False,
        )
        assert CheckResult(rule="r", message="m", severity=Severity.WARNING).passed

    def test_attributes(self, report: Report) -> None:
        for result in report.results:
            assert isinstance(result.rule, str) and isinstance(result.message, str) and result.message
            assert isinstance(result.severity, Severity)
            assert result.path is None or isinstance(result.path, Path)
            assert result.spec_ref.startswith("§")
            assert result.passed is (result.severity != "error")

    @pytest.mark.parametrize("name", ["rule", "message", "severity", "path", "spec_ref", "passed", "other"])
    def test_it_cannot_be_changed(self, report: Report, name: str) -> None:
        with pytest.raises((AttributeError, TypeError)):
            setattr(report.results[0], name, "changed")

    def test_it_is_hashable_and_can_be_sent_elsewhere(self, report: Report) -> None:
        assert len(set(report.results)) == len(report.results)
        first = report.results[0]
        for other in (copy.deepcopy(first), pickle.loads(pickle.dumps(first))):
            assert other == first and hash(other) == hash(first)

    def test_keys_of_the_dump(self, report: Report) -> None:
        for dumped in report.model_dump()["results"]:
            assert list(dumped)[:6] == ["rule", "message", "severity", "path", "spec_ref", "passed"]
        assert report.results[0].model_dump() == report.model_dump()["results"][0]


class TestReport:
    def test_errors_and_warnings_follow_the_results(self) -> None:
        report = SubmissionChecker(SUBMISSIONS / "compliant").run()
        assert report.passed and (report.errors, report.warnings) == ([], [])
        warning = CheckResult(rule="own", message="m", severity=Severity.WARNING)
        error = CheckResult(rule="own", message="m")
        report.results += [warning, error]
        assert (report.errors, report.warnings, report.passed) == ([error], [warning], False)

    def test_nothing_checked_is_no_pass(self) -> None:
        assert Report(submission_path=Path("x")).passed is False

    @pytest.mark.parametrize("indent", [None, 2])
    def test_json_is_read_back(self, report: Report, indent: int | None) -> None:
        text = report.model_dump_json(indent=indent)
        again = Report.model_validate_json(text)
        assert again.model_dump_json(indent=indent) == text
        assert again.errors[0].path == report.errors[0].path
        assert ("\n" in text) is (indent is not None)

    def test_a_report_of_the_reference_is_read_too(self) -> None:
        finding = {
            "rule": "r",
            "message": "m",
            "severity": "warning",
            "path": "sub/docs",
            "spec_ref": "#1",
            "passed": True,
        }
        data = {
            "submission_path": "sub",
            "results": [finding],
            "errors": [],
            "warnings": [finding],
            "passed": True,
        }
        report = Report.model_validate(data)
        assert report.passed and report.warnings[0].location == "docs"
        assert report.exit_code(strict=True) == 1

    @pytest.mark.parametrize(
        "text", ["", "[]", "{}", '{"submission_path": 1}', '{"submission_path": "x", "results": [1]}']
    )
    def test_what_is_no_report_is_refused(self, text: str) -> None:
        with pytest.raises(ValueError):
            Report.model_validate_json(text)

    def test_names_that_no_encoding_takes(self, root: Path) -> None:
        system = next(root.glob("results/*"))
        (root / "results" / os.fsdecode(b"\xff")).mkdir()
        next(system.glob("*/r16/point.yaml")).write_text('concurrency: "\\ud800"\n', "utf-8")
        report = SubmissionChecker(root).run()
        assert (
            any("\\udcff" in result["path"] for result in report.model_dump()["errors"] if result["path"])
            is False
        )
        report.model_dump_json().encode("utf-8")
        "".join(result.message for result in report.results).encode("utf-8")


class TestChecker:
    def test_the_root_is_found_at_once(self, root: Path) -> None:
        assert SubmissionChecker(root.parent).submission_path == root
        assert SubmissionChecker(root).run().submission_path == root

    def test_paths_stay_as_they_were_given(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(root.parent)
        report = SubmissionChecker(Path("acme")).run()
        assert report.submission_path == Path("acme")
        assert {result.path.parts[0] for result in report.results if result.path} == {"acme"}

    def test_a_folder_that_is_not_there_is_a_finding(self, tmp_path: Path) -> None:
        report = SubmissionChecker(tmp_path / "nowhere").run()
        assert [result.rule for result in report.errors][-1:] and not report.passed

    def test_each_run_reads_the_files_again(self, root: Path) -> None:
        checker = SubmissionChecker(root)
        first = checker.run()
        assert first.results == checker.run().results
        shutil.rmtree(root / "docs")
        assert first.passed and not checker.run().passed

    @pytest.mark.parametrize("kind", [str, Path])
    def test_files_are_named_as_texts_or_paths(
        self, root: Path, tables: Tables, kind: Callable[[Path], Any]
    ) -> None:
        sound, other = tables
        given = (kind(root), kind(sound), kind(sound.parent / "nowhere.yaml"))
        report = SubmissionChecker(*given).run()
        assert [result.rule for result in report.warnings] == ["drafter-list-registry"] and report.passed
        assert not SubmissionChecker(root, seed_sets_path=kind(other)).run().passed

    def test_each_run_asks_the_environment_again(
        self, root: Path, tables: Tables, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        sound, other = tables
        checker = SubmissionChecker(root)
        assert checker.run().passed
        monkeypatch.setenv(SEED_SETS, str(other))
        assert not checker.run().passed
        assert SubmissionChecker(root, sound).run().passed, "what is given counts more"
        monkeypatch.setenv(SEED_SETS, "")
        assert checker.run().passed
        monkeypatch.setenv(SEED_SETS, str(sound))
        sound.write_text("[")
        assert {result.rule for result in checker.run().warnings} == {"seed-set-registry"}

    def test_the_ruleset_of_the_environment(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        assert SubmissionChecker(root).run().ruleset.id == "2026-10"
        monkeypatch.setenv(RULESET, "2025-01")
        with pytest.raises(RulesetError, match="no ruleset named 2025-01"):
            SubmissionChecker(root)
        assert SubmissionChecker(root, ruleset="2026-10").run().passed
        monkeypatch.setenv(RULESET, "")
        assert SubmissionChecker(root).run().ruleset.id

    def test_a_ruleset_of_ones_own_is_read_again(self, root: Path, tmp_path: Path) -> None:
        own = tmp_path / "own"
        own.mkdir()
        (own / "ruleset.yaml").write_text("id: own\ntitle: Ours\nextends: 2026-10\n", "utf-8")
        assert "point-count" in {result.rule for result in SubmissionChecker(root, ruleset=own).run().results}
        with (own / "ruleset.yaml").open("a", encoding="utf-8") as file:
            file.write("remove: [point-count]\n")
        assert "point-count" not in {
            result.rule for result in SubmissionChecker(root, ruleset=own).run().results
        }

    @pytest.mark.parametrize("ruleset", ["2026-1", "nowhere/at/all", Path("nowhere"), "..", "\0", "x" * 5000])
    def test_an_unknown_ruleset_is_an_error(self, root: Path, ruleset: str | Path) -> None:
        with pytest.raises(RulesetError):
            SubmissionChecker(root, ruleset=ruleset)


Tables = tuple[Path, Path]


@pytest.fixture
def tables(tmp_path: Path) -> Tables:
    """Seed sets of which the sample uses one, and others."""
    shipped = yaml.safe_load(
        (SUBMISSIONS.parents[1] / "rules/2026-10/tables/seed_sets.yaml").read_text("utf-8")
    )
    sound, other = tmp_path / "sound.yaml", tmp_path / "other.yaml"
    sound.write_text(yaml.safe_dump(shipped), "utf-8")
    shipped["cohort"]["seed_sets"][0]["model_seed"] = 1
    other.write_text(yaml.safe_dump(shipped), "utf-8")
    return sound, other


def test_what_the_package_offers() -> None:
    assert set(submission_checker.__all__) >= {"SubmissionChecker", "Report", "CheckResult", "Severity"}
    assert all(hasattr(submission_checker, name) for name in submission_checker.__all__)
    assert submission_checker.__version__
