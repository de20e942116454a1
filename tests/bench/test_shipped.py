"""The shipped rulesets hold what the bench asks of any ruleset."""

from __future__ import annotations

import json

import pytest

from submission_checker import api, resources
from submission_checker.bench import examples, mutation
from submission_checker.bench.formatting import format_rule
from submission_checker.bench.lint import run
from submission_checker.bench.lints import LINTS
from tests.bench.conftest import ROOT, SCHEMAS

RULESETS = sorted(path.parent.name for path in resources.rulesets().glob("*/ruleset.yaml"))
LEAST_SCORE = 95.0


@pytest.fixture(scope="module", params=RULESETS)
def survey(request):
    return api.survey_ruleset(request.param)


def test_nothing_is_wrong(survey):
    assert [str(finding) for finding in run(survey, LINTS.values()) if finding.allowed is None] == []


def test_examples_come_out_as_they_say(survey):
    outcomes = examples.run(survey.ruleset, survey.marks, survey.ruleset.rules.values())

    assert [(o.file, o.line, o.shortcomings) for o in outcomes if o.shortcomings] == []
    assert {outcome.example.rule for outcome in outcomes} == set(survey.ruleset.rules)


def test_examples_notice_changes(survey):
    scores = [mutation.score(survey.ruleset, rule) for rule in survey.ruleset.rules.values()]

    assert [(score.rule, score.percent) for score in scores if score.percent < LEAST_SCORE] == []
    assert [(score.rule, score.unused) for score in scores if score.unused] == []


@pytest.mark.parametrize("name", RULESETS)
def test_rules_are_laid_out(name):
    schema = json.loads((SCHEMAS / "rule.schema.json").read_text(encoding="utf-8"))
    files = [path for path in (ROOT / "rules" / name).glob("*/*.yaml") if path.parent.name != "tables"]

    texts = {path: path.read_text(encoding="utf-8") for path in files}
    assert [path.name for path, text in texts.items() if format_rule(text, schema) != text] == []
