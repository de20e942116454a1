"""`rules new`: what it writes can be used at once."""

from __future__ import annotations

import shutil

import pytest

from tests.bench.conftest import LIBRARY


@pytest.fixture
def library(tmp_path):
    shutil.copytree(LIBRARY, tmp_path / "library")
    return tmp_path / "library"


@pytest.mark.parametrize("scope", ["library", "branch", "shelf"])
def test_new_rule_passes_its_tests_and_lacks_only_what_it_marks(rules, library, scope):
    made = rules("new", "books-sorted", "--family", "books", "--scope", scope, "--rules", library)
    tested = rules("test", "books-sorted", "--rules", library, "--min-score", "100")
    linted = rules("lint", "books-sorted", "--rules", library, "--format", "json")
    laid_out = rules("fmt", "--check", "--rules", library)

    assert made.code == 0, made.err
    assert made.out.startswith(f"wrote {library / 'books' / 'books-sorted.yaml'}\n")
    assert tested.code == 0, tested.out
    assert {finding["lint"] for finding in linted.json["findings"]} == {"todo"}
    assert [finding["message"] for finding in linted.json["findings"]] == [
        "still to do: TODO: one sentence that says what holds when the rule holds",
        "still to do: TODO: what to do about it",
        "still to do: TODO: why the rule exists",
    ]
    assert laid_out.code == 0, laid_out.out


def test_it_begins_with_a_number_of_a_document(rules, library):
    rules("new", "books-sorted", "--family", "books", "--scope", "shelf", "--rules", library)

    text = (library / "books" / "books-sorted.yaml").read_text(encoding="utf-8")

    assert text.startswith("# yaml-language-server: $schema=/")
    assert "extract:\n  value: card.books\n" in text
    assert "at: card.books\n" in text


def test_ruleset_is_begun_on_top_of_a_shipped_one(rules, tmp_path):
    folder = tmp_path / "mine"

    made = rules(
        "new", "point-odd", "--family", "points", "--scope", "point", "--in", folder, "--ruleset", "2026-10"
    )
    tested = rules("test", "point-odd", "--rules", folder, "--mutate")
    shown = rules("show", "point-odd", "--rules", folder, "--format", "json")

    assert made.out.startswith(f"wrote {folder / 'ruleset.yaml'}, on top of 2026-10\n")
    assert tested.code == 0, tested.out + tested.err
    assert shown.json["ruleset"] == "mine"
    assert shown.json["family_title"] == "Measurement points"


def test_new_family_is_said(rules, library):
    made = rules("new", "visitors", "--family", "people", "--scope", "branch", "--rules", library)

    assert (
        f"people is a new family: give it a title under `families` in {library / 'ruleset.yaml'}" in made.out
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["Books", "--family", "books", "--scope", "shelf"], "'Books' is no id"),
        (["../x", "--family", "books", "--scope", "shelf"], "'../x' is no id"),
        (["x", "--family", "../y", "--scope", "shelf"], "'../y' is no name for a family"),
        (["x", "--family", "tables", "--scope", "shelf"], "'tables' is no name for a family"),
        (["x", "--family", "books", "--scope", "shelfs"], "no scope 'shelfs'; did you mean shelf?"),
        (["short-loans", "--family", "books", "--scope", "shelf"], "already: library/loans/loans-short.yaml"),
        (["x", "--family", "books"], "Missing option '--scope'"),
    ],
)
def test_wrong_call_writes_nothing(rules, library, arguments, message):
    answer = rules("new", *arguments, "--rules", library)

    assert answer.code == 2
    assert message in answer.err
    assert sorted(path.name for path in library.glob("books/*")) == sorted(
        path.name for path in LIBRARY.glob("books/*")
    )


def test_place_is_needed(rules):
    answer = rules("new", "x", "--family", "points", "--scope", "point", "--ruleset", "2026-10")

    assert answer.code == 2
    assert "say where to put it" in answer.err
