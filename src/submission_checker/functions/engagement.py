"""How much of a system a point engages: its nodes, and the replicas that its accelerators hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from submission_checker.functions._descriptor import numbered_sets


def parallel_layout(description: Any, *, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Read how a model is spread over the accelerators.

    Args:
        description: System description as submitted; what is no mapping declares nothing.
        fields: Names of fields: `replicas`, `within_replica` (a list) and `disaggregated`, at the top of the
            description or in its `summary`; one at the top counts, even if it is null.

    Returns:
        Whether any degree of parallelism is `declared`; the number of `replicas` and the accelerators
        `per_replica`, a degree that is not declared being 1; the `lowest` of those declared; and whether it
        is `disaggregated`. Only integers count.

    Clause:
        endpoints_rules.md §4.5.3, §8.2

    >>> fields = {"replicas": "data_parallel", "within_replica": ["tensor_parallel", "pipeline_parallel"],
    ...           "disaggregated": "disaggregated", "summary": "config_summary"}
    >>> parallel_layout({"tensor_parallel": 4, "config_summary": {"data_parallel": 2}}, fields=fields)
    {'declared': True, 'replicas': 2, 'per_replica': 4, 'lowest': 2, 'disaggregated': False}
    """
    top = description if isinstance(description, Mapping) else {}
    summary = top.get(fields["summary"])
    holders = [top, *([summary] if isinstance(summary, Mapping) else [])]
    replicas = _first_integer(holders, fields["replicas"])
    degrees = [_first_integer(holders, name) for name in fields["within_replica"]]
    per_replica = 1
    for degree in degrees:
        per_replica *= 1 if degree is None else degree
    known = [degree for degree in (replicas, *degrees) if degree is not None]
    return {
        "declared": len(known) > 0,
        "replicas": 1 if replicas is None else replicas,
        "per_replica": per_replica,
        "lowest": min(known, default=1),
        "disaggregated": _is_disaggregated(holders, fields["disaggregated"]),
    }


def accelerators_by_set(
    descriptor: Mapping[str, Any], kinds: Sequence[Mapping[str, Any]]
) -> list[int | None]:
    """Count the accelerators in one node of each set.

    Args:
        descriptor: The system's power descriptor, whose own count is taken first.
        kinds: Kinds of nodes, as by `node_kinds`.

    Returns:
        Accelerators in one node, set by set; None where neither says.

    Clause:
        endpoints_rules.md §4.5.3, §E.3.1

    >>> node_set = {"system_node_ensemble_id": 0, "power_method": "published_system"}
    >>> accelerators_by_set({"node_sets": [node_set]}, [{"ensemble": 0, "accelerators": 8}])
    [8]
    """
    described: dict[Any, int | None] = {}
    for kind in kinds:
        described.setdefault(kind["ensemble"], kind["accelerators"])
    counts: list[int | None] = []
    for _, node_set in numbered_sets(descriptor):
        accelerator = (node_set.get("components") or {}).get("accelerator")
        if accelerator is not None:
            counts.append(accelerator["count_per_node"])
        else:
            counts.append(described.get(node_set["system_node_ensemble_id"]))
    return counts


def accelerator_total(by_set: Sequence[int | None], nodes: Sequence[int]) -> int | None:
    """Add up the accelerators of nodes of several sets.

    Args:
        by_set: Accelerators in one node, set by set, as by `accelerators_by_set`.
        nodes: Number of nodes, set by set.

    Returns:
        Number of accelerators; None where one set's are not known.

    Clause:
        endpoints_rules.md §4.5.3

    >>> accelerator_total([8, 4], [2, 1]), accelerator_total([8, None], [2, 1])
    (20, None)
    """
    total = 0
    for accelerators, count in zip(by_set, nodes, strict=True):
        if accelerators is None:
            return None
        total += accelerators * count
    return total


def accelerators_less_a_node(by_set: Sequence[int | None], nodes: Sequence[int]) -> int | None:
    """Count the accelerators that a point keeps if it lacks a node, of the set where that costs least.

    Args:
        by_set: Accelerators in one node, set by set, as by `accelerators_by_set`.
        nodes: Number of nodes that the point engages, set by set.

    Returns:
        Number of accelerators; None where one set's are not known.

    Clause:
        endpoints_rules.md §4.5.3

    >>> accelerators_less_a_node([8, 4], [2, 1])
    16
    """
    total = accelerator_total(by_set, nodes)
    if total is None:
        return None
    costs = [count or 0 for count, engaged in zip(by_set, nodes, strict=True) if engaged > 0]
    return total - min(costs, default=0)


def node_use(sets: Sequence[Mapping[str, Any]], listed: Sequence[Mapping[str, Any]] | None) -> dict[str, Any]:
    """Tell how many nodes of each set a point engages.

    Args:
        sets: Node sets of the system, as by `node_set_powers`.
        listed: The point's `nodes_used`: ensembles and numbers of nodes; None where the point says nothing.

    Returns:
        The nodes `engaged`, set by set, all of a set's where it is not listed; and the `faults` of the list,
        each with its `id` (`repeated`, `unknown`, `ambiguous` or `out-of-range`), its `index`, the
        `ensemble`, the `nodes` listed, those `provisioned`, and the number of `sets` of the ensemble.

    Clause:
        endpoints_rules.md §4.5.3

    >>> sets = [{"ensemble": 0, "nodes": 4}, {"ensemble": 1, "nodes": 4}]
    >>> node_use(sets, [{"system_node_ensemble_id": 0, "nodes": 2}])
    {'engaged': [2, 4], 'faults': []}
    """
    engaged = [row["nodes"] for row in sets]
    faults: list[dict[str, Any]] = []
    seen: set[int] = set()
    for index, entry in enumerate(listed or ()):
        ensemble, nodes = entry["system_node_ensemble_id"], entry["nodes"]
        places = [place for place, row in enumerate(sets) if row["ensemble"] == ensemble]
        provisioned = sets[places[0]]["nodes"] if len(places) == 1 else None
        name = None
        if ensemble in seen:
            name = "repeated"
        elif provisioned is None:
            name = "ambiguous" if places else "unknown"
        elif not 1 <= nodes <= provisioned:
            name = "out-of-range"
        else:
            engaged[places[0]] = nodes
        seen.add(ensemble)
        if name is not None:
            faults.append(
                {
                    "id": name,
                    "index": index,
                    "ensemble": ensemble,
                    "nodes": nodes,
                    "provisioned": provisioned,
                    "sets": len(places),
                }
            )
    return {"engaged": engaged, "faults": faults}


def _stated(holders: Sequence[Mapping[str, Any]], name: str) -> Any:
    """Return the first of the holders' values, even if it is null."""
    return next((holder[name] for holder in holders if name in holder), None)


def _first_integer(holders: Sequence[Mapping[str, Any]], name: str) -> int | None:
    value = _stated(holders, name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _is_disaggregated(holders: Sequence[Mapping[str, Any]], name: str) -> bool:
    """Tell whether the value is true, or an integer above one."""
    value = _stated(holders, name)
    return value is True or (isinstance(value, int) and value > 1)
