"""What the families about the power descriptor share: the words of appendix E, and where its parts stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

COMPONENT_SUM = "component_sum"
NODE_SCALING = "node_scaling"
DECLARED_TDP = "declared_tdp"
BANDWIDTH_ESTIMATE = "bandwidth_estimate"


def numbered_sets(descriptor: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield each node set after the pointer to it."""
    for index, node_set in enumerate(descriptor["node_sets"]):
        yield f"/node_sets/{index}", node_set


def summed_components(node_set: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the components of a set whose power is their sum; None for other sets, and without any."""
    if node_set["power_method"] != COMPONENT_SUM:
        return None
    components: Mapping[str, Any] | None = node_set.get("components")
    return components


def fabric_of(descriptor: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the scale-out network; an empty one where the descriptor says there is none."""
    scale_out: Mapping[str, Any] = descriptor["scale_out"]
    return scale_out if scale_out["present"] else {}


def counts_nics(fabric: Mapping[str, Any], node_set: Mapping[str, Any]) -> bool:
    """Tell whether the network cards of a set's nodes are added to its components."""
    nics = fabric.get("nics")
    if nics is None or not nics["counted"]:
        return False
    return node_set["power_method"] == COMPONENT_SUM or bool(nics.get("excluded_from_published_power"))


def offered_switches(fabric: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Return the switches between the nodes."""
    return fabric.get("switches") or ()


def product(*factors: float) -> float:
    """Multiply numbers of any size as doubles; infinity where one is too large."""
    result: float = 1
    for factor in factors:
        try:
            result *= factor
        except OverflowError:
            return float("inf")
    return result


def quotient(dividend: float, divisor: float) -> float:
    """Divide by a number of any size that is not zero."""
    try:
        return dividend / divisor
    except OverflowError:
        return 0.0


def total_nodes(descriptor: Mapping[str, Any]) -> int:
    """Add up the nodes of all sets."""
    return sum(node_set["nodes_provisioned"] for node_set in descriptor["node_sets"])


def nic_bandwidth_tbps(descriptor: Mapping[str, Any]) -> float | None:
    """Add up the bandwidth of the network cards of all nodes, in Tb/s; None without any."""
    nics = fabric_of(descriptor).get("nics")
    if nics is None:
        return None
    return product(total_nodes(descriptor), nics["count_per_node"], nics["bandwidth_per_nic_gbps"]) / 1000
