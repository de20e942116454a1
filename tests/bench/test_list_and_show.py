"""`rules list` and `rules show`."""

from __future__ import annotations

import pytest

from tests.bench.conftest import LIBRARY


def ids(answer):
    return [rule["id"] for rule in answer.json["rules"]]


class TestList:
    def test_text(self, rules):
        answer = rules("list", "--rules", LIBRARY)

        assert answer.code == 0
        assert (
            "Books (books)\n  books-known    warning  -     §2.1  The subject of a shelf is known\n"
            in answer.out
        )
        assert answer.out.endswith("7 of 7 rules of library\n")

    @pytest.mark.parametrize(
        ("filters", "expected"),
        [
            (["--severity", "warning"], ["books-known", "fees-readable"]),
            (["--family", "loans"], ["fees-readable", "loans-short", "readers-named"]),
            (["--clause", "1"], ["branch-exists", "fees-readable"]),
            (["--clause", "§2", "--family", "loans"], ["loans-short", "readers-named"]),
            (["--clause", "1", "--clause", "2.1", "--severity", "warning"], ["books-known", "fees-readable"]),
        ],
    )
    def test_filters(self, rules, filters, expected):
        assert ids(rules("list", "--rules", LIBRARY, "--format", "json", *filters)) == expected

    @pytest.mark.parametrize(
        ("filters", "message"),
        [
            (["--family", "loan"], "no family 'loan'; did you mean loans?"),
            (["--clause", "2.11"], "no rule serves clause '2.11'; did you mean 2.1?"),
            (["--severity", "fatal"], "'fatal' is not one of 'error', 'warning'"),
        ],
    )
    def test_unknown_word_is_a_wrong_call(self, rules, filters, message):
        answer = rules("list", "--rules", LIBRARY, *filters)

        assert answer.code == 2
        assert message in answer.err

    def test_entry(self, rules):
        [entry] = rules(
            "list", "--rules", LIBRARY, "--format", "json", "--clause", "1", "--family", "books"
        ).json["rules"]

        assert entry == {
            "id": "branch-exists",
            "title": "The library has a branch",
            "clauses": ["1"],
            "row": None,
            "severity": "error",
            "action": "fine",
            "family": "books",
            "scope": "library",
        }  # fmt: skip


class TestChoosingARuleset:
    def test_two_at_once(self, rules):
        answer = rules("list", "--rules", LIBRARY, "--ruleset", "2026-10")

        assert (answer.code, answer.out) == (2, "")
        assert "--rules and --ruleset exclude each other" in answer.err

    def test_no_such_folder(self, rules):
        assert rules("list", "--rules", "nowhere").code == 2

    def test_no_such_ruleset(self, rules):
        answer = rules("list", "--ruleset", "2026_10")

        assert answer.code == 3
        assert "no ruleset named 2026_10; did you mean 2026-10?" in answer.err

    def test_folder_without_a_ruleset(self, rules, tmp_path):
        answer = rules("list", "--rules", tmp_path)

        assert answer.code == 3
        assert "ruleset.yaml: not a ruleset: no such file" in answer.err

    def test_shipped_one_by_default(self, rules):
        assert len(ids(rules("list", "--format", "json"))) > 70


class TestShow:
    def test_text(self, rules):
        answer = rules("show", "short-loans", "--rules", LIBRARY)

        assert answer.code == 0
        assert answer.out.startswith(
            "loans-short (also short-loans)\n  No loan is longer than the shelf allows\n"
        )
        for line in (
            "  Clause    §2.1 Shelves",
            "  Severity  error",
            "  File      library/loans/loans-short.yaml",
            "  when      days is not None",
            "  check 2, warning",
            "    require days >= 0",
            "  limit = subjects.limit[subject]",
            "               -> 4.1 days, at most 4 (error)",
        ):
            assert line in answer.out.splitlines()

    def test_everything_as_json(self, rules):
        shown = rules("show", "few-shelves", "--rules", LIBRARY, "--format", "json").json

        assert shown["sentence"] == (
            "For every branch, the number of `shelves` must be at least `minimum` (2)."
        )
        assert shown["clauses"] == [{"number": "2.1", "title": "Shelves"}]
        assert shown["action"] == {"key": "fine", "label": "pay a fine", "doc": "The branch pays a fine."}
        assert shown["params"] == {"minimum": 2}
        assert shown["limits"] == [{"part": "require", "comparison": "count >= minimum", "limit": [2]}]
        assert shown["functions"] == [
            {
                "name": "len",
                "signature": "len(value)",
                "does": "Count the items of a list or mapping, or the characters of a text.",
            }
        ]
        assert shown["gates"]["holds_back"][0]["stops"] == "branch"
        assert [entry["after"] for entry in shown["gates"]["held_back_by"]] == [["branch-exists"]]
        assert [example["kind"] for example in shown["examples"]] == ["passed", "passed", "broken"]

    def test_unknown_rule(self, rules):
        answer = rules("show", "few-shelfs", "--rules", LIBRARY)

        assert answer.code == 2
        assert "no rule 'few-shelfs'; did you mean few-shelves?" in answer.err
