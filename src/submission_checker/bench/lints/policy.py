"""Clauses, rows, actions and families that the ruleset does not have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from submission_checker.bench.cases import RuleCase
from submission_checker.bench.lint import Found, Lint
from submission_checker.engine.errors import did_you_mean


def _clauses(case: RuleCase) -> Iterator[Found]:
    known: Mapping[str, object] = case.ruleset.clauses.get("sections") or {}
    for index, number in enumerate(case.rule.info.clauses):
        if number not in known:
            message = f"clauses.yaml has no clause {number}{did_you_mean(number, known)}"
            yield Found(("clauses", index), message)


UNKNOWN_CLAUSE = Lint(
    id="unknown-clause",
    title="A clause that clauses.yaml does not list",
    chapter="policy",
    why="""\
Every finding names the clause that it rests on. A number that nobody can look up is no reason.""",
    bad="""\
clauses: ["9.9"]
require: name == 'poetry'
broken: "{name} is not poetry"
""",
    good="""\
clauses: ["2.1"]
require: name == 'poetry'
broken: "{name} is not poetry"
""",
    rule=_clauses,
)


def _row(case: RuleCase) -> Iterator[Found]:
    known: Mapping[str, object] = case.ruleset.clauses.get("rows") or {}
    row = case.rule.info.row
    if row is not None and row not in known:
        yield Found(("row",), f"clauses.yaml has no row {row!r}{did_you_mean(row, known)}")


UNKNOWN_ROW = Lint(
    id="unknown-row",
    title="A row of the policy's table of checks that clauses.yaml does not list",
    chapter="policy",
    why="""\
The row tells which of the checks that the policy asks for the rule serves; what serves no listed row
is missing in the coverage of the policy.""",
    bad="""\
row: Cards are red
require: name == 'poetry'
broken: "{name} is not poetry"
""",
    good="""\
require: name == 'poetry'
broken: "{name} is not poetry"
""",
    rule=_row,
)


def _action(case: RuleCase) -> Iterator[Found]:
    known: Mapping[str, object] = case.ruleset.settings.get("actions") or {}
    action = case.rule.info.action
    if action is not None and action not in known:
        yield Found(("action",), f"ruleset.yaml has no action {action}{did_you_mean(action, known)}")


UNKNOWN_ACTION = Lint(
    id="unknown-action",
    title="An action that ruleset.yaml does not describe",
    chapter="policy",
    why="""\
The action says what the policy does with a submission that breaks the rule; reports show its label.""",
    bad="""\
action: fines
require: name == 'poetry'
broken: "{name} is not poetry"
""",
    good="""\
action: fine
require: name == 'poetry'
broken: "{name} is not poetry"
""",
    rule=_action,
)


def _family(case: RuleCase) -> Iterator[Found]:
    known: Mapping[str, object] = case.ruleset.settings.get("families") or {}
    family = case.rule.info.family
    if known and family not in known:
        yield Found((), f"ruleset.yaml has no family {family}{did_you_mean(family, known)}")


UNKNOWN_FAMILY = Lint(
    id="unknown-family",
    title="The rule lies in a folder that is no family of ruleset.yaml",
    chapter="policy",
    why="""\
Families give reports and documentation their order and their headings. A folder that `families` does
not list comes last and has no title.""",
    rule=_family,
)

LINTS = (UNKNOWN_CLAUSE, UNKNOWN_ROW, UNKNOWN_ACTION, UNKNOWN_FAMILY)
