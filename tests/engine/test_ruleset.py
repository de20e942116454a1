"""Loading, linking and laying rulesets over each other."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from submission_checker.engine import ruleset as rulesets
from submission_checker.engine.errors import RulesetError
from tests.support.results import rows

ROOT = Path(__file__).parents[2]
RULESETS = ROOT / "fixtures" / "rulesets"
RULE = """\
id: {id}
title: A rule
clauses: ["1"]
severity: error
scope: shelf
"""


def load(folder: Path, **settings):
    return rulesets.load(folder, functions={}, schemas=ROOT / "schemas", rulesets=RULESETS, **settings)


@pytest.fixture
def own(tmp_path):
    """A ruleset of the test's own that extends the library's; files given by name."""

    def write(files: dict[str, str], settings: str = "") -> Path:
        folder = tmp_path / "own"
        files = {"ruleset.yaml": f"id: own\ntitle: Own\nextends: library\n{settings}", **files}
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        return folder

    return write


def mistakes(folder: Path, **settings) -> list[str]:
    with pytest.raises(RulesetError) as refused:
        load(folder, **settings)
    return [str(mistake) for mistake in refused.value.mistakes]


class TestOverlay:
    def test_rules_are_added_replaced_and_removed(self):
        strict = load(RULESETS / "library-strict")

        assert "readers-named" not in strict.rules
        assert strict.rules["books-known"].info.title == "The subject of a shelf is given"
        assert strict.rules["books-known"].info.source == "library-strict/books/books-known.yaml"
        assert strict.rules["loans-short"].info.source == "library/loans/loans-short.yaml"

    def test_single_keys_change(self, library, check):
        strict = load(RULESETS / "library-strict")

        results, _ = check(library(), strict)

        assert ("few-shelves", "warning", "branches/north") in rows(results)

    def test_tables_merge_where_named(self):
        strict = load(RULESETS / "library-strict")

        assert strict.tables["subjects"] == {
            "known": ["history", "poetry"],
            "limit": {"history": 10, "poetry": 3},
        }

    def test_null_takes_a_key_away(self, own):
        folder = own({}, "override: {books-known: {passed: null}}\n")

        assert load(folder).rules["books-known"].passed is None

    def test_schema_in_the_folder_comes_first(self, own):
        folder = own({"schemas/card.schema.json": '{"type": "object", "title": "mine"}'})

        assert load(folder).raw_schema("card")["title"] == "mine"
        assert load(folder).raw_schema("loans")["title"] == "Loans of a shelf"

    def test_alias_finds_the_rule(self):
        assert load(RULESETS / "library").find("short-loans").id == "loans-short"


class TestMistakes:
    @pytest.mark.parametrize(
        ("settings", "message"),
        [
            (
                "remove: [book-known]\n",
                "own/ruleset.yaml:4:10: no rule named book-known; did you mean books-known?",
            ),
            ("override: {few-shelfs: {}}\n", "no rule named few-shelfs; did you mean few-shelves?"),
            (
                "override: {few-shelves: {params: {minimun: 3}}}\n",
                "few-shelves has no parameter minimun; did you mean minimum?",
            ),
            (
                "gates: [{after: card-vald, stops: shelf}]\n",
                "a gate names no rule card-vald; did you mean card-valid?",
            ),
            ("gates: [{after: card-valid, stops: shelfs}]\n", "no scope named shelfs"),
            ("gates: [{after: card-valid, stop: shelf}]\n", "no key stop here; did you mean stops?"),
            ("familes: {}\n", "own/ruleset.yaml:4:1: no key familes here; did you mean families?"),
        ],
    )
    def test_in_settings(self, own, settings, message):
        assert any(message in mistake for mistake in mistakes(own({}, settings)))

    @pytest.mark.parametrize(
        ("body", "message"),
        [
            (
                "require: cont > 3\nbroken: x\n",
                "own/fam/r.yaml:6:10: no name cont; did you mean count? in `cont > 3`",
            ),
            ("require: lenn(name) > 3\nbroken: x\n", "no function named lenn(); did you mean len?"),
            ("require: count >\nbroken: x\n", "own/fam/r.yaml:6:10: not an expression"),
            ("require: count > 1\nbroken: '{cuont}'\n", "the message has no name cuont; did you mean count?"),
            ("require: count > 1\nbroken: '{count'\n", "not a message"),
            ("extract: {b: crad.books}\nbroken: x\n", "nothing named crad here; did you mean card?"),
            ("extract: {b: 'card[?'}\nbroken: x\n", "not a JMESPath"),
            ("let: {a: b + 1, b: count}\nbroken: x\n", "no name b in `b + 1`"),
            ("at: crad.books\nbroken: x\n", "no document or place named crad; did you mean card?"),
            ("broken: x\nrequires: y\n", "no key requires here; did you mean require?"),
            ("checks: [{broken: x}]\nbroken: y\n", "a rule has either `checks`, or `require` and `broken`"),
            ("require: [1]\nbroken: x\n", "require: must be a text or true or false, not [1]"),
            ("for_each: {each: x}\nbroken: x\n", "for_each: in is missing"),
        ],
    )
    def test_in_a_rule(self, own, body, message):
        found = mistakes(own({"fam/r.yaml": RULE.format(id="r") + body}))

        assert any(message in mistake for mistake in found), found

    def test_all_are_named_at_once(self, own):
        rule = RULE.format(id="r") + "require: cont > limt\nbroken: '{x}'\n"

        assert len(mistakes(own({"fam/r.yaml": rule}))) == 3

    def test_name_of_the_file_is_the_id(self, own):
        assert mistakes(own({"fam/r.yaml": RULE.format(id="q") + "broken: x\n"})) == [
            "own/fam/r.yaml:1:5: the id q is not the file's name"
        ]

    def test_unknown_scope(self, own):
        rule = RULE.format(id="r").replace("shelf", "shel") + "broken: x\n"

        assert mistakes(own({"fam/r.yaml": rule})) == [
            "own/fam/r.yaml:5:8: no scope named shel; did you mean shelf?"
        ]

    def test_unknown_parent(self, tmp_path):
        (tmp_path / "ruleset.yaml").write_text("id: x\ntitle: x\nextends: libary\n", encoding="utf-8")

        assert "no ruleset named libary; did you mean library?" in mistakes(tmp_path)[0]

    def test_extending_itself(self, tmp_path):
        (tmp_path / "a").mkdir()
        (tmp_path / "a" / "ruleset.yaml").write_text("id: a\ntitle: a\nextends: a\n", encoding="utf-8")

        assert "extends itself" in mistakes(tmp_path / "a")[0]

    def test_no_ruleset(self, tmp_path):
        assert "not a ruleset" in mistakes(tmp_path)[0]


def test_examples_are_cut_out_before_parsing(tmp_path):
    """A check reads no examples: a mistake in them does not disturb it, and the keys after them are read."""
    shutil.copytree(RULESETS / "library", tmp_path / "library")
    file = tmp_path / "library" / "books" / "books-known.yaml"
    text = file.read_text(encoding="utf-8").replace("severity: warning\n", "", 1)
    file.write_text(
        text.replace("examples:", "examples:\n  passed: [\n") + "severity: error\n", encoding="utf-8"
    )

    ruleset = rulesets.load(tmp_path / "library", functions={}, schemas=ROOT / "schemas")

    assert ruleset.rules["books-known"].info.severity == "error"
    with pytest.raises(RulesetError):
        rulesets.load(tmp_path / "library", functions={}, examples=True)
