"""`rules explain`: why a rule says what it says, with every value and how far it is from its limit."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from submission_checker.api import load_ruleset
from submission_checker.bench.explanation import explain
from submission_checker.bench.margins import turns
from submission_checker.engine.judge import Judge
from submission_checker.engine.language import LANGUAGE
from submission_checker.engine.model import Verdict
from submission_checker.engine.subjects import Run
from tests.bench.conftest import LIBRARY

SAMPLES = Path(__file__).parents[2] / "fixtures" / "submissions"
N1 = "branches/north/s1"


@pytest.fixture
def library(tmp_path: Path) -> Path:
    root = tmp_path / "town"
    for name, text in {
        "branches/north/s1/card.yaml": "subject: poetry\nbooks: 10\n",
        "branches/north/s1/loans.json": '{"days": 4.5,\n "out": [{"reader": "Ann"}, {"reader": 3}]}',
        "branches/north/s2/card.yaml": "subject: history\nbooks: 30\n",
        "house.yaml": "closed: null\n",
    }.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return root


@pytest.fixture
def why(rules, library):
    def run(rule: str, *arguments: str, ruleset: Path = LIBRARY) -> Any:
        answer = rules("explain", rule, library, "--rules", ruleset, "--format", "json", *arguments)
        assert answer.code == 0, answer.err
        return {entry["subject"]: entry for entry in answer.json["subjects"]}

    return run


def by_name(judgement):
    return {name["name"]: name for name in judgement["names"]}


def by_place(judgement):
    return {condition["place"]: condition for condition in judgement["conditions"]}


class TestValues:
    def test_each_name_with_its_place(self, why):
        [judged] = why("loans-short")[N1]["judgements"]
        names = by_name(judged)

        assert {name: (entry["kind"], entry["value"]) for name, entry in names.items()} == {
            "days": ("path", 4.5),
            "subject": ("path", "poetry"),
            "limit": ("expression", 4),
            "subjects": ("table", None),
        }
        [place] = names["days"]["places"]
        assert (place["file"], place["line"], place["column"]) == (f"{N1}/loans.json", 1, 10)

    def test_absent_null_and_not_needed(self, why, own):
        told = why("loans-short")
        [other] = told["branches/north/s2"]["judgements"]
        assert by_name(other)["days"]["state"] == "absent"
        assert by_name(other)["days"]["places"][0]["note"] == "no such file"
        assert by_name(other)["limit"]["state"] == "not needed"

        text = (
            "id: odd-one\ntitle: a\nclauses: ['1']\nseverity: error\nscope: library\n"
            "extract: {closed: house.closed}\nrequire: closed is not None\nbroken: b\n"
        )
        [judged] = why("odd-one", ruleset=own({"books/odd-one.yaml": text}))["."]["judgements"]
        assert by_name(judged)["closed"]["state"] == "null"
        assert by_name(judged)["closed"]["places"][0]["line"] == 1

    def test_parts_of_an_expression(self, why):
        [judged] = why("few-shelves")["branches/north"]["judgements"]

        assert by_name(judged)["count"]["parts"] == []
        assert by_name(judged)["minimum"]["kind"] == "parameter"
        assert by_name(judged)["shelves"]["value"] == [N1, "branches/north/s2"]
        assert by_place(judged)["require"]["value"] is True

    def test_facts_lead_back_to_documents(self, why, own):
        text = (
            "id: fair-share\ntitle: a\nclauses: ['2.1']\nseverity: error\nscope: shelf\n"
            "require: share <= 0.5\nbroken: '{share}'\n"
        )
        [judged] = why("fair-share", ruleset=own({"books/fair-share.yaml": text}))[N1]["judgements"]

        share = by_name(judged)["share"]
        assert (share["kind"], share["value"]) == ("fact", 0.25)
        count, stock = share["uses"]
        assert count["places"][0]["line"] == 2
        assert (stock["name"], stock["value"]) == ("stock", 40)
        assert [used["name"] for used in stock["uses"]] == ["filed"]

    def test_a_fact_without_an_answer(self, why, own):
        text = (
            "id: odd-one\ntitle: a\nclauses: ['2.1']\nseverity: error\nscope: shelf\n"
            "require: circular > 0\nbroken: b\n"
        )
        entry = why("odd-one", ruleset=own({"books/odd-one.yaml": text}))[N1]

        assert entry["outcome"] == "error"
        [judged] = entry["judgements"]
        assert "depends on itself" in by_place(judged)["require"]["error"]


class TestConditions:
    def test_what_decided_and_how_far(self, why):
        [judged] = why("loans-short")[N1]["judgements"]
        conditions = by_place(judged)

        assert [(c["place"], c["value"]) for c in judged["conditions"]] == [
            ("when", True), ("checks[0].require", False), ("checks[1].require", True),
        ]  # fmt: skip
        [decided] = conditions["checks[0].require"]["decided_by"]
        [apart] = decided["distances"]
        assert apart == {
            "value": "days", "symbol": "<=", "limit": "limit", "difference": 0.5, "share": 0.125,
        }  # fmt: skip
        [passing] = conditions["checks[1].require"]["decided_by"]
        assert passing["distances"][0]["difference"] == 4.5
        assert passing["distances"][0]["share"] is None

    @pytest.mark.parametrize(
        ("require", "decided"),
        [
            ("days > 5 and days > 6", ["days > 5"]),
            ("days > 4 and days > 6", ["days > 6"]),
            ("days > 3 and days > 4", ["days > 3", "days > 4"]),
            ("days > 4 or days > 6", ["days > 4"]),
            ("days > 5 or days > 6", ["days > 5", "days > 6"]),
            ("not (days > 4 and days > 3)", ["days > 4", "days > 3"]),
            ("days is None or (days > 1 and not days > 4)", ["days is None", "days > 4"]),
            ("(days > 5) if days > 4 else True", ["days > 4", "days > 5"]),
            ("all([x > 1 for x in [1, 2, 3]])", ["all([x > 1 for x in [1, 2, 3]])"]),
            ("1 < days < 4", ["1 < days < 4"]),
        ],
    )
    def test_the_smallest_parts_that_decided(self, why, own, require, decided):
        text = (
            "id: odd-one\ntitle: a\nclauses: ['2.1']\nseverity: error\nscope: shelf\n"
            f'extract: {{days: loans.days}}\nrequire: "{require}"\nbroken: b\n'
        )
        [judged] = why("odd-one", "--subject", "s1", ruleset=own({"books/odd-one.yaml": text}))[N1][
            "judgements"
        ]

        assert [part["source"] for part in by_place(judged)["require"]["decided_by"]] == decided

    def test_items_that_decided(self, why, own):
        text = (
            "id: odd-one\ntitle: a\nclauses: ['2.1']\nseverity: error\nscope: shelf\n"
            "let: {tens: '[10, 20, 30, 40]'}\nrequire: all([ten < 25 for ten in tens])\nbroken: b\n"
        )
        [judged] = why("odd-one", "--subject", "s1", ruleset=own({"books/odd-one.yaml": text}))[N1][
            "judgements"
        ]

        [decided] = by_place(judged)["require"]["decided_by"]
        assert (decided["offenders"], decided["offending"]) == ([30, 40], 2)
        parts = {part["source"]: part["values"] for part in by_place(judged)["require"]["parts"]}
        assert parts["ten < 25"] == [True, True, False, False]

    @pytest.mark.parametrize(
        ("condition", "known", "expected"),
        [
            ("within(a, b, rel=0.01)", {"a": 995.0, "b": 1000.0}, {"a": 990.0, "b": 1005.0505}),
            ("within(a, b, rel=0.01)", {"a": 1020.0, "b": 1000.0}, {"a": 1010.0, "b": 1009.901}),
            ("len(text(n)) > 2", {"n": 70}, {"n": 100}),
            ("finite(a)", {"a": 1.0}, {}),
            ("max([a, 3]) > 5", {"a": 9}, {"a": 5}),
            ("matches('a', t)", {"t": "a"}, {}),
        ],
    )
    def test_where_a_condition_would_turn(self, condition, known, expected):
        found = {turn.name: turn.turns for turn in turns(condition, LANGUAGE, known)}

        assert found == {name: pytest.approx(value, rel=1e-4) for name, value in expected.items()}


class TestApplying:
    def test_when_is_false(self, why):
        entry = why("loans-short")["branches/north/s2"]

        assert (entry["outcome"], entry["reason"]) == ("not checked", "`when` is false")
        [decided] = by_place(entry["judgements"][0])["when"]["decided_by"]
        assert decided["source"] == "days is not None"

    def test_where_is_false(self, why, own):
        text = (
            (LIBRARY / "loans" / "loans-short.yaml").read_text().replace("when:", "where: number > 1\nwhen:")
        )
        entry = why("loans-short", ruleset=own({"loans/loans-short.yaml": text}))[N1]

        assert (entry["outcome"], entry["reason"]) == ("not checked", "`where` is false")
        assert entry["judgements"] == []
        [where] = entry["before"]
        assert where["decided_by"][0]["distances"][0]["difference"] == 0

    def test_a_gate(self, why, library):
        (library / N1 / "card.yaml").unlink()

        entry = why("books-known")[N1]

        assert entry["held"] == f"card-valid is broken at {N1}"
        assert entry["outcome"] == "not checked"

    def test_each_item_by_itself(self, why):
        entry = why("readers-named")[N1]

        assert [(judged["item"], judged["outcome"]) for judged in entry["judgements"]] == [
            ({"reader": "Ann"}, "passed"), ({"reader": 3}, "broken"),
        ]  # fmt: skip
        assert entry["before"][0]["place"] == "for_each.in"
        assert by_name(entry["judgements"][1])["reader"]["places"][0]["line"] == 2
        assert [len(judged["results"]) for judged in entry["judgements"]] == [0, 1]

    def test_no_item(self, why):
        entry = why("readers-named")["branches/north/s2"]

        assert entry["judgements"] == []
        assert entry["reason"] == "no loan to judge"


class TestCommand:
    def test_text(self, rules, library):
        answer = rules("explain", "short-loans", library, "--rules", LIBRARY, "--subject", "s1")

        assert answer.code == 0
        assert answer.out == (
            "loans-short (error) §2.1\n"
            "  No loan is longer than the shelf allows\n"
            "\n"
            f"{N1}: broken\n"
            "  error: 4.5 days, at most 4\n"
            "  Values\n"
            "    days = 4.5   [loans.days]\n"
            f"      at {N1}/loans.json:1:10\n"
            '    subject = "poetry"   [card.subject]\n'
            f"      at {N1}/card.yaml:1:10\n"
            "    limit = 4   [subjects.limit[subject]]\n"
            "  Conditions\n"
            "    when is true: days is not None\n"
            "    checks[0].require is false: days <= limit\n"
            "      = days is 0.5 above limit, 12.5 %\n"
            "    checks[1].require is true: days >= 0\n"
            "      = days is 4.5 above 0\n"
        )

    def test_fits_in_80_columns(self, rules):
        for rule in ("point-count", "metric-consistency-tps-per-user", "region-placement"):
            answer = rules("explain", rule, SAMPLES / "non-compliant", columns="80")
            wide = [line for line in answer.out.split("\n") if len(line) > 80]
            # A path or a formula without a blank is not cut.
            assert all(len(max(line.split(), key=len)) > 40 for line in wide), wide

    def test_unknown_rule(self, rules, library):
        answer = rules("explain", "loans-shorts", library, "--rules", LIBRARY)

        assert answer.code == 2
        assert "no rule 'loans-shorts'; did you mean loans-short?" in answer.err

    def test_no_such_folder(self, rules, library):
        answer = rules("explain", "loans-short", library, "--rules", LIBRARY, "--subject", "s9")

        assert answer.code == 2
        assert "No shelf of this name is here" in answer.out

    def test_a_tailoring_counts(self, rules, library, tmp_path):
        (tmp_path / "lab.yaml").write_text("tables: {subjects: {limit: {poetry: 5}}}\n")

        answer = rules("explain", "loans-short", library, "--rules", LIBRARY, "--tailoring", "lab.yaml")

        assert "days is 0.5 below limit, 10 %" in answer.out


@pytest.mark.parametrize("sample", ["compliant", "compliant-agentic", "non-compliant"])
def test_every_rule_is_explained_as_it_is_judged(sample: str) -> None:
    """The watched copy of each shipped rule comes to the verdicts of the rule itself."""
    ruleset = load_ruleset("2026-10")
    judge = Judge(ruleset, Run(ruleset, SAMPLES / sample), keep_going=True)
    results, _ = judge.judge_all()
    expected: dict[str, list[tuple[str, str, Verdict]]] = {}
    for result in results:
        expected.setdefault(result.rule, []).append((result.subject, result.message, result.verdict))
    for rule in ruleset.rules.values():
        told = list(explain(ruleset, SAMPLES / sample, rule))
        found = [(r.subject, r.message, r.verdict) for entry in told for r in entry.results]
        assert found == expected.get(rule.id, []), rule.id
        assert all(
            result in entry.results for entry in told for judged in entry.judged for result in judged.results
        )


def test_a_broken_submission_is_explained_too(tmp_path: Path, rules) -> None:
    root = Path(shutil.copytree(SAMPLES / "compliant", tmp_path / "broken"))
    (root / "results" / "lakeside_l8" / "llama3_1-8b" / "r16" / "point.yaml").write_text("- [\n")

    answer = rules("explain", "region-placement", root, "--subject", "r16")

    assert answer.code == 0
    assert "a check does not ask it here, because point-config-valid is broken at" in " ".join(
        answer.out.split()
    )
