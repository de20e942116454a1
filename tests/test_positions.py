"""Every finding about a document has a line and a column, over the whole recorded corpus and the samples."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from submission_checker import CheckResult, Report, SubmissionChecker
from submission_checker.engine.model import Verdict
from tests.corpus import store
from tests.corpus.run import Bench
from tests.support.submissions import SUBMISSIONS, Case, cases

DOCUMENTS = (".json", ".yaml", ".yml")


def findings(report: Report) -> Iterator[CheckResult]:
    """Errors and warnings that name a file of the submission."""
    for result in report.results:
        if result.verdict is not Verdict.PASSED and result.location.endswith(DOCUMENTS):
            yield result


def is_placed(result: CheckResult) -> bool:
    return (result.line or 0) >= 1 and (result.column or 0) >= 1


def test_the_corpus(tmp_path: Path) -> None:
    bench, looked_at, lost = Bench(tmp_path), 0, []
    for case in store.cases("2026-10"):
        if case.has_modes:
            continue  # what is closed has no lines
        # The folder is put back after each case: what was there is known from the case alone.
        files = {path for path, content in case.tree().items() if isinstance(content, bytes)}
        for result in findings(bench.check(case)[0]):
            if any(path.endswith(f"/{result.location}") for path in files):
                looked_at += 1
                if not is_placed(result):
                    lost.append((case.name, result.rule, result.location))
    assert lost == []
    assert looked_at > 500, "a corpus without findings would pass as well"


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_the_samples(case: Case, tmp_path: Path) -> None:
    check(case.materialise(tmp_path / "submission"))


def test_the_sample_with_mistakes() -> None:
    assert check(SUBMISSIONS / "non-compliant") > 0


def check(folder: Path) -> int:
    """Check a folder; every place must be one of its file. Returns how many there were."""
    report = SubmissionChecker(folder, ruleset="2026-10").run()
    found = [result for result in findings(report) if (folder / result.location).is_file()]
    for result in found:
        assert is_placed(result), result
        lines = (folder / result.location).read_bytes().split(b"\n")
        assert result.line is not None and result.column is not None
        assert result.line <= len(lines), result
        assert result.column <= len(lines[result.line - 1]) + 1, result
    return len(found)
