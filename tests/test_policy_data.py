"""The tables and clauses of the shipped rulesets are what their schemas and each other say."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from submission_checker.engine.ruleset import load as load_ruleset
from submission_checker.functions import BUILTINS

ROOT = Path(__file__).parents[1]
RULES = ROOT / "rules" / "2026-10"
SCHEMAS = ROOT / "schemas"
TABLES = sorted(ROOT.glob("rules/*/tables/*.yaml"))
IDS = """
    path-exists required-dir src-dir src-readme system-results-dir benchmark-model-dir point-dirs
    measurement-points-present result-summary-present shared-path-resolution point-dirname-concurrency
    system-description-present system-description-valid system-description-consistency model-name-valid
    model-name-consistency max-concurrency-declared tps-utilization power-descriptor power-estimated
    region-basis region-computation concurrency-in-range region-declared region-placement offline-declared
    offline-point-present benchmark-type-consistency offline-ordering ultra-low-concurrency-coverage
    low-concurrency-coverage med-concurrency-coverage high-concurrency-coverage point-count point-cap
    point-config-valid point-disclosure-complete load-pattern streaming-config point-duration
    steady-state-valid steady-state-consistency steady-state-basis min-query-count warmup-present
    warmup-logs-retained warmup-salt config-consistency-dataset config-consistency-model
    seed-set-consistency seed-set-membership seed-runtime-match target-cohort seed-set-adoption
    seed-config-legacy seed-set-registry approved-drafter drafter-approval-lead-time drafter-list-registry
    result-file-valid metric-consistency-duration metric-consistency-accounting
    metric-consistency-output-tokens metric-consistency-system-tps metric-consistency-tpot-p90
    metric-consistency-tps-per-user metric-consistency-tps-per-kw agentic-metric-consistency
    accuracy-present accuracy-coverage accuracy-valid accuracy-sample-count accuracy-gate agentic-accuracy
    agentic-accuracy-inline agentic-accuracy-swebench agentic-osl-range
"""
RULE_IDS = IDS.split()


def load(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def schema_of(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def complaints(value: Any, schema: dict[str, Any]) -> list[str]:
    Draft202012Validator.check_schema(schema)
    return [error.message for error in Draft202012Validator(schema).iter_errors(value)]


@pytest.fixture(scope="module")
def clauses() -> dict[str, Any]:
    return load(RULES / "clauses.yaml")


def merged_tables(ruleset: Path) -> list[str]:
    """Tables that hold only what differs from the ruleset below; loading looks at the whole."""
    return load(ruleset / "ruleset.yaml").get("merge_tables", [])


@pytest.mark.parametrize(
    "path",
    [path for path in TABLES if path.stem not in merged_tables(path.parents[1])],
    ids=lambda path: f"{path.parts[-3]}-{path.stem}",
)
def test_a_table_fits_its_schema_and_names_it(path: Path) -> None:
    schema = SCHEMAS / "tables" / f"{path.stem}.schema.json"
    first = path.read_text(encoding="utf-8").partition("\n")[0]
    named = (path.parent / first.partition("$schema=")[2]).resolve()
    assert named == schema
    assert complaints(load(path), schema_of(schema)) == []


def test_every_table_schema_has_its_table() -> None:
    assert {path.name.partition(".")[0] for path in SCHEMAS.glob("tables/*.json")} == {
        path.stem for path in TABLES
    }


@pytest.mark.parametrize(
    ("table", "change"),
    [
        pytest.param("regions", {"margin_factor": "1.1"}, id="text-for-number"),
        pytest.param("regions", {"margn_factor": 1.1}, id="misspelt-field"),
        pytest.param("durations", {"minimum_ms": {"low": 600.5}}, id="fraction-of-ms"),
        pytest.param("power", {"overheads": []}, id="no-cooling"),
        pytest.param("seed_sets", {"cohort": {"seed_sets": []}}, id="no-seed-set"),
        pytest.param(
            "approved_drafters", {"drafters": [{"benchmark": "kimi-k3"}]}, id="unidentified-drafter"
        ),
        pytest.param("models", {"models": {"x": {"kind": "chat"}}}, id="unknown-kind"),
        pytest.param("accuracy_targets", {"targets": {"x": {"fragments": ["X"]}}}, id="upper-case-fragment"),
    ],
)
def test_a_schema_refuses_a_slip(table: str, change: dict[str, Any]) -> None:
    value = load(RULES / "tables" / f"{table}.yaml") | change
    assert complaints(value, schema_of(SCHEMAS / "tables" / f"{table}.schema.json"))


def test_tables_speak_of_the_same_regions() -> None:
    regions = load(RULES / "tables" / "regions.yaml")
    durations = load(RULES / "tables" / "durations.yaml")
    names = regions["names"]
    assert list(durations["minimum_ms"]) == names
    assert regions["declarable"] == [*names, regions["declaration_only"]]
    assert names[-1] == regions["margin"]
    assert regions["mandatory"] == [regions["ultra_low"]["name"], *names[1:-1]]


def test_tables_speak_of_the_same_seeds() -> None:
    binding = load(RULES / "tables" / "seed_binding.yaml")
    sets = load(RULES / "tables" / "seed_sets.yaml")["cohort"]["seed_sets"]
    assert all(set(binding["seeds"]) <= set(entry) for entry in sets)
    assert set(binding["legacy_names"].values()) | set(binding["legacy_seeds"]) <= set(binding["seeds"])


def test_clauses_fit_their_schema(clauses: dict[str, Any]) -> None:
    assert complaints(clauses, schema_of(SCHEMAS / "clauses.schema.json")) == []


def test_every_rule_stands_in_one_place(clauses: dict[str, Any]) -> None:
    places = [*clauses["rows"].values(), *clauses["sections"].values()]
    placed = Counter(rule for place in places for rule in place.get("rules", []))
    assert len(RULE_IDS) == 77
    assert placed == Counter(RULE_IDS)


def test_clauses_that_are_cited_exist(clauses: dict[str, Any]) -> None:
    cited = {
        number
        for entry in [*clauses["rows"].values(), *clauses["manual"].values()]
        for number in entry["clauses"]
    }
    assert cited <= set(clauses["sections"])
    assert {entry["document"] for entry in clauses["sections"].values()} == set(clauses["documents"])


def test_rows_take_the_actions_of_the_ruleset(clauses: dict[str, Any]) -> None:
    actions = load(RULES / "ruleset.yaml")["actions"]
    assert {row["action"] for row in clauses["rows"].values()} <= set(actions)


def test_a_row_that_a_rule_serves_names_it_and_shares_its_action(clauses: dict[str, Any]) -> None:
    served = {rule: name for name, row in clauses["rows"].items() for rule in row["rules"]}
    rules = [load(path) for path in RULES.glob("*/*.yaml") if path.parent.name != "tables"]
    rows = {rule["id"]: rule.get("row") for rule in rules if rule["id"] in RULE_IDS}
    assert rows == {rule: served.get(rule) for rule in rows}
    for rule in rules:
        assert set(rule["clauses"]) <= set(clauses["sections"]), rule["id"]


@pytest.mark.parametrize("ruleset", ["2026-10", "2026-11"])
def test_every_rule_of_a_ruleset_stands_in_one_place(ruleset: str) -> None:
    """Overlays applied: each rule serves one row or one clause, whose numbers exist."""
    loaded = load_ruleset(ROOT / "rules" / ruleset, functions=BUILTINS, schemas=SCHEMAS, validate=False)
    rows, sections = loaded.clauses["rows"], loaded.clauses["sections"]
    placed = Counter(
        rule for place in (*rows.values(), *sections.values()) for rule in place.get("rules", [])
    )
    assert placed == Counter(list(loaded.rules))
    for rule in loaded.rules.values():
        assert set(rule.info.clauses) <= set(sections)
        if rule.info.row is not None:
            assert rule.id in rows[rule.info.row]["rules"]
