"""Our YAML values are those of PyYAML's safe loader, with libyaml and without."""

from __future__ import annotations

import math
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from submission_checker.documents import DEFAULT
from submission_checker.documents.problems import Refused
from submission_checker.documents.yaml_reader import EVENT_PARSER, parse_yaml, python_parser

PARSERS = {"best": EVENT_PARSER, "python": python_parser}

DOCUMENTS = [
    "a: &x [1, 2]\nb: *x\n",
    "a: &x {p: 1}\nb: {<<: *x, q: 2}\n",
    "a: &x {p: 1}\nb: &y {p: 2, r: 3}\nc: {<<: [*x, *y], q: 2}\n",
    "<<: {a: 1}\nb: 2\n",
    "<<: 5\n",
    "x: <<\n",
    "=: 1\n",
    "1: a\ntrue: b\n~: c\n1.5: d\n2026-01-01: e\n",
    "? a\n? b\n",
    "{a, b: c, 'd': }\n",
    "? [a]\n: 1\n",
    "a: 'it''s'\nb: |\n  text\n   more\nc: >-\n  folded\n  text\n\n  para\n",
    'a: "esc \\x41 \\u00e9 \\n"\nb: "multi\n  line"\n',
    'a: "\\ud83d\\ude00"\n',
    "a: plain\n  continued\n",
    "- a\n- - b\n  - c\n-\n  d: e\n",
    "a: !!str 5\nb: !!float 5\nc: !!binary aGk=\nd: !!set {x, y}\ne: !!null x\nf: !!bool yes\n",
    "a: !!omap [x: 1]\nb: !!pairs [x: 1, x: 2]\n",
    "a: ! x\nb: ! 5\n- c\n",
    "a: !\n",
    "%YAML 1.1\n---\na: 1\n...\n",
    "a: 1\n---\n",
    "a: {? k : v, ? z}\n",
    "a: {?k: v}\n",
    "a: |#\n  text\n",
    "a: b # comment\n",
    "a: b#c\n",
    "a: [1,\n2]\n",
    "a:\tb\n",
    "a: b\t\n",
    "a: b\n\ufeffc: d\n",
    "a: http://x:1/?q=[1]\n",
    "a: {b:c}\n",
    "a: [b:c, d: e]\n",
    "a: &x 1\nb: &x 2\nc: *x\n",
    "x" * 2000 + ": 1\n",
    "a: \u00e9\u2028\U0001f600\n",
    "a: 1:30\nb: -1:30.5\nc: 190:20:30\nd: 0b_\n",
    "a: 0x\nb: 0b2\nc: 09\nd: 0_7\ne: ._5\nf: 1__0\n",
    "a: 2001-12-14t21:59:43.10-05:00\nb: 2001-12-14 21:59:43 Z\n",
]


def outcome(text: str, parser: Any) -> Any:
    try:
        return repr(parse_yaml(text.encode("utf-8"), DEFAULT, parser)[0])
    except Refused:
        return "refused"


def expected(text: str) -> Any:
    try:
        return repr(yaml.safe_load(text))
    except (yaml.YAMLError, ValueError):
        return "refused"


@pytest.mark.parametrize("parser", PARSERS.values(), ids=PARSERS)
@pytest.mark.parametrize("text", DOCUMENTS)
def test_same_as_the_safe_loader(text, parser):
    assert outcome(text, parser) == expected(text)


TEXT = (
    "a b no On 020 1_6 1:30 2026-01-02 .nan ~ null 0x1f 1e3 1.5e+3 'q' \"d\" << = - ? [] {} [a, b: c] "
    "{a: 1} &x *x !!str |- # # % @ x:y 'it''s' yes true -.inf 2001-01-01T00:00:00Z"
)
WORDS = st.sampled_from(TEXT.split(" "))
LINES = st.builds(
    lambda indent, dash, key, colon, value: " " * indent + dash + key + colon + value,
    st.integers(0, 4),
    st.sampled_from(["", "", "", "- ", "? "]),
    WORDS,
    st.sampled_from([": ", ": ", ":\n    ", "", ":", " : ", ":\t"]),
    WORDS,
)


@settings(max_examples=200, deadline=None)
@given(st.lists(LINES, max_size=6).map("\n".join))
def test_same_as_the_safe_loader_on_anything(text):
    wanted = expected(text)
    assert outcome(text, EVENT_PARSER) == wanted
    assert outcome(text, python_parser) == wanted


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(codec="utf-8"), max_size=12)
    | st.dates()
    | st.datetimes()
)
VALUES = st.recursive(
    SCALARS,
    lambda below: st.lists(below, max_size=4) | st.dictionaries(SCALARS, below, max_size=4),
    max_leaves=12,
)


@settings(max_examples=100, deadline=None)
@given(VALUES, st.sampled_from([True, False, None]))
def test_what_was_dumped_is_read_again(value, flow):
    text = yaml.safe_dump(value, default_flow_style=flow, allow_unicode=True)
    assert outcome(text, EVENT_PARSER) == expected(text)
    assert outcome(text, python_parser) == expected(text)


def test_values_that_were_seen_before_are_the_same():
    text = b"a: [no, 020, .nan, 2026-01-02]\n"
    first, second = (parse_yaml(text, DEFAULT)[0]["a"] for _ in range(2))
    assert first[:2] == second[:2] == [False, 16]
    assert math.isnan(second[2])
    assert first[3] == second[3]
