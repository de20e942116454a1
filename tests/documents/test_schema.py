"""Problems of a document's shape: each with a pointer and a sentence of our own."""

# ruff: noqa: E501
from __future__ import annotations

import json
import math
from datetime import date
from typing import Any

import pytest

from submission_checker.documents import DocumentSchema, Problem, parse


def problems_of(schema: dict[str, Any], value: Any) -> list[tuple[str, str]]:
    found = DocumentSchema({"x-lenient": True, "type": "object", **schema}, name="test").check(value)[1]
    assert {problem.kind for problem in found} == {"schema"}
    return [(problem.pointer, problem.message) for problem in found]


def field(**schema: Any) -> dict[str, Any]:
    return {"properties": {"f": schema}}


ITEM = {"type": "object", "required": ["driver"], "properties": {"driver": {"type": "string"}}}


@pytest.mark.parametrize(
    ("schema", "value", "wanted"),
    [
        ({}, None, [("", "the document must be an object, but it is empty or null")]),
        ({}, [1, 2], [("", "the document must be an object, found a list of 2")]),
        ({}, {1: 2}, [("", "the keys of the document must be text, found the number 1; put it in quotes")]),
        ({"required": ["a", "b/c"]}, {}, [("/a", "a is missing"), ("/b~1c", "b/c is missing")]),
        (field(type="integer"), {"f": "12x"}, [("/f", 'f must be a whole number, found the text "12x"')]),
        (field(type="integer"), {"f": ""}, [("/f", "f must be a whole number, found empty text")]),
        (field(type="integer"), {"f": 1.5}, [("/f", "f must be a whole number, found the number 1.5")]),
        (field(type="integer"), {"f": []}, [("/f", "f must be a whole number, found an empty list")]),
        (
            field(type="integer"),
            {"f": {"a": 1}},
            [("/f", "f must be a whole number, found an object with 1 field")],
        ),
        (
            field(type=["boolean", "null"]),
            {"f": 2},
            [("/f", "f must be true or false or null, found the number 2")],
        ),
        (field(type="string"), {"f": False}, [("/f", "f must be text, found false; put it in quotes")]),
        (field(type="string"), {"f": None}, [("/f", "f must be text, found null")]),
        (
            field(type="string"),
            {"f": date(2026, 11, 1)},
            [("/f", "f must be text, found the date 2026-11-01; put it in quotes")],
        ),
        (
            field(type="number"),
            {"f": 10**400},
            [("/f", "f must be a number, found an integer of 401 digits")],
        ),
        (
            field(type="string", enum=["a", "b"]),
            {"f": "c"},
            [("/f", 'f must be one of "a", "b", found the text "c"')],
        ),
        (
            field(type="string", enum=["a"]),
            {"f": 1},
            [("/f", "f must be text, found the number 1; put it in quotes")],
        ),
        (field(const="a"), {"f": "b"}, [("/f", 'f must be "a", found the text "b"')]),
        (field(minimum=0), {"f": -1}, [("/f", "f must be at least 0, found -1")]),
        (
            field(minimum=0),
            {"f": -(10**400)},
            [("/f", "f must be at least 0, found an integer of 401 digits")],
        ),
        (field(maximum=9), {"f": 10}, [("/f", "f must be at most 9, found 10")]),
        (field(exclusiveMinimum=0), {"f": 0}, [("/f", "f must be greater than 0, found 0")]),
        (field(exclusiveMaximum=1), {"f": 1}, [("/f", "f must be less than 1, found 1")]),
        (field(type="number", minimum=0), {"f": "nan"}, [("/f", "f must be at least 0, found NaN")]),
        (field(minLength=1), {"f": ""}, [("/f", "f must not be empty")]),
        (
            field(minLength=4),
            {"f": "abc"},
            [("/f", 'f must have at least 4 characters, found the text "abc"')],
        ),
        (
            field(maxLength=2),
            {"f": "abc"},
            [("/f", 'f must have at most 2 characters, found the text "abc"')],
        ),
        (field(minItems=1), {"f": []}, [("/f", "f must have at least 1 entry, found 0")]),
        (field(minProperties=2), {"f": {}}, [("/f", "f must have at least 2 fields, found 0")]),
        (field(pattern="^a$"), {"f": "b"}, [("/f", 'f must have the form ^a$, found the text "b"')]),
        (
            field(multipleOf=2),
            {"f": 3},
            [("/f", "f does not satisfy multipleOf of the schema, found the number 3")],
        ),
        (
            field(type="array", items=ITEM),
            {"f": [{"driver": "x"}, {}, {"driver": 5}]},
            [
                ("/f/1/driver", "f[1].driver is missing"),
                ("/f/2/driver", "f[2].driver must be text, found the number 5; put it in quotes"),
            ],
        ),
        (
            field(anyOf=[{"type": "string", "minLength": 4}, ITEM, {"type": "null"}]),
            {"f": {"driver": 5}},
            [("/f/driver", "f.driver must be text, found the number 5; put it in quotes")],
        ),
        (
            field(anyOf=[{"type": "string", "minLength": 4}, ITEM, {"type": "null"}]),
            {"f": "abc"},
            [("/f", 'f must have at least 4 characters, found the text "abc"')],
        ),
        (
            field(anyOf=[{"type": "string"}, ITEM, {"type": "null"}]),
            {"f": 5},
            [("/f", "f must be text or an object or null, found the number 5")],
        ),
        (
            {
                "allOf": [
                    {"anyOf": [{"required": ["a"]}, {"required": ["b"]}], "x-message": "a or b is needed"}
                ]
            },
            {},
            [("", "a or b is needed")],
        ),
        (
            {"properties": {"a": {}, "b": {}}, "additionalProperties": False},
            {"a": 1, "c": 2, "d/e": 3},
            [("/c", "c is none of the fields a, b"), ("/d~1e", "d/e is none of the fields a, b")],
        ),
        (
            {"x-agree": ["a", "b"]},
            {"a": "x", "b": "y"},
            [("", 'these fields say the same thing and must agree: a = "x", b = "y"')],
        ),
    ],
)
def test_messages(schema, value, wanted):
    assert problems_of(schema, value) == wanted


def test_long_values_are_shortened():
    ((_, message),) = problems_of(field(type="integer"), {"f": "x" * 5000})
    assert len(message) < 120
    assert message.endswith("…")


def test_a_thousand_violations_are_not_all_told():
    schema = field(type="array", items={"type": "integer"})
    found = problems_of(schema, {"f": ["x"] * 1000})
    assert len(found) == 101
    assert found[-1] == ("", "and 900 more violations of the schema")


def test_a_million_violations_are_not_all_looked_at():
    schema = field(type="array", items={"type": "integer"})
    found = problems_of(schema, {"f": ["x"] * 300_000})
    assert len(found) == 101
    assert found[-1] == ("", "and at least 4900 more violations of the schema")


def test_all_violations_are_told_at_once():
    schema = {"required": ["a"], "properties": {"b": {"type": "integer"}, "c": {"type": "string"}}}
    assert {pointer for pointer, _ in problems_of(schema, {"b": "x", "c": 1})} == {"/a", "/b", "/c"}


@pytest.mark.parametrize(
    "value", [math.nan, math.inf, date(2026, 1, 1), b"x", {1: 2}, {"a": math.nan}, {"x"}, "\ud800"]
)
def test_what_json_does_not_have_may_stand_in_unknown_fields(value):
    schema = DocumentSchema({"type": "object", "properties": {"f": {"type": "integer"}}}, name="test")
    assert schema.check({"f": 1, "unknown": value}) == ({"f": 1, "unknown": value}, ())
    assert [problem.pointer for problem in schema.check({"f": "x", "unknown": value})[1]] == ["/f"]


def test_a_refusal_is_never_left_without_an_explanation():
    r"""The two validators disagree on what `\d` is: for one of them also the digits of other scripts."""
    schema = DocumentSchema({"properties": {"f": {"pattern": r"^\d$"}}}, name="test")
    assert schema.check({"f": "3"})[1] == ()
    assert schema.check({"f": "\u0663"})[1] == (Problem("schema", "does not match the schema test"),)


# The shipped schemas

POINT = {"concurrency": 64, "runtime_settings": {"runtime": {}}}
SUMMARY = {"n_samples_completed": 10, "duration_ns": 1e9}
NODE = {
    "host_memory_configuration": "x",
    "host_network_card_count": "2",
    "driver": "x",
    "filesystem": "x",
    "host_processor_core_count": 64,
}
SYSTEM = {
    "system_name": "x",
    "publication_status": "available",
    "max_supported_concurrency": 1024,
    "system_size": "1",
    "system_node_ensemble_count": 1,
    "system_node_ensemble_total": 1,
    "division": "STANDARDIZED ",
    "node_types": [NODE],
}
WARMUP = {
    "duration_s": 0,
    "requests_issued": 5,
    "requests_completed": 5,
    "data_source": "x",
    "concurrency": 1,
}
SETS = [{"id": "A", "scheduler_rng_seed": 1, "sample_index_rng_seed": "2", "model_seed": 3.9}]
DRAFTER = {"benchmark": "x", "weight_checksum": 7}
VALID = {
    "point": [
        POINT,
        {**POINT, "warmup": WARMUP, "speculative_decoding": {"a": 1}, "offline": "none", "zz": {1: 2}},
    ],
    "result_summary": [SUMMARY, {**SUMMARY, "tpot": {"percentiles": {"90": "1e3"}}, "system_tps": "x"}],
    "system_desc": [
        SYSTEM,
        {**SYSTEM, "node_types": [], "config_summary": {"batch": "8"}, "measured_accuracy_score": ""},
        {**SYSTEM, "publication_status": "", "availability_status": "RDI"},
    ],
    "system_power": [{}, {"cpu": {"num_cpu": "2", "tdp_per_cpu": 350}, "cooling": "air"}],
    "accuracy_results": [{"d": {}}, {"d": {"score": "x", "num_samples": None}}],
    "results": [{}, [], {"accuracy_scores": {}}, {"accuracy_scores": "x"}, {"accuracy_scores": {"d": {}}}],
    "seed_sets": [
        {"seed_sets": SETS},
        {"cohort": "x", "seed_sets": SETS},
        {"cohort": {"cohort-id": " 2026-10-C1 ", "seed_sets": SETS}},
    ],
    "approved_drafters": [None, {"drafters": []}, {"drafters": [DRAFTER]}],
}
INVALID = [
    ("point", {**POINT, "concurrency": None}, "/concurrency"),
    ("point", {**POINT, "runtime_settings": {}}, "/runtime_settings/runtime"),
    ("point", {**POINT, "dataset": None}, "/dataset"),
    ("point", {**POINT, "offline": False}, "/offline"),
    ("point", {**POINT, "target_cohort": date(2026, 11, 1)}, "/target_cohort"),
    ("point", {**POINT, "speculative_decoding": True}, "/speculative_decoding"),
    ("point", {**POINT, "warmup": {**WARMUP, "duration_s": 86400.5}}, "/warmup/duration_s"),
    ("point", {**POINT, "warmup": {**WARMUP, "requests_completed": 6}}, "/warmup/requests_completed"),
    ("point", {**POINT, "warmup": {**WARMUP, "concurrency": 0}}, "/warmup/concurrency"),
    ("point", {**POINT, "warmup": {}}, "/warmup/duration_s"),
    ("point", {**POINT, "steady_state": {"state": {"ttft": None}}}, "/steady_state/state/ttft"),
    ("point", {"concurrency": 1, "runtime_settings": {"runtime": {"model_seed": 1e19}}}, "/runtime_settings/runtime/model_seed"),
    ("point", {"concurrency": 1, "runtime_settings": {"runtime": {"scheduler_random_seed": "x"}}}, "/runtime_settings/runtime/scheduler_rng_seed"),
    ("result_summary", {**SUMMARY, "tpot": None}, "/tpot"),
    ("result_summary", {**SUMMARY, "tpot": {"percentiles": {"90": None}}}, "/tpot/percentiles/90"),
    ("result_summary", {**SUMMARY, "n_samples_failed": None}, "/n_samples_failed"),
    ("system_desc", {**SYSTEM, "division": "open"}, "/division"),
    ("system_desc", {**SYSTEM, "publication_status": " "}, "/publication_status"),
    ("system_desc", {**SYSTEM, "availability_status": "rdi"}, ""),
    ("system_desc", {**SYSTEM, "system_size": 1}, "/system_size"),
    ("system_desc", {**SYSTEM, "config_summary": "tp8"}, "/config_summary"),
    ("system_desc", {**SYSTEM, "measured_accuracy_score": {"d": {"scores": {"m": "1"}}}}, "/measured_accuracy_score/d/scores/m"),
    ("system_desc", {**SYSTEM, "node_types": [{**NODE, "host_processor_core_count": None}]}, "/node_types/0"),
    ("system_desc", {**SYSTEM, "node_types": [{**NODE, "accelerator_info": None}]}, "/node_types/0/accelerator_info"),
    ("system_desc", {**SYSTEM, "node_types": [{**NODE, "accelerators_per_node": "x"}]}, "/node_types/0/accelerator_info/0/accelerators_per_node"),
    ("system_power", {"cpu": None}, "/cpu"),
    ("system_power", {"accelerator": {"num_cpu": "x"}}, "/accelerator/count"),
    ("system_power", {"provisioned_power_watts": "x"}, "/provisioned_power_w"),
    ("accuracy_results", {}, ""),
    ("accuracy_results", {"d": 5}, "/d"),
    ("results", {"accuracy_scores": {"d": 5}}, "/accuracy_scores/d"),
    ("seed_sets", None, ""),
    ("seed_sets", {}, "/seed_sets"),
    ("seed_sets", {"seed_sets": []}, "/seed_sets"),
    ("seed_sets", {"cohort": {}, "seed_sets": SETS}, "/cohort/seed_sets"),
    ("seed_sets", {"cohort": {"cohort-id": "2026-13-C0", "seed_sets": SETS}}, "/cohort/cohort-id"),
    ("seed_sets", {"seed_sets": [{**SETS[0], "id": 7}]}, "/seed_sets/0/id"),
    ("seed_sets", {"seed_sets": [{**SETS[0], "model_seed": math.inf}]}, "/seed_sets/0/model_seed"),
    ("seed_sets", {"seed_sets": [{**SETS[0], "cohorts": "2026-10-C1"}]}, "/seed_sets/0/cohorts"),
    ("approved_drafters", {}, "/drafters"),
    ("approved_drafters", {"drafters": None}, "/drafters"),
    ("approved_drafters", {"drafters": [{"benchmark": "x"}]}, "/drafters/0"),
    ("approved_drafters", {"drafters": [{**DRAFTER, "benchmark": ""}]}, "/drafters/0/benchmark"),
    ("approved_drafters", {"drafters": [{**DRAFTER, "configuration": "x"}]}, "/drafters/0/configuration"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in VALID.items() for value in values]
)
def test_valid_documents(shipped, name, value):
    assert shipped(name).check(value)[1] == ()


@pytest.mark.parametrize(("name", "value", "pointer"), INVALID)
def test_invalid_documents(shipped, name, value, pointer):
    assert pointer in [problem.pointer for problem in shipped(name).check(value)[1]]


def test_converted_point(shipped):
    text = b"""
concurrency: '64'
runtime_settings:
  stream_all_chunks: off
  runtime: {scheduler_random_seed: 42, scheduler_rng_seed: null, model_seed: 1.0}
warmup: {duration_s: 60, requests_issued: 5, requests_completed: '5', data_source: x, concurrency: true}
"""
    converted, problems = shipped("point").check(parse(text, "yaml").value)
    assert problems == ()
    assert json.loads(json.dumps(converted)) == {
        "concurrency": 64,
        "dataset": "",
        "runtime_settings": {
            "stream_all_chunks": False,
            "load_pattern": "concurrency",
            "min_duration_ms": 600000,
            "runtime": {"scheduler_random_seed": 42, "scheduler_rng_seed": 42, "model_seed": 1},
        },
        "warmup": {
            "duration_s": 60.0,
            "requests_issued": 5,
            "requests_completed": 5,
            "data_source": "x",
            "concurrency": 1,
            "initialization_steps": [],
        },
    }


def test_converted_system(shipped):
    node = {**NODE, "accelerator_model_name": "x", "accelerators_per_node": "8"}
    converted, problems = shipped("system_desc").check({**SYSTEM, "node_types": [node]})
    assert problems == ()
    assert (converted["publication_status"], converted["division"]) == ("Available", "Standardized")
    assert converted["node_types"][0]["accelerator_info"] == [
        {"accelerator_model_name": "x", "accelerators_per_node": 8}
    ]


def test_power_group_takes_the_first_name_that_is_there(shipped):
    group = {"num_switches": None, "num_compute": 4, "tdp_per_cpu": "350"}
    converted, problems = shipped("system_power").check({"cpu": group})
    assert problems == ()
    assert (converted["cpu"]["count"], converted["cpu"]["tdp_per_unit"]) == (None, 350.0)
