"""What the judge says of a folder, on a ruleset about something else than benchmarks."""

from __future__ import annotations

import time

import pytest

from submission_checker.engine.model import Severity, Verdict
from submission_checker.engine.subjects import Run
from tests.support.results import rows


def test_sound_library_breaks_nothing(library, check):
    results, held = check(library())

    assert [r for r in results if r.verdict is not Verdict.PASSED] == []
    assert held == []
    assert rows(results) == {
        ("branch-exists", "info", "branches"),
        ("few-shelves", "info", "branches/north"),
        ("books-known", "info", "branches/north/s1/card.yaml"),
        ("books-known", "info", "branches/north/s2/card.yaml"),
        ("loans-short", "info", "branches/north/s1/loans.json"),
    }


def test_finding_is_born_complete(library, check):
    root = library({"branches/north/s1/card.yaml": "books: 10\nsubject: cookery\n"})

    [result] = [r for r in check(root)[0] if r.rule == "books-known" and r.verdict is Verdict.BROKEN]

    assert result.message == "cookery is not one of history, poetry"
    assert (result.severity, result.passed) == (Severity.WARNING, True)
    assert result.path == root / "branches/north/s1/card.yaml"
    assert (result.pointer, result.line, result.column) == ("/subject", 2, 10)
    assert (result.spec_ref, result.clauses, result.subject) == ("§2.1", ("2.1",), "branches/north/s1")
    assert result.info.title == "The subject of a shelf is known"


def test_all_broken_checks_are_reported_where_the_rule_says_so(library, check):
    root = library({"branches/north/s1/loans.json": '{"days": -1.0}'})

    assert {r.message for r in check(root)[0] if r.rule == "loans-short"} == {"-1.0 days", "-1.0 days is odd"}


def test_each_distinct_item_is_judged_once(library, check):
    root = library({"branches/north/s1/loans.json": '{"out": [{}, {}, {"reader": 1}]}'})

    messages = [r.message for r in check(root)[0] if r.rule == "readers-named"]

    assert messages == ["a book without a reader (found null)", "a book without a reader (found 1)"]


def test_every_one_of_ten_thousand_items_is_judged(library, check):
    books = ", ".join(f'{{"reader": {number}}}' for number in range(10_000))
    root = library({"branches/north/s1/loans.json": f'{{"out": [{books}]}}'})

    found = [r for r in check(root)[0] if r.rule == "readers-named"]

    assert len(found) == 10_000
    assert {r.verdict for r in found} == {Verdict.BROKEN}


def test_links_in_a_ring_are_folders_like_others(library, check):
    root = library()
    for number in range(40):
        (root / "branches" / f"l{number}").symlink_to(".")

    started = time.process_time()
    results, _ = check(root)

    assert time.process_time() - started < 5
    assert [r.path for r in results if r.rule == "few-shelves" and r.subject == "branches/l0"]


class TestGates:
    def test_broken_rule_holds_back_what_lies_below(self, tmp_path, check):
        (tmp_path / "branches").mkdir()

        results, [held] = check(tmp_path)

        assert rows(results) == {("branch-exists", "error", "branches")}
        assert (held.subject, held.because) == (".", ("branch-exists",))
        assert held.rules == ("fees-readable",)

    def test_exception_is_checked_all_the_same(self, library, check):
        root = library({"branches/north/s1/card.yaml": None})

        results, [held] = check(root)

        assert ("card-valid", "error", "branches/north/s1/card.yaml") in rows(results)
        assert (held.subject, held.because, held.rules) == (
            "branches/north/s1",
            ("card-valid",),
            ("books-known",),
        )

    def test_condition_decides_besides(self, library, check):
        one_shelf = {
            "branches/north/s2/card.yaml": None,
            "branches/south/s1/card.yaml": "books: 1\nsubject: x\n",
        }

        results, held = check(library(one_shelf))

        # Both branches have too few shelves; only the closed one is held back.
        assert [(h.subject, h.rules, h.places) for h in held] == [("branches/south", ("books-known",), 1)]
        assert ("books-known", "info", "branches/north/s1/card.yaml") in rows(results)

    def test_keep_going_lifts_them(self, tmp_path, check):
        (tmp_path / "branches").mkdir()

        _, held = check(tmp_path, keep_going=True)

        assert held == []


class TestEvaluationErrors:
    def test_null_in_arithmetic_is_no_pass(self, library, check):
        # poetry has a limit, cookery has none: 3 <= null has no answer.
        root = library({"branches/north/s1/card.yaml": "books: 10\nsubject: cookery\n"})

        [result] = [r for r in check(root)[0] if r.rule == "loans-short"]

        assert (result.verdict, result.severity, result.passed) == (Verdict.ERROR, Severity.ERROR, False)
        assert "could not be evaluated" in result.message
        assert "days <= limit" in result.message
        assert "days = 3" in result.message

    def test_fact_that_needs_itself_is_one(self, library, ruleset):
        shelf = Run(ruleset, library()).top().children("branch")[0].children("shelf")[0]

        with pytest.raises(Exception, match="depends on itself"):
            shelf.fact("circular")


class TestSubjects:
    def test_order_is_by_number_then_name(self, library, ruleset):
        changes = {
            f"branches/north/{name}/card.yaml": "books: 1\nsubject: poetry\n" for name in ("s10", "s02")
        }
        branch = Run(ruleset, library(changes)).top().children("branch")[0]

        assert [shelf.name for shelf in branch.children("shelf")] == ["s1", "s02", "s2", "s10"]

    def test_other_names_are_not_subjects(self, library, ruleset):
        changes = {
            "branches/north/S3/card.yaml": "",
            "branches/north/s-4/card.yaml": "",
            "branches/north/s5": "file",
        }
        branch = Run(ruleset, library(changes)).top().children("branch")[0]

        assert [shelf.name for shelf in branch.children("shelf")] == ["s1", "s2"]

    def test_facts_use_what_lies_below_and_around(self, library, ruleset):
        shelf = Run(ruleset, library()).top().children("branch")[0].children("shelf")[0]

        assert (shelf.fact("stock"), shelf.fact("share"), shelf.fact("closed")) == (40, 0.25, False)

    def test_expression_sees_no_document(self, library, ruleset):
        shelf = Run(ruleset, library()).top().children("branch")[0].children("shelf")[0]

        with pytest.raises(Exception, match="sees no document"):
            shelf.fact("card")
        assert shelf.get("card") == {"books": 10, "subject": "poetry"}

    def test_document_as_written_stays_available(self, library, ruleset):
        shelf = Run(ruleset, library()).top().children("branch")[0].children("shelf")[1]

        assert shelf.get("card")["books"] == 30
        assert shelf.get("raw").get("card")["books"] == "30"

    def test_link_out_of_the_folder_is_not_followed(self, library, ruleset, tmp_path_factory):
        outside = tmp_path_factory.mktemp("outside")
        (outside / "s9").mkdir()
        root = library()
        (root / "branches" / "annex").symlink_to(outside)
        (root / "branches" / "twin").symlink_to(root / "branches" / "north")
        run = Run(ruleset, root)

        assert [branch.name for branch in run.top().children("branch")] == ["north", "twin"]
        assert run.notes == ["branches/annex is a link that leaves the submission; it was not followed"]

    def test_pattern_lists_files_by_path(self, library, ruleset):
        changes = {f"branches/north/{name}note.json": '{"n": 1}' for name in ("", "s1/", "s1/deep/")}
        branch = Run(ruleset, library(changes)).top().children("branch")[0]

        assert [note["path"] for note in branch.get("notes")] == [
            "branches/north/note.json",
            "branches/north/s1/deep/note.json",
            "branches/north/s1/note.json",
        ]

    def test_name_in_any_case(self, library, ruleset):
        branch = Run(ruleset, library()).top().children("branch")[0]

        assert branch.get("files").get("sign").get("path") == "branches/north/sign.TXT"


def test_unreadable_input_warns_and_is_no_place(library, ruleset, tmp_path_factory):
    from submission_checker.engine.judge import Judge

    fees = tmp_path_factory.mktemp("fees") / "fees.yaml"
    fees.write_text("a_day: [", encoding="utf-8")

    results, _ = Judge(ruleset, Run(ruleset, library(), {"fees": fees})).judge_all()

    [result] = [r for r in results if r.rule == "fees-readable"]
    assert (result.severity, result.path, result.location, result.message) == (
        Severity.WARNING, None, "", "fees: syntax",
    )  # fmt: skip
