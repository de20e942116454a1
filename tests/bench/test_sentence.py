"""A rule in one sentence: it says what the engine does, and which side the limit is on."""

from __future__ import annotations

from typing import Any

import pytest

from submission_checker import api
from submission_checker.bench.sentence import sentence
from submission_checker.engine import rules as parts
from tests.bench.conftest import LIBRARY, survey

RULE: dict[str, Any] = {
    "id": "r", "title": "t", "clauses": ["1"], "severity": "error", "scope": "shelf", "broken": "x",
    "extract": {"days": "loans.days", "out": "loans.out"}, "params": {"most": 3, "tolerance": 0.01},
}  # fmt: skip


@pytest.fixture(scope="module")
def library():
    return survey(LIBRARY).ruleset


def said(library, **changes: Any) -> str:
    raw = {**RULE, **changes}
    rule = parts.rule(raw, family="f", source="f/r.yaml", functions=library.functions)
    return sentence(library, rule)


@pytest.mark.parametrize(
    ("require", "expected"),
    [
        ("days <= most", "`loans.days` must be at most `most` (3)"),
        ("days < most", "`loans.days` must be less than `most` (3) (exactly `most` (3) is too much)"),
        ("days > 0", "`loans.days` must be more than 0 (exactly 0 is not enough)"),
        ("0 <= days <= 3", "0 must be at most `loans.days` and `loans.days` must be at most 3"),
        ("days == 1", "`loans.days` must be 1"),
        ("not days == 1", "`loans.days` must not be 1"),
        ("days is not None", "`loans.days` must be given"),
        ("days is None or days >= 1", "if `loans.days` is given, `loans.days` must be at least 1"),
        ("not (days > 1 and days < 3)", "`loans.days` must be at most 1 or `loans.days` must be at least 3"),
        ("len(out) > 0", "there must be at least one of `loans.out`"),
        ("not out", "`loans.out` must not hold"),
        ("len(out) == 0", "there must be no `loans.out`"),
        ("is_text(days)", "`loans.days` must be a text"),
        ("not is_text(days)", "`loans.days` must not be a text"),
        ("within(days, most, rel=tolerance)", "`loans.days` must be within 1 % (`tolerance`) of `most` (3)"),
        ("matches('[a-z]+', name)", "`name` must match '[a-z]+'"),
        ("not starts_with(name, 'a')", "`name` must not begin with 'a'"),
        ("days in [1, 2]", "`loans.days` must be one of 1, 2"),
        ("name in subjects.known", "`name` must be one of `subjects.known` (history, poetry)"),
        ("all(b >= 1 for b in out if b < 9)",
         "for every `b` of `loans.out` for which `b` is less than 9, `b` must be at least 1"),
        ("not all(b > 1 for b in out)", "for some `b` of `loans.out`, `b` must be at most 1"),
        ("closed", "it must be so that the branch is closed"),
        ("not closed", "it must not be so that the branch is closed"),
        ("max(out) < 3", "the highest of `loans.out` must be less than 3 (exactly 3 is too much)"),
        ("days / 2 == 1", "`days / 2` must be 1"),
    ],
)  # fmt: skip
def test_what_must_hold(library, require, expected):
    assert said(library, require=require) == f"For every shelf, {expected}."


def test_for_whom_and_when(library):
    raw = {
        "where": "closed",
        "for_each": {"each": "b", "in": "out", "distinct": True},
        "when": "days is not None",
        "require": "b == 1",
    }

    assert said(library, **raw) == (
        "For every shelf for which the branch is closed, for each distinct `b` of `loans.out`, "
        "when `loans.days` is given, `b` must be 1."
    )


def test_several_checks(library):
    checks = [
        {"when": "days is None", "broken": "x", "last": True},
        {"require": "days > 1", "severity": "warning", "broken": "x"},
    ]
    raw = {key: value for key, value in RULE.items() if key != "broken"}
    rule = parts.rule({**raw, "checks": checks}, family="f", source="", functions=library.functions)

    assert sentence(library, rule) == (
        "For every shelf, these are checked in order, and the first that fails is reported: "
        "(1) when `loans.days` is absent, there is a finding, and nothing more is checked; "
        "(2) `loans.days` must be more than 1 (exactly 1 is not enough) (warning only)."
    )


def test_the_top_is_not_every(library):
    assert said(library, scope="library", extract={}, require="name == 'a'") == (
        "For the library, `name` must be 'a'."
    )


def test_every_shipped_rule_has_a_sentence():
    ruleset = api.load_ruleset("2026-10", examples=True)

    for rule in ruleset.rules.values():
        told = sentence(ruleset, rule)
        assert told.startswith("For ") and told.endswith("."), rule.id
