"""Seed sets: the published ones, and the seeds a point ran with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from submission_checker.functions._cohort import cohort_of, ordinal_of
from submission_checker.functions._numbers import plain_int


def seed_registry(value: Any, *, seeds: Sequence[str], window: int) -> dict[str, Any]:
    """Bring a list of published seed sets into one form.

    The sets stand under `cohort`, beside the cohort they were published for, or at the top of the file, and
    then no cohort is known. A set may be adopted for the cohorts it lists itself, or else for its own cohort
    and those after it. Of two sets with one id the later counts.

    Args:
        value: Content of the file.
        seeds: Names of the seeds that every set has.
        window: For how many cohorts a set may be adopted, its own among them.

    Returns:
        `usable`; `sets`, for each id its `seeds` (by name) and its `cohorts` (may be empty); `any_cohort`,
        whether any set has one; and the `problems`, texts that say why the list cannot be used.

    Clause:
        endpoints_submission_rules.md §4.6

    >>> entry = {"id": "A", "model_seed": 7}
    >>> file = {"cohort": {"cohort-id": "2026-12-C1", "seed_sets": [entry]}}
    >>> seed_registry(file, seeds=["model_seed"], window=2)["sets"]
    {'A': {'seeds': {'model_seed': 7}, 'cohorts': ['2026-12-C1', '2027-01-C0']}}
    """
    if not isinstance(value, Mapping):
        return _registry({}, ["the file holds no mapping"])
    nested = value.get("cohort")
    holder, place = (nested, "cohort.seed_sets") if isinstance(nested, Mapping) else (value, "seed_sets")
    published = nested.get("cohort-id") if isinstance(nested, Mapping) else None
    problems = []
    if published is not None and ordinal_of(str(published)) is None:
        problems.append(f"cohort.cohort-id is {published!r}, not a cohort like 2026-10-C1")
    entries = holder.get("seed_sets")
    if not isinstance(entries, list) or not entries:
        return _registry({}, [*problems, f"{place} is not a list with at least one set"])
    sets = {}
    for index, entry in enumerate(entries):
        found = _seed_set_problems(entry, f"{place}[{index}]", seeds)
        problems += found
        if not found:
            sets[entry["id"]] = _seed_set(entry, published, seeds, window)
    return _registry(sets, problems)


def seed_mismatches(declared: Mapping[str, Any], published: Mapping[str, Any]) -> list[dict[str, Any]]:
    """List the seeds of a run that are not those of its seed set.

    Args:
        declared: Seeds of the run by name.
        published: Seeds of the set by name.

    Returns:
        For each seed that differs its `name`, what was `declared` (None if nothing) and what is `published`.

    Clause:
        endpoints_rules.md §2.1.1

    >>> seed_mismatches({"model": None, "scheduler": 3}, {"model": 7, "scheduler": 3})
    [{'name': 'model', 'declared': None, 'published': 7}]
    """
    return [
        {"name": name, "declared": declared.get(name), "published": seed}
        for name, seed in published.items()
        if declared.get(name) != seed
    ]


def _registry(sets: dict[str, Any], problems: list[str]) -> dict[str, Any]:
    usable = not problems
    kept = sets if usable else {}
    any_cohort = any(entry["cohorts"] for entry in kept.values())
    return {"usable": usable, "sets": kept, "any_cohort": any_cohort, "problems": problems}


def _seed_set_problems(entry: Any, place: str, seeds: Sequence[str]) -> list[str]:
    if not isinstance(entry, Mapping):
        return [f"{place} is not a mapping"]
    problems = []
    if not isinstance(entry.get("id"), str) or not entry["id"]:
        problems.append(f"{place}.id is not a text")
    problems += [
        f"{place}.{name} is not a whole number" for name in seeds if plain_int(entry.get(name)) is None
    ]
    if not isinstance(entry.get("cohorts"), (list, type(None))):
        problems.append(f"{place}.cohorts is not a list")
    return problems


def _seed_set(entry: Mapping[str, Any], published: Any, seeds: Sequence[str], window: int) -> dict[str, Any]:
    own = entry.get("cohorts")
    if own is not None:
        cohorts = [str(cohort) for cohort in own]
    else:
        first = None if published is None else ordinal_of(str(published))
        cohorts = [] if first is None else [cohort_of(first + step) for step in range(window)]
    return {"seeds": {name: plain_int(entry[name]) for name in seeds}, "cohorts": cohorts}
