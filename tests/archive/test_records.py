"""The file of records: torn, wrong, from elsewhere, gone on with; and which folders are submissions."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from submission_checker.archive.coverage import coverage
from submission_checker.archive.find import find
from submission_checker.archive.records import Ledger, LedgerError, Record, failure_of, line_of, read_records

BY = {"ruleset": "2026-10", "checker": "checker 1"}


def record(name: str, **rules: dict[str, int]) -> Record:
    return {**failure_of(name, "passed", "", BY), "rules": rules}


def test_records_come_as_they_are_made_and_end_in_order(tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    ledger = Ledger(file, made_by=BY)
    for name in ("b", "a/z", "a"):
        ledger.add(record(name))
    assert [found["submission"] for found in read_records(file)] == ["b", "a/z", "a"]
    assert [found["submission"] for found in ledger.finish()] == ["a", "a/z", "b"]
    assert [found["submission"] for found in read_records(file)] == ["a", "a/z", "b"]
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("kept", [0, 1, 10, -1])
def test_a_torn_last_line_is_done_again(tmp_path: Path, kept: int) -> None:
    file = tmp_path / "records.jsonl"
    line = line_of(record("b"))
    file.write_text(line_of(record("a")) + line[:kept])
    ledger = Ledger(file, resume=True, made_by=BY)
    assert list(ledger.records) == ["a"]
    ledger.add(record("b"))
    ledger.finish()
    assert file.read_text() == line_of(record("a")) + line


@pytest.mark.parametrize("bad", ["nonsense\n", "{}\n", '{"submission": 1}\n', "[" * 100_000 + "\n", "\n"])
def test_a_wrong_line_in_the_middle_is_no_torn_one(tmp_path: Path, bad: str) -> None:
    file = tmp_path / "records.jsonl"
    text = line_of(record("a")) + bad + line_of(record("b"))
    file.write_text(text)
    with pytest.raises(LedgerError, match="line 2 is no record"):
        Ledger(file, resume=True, made_by=BY)
    with pytest.raises(LedgerError, match="line 2 is no record"):
        list(read_records(file))
    assert file.read_text() == text, "nothing is thrown away"


@pytest.mark.parametrize("key", BY)
def test_records_of_other_rules_are_not_gone_on_with(tmp_path: Path, key: str) -> None:
    file = tmp_path / "records.jsonl"
    file.write_text(line_of({**record("a"), key: "other"}))
    with pytest.raises(LedgerError, match=f"line 1 was written with the {key} other"):
        Ledger(file, resume=True, made_by=BY)


def test_a_file_is_never_overwritten_by_surprise(tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    file.write_text(line_of(record("a")))
    with pytest.raises(LedgerError, match="--resume"):
        Ledger(file, made_by=BY)


def test_names_of_any_bytes_survive(tmp_path: Path) -> None:
    name = os.fsdecode(b"bad\xff \xe2\x80\xae\x1b[31m")
    file = tmp_path / "records.jsonl"
    ledger = Ledger(file, made_by=BY)
    ledger.add(record(name))
    ledger.finish()
    assert file.read_bytes().isascii()
    assert [found["submission"] for found in read_records(file)] == [name]


def test_rules_are_counted_over_all_records() -> None:
    records = [
        record("a", one={"passed": 3, "error": 1, "not_applicable": 2}, two={"held": 4}),
        record("b", one={"warning": 2, "waived": 1, "not_evaluated": 1}, old={"passed": 1}),
        record("c"),
    ]
    one, two, three, old = coverage(records, ["one", "two", "three"])
    assert (one.applied, one.passed, one.broken, one.broken_in, one.not_evaluated) == (8, 3, 4, 2, 1)
    assert (one.not_applicable, one.held) == (2, 0)
    assert (two.applied, two.held) == (0, 4)
    assert (three.applied, three.held) == (0, 0)
    assert (old.rule, old.applied) == ("old", 1)


class TestFind:
    def test_a_submission_is_what_holds_the_marker(self, tmp_path: Path) -> None:
        for folder in ("b/x/results/y/results", "a/results", "c/none", "b/w/results", "d-results"):
            (tmp_path / folder).mkdir(parents=True)
        (tmp_path / "e").mkdir()
        (tmp_path / "e" / "results").write_text("a file")
        found = find(tmp_path, "results")
        assert (found.submissions, found.unlisted) == (["a", "b/w", "b/x"], [])

    def test_the_archive_may_be_one_itself(self, tmp_path: Path) -> None:
        (tmp_path / "results" / "x" / "results").mkdir(parents=True)
        assert find(tmp_path, "results").submissions == ["."]
        assert find(tmp_path, None).submissions == ["."]

    def test_links_lead_nowhere(self, tmp_path: Path) -> None:
        (tmp_path / "a" / "results").mkdir(parents=True)
        (tmp_path / "a2").symlink_to(tmp_path / "a")
        (tmp_path / "round").mkdir()
        (tmp_path / "round" / "again").symlink_to(tmp_path)
        assert find(tmp_path, "results").submissions == ["a"]

    def test_a_closed_folder_is_told(self, tmp_path: Path) -> None:
        from tests.corpus.privileges import without_override

        (tmp_path / "closed" / "results").mkdir(parents=True)
        (tmp_path / "open" / "results").mkdir(parents=True)
        (tmp_path / "closed").chmod(0)
        try:
            found = without_override(lambda: find(tmp_path, "results"))
        finally:
            (tmp_path / "closed").chmod(0o755)
        assert found.submissions == ["open"]
        assert found.unlisted == ["closed: Permission denied"]
