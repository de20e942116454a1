"""Provisioned power by node sets: figures and their sources, defaults of appendix D, sums of appendix E."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from submission_checker.functions._descriptor import (
    BANDWIDTH_ESTIMATE,
    DECLARED_TDP,
    NODE_SCALING,
    counts_nics,
    fabric_of,
    numbered_sets,
    offered_switches,
    product,
    quotient,
    summed_components,
)
from submission_checker.functions._numbers import add_up, plain_int

WATTS_A_KILOWATT = 1000
BITS_A_BYTE = 8
DEFAULT_SOURCE = "mlc_default"
_CORES_IN_NAME = re.compile(r"([0-9]{1,9})\s*(?:-\s*)?core")
_WORD = re.compile(r"\w+")
_NO_LETTER_OR_DIGIT = re.compile("[^a-z0-9]")


def sourced_watts(figure: Mapping[str, Any] | None) -> float | None:
    """Read a figure in watts or kilowatts.

    Args:
        figure: Figure with its source (appendix E.1), or None.

    Returns:
        Power in watts; None where there is no figure, or it is in picojoules.

    Clause:
        endpoints_rules.md §E.1

    >>> sourced_watts({"value_kw": 14.5}), sourced_watts({"value_pj": 5.0})
    (14500.0, None)
    """
    given = figure or {}
    if given.get("value_w") is not None:
        return float(given["value_w"])
    if given.get("value_kw") is not None:
        return float(given["value_kw"] * WATTS_A_KILOWATT)
    return None


def default_cpu_w(
    model: str | None, cores: Any, *, architectures: Sequence[Mapping[str, Any]]
) -> float | None:
    """Look up the default power of a host processor.

    Args:
        model: Model of the processor, by which its architecture is known.
        cores: Cores of one processor as described; what is no integer leaves it to the model's name, if that
            tells a number of cores.
        architectures: Architectures, the one that counts first: each with the `words` that name it, standing
            apart in the model in any letter case, and its `watts` by `max_cores`, ascending.

    Returns:
        Power in watts; None where the architecture or the cores are not known, or there is no default.

    Clause:
        endpoints_rules.md §D.2

    >>> watts = [{"max_cores": 64, "watts": 350}, {"max_cores": None, "watts": 500}]
    >>> x86 = {"words": ["xeon"], "watts": watts}
    >>> [default_cpu_w(model, 64, architectures=[x86]) for model in ("Xeon 6", "Xeon6")]
    [350.0, None]
    >>> default_cpu_w("Xeon, 96-core", None, architectures=[x86])
    500.0
    """
    name = (model or "").lower()
    words = set(_WORD.findall(name))
    known = next((kind for kind in architectures if words & set(kind["words"])), None)
    count = cores if isinstance(cores, int) else _cores_in(name)
    if known is None or count is None:
        return None
    for step in known["watts"]:
        if step["max_cores"] is None or count <= step["max_cores"]:
            return float(step["watts"])
    return None


def default_accelerator_w(model: str | None, *, models: Sequence[Mapping[str, Any]]) -> float | None:
    """Look up the default power of an accelerator.

    Args:
        model: Model of the accelerator.
        models: Known models, the one that counts first: each with the `key` that its name holds when all but
            the letters a to z and digits are left out, and its `watts`.

    Returns:
        Power in watts; None for another model.

    Clause:
        endpoints_rules.md §D.3

    >>> models = [{"key": "gb200", "watts": 1200}, {"key": "b200", "watts": 1000}]
    >>> [default_accelerator_w(model, models=models) for model in ("NVIDIA GB-200", "B200 SXM", "H200")]
    [1200.0, 1000.0, None]
    """
    known = _known_model(model, models)
    return None if known is None else float(known["watts"])


def default_switch_w(
    model: str | None, cabling: str | None, *, models: Sequence[Mapping[str, Any]]
) -> float | None:
    """Look up the default power of a switch of the scale-out network.

    Args:
        model: Model of the switch.
        cabling: How it is cabled.
        models: Known models, as for `default_accelerator_w`, but with `watts` by cabling.

    Returns:
        Power in watts; None for another model, or another cabling.

    Clause:
        endpoints_rules.md §D.4

    >>> models = [{"key": "sn5400", "watts": {"passive": 670}}]
    >>> [default_switch_w("SN5400", cabling, models=models) for cabling in ("passive", "active_optical")]
    [670.0, None]
    """
    known = _known_model(model, models)
    watts = None if known is None else known["watts"].get(cabling)
    return None if watts is None else float(watts)


def bandwidth_power_w(terabytes_per_second: float, picojoules_per_bit: float) -> float:
    """Estimate the power of a scale-up network by its bandwidth.

    Args:
        terabytes_per_second: Bandwidth of all accelerators of a node together, in TB/s.
        picojoules_per_bit: Energy that a bit takes, in pJ.

    Returns:
        Power in watts.

    Clause:
        endpoints_rules.md §4.5.2, §D.1, §E.3.1

    >>> bandwidth_power_w(14.4, 5)
    576.0
    """
    return terabytes_per_second * BITS_A_BYTE * picojoules_per_bit


def node_kinds(description: Any) -> list[dict[str, Any]]:
    """Read what a system description says of each kind of node.

    Args:
        description: System description as submitted; what is no mapping describes nothing.

    Returns:
        For each node type: the `ensemble` that it belongs to, the `cores` of one of its processors, and its
        `accelerators` in one node, of all models together; None where it does not say.

    Clause:
        endpoints_rules.md §4.5.3, §8.2, §D.2

    >>> info = [{"accelerators_per_node": 8}]
    >>> node = {"system_node_ensemble_id": 0, "host_processor_core_count": 96, "accelerator_info": info}
    >>> node_kinds({"node_types": [node]})
    [{'ensemble': 0, 'cores': 96, 'accelerators': 8}]
    """
    nodes = description.get("node_types") if isinstance(description, Mapping) else None
    return [
        {
            "ensemble": _ensemble(node.get("system_node_ensemble_id")),
            "cores": node.get("host_processor_core_count"),
            "accelerators": _accelerators(node),
        }
        for node in (nodes if isinstance(nodes, list) else [])
        if isinstance(node, Mapping)
    ]


def _ensemble(value: Any) -> int | None:
    """Read the number of an ensemble: a number with a point, even 7.0, is none."""
    return None if isinstance(value, float) else plain_int(value)


def power_figures(
    descriptor: Mapping[str, Any], kinds: Iterable[Mapping[str, Any]], *, defaults: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """List the figures that a system's power is computed of, and fill in defaults.

    Args:
        descriptor: The system's power descriptor.
        kinds: Kinds of its nodes, as by `node_kinds`, for the cores of the processors.
        defaults: Appendix D: `cpu`, `accelerator`, `nic` and `switch`, each with its `section`.

    Returns:
        For each figure: the `pointer` to it; the `value` in watts, or in picojoules for the energy of a bit,
        None where it is absent and has no default or has the wrong unit; whether it is `given`; whether an
        `energy` is asked for; and the `section` of appendix D that the value is from, None for others.

    Clause:
        endpoints_rules.md §D, §E.1, §E.3, §E.4

    >>> node_set = {"power_method": "published_system", "published_power": {"value_kw": 14.5}}
    >>> descriptor = {"node_sets": [node_set], "scale_out": {"present": False}}
    >>> power_figures(descriptor, [], defaults={})[0]["value"]
    14500.0
    """
    cores: dict[Any, Any] = {}
    for kind in kinds:
        cores.setdefault(kind["ensemble"], kind["cores"])
    fabric = fabric_of(descriptor)
    figures: list[dict[str, Any]] = []
    for pointer, node_set in numbered_sets(descriptor):
        components = summed_components(node_set)
        if components is not None:
            known_cores = cores.get(node_set["system_node_ensemble_id"])
            figures.extend(_component_figures(f"{pointer}/components", components, known_cores, defaults))
        elif node_set.get("published_power") is not None:
            figures.append(_figure(f"{pointer}/published_power", node_set["published_power"]))
    if any(counts_nics(fabric, node_set) for _, node_set in numbered_sets(descriptor)):
        nic = defaults["nic"]
        given = fabric["nics"].get("tdp_per_nic")
        figures.append(_figure("/scale_out/nics/tdp_per_nic", given, float(nic["watts"]), nic["section"]))
    for index, switch in enumerate(offered_switches(fabric)):
        known = defaults["switch"]
        watts = default_switch_w(switch["model"], fabric.get("cabling"), models=known["models"])
        pointer = f"/scale_out/switches/{index}/power_per_switch"
        figures.append(_figure(pointer, switch.get("power_per_switch"), watts, known["section"]))
    return figures


def declared_figure(descriptor: Mapping[str, Any]) -> list[dict[str, Any]]:
    """List the declared provisioned power, in the form of `power_figures`.

    Args:
        descriptor: The system's power descriptor.

    Returns:
        The one figure, or nothing where none is declared.

    Clause:
        endpoints_rules.md §4.5.2, §E.2

    >>> declared_figure({"declared_provisioned_power": {"value_kw": 90.0}})[0]["value"]
    90000.0
    """
    given = descriptor.get("declared_provisioned_power")
    return [] if given is None else [_figure("/declared_provisioned_power", given)]


def node_set_powers(
    descriptor: Mapping[str, Any], figures: Iterable[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Work out the power of each set of equal nodes.

    Args:
        descriptor: The system's power descriptor.
        figures: Its figures, as by `power_figures`.

    Returns:
        For each set: the `pointer` to it, the `ensemble` of its nodes, the number of `nodes`, `major_w` for
        the components that are summed up, network cards included, and `published_w` for nodes that are
        published as a whole, both in watts for the whole set; None where a figure is missing.

    Clause:
        endpoints_rules.md §4.5.2, §4.5.2.1, §E.7

    >>> node_set = {"power_method": "node_scaling", "nodes_provisioned": 6, "nodes_in_published_rack": 18,
    ...             "system_node_ensemble_id": 0}
    >>> descriptor = {"node_sets": [node_set], "scale_out": {"present": False}}
    >>> rack = {"pointer": "/node_sets/0/published_power", "value": 140000.0}
    >>> node_set_powers(descriptor, [rack])[0]["published_w"]
    46666.666666666664
    """
    values = {figure["pointer"]: figure["value"] for figure in figures}
    fabric = fabric_of(descriptor)
    rows = []
    for pointer, node_set in numbered_sets(descriptor):
        nodes = node_set["nodes_provisioned"]
        components = summed_components(node_set)
        per_node = 0.0 if components is None else _node_w(f"{pointer}/components", components, values)
        if counts_nics(fabric, node_set):
            nic_w = _times(fabric["nics"]["count_per_node"], values["/scale_out/nics/tdp_per_nic"])
            per_node = _plus(per_node, nic_w)
        rows.append(
            {
                "pointer": pointer,
                "ensemble": node_set["system_node_ensemble_id"],
                "nodes": nodes,
                "major_w": _times(nodes, per_node),
                "published_w": 0.0 if components is not None else _published_w(pointer, node_set, values),
            }
        )
    return rows


def system_power(
    descriptor: Mapping[str, Any],
    sets: Sequence[Mapping[str, Any]],
    figures: Iterable[Mapping[str, Any]],
    overhead_fraction: float,
    *,
    decimals: int,
) -> dict[str, Any]:
    """Add up the provisioned power of a system.

    Args:
        descriptor: The system's power descriptor.
        sets: Its node sets, as by `node_set_powers`.
        figures: Its figures, as by `power_figures`.
        overhead_fraction: What cooling adds, as a fraction of the power of the components.
        decimals: Decimals of the provisioned power in kW.

    Returns:
        The quantities of appendix E.5: `major_components_w`, `overhead_fraction`, `other_components_w`,
        `published_node_power_w`, `scale_out_switch_power_w` and `total_system_power_w`, in watts, None where
        a figure is missing; `declared_kw` or None; and `kw`, what counts of the two, or None.

    Clause:
        endpoints_rules.md §4.5.2, §E.5, §E.7

    >>> descriptor = {"node_sets": [{"nodes_provisioned": 1}], "scale_out": {"present": False}}
    >>> sets = [{"major_w": 8700.0, "published_w": 0.0}]
    >>> system_power(descriptor, sets, [], 0.5, decimals=2)["kw"]
    13.05
    """
    values = {figure["pointer"]: figure["value"] for figure in figures}
    major = _sum(row["major_w"] for row in sets)
    other = _times(overhead_fraction, major)
    published = _sum(row["published_w"] for row in sets)
    switches = _sum(
        _times(switch["count"], values[f"/scale_out/switches/{index}/power_per_switch"])
        for index, switch in enumerate(offered_switches(fabric_of(descriptor)))
    )
    total = _sum((major, other, published, switches))
    declared_w = sourced_watts(descriptor.get("declared_provisioned_power"))
    declared_kw = None if declared_w is None else declared_w / WATTS_A_KILOWATT
    total_kw = None if total is None else total / WATTS_A_KILOWATT
    kw = declared_kw if declared_kw is not None else total_kw
    return {
        "major_components_w": major,
        "overhead_fraction": overhead_fraction,
        "other_components_w": other,
        "published_node_power_w": published,
        "scale_out_switch_power_w": switches,
        "total_system_power_w": total,
        "declared_kw": declared_kw,
        "kw": None if kw is None else round(kw, decimals),
    }


def engaged_power_kw(
    power: Mapping[str, Any],
    sets: Sequence[Mapping[str, Any]],
    engaged: Sequence[int],
    *,
    decimals: int,
) -> float | None:
    """Work out the power that a point is divided by.

    Each set counts with the share of its nodes that the point engages, the switches between the nodes with
    the share of all nodes. A declared figure counts with the largest share of any set.

    Args:
        power: The system's power, as by `system_power`.
        sets: Its node sets, as by `node_set_powers`.
        engaged: Nodes that the point engages, set by set.
        decimals: Decimals of the power in kW.

    Returns:
        Power in kW; None where the system's power is not known.

    Clause:
        endpoints_rules.md §4.5.3

    >>> power = {"kw": 152.1, "declared_kw": None, "overhead_fraction": 0.3, "scale_out_switch_power_w": 0.0}
    >>> sets = [{"nodes": 18, "major_w": 117000.0, "published_w": 0.0}]
    >>> engaged_power_kw(power, sets, [16], decimals=2)
    135.2
    """
    kw: float | None = power["kw"]
    provisioned = [row["nodes"] for row in sets]
    if kw is None or list(engaged) == provisioned:
        return kw
    shares = [used / nodes for used, nodes in zip(engaged, provisioned, strict=True)]
    if power["declared_kw"] is not None:
        return float(round(power["declared_kw"] * max(shares), decimals))
    watts = add_up(
        ((1 + power["overhead_fraction"]) * row["major_w"] + row["published_w"]) * share
        for row, share in zip(sets, shares, strict=True)
    )
    watts += power["scale_out_switch_power_w"] * (sum(engaged) / sum(provisioned))
    return float(round(watts / WATTS_A_KILOWATT, decimals))


def _cores_in(name: str) -> int | None:
    found = _CORES_IN_NAME.search(name)
    return None if found is None else int(found[1])


def _known_model(model: str | None, models: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    name = _NO_LETTER_OR_DIGIT.sub("", (model or "").lower())
    return next((entry for entry in models if entry["key"] in name), None)


def _accelerators(node: Mapping[str, Any]) -> int | None:
    listed = node.get("accelerator_info")
    holders = listed if isinstance(listed, list) and listed else [node]
    counts = [holder.get("accelerators_per_node") for holder in holders if isinstance(holder, Mapping)]
    known = [count for value in counts if (count := plain_int(value)) is not None]
    return sum(known) if known else None


def _figure(
    pointer: str,
    given: Mapping[str, Any] | None,
    default: float | None = None,
    section: str | None = None,
    *,
    energy: bool = False,
) -> dict[str, Any]:
    """Make a row of `power_figures`."""
    if given is None:
        value, source = default, section if default is not None else None
    else:
        value = given.get("value_pj") if energy else sourced_watts(given)
        source = given["source"] if given.get("source_type") == DEFAULT_SOURCE else None
    return {
        "pointer": pointer,
        "value": value,
        "given": given is not None,
        "energy": energy,
        "section": source,
    }


def _component_figures(
    pointer: str, components: Mapping[str, Any], cores: Any, defaults: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    combined = components.get("combined_cpu_accelerator")
    cpu, accelerator = components.get("cpu"), components.get("accelerator")
    if combined is not None:
        yield _figure(f"{pointer}/combined_cpu_accelerator", combined)
    elif cpu is not None and accelerator is not None:
        known = defaults["cpu"]
        watts = default_cpu_w(cpu.get("model"), cores, architectures=known["architectures"])
        yield _figure(f"{pointer}/cpu/tdp_per_unit", cpu.get("tdp_per_unit"), watts, known["section"])
        known = defaults["accelerator"]
        watts = default_accelerator_w(accelerator.get("model"), models=known["models"])
        given = accelerator.get("tdp_per_unit")
        yield _figure(f"{pointer}/accelerator/tdp_per_unit", given, watts, known["section"])
    network = components.get("scale_up_network") or {}
    if network.get("method") == DECLARED_TDP:
        yield _figure(f"{pointer}/scale_up_network/tdp_per_switch", network.get("tdp_per_switch"))
    elif network.get("method") == BANDWIDTH_ESTIMATE:
        given = network.get("energy_per_bit_pj")
        yield _figure(f"{pointer}/scale_up_network/energy_per_bit_pj", given, energy=True)


def _node_w(pointer: str, components: Mapping[str, Any], values: Mapping[str, Any]) -> float | None:
    """Add up the components of one node, in watts."""
    if components.get("combined_cpu_accelerator") is not None:
        compute = values[f"{pointer}/combined_cpu_accelerator"]
    else:
        compute = _sum(
            _times(
                (components.get(name) or {}).get("count_per_node"),
                values.get(f"{pointer}/{name}/tdp_per_unit"),
            )
            for name in ("cpu", "accelerator")
        )
    network = components.get("scale_up_network") or {}
    network_pointer = f"{pointer}/scale_up_network"
    if network.get("method") == DECLARED_TDP:
        scale_up = _times(network.get("switch_count"), values[f"{network_pointer}/tdp_per_switch"])
    elif network.get("method") == BANDWIDTH_ESTIMATE:
        bandwidth = network.get("aggregate_bandwidth_tbps")
        energy = values[f"{network_pointer}/energy_per_bit_pj"]
        scale_up = None if bandwidth is None or energy is None else bandwidth_power_w(bandwidth, energy)
    else:
        scale_up = 0.0 if network else None
    return _plus(compute, scale_up)


def _published_w(pointer: str, node_set: Mapping[str, Any], values: Mapping[str, Any]) -> float | None:
    published = values.get(f"{pointer}/published_power")
    whole = _times(node_set["nodes_provisioned"], published)
    if node_set["power_method"] != NODE_SCALING or whole is None:
        return whole
    rack = node_set.get("nodes_in_published_rack")
    return None if rack is None or rack <= 0 else quotient(whole, rack)


def _times(count: float | None, unit: float | None) -> float | None:
    return None if count is None or unit is None else float(product(count, unit))


def _plus(first: float | None, second: float | None) -> float | None:
    return None if first is None or second is None else first + second


def _sum(parts: Iterable[float | None]) -> float | None:
    total = 0.0
    for part in parts:
        if part is None:
            return None
        total += part
    return total
