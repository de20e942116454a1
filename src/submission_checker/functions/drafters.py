"""Approved drafters for speculative decoding, and which of them a point uses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def drafter_list(value: Any) -> dict[str, Any]:
    """Bring a list of approved drafters into one form.

    Args:
        value: Content of the file; an empty file approves nothing.

    Returns:
        `usable`; the `drafters` in their order, each with `benchmark`, `weight_checksum`, `target_checksum`,
        `configuration`, `approved_cohort` and `model_id`, None where the file gives none; and the `problems`,
        texts that say why the list cannot be used.

    Clause:
        endpoints_rules.md §2.9.4

    >>> drafter_list({"drafters": [{"benchmark": "kimi-k3"}]})["problems"]
    ['drafters[0] has neither a weight_checksum nor a target_checksum']
    """
    if value is None:
        return {"usable": True, "drafters": [], "problems": []}
    entries = value.get("drafters") if isinstance(value, Mapping) else None
    if not isinstance(entries, list):
        return {
            "usable": False,
            "drafters": [],
            "problems": ["the file holds no mapping with a list of drafters"],
        }
    problems = [
        problem for index, entry in enumerate(entries) for problem in _problems(entry, f"drafters[{index}]")
    ]
    drafters = [] if problems else [_drafter(entry) for entry in entries]
    return {"usable": not problems, "drafters": drafters, "problems": problems}


def drafters_of(drafters: Sequence[Mapping[str, Any]], benchmark: str) -> list[Mapping[str, Any]]:
    """List the approved drafters of a benchmark.

    Args:
        drafters: Approved drafters, as `drafter_list` gives them.
        benchmark: Name of the benchmark, in its exact spelling.

    Returns:
        Those of the benchmark, in order.

    Clause:
        endpoints_rules.md §2.9.4

    >>> drafters_of([{"benchmark": "kimi-k3"}, {"benchmark": "deepseek-r1"}], "kimi-k3")
    [{'benchmark': 'kimi-k3'}]
    """
    return [drafter for drafter in drafters if drafter["benchmark"] == benchmark]


def approved_drafter(
    drafters: Sequence[Mapping[str, Any]], benchmark: str, declared: Mapping[str, Any]
) -> Mapping[str, Any] | None:
    """Find the approved drafter that a point declares.

    A drafter with a checksum of its weights is known by that alone. One without is known by the checksum of
    its target together with its configuration, which must not be empty and is compared whole (24 equals
    24.0).

    Args:
        drafters: Approved drafters, as `drafter_list` gives them.
        benchmark: Name of the benchmark, in its exact spelling.
        declared: The point's disclosure of its speculative decoding, as submitted.

    Returns:
        The first drafter of the benchmark that matches; None when none does.

    Clause:
        endpoints_rules.md §2.9.4

    >>> drafters = [{"benchmark": "kimi-k3", "weight_checksum": "sha256:2e"}]
    >>> approved_drafter(drafters, "kimi-k3", {"weight_checksum": "sha256:2e"})["benchmark"]
    'kimi-k3'
    """
    matching = (drafter for drafter in drafters_of(drafters, benchmark) if _matches(drafter, declared))
    return next(matching, None)


def _problems(entry: Any, place: str) -> list[str]:
    if not isinstance(entry, Mapping):
        return [f"{place} is not a mapping"]
    problems = []
    if not isinstance(entry.get("benchmark"), str) or not entry["benchmark"]:
        problems.append(f"{place}.benchmark is not a text")
    if entry.get("weight_checksum") is None and entry.get("target_checksum") is None:
        problems.append(f"{place} has neither a weight_checksum nor a target_checksum")
    if _configuration(entry) is None:
        problems.append(f"{place}.configuration is not a mapping")
    return problems


def _drafter(entry: Mapping[str, Any]) -> dict[str, Any]:
    texts = ("weight_checksum", "target_checksum", "approved_cohort", "model_id")
    return {
        "benchmark": entry["benchmark"],
        **{name: None if entry.get(name) is None else str(entry[name]) for name in texts},
        "configuration": _configuration(entry),
    }


def _configuration(entry: Mapping[str, Any]) -> dict[Any, Any] | None:
    """Read a configuration: a mapping, pairs that could be one, or nothing; None for anything else."""
    try:
        return dict(entry.get("configuration") or {})
    except (TypeError, ValueError):
        return None


def _matches(drafter: Mapping[str, Any], declared: Mapping[str, Any]) -> bool:
    if drafter["weight_checksum"] is not None:
        return bool(declared.get("weight_checksum") == drafter["weight_checksum"])
    return bool(
        drafter["target_checksum"] is not None
        and declared.get("target_checksum") == drafter["target_checksum"]
        and drafter["configuration"]
        and declared.get("configuration") == drafter["configuration"]
    )
