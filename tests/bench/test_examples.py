"""`rules test`: the examples inside the rules, and their mutants."""

from __future__ import annotations

import time

import pytest

from submission_checker import api
from submission_checker.bench import mutation
from submission_checker.bench.mutation import changed_expressions, mutants
from tests.bench.conftest import LIBRARY, survey

RULE = """\
id: r
title: A rule
clauses: ["1"]
severity: error
scope: shelf
extract: {days: loans.days}
"""
EXAMPLES = """\
examples:
  passed: [{given: {loans: {days: 3}}}]
  broken: [{given: {loans: {days: 4}}, message: "4 days", severity: error}]
"""


def test_examples_that_hold(rules):
    answer = rules("test", "--rules", LIBRARY)

    assert (answer.code, answer.out) == (0, "22 examples of 7 rules come out as they say.\n")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("require: days < 3\nbroken: '{days} days'\n", "own/fam/r.yaml:10:12: passed[0] is broken: 3 days"),
        ("require: days < 5\nbroken: '{days} days'\n", "own/fam/r.yaml:11:12: broken[0] is not broken"),
        ("require: days < 4\nbroken: 'no {days}'\n", "broken[0] says ['no 4'], not '4 days'"),
        ("when: days > 5\nbroken: x\n", "passed[0] is not checked: `when` is false"),
        ("require: days.x\nbroken: x\n", "passed[0] this rule could not be evaluated: cannot take .x of 3"),
        ("checks: [{require: days < 4, broken: '{days} days', severity: warning}]\n",
         "broken[0] has severity ['warning'], not error"),
    ],
)  # fmt: skip
def test_example_that_comes_out_otherwise(rules, own, body, message):
    answer = rules("test", "r", "--rules", own({"fam/r.yaml": RULE + body + EXAMPLES}))

    assert answer.code == 1
    assert message in answer.out
    assert answer.out.splitlines()[-1].endswith("of 1 rules come out otherwise.")


def test_failures_as_json(rules, own):
    text = RULE + "require: days < 5\nbroken: '{days} days'\n" + EXAMPLES

    shown = rules("test", "r", "--rules", own({"fam/r.yaml": text}), "--format", "json").json

    assert (shown["passed"], shown["examples"]) == (False, 2)
    assert shown["failures"] == [
        {
            "rule": "r",
            "example": "broken[0]",
            "file": "own/fam/r.yaml",
            "line": 11,
            "column": 12,
            "shortcomings": ["is not broken"],
        }
    ]


def test_nothing_ran(rules, own):
    folder = own({"fam/r.yaml": RULE + "require: days < 5\nbroken: x\n"})

    answer = rules("test", "r", "--rules", folder)

    assert (answer.code, answer.out) == (1, "r has no examples\nNo example ran.\n")


def test_rule_without_examples_beside_others(rules, own):
    folder = own({"fam/r.yaml": RULE + "require: days < 5\nbroken: x\n"})

    answer = rules("test", "--rules", folder)

    assert answer.code == 0
    assert "r has no examples" in answer.out


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("{branches: 5}", "branches in an example must be a list of what each of them is given, not 5"),
        ("{files: {fees: 1}}", "files.fees in an example must be a mapping, not 1"),
        ("{files: [x]}", "files in an example must be a mapping"),
        ("{branches: [7]}", "what an example gives must be a mapping, not 7"),
        ("{files: {fees: {problems: [x]}}}", "a problem of files.fees in an example must be a mapping"),
    ],
)
def test_example_of_the_wrong_shape(rules, own, given, message):
    text = RULE.replace("shelf", "library").replace("extract: {days: loans.days}\n", "")
    folder = own(
        {"fam/r.yaml": f"{text}require: name == 'x'\nbroken: x\nexamples: {{passed: [{{given: {given}}}]}}\n"}
    )

    answer = rules("test", "r", "--rules", folder)

    assert answer.code == 1
    assert message in answer.out


def test_ruleset_that_cannot_be_used(rules, own):
    answer = rules("test", "--rules", own({"fam/r.yaml": RULE + "require: dayss < 5\nbroken: x\n"}))

    assert answer.code == 3
    assert "own/fam/r.yaml:7:10: no name dayss; did you mean days? in `dayss < 5`" in answer.err


class TestMutants:
    @pytest.mark.parametrize(
        ("expression", "changes"),
        [
            ("a > 3", ["a >= 3", "a > 4", "a > 2"]),
            ("a == b", ["a != b"]),
            ("a in b", ["a not in b"]),
            ("a is None", ["a is not None"]),
            ("a < b <= c", ["a <= b <= c", "a < b < c"]),
            ("not a", ["a"]),
            ("a and b", ["a or b", "b", "a"]),
            ("a or b or c", ["a and b and c", "b or c", "a or c", "a or b"]),
            ("all(x for x in a if x.b)", ["any((x for x in a if x.b))", "all((x for x in a))"]),
            ("min(a)", ["max(a)"]),
            ("a + b * c", ["a - b * c", "a + b / c"]),
            ("within(a, b, rel=0.05)", ["within(a, b, rel=0.06)", "within(a, b, rel=0.04)"]),
            ("a if b else c", ["a", "c"]),
            ("a[0]", ["a[1]", "a[-1]"]),
            ("a.b", []),
            ("f('x', True, None)", []),
        ],
    )
    def test_of_an_expression(self, expression, changes):
        assert list(changed_expressions(expression)) == changes

    def test_of_a_rule(self):
        raw = {
            "severity": "error",
            "where": "a",
            "for_each": {"each": "x", "in": "y", "distinct": True},
            "params": {"most": 3, "names": ["a"], "deep": {"limits": [0.5]}},
            "let": {"e": {"expr": "not b"}, "p": {"path": "q"}},
            "when": True,
            "checks": [
                {"when": "c", "broken": "no", "last": True},
                {"require": "d", "severity": "warning", "broken": "b", "passed": "p"},
            ],
            "report": "all",
            "passed": "fine",
        }

        assert [mutant.change for mutant in mutants(raw)] == [
            "severity is warning",
            "checks[1].severity is error",
            "where is left out",
            "when is left out",
            "report is left out",
            "for_each.distinct is left out",
            "checks[0].when is left out",
            "checks[0].last is left out",
            "checks[0] is left out",
            "checks[1] is left out",
            "passed is blank",
            "checks[0].broken is blank",
            "checks[1].broken is blank",
            "checks[1].passed is blank",
            "params.most is 4",
            "params.most is 2",
            "params.deep.limits[0] is 0.6",
            "params.deep.limits[0] is 0.4",
            "let.e.expr is b",
        ]

    def test_the_rule_itself_is_left_alone(self):
        ruleset = survey(LIBRARY).ruleset
        raw = ruleset.rules["few-shelves"].raw

        list(mutants(raw))

        assert raw["params"] == {"minimum": 2}
        assert raw["severity"] == "error"

    def test_survivors_are_listed(self, rules, own):
        text = RULE + "require: days <= 3.5\nbroken: '{days} days'\n" + EXAMPLES
        folder = own({"fam/r.yaml": text})

        answer = rules("test", "r", "--rules", folder, "--mutate")

        assert answer.code == 0
        assert "r: no example notices that require is days < 3.5\n  it is days <= 3.5\n" in answer.out
        assert "r: no example notices that require is days <= 3.6" in answer.out
        assert answer.out.endswith("5 mutants of 1 rules, score 40.0 %\n")

    @pytest.mark.parametrize(("least", "code"), [("40", 0), ("40.1", 1)])
    def test_least_score(self, rules, own, least, code):
        text = RULE + "require: days <= 3.5\nbroken: '{days} days'\n" + EXAMPLES

        assert rules("test", "r", "--rules", own({"fam/r.yaml": text}), "--min-score", least).code == code

    def test_justified_ones_do_not_count(self, rules, own):
        reasons = "mutants: [{change: require is days < 3.5, reason: never half a day}]\n"
        text = RULE + "require: days <= 3.5\nbroken: '{days} days'\n" + reasons + EXAMPLES

        answer = rules("test", "r", "--rules", own({"fam/r.yaml": text}), "--mutate", "--format", "json")
        [score] = answer.json["mutation"]["rules"]

        assert (score["mutants"], score["noticed"], score["score"]) == (5, 2, 50.0)
        assert score["justified"] == {"require is days < 3.5": "never half a day"}
        assert [s["change"] for s in score["survivors"]] == [
            "require is days <= 3.6",
            "require is days <= 3.4",
        ]

    @pytest.mark.parametrize("change", ["require is days <= 4", "broken is blank"])
    def test_unused_justification_is_an_error(self, rules, own, change):
        reasons = f"mutants: [{{change: {change}, reason: because}}]\n"
        text = RULE + "require: days <= 3\nbroken: '{days} days'\n" + reasons + EXAMPLES

        answer = rules("test", "r", "--rules", own({"fam/r.yaml": text}), "--mutate")

        assert answer.code == 1
        assert f"r: `mutants` justifies '{change}', which is noticed or is no mutant" in answer.out

    def test_failing_examples_are_not_mutated(self, rules, own):
        text = RULE + "require: days <= 4\nbroken: '{days} days'\n" + EXAMPLES

        answer = rules("test", "r", "--rules", own({"fam/r.yaml": text}), "--mutate")

        assert answer.code == 1
        assert "mutants" not in answer.out

    def test_toy_ruleset_notices_all(self):
        ruleset = survey(LIBRARY).ruleset

        assert [
            s.survivors for r in ruleset.rules.values() if (s := mutation.score(ruleset, r)).survivors
        ] == []


def test_shipped_examples_come_out_as_they_say(rules):
    answer = rules("test")

    assert answer.code == 0, answer.out


@pytest.mark.parametrize("name", ["2026-10", "2026-11"])
def test_every_shipped_rule_is_mutated_in_less_than_a_minute_and_its_examples_notice(name):
    ruleset = api.load_ruleset(name, examples=True)
    start = time.monotonic()

    scores = [mutation.score(ruleset, rule) for rule in ruleset.rules.values()]

    assert time.monotonic() - start < 60
    assert sum(score.mutants for score in scores) > 1000
    assert {score.rule: score.percent for score in scores if score.percent < 95} == {}
    assert [score.unused for score in scores if score.unused] == []


@pytest.mark.parametrize("name", ["2026-10", "2026-11"])
def test_nothing_is_amiss_with_the_shipped_rules(rules, name):
    answer = rules("lint", "--ruleset", name)

    assert answer.code == 0, answer.out
