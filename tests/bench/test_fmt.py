"""`rules fmt`: one layout, comments kept, meaning kept."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from submission_checker.bench.formatting import WIDTH, format_rule
from submission_checker.engine import source
from submission_checker.engine.errors import RulesetError
from tests.bench.conftest import LIBRARY, ROOT, SCHEMAS

SCHEMA = json.loads((SCHEMAS / "rule.schema.json").read_text(encoding="utf-8"))
RULES = sorted((ROOT / "rules").glob("*/*/*.yaml")) + sorted(LIBRARY.glob("*/*.yaml"))
RULES = [path for path in RULES if path.parent.name != "tables"]


def laid_out(text: str) -> str:
    return format_rule(text, SCHEMA)


def load(text: str):
    return source.loads(text, source.Marks("x"))


def test_everything_at_once():
    before = """\
# yaml-language-server: $schema=x

# About the rule.
scope:   shelf   # where
'title': "A rule"
id: r
# The limit,
# and why.
params: {limit: 1.50, names: [ 'a', "9", "no", 'x: y', "it's", 'say "x"' ], # beside
  }
clauses:
- "2.1"
let: {b: a + 1, a: 'b'}
extract: { days: loans.days }
checks:
  - {broken: "no {days}", require: days < 3, severity: warning}   # first
  # second
  - broken: yes it is
    when: "{'a': 1}['a'] == 1"
severity: error
why: >
   Because
   it is.
hint: "A line\\nand another"
examples: {broken: [{message: no 4, given: {loans: {days: 4}}}]}
# the end
"""

    assert (
        laid_out(before)
        == """\
# yaml-language-server: $schema=x
# About the rule.
id: r
title: A rule
clauses: ["2.1"]
severity: error
scope: shelf # where
# The limit,
# and why.
params: {limit: 1.50, names: [a, "9", "no", "x: y", it's, say "x"]} # beside
extract:
  days: loans.days
let:
  b: a + 1
  a: b
checks:
  # first
  - require: days < 3
    severity: warning
    broken: "no {days}"
  # second
  - when: "{'a': 1}['a'] == 1"
    broken: yes it is
hint: |-
  A line
  and another
why: >
  Because it is.
examples:
  broken:
    - given: {loans: {days: 4}}
      message: no 4
# the end
"""
    )


@pytest.mark.parametrize(
    ("written", "laid"),
    [
        ("'plain'", "plain"), ("'a: b'", '"a: b"'), ("'no'", '"no"'), ("'1'", '"1"'), ("1.10", "1.10"),
        ("'1e-3'", '"1e-3"'), ("'12:30'", '"12:30"'), ("4.5.3", '"4.5.3"'), ("'2026-10-02'", '"2026-10-02"'),
        ("''", '""'),
        ("a {b}", '"a {b}"'), ("'a # b'", '"a # b"'), ("a, b", "a, b"), ("'- a'", '"- a"'), ("'a:'", '"a:"'),
        ("'[a]'", '"[a]"'), ("a [b]", "a [b]"), (r"'\d'", r"\d"), ("'ä §'", "ä §"), ('"\\t"', '"\\t"'),
        ("'it''s {x}'", '"it\'s {x}"'), ("'\"a\" {x}'", "'\"a\" {x}'"), ("null", "null"), ("true", "true"),
    ],
)  # fmt: skip
def test_quotes(written, laid):
    assert laid_out(f"id: r\nhint: {written}\n") == f"id: r\nhint: {laid}\n"


def test_long_texts_and_long_lists_are_folded():
    text = laid_out(
        "id: r\nhint: '" + "word " * 40 + "end'\nparams: {names: [" + ", ".join(["something"] * 20) + "]}\n"
    )

    assert "\nhint: >-\n  word word" in text
    assert "\nparams:\n  names: [something, something," in text
    assert "\n    something, something" in text
    assert max(map(len, text.splitlines())) <= WIDTH


def test_names_keep_their_order():
    text = "id: r\nlet: {z: number, a: z + 1}\nextract: {y: card, b: card}\n"

    assert list(load(laid_out(text))["let"]) == ["z", "a"]
    assert list(load(laid_out(text))["extract"]) == ["y", "b"]


@pytest.mark.parametrize("text", ["id: [", "- a\n", "id: r\nid: r\n", "id: !x r\n", "title: x\n", ""])
def test_what_is_no_rule_is_refused(text):
    with pytest.raises(RulesetError):
        laid_out(text)


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_every_rule_keeps_its_meaning_and_its_comments(path: Path):
    before = path.read_text(encoding="utf-8")
    after = laid_out(before)

    assert load(after) == load(before)
    assert laid_out(after) == after
    assert before.count(" #") + before.startswith("#") >= after.count(" # ") + after.startswith("#")
    for line in before.splitlines():
        if line.strip().startswith("# "):
            assert line.strip() in after


TEXTS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=200
) | st.sampled_from(
    [
        "no",
        "on",
        "~",
        "1e3",
        "12:30",
        "0x1F",
        "=",
        "<<",
        "a: b",
        " a",
        "a ",
        "a\nb",
        "a\n",
        "\n",
        "# a",
        "'",
        '"',
        "%",
    ]
)
VALUES = st.recursive(
    TEXTS | st.integers() | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=20,
)


@settings(max_examples=300, deadline=None)
@given(VALUES)
def test_any_value_keeps_its_meaning(value):
    text = json.dumps({"id": "r", "params": {"value": value}, "let": {"a": value}}, ensure_ascii=False)
    try:
        expected = load(text)
    except RulesetError:  # characters that YAML has not
        return

    assert load(laid_out(text)) == expected


class TestCommand:
    @pytest.fixture
    def folder(self, tmp_path):
        shutil.copytree(LIBRARY, tmp_path / "library")
        file = tmp_path / "library" / "books" / "few-shelves.yaml"
        file.write_text(
            file.read_text(encoding="utf-8").replace("params: {minimum: 2}", "params:\n  minimum:  2")
        )
        return tmp_path / "library"

    def test_check_then_change_then_check(self, rules, folder):
        before = rules("fmt", "--check", "--rules", folder)
        changed = rules("fmt", "--rules", folder)
        after = rules("fmt", "--check", folder)

        assert (before.code, changed.code, after.code) == (1, 0, 0)
        assert before.out.splitlines()[0].endswith(
            "would change " + str(folder / "books" / "few-shelves.yaml")
        )
        assert changed.out.endswith("7 rules, 1 changed\n")
        assert after.out == "7 rules, 0 to change\n"
        text = (folder / "books" / "few-shelves.yaml").read_text(encoding="utf-8")
        assert text == (LIBRARY / "books" / "few-shelves.yaml").read_text(encoding="utf-8")

    def test_diff(self, rules, folder):
        answer = rules("fmt", "--diff", folder / "books" / "few-shelves.yaml")

        assert answer.code == 1
        assert "-  minimum:  2\n+params: {minimum: 2}\n" in answer.out

    def test_broken_file_is_named(self, rules, tmp_path):
        (tmp_path / "r.yaml").write_text("id: r\nhint: a: b\n", encoding="utf-8")

        answer = rules("fmt", "r.yaml")

        assert (answer.code, answer.out) == (3, "")
        assert answer.err == "r.yaml:2:8: not YAML: mapping values are not allowed in this context\n"

    def test_missing_file(self, rules):
        answer = rules("fmt", "nowhere.yaml")

        assert answer.code == 2
        assert "there is no nowhere.yaml" in answer.err
