"""Agentic benchmarks: the scores and the output length that their accuracy rests on."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from submission_checker.functions._numbers import add_up


def headline_score(
    metrics: Mapping[str, Mapping[str, float]], dataset: str, *, score_field: str
) -> float | None:
    """Give the one score that a dataset is judged by.

    Args:
        metrics: Metrics of each dataset, as `metrics_by_dataset` gives them.
        dataset: Name of the dataset.
        score_field: Metric that counts where there are several; else the first one does.

    Returns:
        The score as reported; None when the dataset has none.

    Clause:
        endpoints_rules.md §4.3

    >>> headline_score({"swe_bench": {"pass": 0.7, "score": 0.6}}, "swe_bench", score_field="score")
    0.6
    """
    named = metrics.get(dataset) or {}
    return named.get(score_field, next(iter(named.values()), None))


def is_fraction(score: float | None) -> bool:
    """Tell whether a score lies between 0 and 1.

    Args:
        score: Score as reported.

    Returns:
        True between 0 and 1, both inclusive; False for NaN and for None.

    Clause:
        endpoints_rules.md §4.3

    >>> is_fraction(1.0), is_fraction(1.01), is_fraction(float("nan"))
    (True, False, False)
    """
    return score is not None and 0 <= score <= 1


def swebench_band(
    concurrency: int,
    region: str | None,
    *,
    ultra_low: str,
    ultra_low_highest: int,
    bands: Sequence[str],
) -> str | None:
    """Name the one band that a point's result counts for.

    Args:
        concurrency: Concurrency of the point, in requests in flight.
        region: Region of the point, as `region_of` gives it.
        ultra_low: Name of the lowest band, which comes before any region.
        ultra_low_highest: Highest concurrency of the lowest band, in requests in flight.
        bands: Names of the bands that count.

    Returns:
        Name of the band; None when the point is in none of them.

    Clause:
        endpoints_rules.md §4.3

    >>> swebench_band(20, "low", ultra_low="ultra_low", ultra_low_highest=32, bands=["ultra_low", "low"])
    'ultra_low'
    """
    if concurrency <= ultra_low_highest:
        return ultra_low
    return region if region in bands else None


def band_results(results: Sequence[Mapping[str, Any]], *, bands: Sequence[str]) -> list[dict[str, Any]]:
    """Collect results by band, with the mean of each.

    Args:
        results: Results, each with its `band` (or None) and its `value`, all in one unit.
        bands: Names of the bands, in the order wanted.

    Returns:
        For each band that has any: `band`, its `values`, their `mean`, and whether it is `crowded` (has
        several).

    Clause:
        endpoints_rules.md §4.3

    >>> band_results([{"band": "low", "value": 70.0}, {"band": "low", "value": 80.0}], bands=["low", "high"])
    [{'band': 'low', 'values': [70.0, 80.0], 'mean': 75.0, 'crowded': True}]
    """
    rows = []
    for band in bands:
        values = [result["value"] for result in results if result["band"] == band]
        if values:
            mean = add_up(values) / len(values)
            rows.append({"band": band, "values": values, "mean": mean, "crowded": len(values) > 1})
    return rows


def mean_of_bands(rows: Sequence[Mapping[str, Any]]) -> float | None:
    """Average the means of the bands, each of the same weight.

    Args:
        rows: Bands as `band_results` gives them.

    Returns:
        Mean in the unit of the results; None when there is no band.

    Clause:
        endpoints_rules.md §4.3

    >>> mean_of_bands([{"mean": 70.0}, {"mean": 80.0}]), mean_of_bands([])
    (75.0, None)
    """
    return add_up(row["mean"] for row in rows) / len(rows) if rows else None


def mean_osl(summary: Any, *, path: Sequence[str]) -> float | None:
    """Read the mean output length per turn of a full run.

    Args:
        summary: Result summary as submitted.
        path: Members that lead to the value, one in the other.

    Returns:
        Mean output length in tokens (a boolean counts as 1 or 0, an integer beyond a double's range is
        infinite); None when something on the way is missing or the value is no number.

    Clause:
        endpoints_rules.md §4.3

    >>> mean_osl({"full_run": {"avg": 472}}, path=["full_run", "avg"]), mean_osl({}, path=["full_run", "avg"])
    (472.0, None)
    """
    value = summary
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    if not isinstance(value, (int, float)):
        return None
    try:
        return float(value)
    except OverflowError:
        return math.copysign(math.inf, 1 if value > 0 else -1)
