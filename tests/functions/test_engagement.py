"""How much of a system a point engages."""

from __future__ import annotations

from typing import Any

import pytest

from submission_checker.functions import (
    accelerator_total,
    accelerators_by_set,
    accelerators_less_a_node,
    node_use,
    parallel_layout,
)

FIELDS = {
    "summary": "config_summary",
    "disaggregated": "disaggregated",
    "replicas": "data_parallel",
    "within_replica": ["tensor_parallel", "pipeline_parallel", "expert_parallel"],
}


def dims(**degrees: Any) -> dict[str, Any]:
    names = {"tp": "tensor_parallel", "pp": "pipeline_parallel", "ep": "expert_parallel"}
    names |= {"dp": "data_parallel", "apart": "disaggregated"}
    return {names[key]: value for key, value in degrees.items()}


@pytest.mark.parametrize(
    ("description", "declared", "replicas", "per_replica", "lowest"),
    [
        pytest.param(None, False, 1, 1, 1, id="none"),
        pytest.param([], False, 1, 1, 1, id="list"),
        pytest.param({}, False, 1, 1, 1, id="nothing"),
        pytest.param(dims(apart=True), False, 1, 1, 1, id="disaggregated-is-no-degree"),
        pytest.param(dims(tp=4, dp=2), True, 2, 4, 2, id="two-degrees"),
        pytest.param(dims(tp=2, pp=2, ep=2, dp=4), True, 4, 8, 2, id="all"),
        pytest.param(dims(dp=8), True, 8, 1, 8, id="replicas-only"),
        pytest.param(dims(ep=8), True, 1, 8, 8, id="experts-only"),
        pytest.param(dims(tp=0, dp=1), True, 1, 0, 0, id="zero"),
        pytest.param(dims(tp=-2, pp=-2, dp=1), True, 1, 4, -2, id="two-negatives"),
        pytest.param(dims(tp="4", dp=2.0, pp=True), False, 1, 1, 1, id="no-integers"),
        pytest.param({"config_summary": dims(tp=4, dp=2)}, True, 2, 4, 2, id="summary"),
        pytest.param({"config_summary": "TP=4"}, False, 1, 1, 1, id="summary-in-words"),
        pytest.param(
            {**dims(tp=2), "config_summary": dims(tp=4, dp=3)}, True, 3, 2, 2, id="top-before-summary"
        ),
        pytest.param(
            {**dims(tp=None), "config_summary": dims(tp=4, dp=3)}, True, 3, 1, 3, id="null-at-the-top"
        ),
    ],
)
def test_parallel_layout(description, declared, replicas, per_replica, lowest) -> None:
    layout = parallel_layout(description, fields=FIELDS)

    assert layout == {
        "declared": declared,
        "replicas": replicas,
        "per_replica": per_replica,
        "lowest": lowest,
        "disaggregated": layout["disaggregated"],
    }


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        ({}, False),
        (dims(apart=True), True),
        (dims(apart=False), False),
        (dims(apart=2), True),
        (dims(apart=1), False),
        (dims(apart=0), False),
        (dims(apart="true"), False),
        (dims(apart=2.0), False),
        ({"config_summary": dims(apart=True)}, True),
        ({**dims(apart=False), "config_summary": dims(apart=True)}, False),
        ({**dims(apart=None), "config_summary": dims(apart=True)}, False),
    ],
)
def test_disaggregated(description, expected) -> None:
    assert parallel_layout(description, fields=FIELDS)["disaggregated"] is expected


@pytest.mark.parametrize(
    ("components", "kinds", "expected"),
    [
        pytest.param({"accelerator": {"count_per_node": 8}}, [], 8, id="descriptor"),
        pytest.param({"accelerator": {"count_per_node": 0}}, [(0, 4)], 0, id="descriptor-first"),
        pytest.param({"accelerator": None}, [(0, 4)], 4, id="description"),
        pytest.param(None, [(0, 4)], 4, id="no-components"),
        pytest.param(None, [(1, 4)], None, id="another-ensemble"),
        pytest.param(None, [(0, None)], None, id="not-told"),
        pytest.param(None, [(0, 4), (0, 6)], 4, id="first-of-two"),
        pytest.param(None, [], None, id="no-description"),
    ],
)
def test_accelerators_by_set(components, kinds, expected) -> None:
    node_set = {"system_node_ensemble_id": 0, "components": components}
    described = [{"ensemble": ensemble, "accelerators": count} for ensemble, count in kinds]

    assert accelerators_by_set({"node_sets": [node_set]}, described) == [expected]


@pytest.mark.parametrize(
    ("by_set", "nodes", "total", "less"),
    [
        ([], [], 0, 0),
        ([8], [2], 16, 8),
        ([8, 4], [2, 1], 20, 16),
        pytest.param([8, 4], [2, 0], 16, 8, id="an-idle-set-gives-none"),
        ([8, None], [2, 1], None, None),
    ],
)
def test_accelerators(by_set, nodes, total, less) -> None:
    assert accelerator_total(by_set, nodes) == total
    assert accelerators_less_a_node(by_set, nodes) == less


SETS = [{"ensemble": 0, "nodes": 4}, {"ensemble": 1, "nodes": 2}, {"ensemble": 7, "nodes": 1}]
TWINS = [{"ensemble": 0, "nodes": 4}, {"ensemble": 0, "nodes": 2}]


@pytest.mark.parametrize(
    ("sets", "listed", "engaged", "faults"),
    [
        pytest.param(SETS, None, [4, 2, 1], [], id="nothing-said"),
        pytest.param(SETS, [], [4, 2, 1], [], id="empty"),
        pytest.param(SETS, [(0, 1)], [1, 2, 1], [], id="one"),
        pytest.param(SETS, [(1, 2), (0, 4)], [4, 2, 1], [], id="in-full"),
        pytest.param(SETS, [(0, 0)], [4, 2, 1], ["out-of-range"], id="zero"),
        pytest.param(SETS, [(0, 5)], [4, 2, 1], ["out-of-range"], id="too-many"),
        pytest.param(SETS, [(9, 1)], [4, 2, 1], ["unknown"], id="unknown"),
        pytest.param(SETS, [(0, 1), (0, 2)], [1, 2, 1], ["repeated"], id="repeated"),
        pytest.param(SETS, [(9, 1), (9, 1)], [4, 2, 1], ["unknown", "repeated"], id="unknown-twice"),
        pytest.param(TWINS, [(0, 1)], [4, 2], ["ambiguous"], id="ambiguous"),
        pytest.param([], [(0, 1)], [], ["unknown"], id="no-sets"),
    ],
)
def test_node_use(sets, listed, engaged, faults) -> None:
    entries = listed and [{"system_node_ensemble_id": name, "nodes": count} for name, count in listed]

    found = node_use(sets, entries)

    assert found["engaged"] == engaged
    assert [fault["id"] for fault in found["faults"]] == faults
