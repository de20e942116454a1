"""Concurrency regions: where they begin and end, and which one a point is in."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any


def derived_c_min(concurrencies: Sequence[int], *, highest: int) -> int | None:
    """Derive C_min from the concurrencies of a curve.

    Args:
        concurrencies: Declared concurrencies of the points, in requests in flight.
        highest: What C_min is held down to, in requests in flight.

    Returns:
        The lowest concurrency or `highest`, whichever is less; None when there is no concurrency.

    Clause:
        endpoints_rules.md §5.4

    >>> derived_c_min([100, 16, 512], highest=32)
    16
    >>> derived_c_min([100, 512], highest=32)
    32
    """
    return min(*concurrencies, highest) if concurrencies else None


def region_bounds(
    c_max: int | None, c_min: int | None, *, names: Sequence[str], margin_factor: float
) -> dict[str, dict[str, int]] | None:
    """Cut the concurrencies of a curve into its regions.

    The first region ends at C_min and the last one is the margin above C_max. What lies between C_min and
    C_max is cut in equal parts in log2 space, with boundaries rounded half to even. The margin's end is the
    product in doubles, rounded up: 1.10 × 100 lands just above 110, so that margin ends at 111.

    Args:
        c_max: Maximum supported concurrency, in requests in flight.
        c_min: Lowest concurrency of the curve, in requests in flight.
        names: Names of the regions in ascending order, three at least.
        margin_factor: How far above C_max the margin reaches, as a multiple of C_max.

    Returns:
        For each name its first and last concurrency (`start`, `end`), both inclusive; a region whose start is
        above its end is empty. None when C_max or C_min is not known, when C_max is not above C_min, or when
        C_max is beyond what a double can hold.

    Raises:
        ValueError: Fewer than three names.

    Clause:
        endpoints_rules.md §5.5

    >>> names = ["low_latency", "low_concurrency", "med_concurrency", "high_concurrency", "margin"]
    >>> bounds = region_bounds(1024, 16, names=names, margin_factor=1.10)
    >>> bounds["low_concurrency"], bounds["med_concurrency"], bounds["margin"]
    ({'start': 17, 'end': 26}, {'start': 27, 'end': 117}, {'start': 1025, 'end': 1127})
    """
    if len(names) < 3:
        raise ValueError(f"region_bounds() needs three names or more, got {len(names)}")
    if c_max is None or c_min is None or c_max <= c_min:
        return None
    parts = len(names) - 2
    part = math.log2(c_max - c_min) / parts
    try:
        inner = [round(c_min + 2 ** (count * part)) for count in range(1, parts)]
        ends = [c_min, *inner, c_max, math.ceil(margin_factor * c_max)]
    except OverflowError:
        return None
    starts = [1, *(end + 1 for end in ends)]
    return {name: {"start": start, "end": end} for name, start, end in zip(names, starts, ends, strict=False)}


def region_of(concurrency: int | None, bounds: Mapping[str, Mapping[str, int]] | None) -> str | None:
    """Name the region that a concurrency is in.

    Args:
        concurrency: Requests in flight.
        bounds: Regions as `region_bounds` gives them; the first one that holds the concurrency counts.

    Returns:
        The region's name (the margin is one); None outside all of them, or when either is not known.

    Clause:
        endpoints_rules.md §5.5

    >>> bounds = {"low": {"start": 1, "end": 8}, "high": {"start": 9, "end": 64}}
    >>> region_of(9, bounds), region_of(65, bounds)
    ('high', None)
    """
    if concurrency is None or bounds is None:
        return None
    for name, bound in bounds.items():
        if bound["start"] <= concurrency <= bound["end"]:
            return name
    return None


def concurrencies_in(
    concurrencies: Sequence[int], region: str, bounds: Mapping[str, Mapping[str, int]]
) -> list[int]:
    """List the concurrencies that lie in a region.

    Args:
        concurrencies: Requests in flight, one for each point.
        region: Name of a region of `bounds`.
        bounds: Regions as `region_bounds` gives them.

    Returns:
        Those of the concurrencies whose region it is, in the order given.

    Raises:
        ValueError: No region has that name.

    Clause:
        endpoints_rules.md §5.3

    >>> bounds = {"low": {"start": 1, "end": 8}, "high": {"start": 9, "end": 64}}
    >>> concurrencies_in([4, 16, 64], "high", bounds)
    [16, 64]
    """
    if region not in bounds:
        raise ValueError(f"no region {region!r} among {', '.join(bounds)}")
    return [concurrency for concurrency in concurrencies if region_of(concurrency, bounds) == region]


def matched_bands(results: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Give each result a band of its own, as many results as can be: a maximum matching.

    Results are placed in their order, each in the first of its bands that is free, or that becomes free when
    others move on to further bands of theirs (an augmenting path). A result once placed keeps some band.

    Args:
        results: Results, each with the `bands` that it could fill, those to be tried first in front.

    Returns:
        The results, each with its `band`; None where all that it could fill are taken for good.

    Clause:
        endpoints_rules.md §5.3

    >>> rows = [{"bands": ["ultra_low", "low"]}, {"bands": ["ultra_low"]}, {"bands": ["low"]}]
    >>> [row["band"] for row in matched_bands(rows)]
    ['low', 'ultra_low', None]
    """
    holders: dict[str, int] = {}

    def place(result: int, tried: set[str]) -> bool:
        for band in results[result]["bands"]:
            if band not in tried:
                tried.add(band)
                if band not in holders or place(holders[band], tried):
                    holders[band] = result
                    return True
        return False

    for result in range(len(results)):
        place(result, set())
    bands = {result: band for band, result in holders.items()}
    return [{**row, "band": bands.get(number)} for number, row in enumerate(results)]


def last_per_concurrency(points: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Keep one point for each concurrency: the last one given.

    Args:
        points: Points, each with its `concurrency` in requests in flight.

    Returns:
        The points that are left, by ascending concurrency.

    Clause:
        endpoints_rules.md §5.2

    >>> last_per_concurrency([{"concurrency": 8, "at": "r8"}, {"concurrency": 8, "at": "r08"}])
    [{'concurrency': 8, 'at': 'r08'}]
    """
    kept = {point["concurrency"]: point for point in points}
    return [kept[concurrency] for concurrency in sorted(kept)]
