"""What a later ruleset can say as a difference: schemas, tables, facts, and rules that only state."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from submission_checker.engine import ruleset as rulesets
from submission_checker.engine.errors import RulesetError
from submission_checker.engine.judge import Judge
from submission_checker.engine.subjects import Run

ROOT = Path(__file__).parents[2]
RULESETS = ROOT / "fixtures" / "rulesets"

STATEMENT = """\
id: shelf-told
title: What a shelf holds is told
clauses: ["1"]
severity: warning
scope: shelf
when: count is not None
passed: "{count} books on {name}"
"""


def load(folder: Path):
    return rulesets.load(folder, functions={}, schemas=ROOT / "schemas", rulesets=RULESETS, examples=True)


@pytest.fixture
def own(tmp_path):
    """A ruleset of the test's own that extends the library's; files given by name."""

    def write(files: dict[str, str], settings: str = "", extends: str = "library", name: str = "own") -> Path:
        folder = tmp_path / name
        files = {"ruleset.yaml": f"id: {name}\ntitle: Own\nextends: {extends}\n{settings}", **files}
        for file, text in files.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(text, encoding="utf-8")
        return folder

    return write


def test_a_schema_is_a_difference_where_it_says_so(own):
    below = load(RULESETS / "library").raw_schema("card")
    change = {"x-extends": True, "title": "Changed", "required": ["subject"], "properties": {"books": None}}

    schema = load(own({"schemas/card.schema.json": json.dumps(change)})).raw_schema("card")

    assert "books" in below["properties"]
    assert schema == {
        **below,
        "title": "Changed",
        "required": ["subject"],
        "properties": {key: value for key, value in below["properties"].items() if key != "books"},
    }


def test_differences_lie_over_each_other(own):
    own({"schemas/card.schema.json": json.dumps({"x-extends": True, "title": "A", "x-clause": "1"})})
    later = {"x-extends": True, "title": "B"}

    folder = own({"schemas/card.schema.json": json.dumps(later)}, extends="own", name="later")

    schema = load(folder).raw_schema("card")
    assert (schema["title"], schema["x-clause"], schema["type"]) == ("B", "1", "object")


def test_a_table_that_is_merged_has_its_shape_only_when_it_is(own, tmp_path, monkeypatch):
    schemas = tmp_path / "schemas"
    (schemas / "tables").mkdir(parents=True)
    shape = {"type": "object", "required": ["known", "limit"], "properties": {"known": {"type": "array"}}}
    (schemas / "tables" / "subjects.schema.json").write_text(json.dumps(shape), encoding="utf-8")

    def loaded(text: str, settings: str):
        folder = own({"tables/subjects.yaml": text}, settings)
        return rulesets.load(folder, functions={}, schemas=schemas, rulesets=RULESETS).tables["subjects"]

    merged = loaded("known: [maths]\n", "merge_tables: [subjects]\n")
    assert merged["known"] == ["maths"]
    assert "limit" in merged
    with pytest.raises(RulesetError, match="limit is missing"):
        loaded("known: [maths]\n", "")
    with pytest.raises(RulesetError, match=r"own/tables/subjects.yaml:1:\d+: known"):
        loaded("known: maths\n", "merge_tables: [subjects]\n")


def test_a_fact_replaces_another_as_a_whole(own):
    facts = 'shelf:\n  count: {expr: "7"}\n  circular: null\n  circular_too: null\n'

    found = load(own({"facts.yaml": facts})).facts["shelf"]

    assert found["count"].definition.source == "7"
    assert "circular" not in found
    assert "share" in found


def test_a_rule_may_only_state_something(own, library):
    folder = own({"books/shelf-told.yaml": STATEMENT})
    root = library({"branches/north/s3/card.yaml": None})
    ruleset = load(folder)

    results, _ = Judge(ruleset, Run(ruleset, root), keep_going=True).judge_all()

    told = [(result.message, result.severity.value) for result in results if result.rule == "shelf-told"]
    assert told == [("10 books on s1", "info"), ("30 books on s2", "info")]


def test_a_rule_without_anything_to_say_is_a_mistake(own):
    text = STATEMENT.replace('passed: "{count} books on {name}"\n', "")

    with pytest.raises(RulesetError):
        load(own({"books/shelf-told.yaml": text}))
