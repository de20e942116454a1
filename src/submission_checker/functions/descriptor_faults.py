"""What keeps a power descriptor from giving a provisioned power: parts missing, doubled or at odds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from submission_checker.functions._descriptor import (
    BANDWIDTH_ESTIMATE,
    COMPONENT_SUM,
    DECLARED_TDP,
    NODE_SCALING,
    fabric_of,
    nic_bandwidth_tbps,
    numbered_sets,
    offered_switches,
    product,
    summed_components,
    total_nodes,
)
from submission_checker.functions._numbers import add_up

Fault = dict[str, Any]
"""What is wrong: its `id`, the `pointer` to it, and the values that a message needs."""


def node_set_faults(descriptor: Mapping[str, Any]) -> list[Fault]:
    """Find node sets that their power cannot be worked out of.

    Args:
        descriptor: A power descriptor.

    Returns:
        Faults `duplicate-set-id`, `component-sum-without-components`, `published-without-figure` and
        `rack-not-larger`, each with its `pointer` and the `set`'s id; of a rack also `rack` and `nodes`, the
        numbers of nodes.

    Clause:
        endpoints_rules.md §E.3, §E.7

    >>> node_set = {"node_set_id": 4, "nodes_provisioned": 2, "power_method": "component_sum"}
    >>> node_set_faults({"node_sets": [node_set]})
    [{'id': 'component-sum-without-components', 'pointer': '/node_sets/0', 'set': 4}]
    """
    found: list[Fault] = []
    seen: set[int] = set()
    for pointer, node_set in numbered_sets(descriptor):
        name = node_set["node_set_id"]
        if name in seen:
            found.append(_fault("duplicate-set-id", f"{pointer}/node_set_id", set=name))
        seen.add(name)
        if node_set["power_method"] == COMPONENT_SUM:
            if node_set.get("components") is None:
                found.append(_fault("component-sum-without-components", pointer, set=name))
        else:
            found.extend(_published_faults(pointer, node_set))
    return found


def component_faults(descriptor: Mapping[str, Any]) -> list[Fault]:
    """Find components that are missing from a sum of components, or counted twice in it.

    Args:
        descriptor: A power descriptor.

    Returns:
        Faults `combined-and-separate`, `neither-combined-nor-both`, `scale-up-missing`,
        `declared-tdp-without-count` and `bandwidth-without-aggregate`, each with its `pointer` and the id of
        the `set`.

    Clause:
        endpoints_rules.md §E.3.1

    >>> components = {"cpu": {"count_per_node": 2}, "scale_up_network": {"method": "none"}}
    >>> node_set = {"node_set_id": 0, "power_method": "component_sum", "components": components}
    >>> component_faults({"node_sets": [node_set]})
    [{'id': 'neither-combined-nor-both', 'pointer': '/node_sets/0/components', 'set': 0}]
    """
    found: list[Fault] = []
    for pointer, node_set in numbered_sets(descriptor):
        components = summed_components(node_set)
        if components is not None:
            faults = (
                *_compute_faults(f"{pointer}/components", components),
                *_scale_up_faults(f"{pointer}/components", components),
            )
            found.extend({**fault, "set": node_set["node_set_id"]} for fault in faults)
    return found


def figure_faults(figures: Sequence[Mapping[str, Any]], declared: Sequence[Mapping[str, Any]]) -> list[Fault]:
    """Find figures that are absent without a default, or in the wrong unit.

    A declared figure excuses the absence of those that it counts in place of, but not a wrong unit.

    Args:
        figures: The figures of a descriptor, as by `power_figures`.
        declared: The declared figure, as by `declared_figure`.

    Returns:
        Faults `power-figure-in-pj`, `declared-figure-in-pj`, `energy-per-bit-wrong-unit`,
        `figure-absent-no-default` and `energy-per-bit-absent`, each with its `pointer`.

    Clause:
        endpoints_rules.md §D, §E.1, §E.2, §E.3.1

    >>> absent = {"pointer": "/node_sets/0/published_power", "value": None, "given": False, "energy": False}
    >>> figure_faults([absent], [])
    [{'id': 'figure-absent-no-default', 'pointer': '/node_sets/0/published_power'}]
    >>> figure_faults([absent], [{"value": 90000.0}])
    []
    """
    found = [
        _fault("declared-figure-in-pj", figure["pointer"]) for figure in declared if figure["value"] is None
    ]
    for figure in figures:
        if figure["value"] is not None:
            continue
        if figure["given"]:
            name = "energy-per-bit-wrong-unit" if figure["energy"] else "power-figure-in-pj"
            found.append(_fault(name, figure["pointer"]))
        elif not declared:
            name = "energy-per-bit-absent" if figure["energy"] else "figure-absent-no-default"
            found.append(_fault(name, figure["pointer"]))
    return found


def fabric_faults(descriptor: Mapping[str, Any], *, tolerance_tbps: float) -> list[Fault]:
    """Find what does not fit in the network between the nodes.

    Args:
        descriptor: A power descriptor.
        tolerance_tbps: How far bandwidths may be apart, in Tb/s.

    Returns:
        Faults `fabric-denied`, `fabric-fields-missing` (with `missing`), `nics-double-counted`,
        `nics-omitted`, `required-bandwidth-low` and `switches-too-small` (with `required`, `derived` and
        `offered`, in Tb/s), each with its `pointer`.

    Clause:
        endpoints_rules.md §4.5.2, §E.4, §E.7

    >>> scale_out = {"present": True, "cabling": "passive"}
    >>> fabric_faults({"node_sets": [], "scale_out": scale_out}, tolerance_tbps=1e-6)[0]["missing"]
    ['required_bandwidth_tbps', 'nics', 'switches']
    """
    fabric = fabric_of(descriptor)
    if not fabric:
        return [_fault("fabric-denied", "/scale_out/present")] if _joins_nothing(descriptor) else []
    wanted = ("cabling", "required_bandwidth_tbps", "nics", "switches")
    missing = [name for name in wanted if fabric.get(name) is None]
    if missing:
        return [_fault("fabric-fields-missing", "/scale_out", missing=missing)]
    return [*_nic_faults(descriptor, fabric), *_bandwidth_faults(descriptor, fabric, tolerance_tbps)]


def derived_bandwidth_tbps(descriptor: Mapping[str, Any]) -> float | None:
    """Add up the bandwidth of the network cards of all nodes.

    Args:
        descriptor: A power descriptor.

    Returns:
        Bandwidth in Tb/s; None without a network between the nodes, or without its network cards.

    Clause:
        endpoints_rules.md §E.4

    >>> nics = {"count_per_node": 8, "bandwidth_per_nic_gbps": 800}
    >>> node_sets = [{"nodes_provisioned": 2}]
    >>> derived_bandwidth_tbps({"node_sets": node_sets, "scale_out": {"present": True, "nics": nics}})
    12.8
    """
    return nic_bandwidth_tbps(descriptor)


def provisioned_nodes(descriptor: Mapping[str, Any]) -> int:
    """Count the nodes of a system.

    Args:
        descriptor: A power descriptor.

    Returns:
        Number of nodes of all sets together.

    Clause:
        endpoints_rules.md §E.3

    >>> provisioned_nodes({"node_sets": [{"nodes_provisioned": 2}, {"nodes_provisioned": 4}]})
    6
    """
    return total_nodes(descriptor)


def computed_faults(
    descriptor: Mapping[str, Any], power: Mapping[str, Any], *, tolerances: Mapping[str, float]
) -> list[Fault]:
    """Find computed figures of a descriptor that differ from what its other parts give.

    Args:
        descriptor: A power descriptor.
        power: The power that it gives, as by `system_power`.
        tolerances: How far figures may be apart: `watts`, `overhead_fraction` and `kw`.

    Returns:
        Faults `computed-disagrees`, each with its `pointer`, the value `given`, the one `computed`, and the
        `unit` of both; none where not everything can be computed.

    Clause:
        endpoints_rules.md §E.5, §E.7

    >>> power = {"total_system_power_w": 13050.0, "kw": 13.05}
    >>> tolerances = {"watts": 0.5, "overhead_fraction": 1e-9, "kw": 0.005}
    >>> computed_faults({"provisioned_power_kw": 13.1}, power, tolerances=tolerances)[0]["computed"]
    13.05
    """
    if power["total_system_power_w"] is None:
        return []
    block = descriptor.get("computed") or {}
    pairs = [
        ("/computed/overhead_fraction", block.get("overhead_fraction"), power.get("overhead_fraction"), "")
        if name == "overhead_fraction"
        else (f"/computed/{name}", block.get(name), power.get(name), " W")
        for name in _COMPUTED
    ]
    pairs.append(("/provisioned_power_kw", descriptor.get("provisioned_power_kw"), power["kw"], " kW"))
    allowed = {"": tolerances["overhead_fraction"], " W": tolerances["watts"], " kW": tolerances["kw"]}
    return [
        _fault("computed-disagrees", pointer, given=given, computed=computed, unit=unit)
        for pointer, given, computed, unit in pairs
        if given is not None and abs(given - computed) > allowed[unit]
    ]


_COMPUTED = (
    "major_components_w",
    "overhead_fraction",
    "other_components_w",
    "published_node_power_w",
    "scale_out_switch_power_w",
    "total_system_power_w",
)


def _fault(name: str, pointer: str, **values: Any) -> Fault:
    return {"id": name, "pointer": pointer, **values}


def _published_faults(pointer: str, node_set: Mapping[str, Any]) -> Iterator[Fault]:
    name = node_set["node_set_id"]
    if node_set.get("published_power") is None:
        yield _fault("published-without-figure", pointer, set=name)
    if node_set["power_method"] == NODE_SCALING:
        rack, nodes = node_set.get("nodes_in_published_rack"), node_set["nodes_provisioned"]
        if rack is None or rack <= nodes:
            place = f"{pointer}/nodes_in_published_rack"
            yield _fault("rack-not-larger", place, set=name, rack=rack, nodes=nodes)


def _compute_faults(pointer: str, components: Mapping[str, Any]) -> Iterator[Fault]:
    units = [components.get("cpu"), components.get("accelerator")]
    if components.get("combined_cpu_accelerator") is not None:
        if any(unit is not None and unit.get("tdp_per_unit") is not None for unit in units):
            yield _fault("combined-and-separate", f"{pointer}/combined_cpu_accelerator")
    elif None in units:
        yield _fault("neither-combined-nor-both", pointer)


def _scale_up_faults(pointer: str, components: Mapping[str, Any]) -> Iterator[Fault]:
    network = components.get("scale_up_network")
    if network is None:
        yield _fault("scale-up-missing", pointer)
    elif network["method"] == DECLARED_TDP and network.get("switch_count") is None:
        yield _fault("declared-tdp-without-count", f"{pointer}/scale_up_network")
    elif network["method"] == BANDWIDTH_ESTIMATE and network.get("aggregate_bandwidth_tbps") is None:
        yield _fault("bandwidth-without-aggregate", f"{pointer}/scale_up_network")


def _joins_nothing(descriptor: Mapping[str, Any]) -> bool:
    """Tell whether there are several nodes, and nothing that could join them."""
    return total_nodes(descriptor) > 1 and all(
        ((summed_components(node_set) or {}).get("scale_up_network") or {}).get("method") == "none"
        for _, node_set in numbered_sets(descriptor)
    )


def _nic_faults(descriptor: Mapping[str, Any], fabric: Mapping[str, Any]) -> Iterator[Fault]:
    nics = fabric["nics"]
    summed = any(node_set["power_method"] == COMPONENT_SUM for _, node_set in numbered_sets(descriptor))
    if nics["counted"] and not summed and not nics.get("excluded_from_published_power"):
        yield _fault("nics-double-counted", "/scale_out/nics/counted")
    if not nics["counted"] and summed:
        yield _fault("nics-omitted", "/scale_out/nics/counted")


def _bandwidth_faults(
    descriptor: Mapping[str, Any], fabric: Mapping[str, Any], tolerance_tbps: float
) -> Iterator[Fault]:
    required, derived = fabric["required_bandwidth_tbps"], nic_bandwidth_tbps(descriptor) or 0.0
    offered = add_up(product(entry["count"], entry["bandwidth_tbps"]) for entry in offered_switches(fabric))
    values = {"required": required, "derived": derived, "offered": offered}
    if required < derived - tolerance_tbps:
        yield _fault("required-bandwidth-low", "/scale_out/required_bandwidth_tbps", **values)
    if offered < max(required, derived) - tolerance_tbps:
        yield _fault("switches-too-small", "/scale_out/switches", **values)
