"""Provisioned power: from a system's power descriptor, and the cooling its overhead depends on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from submission_checker.functions._numbers import add_up, plain_float

WATTS_A_KILOWATT = 1000


def borrowed_cooling(
    descriptions: Iterable[Any], *, overheads: Sequence[Mapping[str, Any]], mixed_overhead: float
) -> dict[str, Any] | None:
    """Find the cooling of a system in its system descriptions.

    The first description that names a cooling, at its top or at a node type, decides for the system. When its
    texts stand for different overheads the system is mixed; else its first text decides, even when that one
    stands for no overhead and a later one would.

    Args:
        descriptions: System descriptions as submitted, in the order of their paths; what is not a mapping is
            passed over.
        overheads: Kinds of cooling, the one that counts first: each with the `words` that name it (in any
            letter case, within other words too) and its `overhead`, a fraction of the power of the
            components.
        mixed_overhead: Overhead of a mixed system, a fraction of the power of the components.

    Returns:
        The `texts` of the description that decides, and the `overhead` or None; None when none names a
        cooling.

    Clause:
        endpoints_rules.md §4.5.2

    >>> kinds = [{"overhead": 0.3, "words": ["liquid"]}, {"overhead": 0.5, "words": ["air"]}]
    >>> nodes = [{"cooling": "liquid"}, {"cooling": "air"}]
    >>> borrowed_cooling([None, {"node_types": nodes}], overheads=kinds, mixed_overhead=0.5)
    {'texts': ['liquid', 'air'], 'overhead': 0.5}
    """
    for description in descriptions:
        texts = _cooling_texts(description)
        if not texts:
            continue
        implied = [_implied_overhead(text, overheads=overheads) for text in texts]
        mixed = len({overhead for overhead in implied if overhead is not None}) > 1
        return {"texts": texts, "overhead": mixed_overhead if mixed else implied[0]}
    return None


def overhead_fraction(
    descriptor: Mapping[str, Any],
    descriptions: Iterable[Any],
    *,
    overheads: Sequence[Mapping[str, Any]],
    mixed_overhead: float,
) -> dict[str, Any]:
    """Find the power overhead of a system, and what it rests on.

    A stated fraction counts before the descriptor's own cooling, and that before the cooling of the system
    descriptions. A cooling that is stated, even as an empty text, keeps the descriptions from being asked.

    Args:
        descriptor: The system's power descriptor.
        descriptions: The system's system descriptions, as for `borrowed_cooling`.
        overheads: Kinds of cooling, as for `borrowed_cooling`.
        mixed_overhead: Overhead of a mixed system, a fraction of the power of the components.

    Returns:
        The `fraction` of the power of the components, or None; its `source` (`stated`, `cooling`,
        `descriptions` or None); and the `texts` about the cooling that were read.

    Clause:
        endpoints_rules.md §4.5.2

    >>> kinds = [{"overhead": 0.3, "words": ["liquid"]}]
    >>> overhead_fraction({"cooling": "liquid"}, [], overheads=kinds, mixed_overhead=0.5)
    {'fraction': 0.3, 'source': 'cooling', 'texts': ['liquid']}
    """
    stated, cooling = plain_float(descriptor.get("overhead_fraction")), descriptor.get("cooling")
    if stated is not None:
        return {"fraction": stated, "source": "stated", "texts": []}
    if cooling is not None:
        overhead = _implied_overhead(cooling, overheads=overheads)
        return {"fraction": overhead, "source": "cooling", "texts": [cooling]}
    borrowed = borrowed_cooling(descriptions, overheads=overheads, mixed_overhead=mixed_overhead)
    if borrowed is None:
        return {"fraction": None, "source": None, "texts": []}
    return {"fraction": borrowed["overhead"], "source": "descriptions", "texts": borrowed["texts"]}


def provisioned_power(
    descriptor: Mapping[str, Any] | None,
    overhead: float | None,
    *,
    fields: Mapping[str, Any],
) -> dict[str, Any]:
    """Work out the provisioned power of a system.

    A stated total counts first, then a share of a rack, then the sum of the component groups and the
    overhead. Of the groups the combined one counts in place of its parts. Values are taken as they are: zero,
    negative, not finite.

    Args:
        descriptor: The system's power descriptor, or None.
        overhead: Power overhead as a fraction of the power of the components, or None.
        fields: Where the descriptor keeps what: `total` (spellings, W), `rack_power` (W), `rack_nodes`,
            `submitted_nodes`, `combined` (a group), `parts` and `network` (lists of groups), `count` and
            `unit` (spellings, as for `group_power_w`).

    Returns:
        `watts` and `kw`, or None; the `path` taken (`total`, `rack`, `components` or None); and the groups
        that are `missing` from a sum of components.

    Clause:
        endpoints_rules.md §4.5.2, §4.5.2.1

    >>> fields = {
    ...     "total": ["provisioned_power_w"], "rack_power": "rack_power_w", "rack_nodes": "rack_nodes",
    ...     "submitted_nodes": "submitted_nodes", "combined": "compute", "parts": ["cpu", "accelerator"],
    ...     "network": ["scale_up_network"], "count": ["count"], "unit": ["tdp_per_unit"],
    ... }
    >>> groups = {"cpu": {"count": 2, "tdp_per_unit": 350}, "accelerator": {"count": 8, "tdp_per_unit": 1000}}
    >>> provisioned_power(groups, 0.5, fields=fields)
    {'watts': 13050.0, 'kw': 13.05, 'path': 'components', 'missing': ['scale_up_network']}
    """
    given: Mapping[str, Any] = descriptor or {}
    path, watts, missing = "total", plain_float(_first_present(given, fields["total"])), list[str]()
    if watts is None:
        path, watts = "rack", _rack_share_w(given, fields)
    if watts is None:
        path = "components"
        watts, missing = _components_w(given, overhead, fields)
    if watts is None:
        return {"watts": None, "kw": None, "path": None, "missing": []}
    return {"watts": watts, "kw": watts / WATTS_A_KILOWATT, "path": path, "missing": missing}


def _first_present(mapping: Any, names: Sequence[str]) -> Any:
    if not isinstance(mapping, Mapping):
        return None
    return next((mapping[name] for name in names if name in mapping), None)


def _cooling_texts(description: Any) -> list[str]:
    if not isinstance(description, Mapping):
        return []
    nodes = description.get("node_types")
    holders = [description, *(nodes if isinstance(nodes, (list, tuple)) else [])]
    found = [holder.get("cooling") for holder in holders if isinstance(holder, Mapping)]
    return [text for text in found if isinstance(text, str) and text.strip()]


def _rack_share_w(descriptor: Mapping[str, Any], fields: Mapping[str, Any]) -> float | None:
    rack_power_w = plain_float(descriptor.get(fields["rack_power"]))
    rack_nodes = plain_float(descriptor.get(fields["rack_nodes"]))
    submitted_nodes = plain_float(descriptor.get(fields["submitted_nodes"]))
    if rack_power_w is None or rack_nodes is None or submitted_nodes is None or rack_nodes <= 0:
        return None
    return rack_power_w * (submitted_nodes / rack_nodes)


def _components_w(
    descriptor: Mapping[str, Any], overhead: float | None, fields: Mapping[str, Any]
) -> tuple[float | None, list[str]]:
    groups = [fields["combined"], *fields["parts"], *fields["network"]]
    totals = {
        name: _group_power_w(descriptor.get(name), count_fields=fields["count"], unit_fields=fields["unit"])
        for name in groups
    }
    combined = totals[fields["combined"]] is not None
    counted = [fields["combined"]] if combined else list(fields["parts"])
    counted += fields["network"]
    known = [watts for name in counted if (watts := totals[name]) is not None]
    if not known or overhead is None:
        return None, []
    return add_up(known) * (1 + overhead), [name for name in counted if totals[name] is None]


def _implied_overhead(cooling: str | None, *, overheads: Sequence[Mapping[str, Any]]) -> float | None:
    text = (cooling or "").lower()
    for kind in overheads:
        if any(word in text for word in kind["words"]):
            return float(kind["overhead"])
    return None


def _group_power_w(
    group: Mapping[str, Any] | None, *, count_fields: Sequence[str], unit_fields: Sequence[str]
) -> float | None:
    # Of the spellings the first one present counts, even if it is null.
    count = plain_float(_first_present(group, count_fields))
    per_unit = plain_float(_first_present(group, unit_fields))
    return None if count is None or per_unit is None else count * per_unit
