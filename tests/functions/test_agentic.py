from __future__ import annotations

import math

import pytest

from submission_checker.functions import (
    band_results,
    headline_score,
    is_fraction,
    mean_of_bands,
    mean_osl,
    swebench_band,
)


@pytest.mark.parametrize(
    ("metrics", "score"),
    [
        ({"swe_bench": {"resolved": 0.7, "score": 0.6}}, 0.6),
        ({"swe_bench": {"resolved": 0.7, "other": 0.6}}, 0.7),
        ({"swe_bench": {"resolved": 0.7, "score": 0.0}}, 0.0),
        ({"SWE_bench": {"score": 0.7}}, None),
        ({"swe_bench": {}}, None),
        ({"swe_bench": {"Score": 0.7, "other": 0.6}}, 0.7),
        ({}, None),
    ],
)
def test_headline_score(metrics, score) -> None:
    assert headline_score(metrics, "swe_bench", score_field="score") == score


@pytest.mark.parametrize(
    ("score", "fraction"),
    [
        (0.0, True),
        (0.5, True),
        (1.0, True),
        (1.0000001, False),
        (-0.1, False),
        (58.9, False),
        (math.nan, False),
        (None, False),
    ],
)
def test_is_fraction(score, fraction) -> None:
    assert is_fraction(score) is fraction


@pytest.mark.parametrize(
    ("model", "target", "score", "met"),
    [
        pytest.param("deepseek-v4_1-flash", "inline_min", 0.5236, False, id="just-below-52.36-as-a-double"),
        pytest.param("deepseek-v4_1-flash", "swebench_min", 0.964, False, id="just-below-96.4-as-a-double"),
        pytest.param("deepseek-v4_1-flash", "inline_min", 0.52361, True, id="a-hair-above"),
        pytest.param("kimi-k3", "inline_min", 0.5832, True, id="kimi-inline"),
        pytest.param("kimi-k3", "swebench_min", 0.935, True, id="kimi-swebench"),
        pytest.param("qwen3_6-35b-a3b", "inline_min", 0.5586, True, id="qwen-inline"),
        pytest.param("qwen3_6-35b-a3b", "swebench_min", 0.69, True, id="qwen-swebench"),
    ],
)
def test_scores_exactly_on_a_floor(tables, model, target, score, met) -> None:
    assert (score * 100 >= tables.agentic_targets["targets"][model][target]) is met


@pytest.mark.parametrize(
    ("concurrency", "region", "band"),
    [
        (8, "low_latency", "ultra_low_concurrency"),
        pytest.param(32, "med_concurrency", "ultra_low_concurrency", id="lowest-band-before-any-region"),
        (33, "low_concurrency", "low_concurrency"),
        (100, "high_concurrency", "high_concurrency"),
        (1025, "margin", None),
        (2000, None, None),
    ],
)
def test_swebench_band(tables, concurrency, region, band) -> None:
    lowest = tables.regions["ultra_low"]
    found = swebench_band(
        concurrency,
        region,
        ultra_low=lowest["name"],
        ultra_low_highest=lowest["highest"],
        bands=tables.regions["mandatory"],
    )
    assert found == band


def results(**values):
    return [{"band": band, "value": value} for band, column in values.items() for value in column]


BANDS = ["ultra", "low", "med", "high"]


def test_one_result_in_each_band() -> None:
    rows = band_results(results(high=[90.0], ultra=[70.0], low=[80.0], med=[60.0]), bands=BANDS)
    assert [row["band"] for row in rows] == BANDS
    assert not any(row["crowded"] for row in rows)
    assert mean_of_bands(rows) == 75.0


def test_a_band_is_missing() -> None:
    rows = band_results(results(ultra=[70.0], med=[60.0], high=[80.0]), bands=BANDS)
    assert [row["band"] for row in rows] == ["ultra", "med", "high"]
    assert mean_of_bands(rows) == 70.0


def test_a_crowded_band_counts_once_with_its_mean() -> None:
    rows = band_results(results(ultra=[70.0, 90.0], low=[60.0]), bands=BANDS)
    assert [(row["mean"], row["crowded"]) for row in rows] == [(80.0, True), (60.0, False)]
    assert mean_of_bands(rows) == 70.0


def test_results_outside_the_bands_do_not_count() -> None:
    assert band_results([{"band": None, "value": 1.0}, {"band": "margin", "value": 2.0}], bands=BANDS) == []
    assert mean_of_bands([]) is None


@pytest.mark.parametrize(
    ("scores", "met"),
    [
        # The scores are made percentages first and averaged then; the other order decides these differently.
        pytest.param([0.9257, 0.9198, 0.9399, 0.9546], False, id="below"),
        pytest.param([0.938, 0.9264, 0.9418, 0.9338], True, id="met"),
    ],
)
def test_percentages_are_averaged(scores, met) -> None:
    values = results(**{band: [score * 100] for band, score in zip(BANDS, scores, strict=True)})
    assert (mean_of_bands(band_results(values, bands=BANDS)) >= 93.5) is met


@pytest.mark.parametrize(
    ("avg", "osl"),
    [
        (472, 472.0),
        (472.5, 472.5),
        (True, 1.0),
        ("472", None),
        (None, None),
        ([472], None),
        pytest.param(10**400, math.inf, id="huge"),
        pytest.param(-(10**400), -math.inf, id="huge-and-negative"),
    ],
)
def test_mean_osl(tables, avg, osl) -> None:
    path = tables.agentic_targets["osl_path"]
    summary = {"output_sequence_lengths_full_run": {"output_sequence_lengths": {"avg": avg}}}
    assert mean_osl(summary, path=path) == osl


@pytest.mark.parametrize("summary", [None, {}, [], {"output_sequence_lengths_full_run": 3}])
def test_no_osl_when_something_on_the_way_is_missing(tables, summary) -> None:
    assert mean_osl(summary, path=tables.agentic_targets["osl_path"]) is None
