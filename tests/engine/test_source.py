"""What the editor wrote is what is meant: YAML without the traps of its first version."""

from __future__ import annotations

import os

import pytest

from submission_checker.engine.errors import RulesetError
from submission_checker.engine.source import Marks, load, loads


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("on: no", {"on": "no"}),
        ("yes", "yes"),
        ("true", True),
        ("1e-3", 0.001),
        ("12:30", "12:30"),
        ("017", "017"),
        ("1_000", "1_000"),
        ("2026-01-02", "2026-01-02"),
        ("2026-10", "2026-10"),
        ("1.10", 1.1),
        ("-5", -5),
        ("~", None),
        ("", None),
        ("'1'", "1"),
        ("[a, 1, 2.5, null]", ["a", 1, 2.5, None]),
        ("90: x", {"90": "x"}),
        ("a: 'it''s'", {"a": "it's"}),
        ("a: >\n  b\n  c\n", {"a": "b c\n"}),
    ],
)
def test_value(text, value):
    assert loads(text, Marks("x.yaml")) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\na: 2", "x.yaml:2:1: the key a is there twice"),
        ("a: &b 1\nc: *b", "x.yaml:1:4: anchors and aliases are not used in rules"),
        ("a: !!int '1'", "x.yaml:1:4: the tag tag:yaml.org,2002:int is not used in rules"),
        ("a: !x {}", "x.yaml:1:4: the tag !x is not used in rules"),
        ("a: [", "x.yaml:2:1: not YAML"),
        ("a: b: c", "x.yaml:1:5: not YAML"),
        ("? [a]\n: b", "x.yaml:1:3: a key must be a text"),
        ("a: 1\n---\nb: 2", "x.yaml:2:1: not YAML"),
        ("[" * 2000, "x.yaml"),
        ("a: `b`", "x.yaml:1:4: not YAML"),
        ("<<: {a: 1}\nb: *x", "x.yaml"),
    ],
)
def test_refused_with_its_place(text, message):
    with pytest.raises(RulesetError) as refused:
        loads(text, Marks("x.yaml"))

    assert str(refused.value).startswith(message)


def test_bad_file_is_named(tmp_path):
    file = tmp_path / "rule.yaml"
    file.write_bytes(b"a: \xff")

    with pytest.raises(RulesetError, match=r"rule\.yaml:1: not UTF-8"):
        load(file)
    with pytest.raises(RulesetError, match=r"none\.yaml: cannot be read: No such file"):
        load(tmp_path / "none.yaml")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "r.yaml")
    with pytest.raises(RulesetError, match=r"r\.yaml: cannot be read: not a regular file"):
        load(tmp_path / "r.yaml")
