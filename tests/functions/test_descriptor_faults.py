"""What keeps a power descriptor from giving a power: each fault once, and what is close to it and none."""

from __future__ import annotations

from typing import Any

import pytest

from submission_checker.functions import (
    component_faults,
    derived_bandwidth_tbps,
    fabric_faults,
    figure_faults,
    node_set_faults,
    provisioned_nodes,
)

FIGURE = {"value_w": 5.0}
NONE = {"method": "none"}
CPU = {"count_per_node": 2, "tdp_per_unit": FIGURE}
ACCELERATOR = {"count_per_node": 8, "tdp_per_unit": None}
NICS = {"count_per_node": 8, "bandwidth_per_nic_gbps": 800.0, "counted": True}
TOLERANCE = 1e-6


def node_set(method: str = "published_system", nodes: int = 2, name: int = 0, **more: Any) -> dict[str, Any]:
    return {"node_set_id": name, "nodes_provisioned": nodes, "power_method": method, **more}


def summed(network: dict[str, Any] | None = NONE, nodes: int = 2, **parts: Any) -> dict[str, Any]:
    components = {"cpu": CPU, "accelerator": ACCELERATOR, "scale_up_network": network, **parts}
    return node_set("component_sum", nodes, components=components)


def ids(faults: list[dict[str, Any]]) -> list[str]:
    return [fault["id"] for fault in faults]


@pytest.mark.parametrize(
    ("node_sets", "expected"),
    [
        pytest.param([node_set(published_power=FIGURE)], [], id="published"),
        pytest.param([node_set()], ["published-without-figure"], id="no-figure"),
        pytest.param([node_set("component_sum", components={})], [], id="components"),
        pytest.param([node_set("component_sum")], ["component-sum-without-components"], id="no-components"),
        pytest.param(
            [node_set("component_sum", components=None, published_power=FIGURE)],
            ["component-sum-without-components"],
            id="a-figure-is-no-sum",
        ),
        pytest.param(
            [node_set("node_scaling", published_power=FIGURE, nodes_in_published_rack=3)], [], id="share"
        ),
        pytest.param(
            [node_set("node_scaling", published_power=FIGURE, nodes_in_published_rack=2)],
            ["rack-not-larger"],
            id="whole-rack",
        ),
        pytest.param(
            [node_set("node_scaling")], ["published-without-figure", "rack-not-larger"], id="no-rack"
        ),
        pytest.param(
            [node_set(published_power=FIGURE, nodes_in_published_rack=1)], [], id="rack-of-no-share"
        ),
        pytest.param(
            [node_set(name=name, published_power=FIGURE) for name in (0, 1, 0, 0)],
            ["duplicate-set-id", "duplicate-set-id"],
            id="ids",
        ),
    ],
)
def test_node_sets(node_sets, expected) -> None:
    assert ids(node_set_faults({"node_sets": node_sets})) == expected


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        pytest.param({}, [], id="both"),
        pytest.param({"cpu": None}, ["neither-combined-nor-both"], id="no-cpu"),
        pytest.param({"accelerator": None}, ["neither-combined-nor-both"], id="no-accelerator"),
        pytest.param({"cpu": None, "combined_cpu_accelerator": FIGURE}, [], id="combined"),
        pytest.param({"combined_cpu_accelerator": FIGURE}, ["combined-and-separate"], id="combined-and-cpu"),
        pytest.param(
            {"combined_cpu_accelerator": FIGURE, "cpu": {"count_per_node": 2}}, [], id="combined-and-counts"
        ),
        pytest.param(
            {"combined_cpu_accelerator": FIGURE, "cpu": None, "accelerator": CPU},
            ["combined-and-separate"],
            id="combined-and-accelerator",
        ),
        pytest.param({"network": None}, ["scale-up-missing"], id="no-network"),
        pytest.param({"network": {"method": "declared_tdp", "switch_count": 0}}, [], id="no-switches"),
        pytest.param(
            {"network": {"method": "declared_tdp"}}, ["declared-tdp-without-count"], id="no-switch-count"
        ),
        pytest.param(
            {"network": {"method": "bandwidth_estimate", "aggregate_bandwidth_tbps": 0.0}}, [], id="bandwidth"
        ),
        pytest.param(
            {"network": {"method": "bandwidth_estimate", "switch_count": 2}},
            ["bandwidth-without-aggregate"],
            id="no-bandwidth",
        ),
    ],
)
def test_components(parts, expected) -> None:
    faults = component_faults({"node_sets": [summed(**parts)]})

    assert ids(faults) == expected
    assert all(fault["set"] == 0 for fault in faults)


def test_components_beside_a_published_power_are_not_looked_at() -> None:
    beside = node_set(published_power=FIGURE, components={"cpu": CPU})

    assert component_faults({"node_sets": [beside]}) == []


def figure(value: float | None, *, given: bool = False, energy: bool = False) -> dict[str, Any]:
    return {"pointer": "/x", "value": value, "given": given, "energy": energy}


@pytest.mark.parametrize(
    ("found", "alone", "under_declared"),
    [
        pytest.param(figure(0.0, given=True), [], [], id="zero"),
        pytest.param(figure(75.0), [], [], id="default"),
        pytest.param(figure(None), ["figure-absent-no-default"], [], id="absent"),
        pytest.param(figure(None, energy=True), ["energy-per-bit-absent"], [], id="energy-absent"),
        pytest.param(
            figure(None, given=True), ["power-figure-in-pj"], ["power-figure-in-pj"], id="wrong-unit"
        ),
        pytest.param(
            figure(None, given=True, energy=True),
            ["energy-per-bit-wrong-unit"],
            ["energy-per-bit-wrong-unit"],
            id="energy-wrong-unit",
        ),
    ],
)
def test_figures(found, alone, under_declared) -> None:
    assert ids(figure_faults([found], [])) == alone
    assert ids(figure_faults([found], [figure(90.0, given=True)])) == under_declared


def test_a_declared_figure_is_a_power() -> None:
    assert ids(figure_faults([], [figure(None, given=True)])) == ["declared-figure-in-pj"]


def with_fabric(*node_sets: dict[str, Any], nics: Any = NICS, **more: Any) -> dict[str, Any]:
    scale_out = {
        "present": True,
        "cabling": "passive",
        "required_bandwidth_tbps": 12.8,
        "nics": nics,
        "switches": [{"count": 2, "bandwidth_tbps": 6.4}],
        **more,
    }
    return {"node_sets": list(node_sets), "scale_out": scale_out}


@pytest.mark.parametrize(
    ("whole", "expected"),
    [
        pytest.param(with_fabric(summed()), [], id="fits"),
        pytest.param(with_fabric(summed(), cabling=None), ["fabric-fields-missing"], id="no-cabling"),
        pytest.param(with_fabric(summed(), nics=None), ["fabric-fields-missing"], id="no-cards"),
        pytest.param(with_fabric(summed(), switches=None), ["fabric-fields-missing"], id="no-switches"),
        pytest.param(
            with_fabric(summed(), required_bandwidth_tbps=None), ["fabric-fields-missing"], id="none-required"
        ),
        pytest.param(with_fabric(summed(), switches=[]), ["switches-too-small"], id="empty-list"),
        pytest.param(
            with_fabric(
                summed(),
                nics={**NICS, "count_per_node": 0},
                switches=[],
                required_bandwidth_tbps=0.0,
            ),
            [],
            id="nothing-to-carry",
        ),
        pytest.param(
            with_fabric(summed(), required_bandwidth_tbps=12.8 - 1e-7), [], id="required-within-tolerance"
        ),
        pytest.param(
            with_fabric(summed(), required_bandwidth_tbps=12.79), ["required-bandwidth-low"], id="low"
        ),
        pytest.param(
            with_fabric(summed(), required_bandwidth_tbps=12.81), ["switches-too-small"], id="more-required"
        ),
        pytest.param(
            with_fabric(summed(), switches=[{"count": 1, "bandwidth_tbps": 12.8 - 1e-7}]),
            [],
            id="offered-within-tolerance",
        ),
        pytest.param(
            with_fabric(summed(), switches=[{"count": 1, "bandwidth_tbps": 12.79}]),
            ["switches-too-small"],
            id="too-small",
        ),
        pytest.param(
            with_fabric(
                summed(), required_bandwidth_tbps=6.4, switches=[{"count": 1, "bandwidth_tbps": 6.4}]
            ),
            ["required-bandwidth-low", "switches-too-small"],
            id="both-low",
        ),
        pytest.param(
            with_fabric(summed(), nics={**NICS, "counted": False}), ["nics-omitted"], id="cards-left-out"
        ),
        pytest.param(with_fabric(node_set(), nics={**NICS, "counted": False}), [], id="cards-published"),
        pytest.param(with_fabric(node_set()), ["nics-double-counted"], id="cards-twice"),
        pytest.param(
            with_fabric(node_set(), nics={**NICS, "excluded_from_published_power": "page 3"}),
            [],
            id="cards-apart",
        ),
        pytest.param(with_fabric(summed(nodes=1), node_set(nodes=1)), [], id="cards-of-the-formula"),
    ],
)
def test_fabric(whole, expected) -> None:
    assert ids(fabric_faults(whole, tolerance_tbps=TOLERANCE)) == expected


@pytest.mark.parametrize(
    ("node_sets", "expected"),
    [
        pytest.param([summed(nodes=1)], [], id="one-node"),
        pytest.param([summed()], ["fabric-denied"], id="two-nodes"),
        pytest.param([summed(nodes=1), summed(nodes=1)], ["fabric-denied"], id="two-sets"),
        pytest.param([summed({"method": "declared_tdp", "switch_count": 1})], [], id="scale-up"),
        pytest.param([summed(nodes=1), node_set()], [], id="published"),
        pytest.param([summed(None)], [], id="no-scale-up-told"),
    ],
)
def test_no_fabric(node_sets, expected) -> None:
    whole = {"node_sets": node_sets, "scale_out": {"present": False, "nics": NICS}}

    assert ids(fabric_faults(whole, tolerance_tbps=TOLERANCE)) == expected
    assert derived_bandwidth_tbps(whole) is None


def test_bandwidth_of_the_cards() -> None:
    whole = with_fabric(summed(), node_set(nodes=6))

    assert provisioned_nodes(whole) == 8
    assert derived_bandwidth_tbps(whole) == 51.2
    assert derived_bandwidth_tbps(with_fabric(summed(), nics=None)) is None
