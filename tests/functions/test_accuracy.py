from __future__ import annotations

import math

import pytest

from submission_checker.functions import (
    accuracy_bands,
    gate_rows,
    is_unnamed_score,
    issued_samples,
    mean_metrics,
    metrics_by_dataset,
    target_of,
    unbounded_numbers,
    usable_scores,
)

# Shortest decimals of the bounds' doubles: lower and, where there is one, upper.
BOUNDS = {
    "deepseek-r1": {"exact_match": (80.544618, None)},
    "gpt-oss-120b": {"exact_match": (82.2987, None)},
    "llama3-405b": {
        "rougel": (21.449934, None),
        "exact_match": (89.232165, None),
        "tokens_per_sample": (616.212, 753.148),
    },
    "llama2-70b": {
        "rouge1": (43.98688799999999, None),
        "rouge2": (21.814847999999998, None),
        "rougel": (28.330038, None),
        "tokens_per_sample": (265.005, 323.89500000000004),
    },
    "mixtral-8x7b": {
        "rouge1": (45.142911, None),
        "rouge2": (23.119073999999998, None),
        "rougel": (30.156191999999997, None),
        "tokens_per_sample": (130.356, 160.49),
    },
    "llama3-8b": {
        "rouge1": (38.391408000000006, None),
        "rouge2": (15.748425000000001, None),
        "rougel": (24.250743, None),
        "rougelsum": (35.435069999999996, None),
        "gen_len": (7350879.600000001, 8984408.4),
    },
}


@pytest.mark.parametrize("model", BOUNDS)
def test_bounds_of_the_published_targets(tables, model) -> None:
    target = tables.accuracy_targets["targets"][model]
    rows = gate_rows(dict.fromkeys(target["metrics"], 50.0), target, score_field="score")
    assert {row["metric"]: (row["lower"], row["upper"]) for row in rows} == BOUNDS[model]


@pytest.mark.parametrize(
    ("table", "directory", "model"),
    [
        ("accuracy_targets", "deepseek-r1", "deepseek-r1"),
        ("accuracy_targets", "DeepSeek_R1", "deepseek-r1"),
        ("accuracy_targets", "gpt-oss-120b", "gpt-oss-120b"),
        ("accuracy_targets", "llama3_1-8b", "llama3-8b"),
        ("accuracy_targets", "llama3.1-38b", "llama3-8b"),
        ("accuracy_targets", "llama3_1-405b", "llama3-405b"),
        ("accuracy_targets", "kimi-k3", None),
        ("accuracy_targets", "", None),
        ("agentic_targets", "Kimi K3 é", "kimi-k3"),
        pytest.param("agentic_targets", "ＫＩＭＩ-K3", None, id="wide-letters-are-none"),
        pytest.param("agentic_targets", "\u212aimi-k3", "kimi-k3", id="the-kelvin-sign-is-a-k-in-lower-case"),
        ("agentic_targets", "kimi-k3", "kimi-k3"),
        ("agentic_targets", "qwen3_6-35b-a3b", "qwen3_6-35b-a3b"),
        ("agentic_targets", "qwen3-235b", "qwen3_6-35b-a3b"),
        ("agentic_targets", "deepseek-v4_1-flash", "deepseek-v4_1-flash"),
        ("agentic_targets", "deepseek-r1", None),
    ],
)
def test_target_of(tables, table, directory, model) -> None:
    found = target_of(directory, getattr(tables, table)["targets"])
    assert (found and found["id"]) == model


@pytest.mark.parametrize(
    ("document", "usable"),
    [({"a": {}}, True), ({}, False), ({"a": {}, "b": 1}, False), ([], False), (None, False), ("a", False)],
)
def test_usable_scores(document, usable) -> None:
    assert usable_scores(document) == (document if usable else None)


@pytest.mark.parametrize(
    ("entry", "metrics"),
    [
        pytest.param({"score": {"rouge1": 1, "rouge2": "2.5"}}, {"rouge1": 1.0, "rouge2": 2.5}, id="mapping"),
        pytest.param({"score": 0.5, "rouge1": 1}, {"score": 0.5}, id="one-value"),
        pytest.param({"score": "0.5"}, {"score": 0.5}, id="text"),
        pytest.param({"score": True}, {"score": 1.0}, id="boolean"),
        pytest.param({"score": False, "rouge1": 1}, {"score": 0.0}, id="false-is-a-score"),
        pytest.param({"score": {"": " 1_0 ", "x": "-inf"}}, {"": 10.0, "x": -math.inf}, id="odd-texts"),
        pytest.param(
            {"score": None, "rouge1": 1, "num_samples": 9, "complete": True}, {"rouge1": 1.0}, id="null"
        ),
        pytest.param(
            {"rouge1": 1, "dataset_name": "7", "status": 1, "n_repeats": 2}, {"rouge1": 1.0}, id="members"
        ),
        pytest.param({"score": {}}, None, id="empty-mapping"),
        pytest.param({"score": []}, None, id="list"),
        pytest.param({"score": "", "rouge1": 1}, None, id="empty-text"),
        pytest.param({"score": {"rouge1": [1], "rouge2": None}}, None, id="no-number"),
        pytest.param({"score": 10**400}, None, id="huge"),
        pytest.param({}, None, id="empty"),
    ],
)
def test_metrics_by_dataset(tables, entry, metrics) -> None:
    fields = {name: tables.accuracy_targets[name] for name in ("score_field", "not_metrics")}
    assert metrics_by_dataset({"a": entry}, **fields) == ({} if metrics is None else {"a": metrics})


@pytest.mark.parametrize(
    ("entries", "samples"),
    [
        ([(6684, 2)], 13368),
        ([(6684, "2")], 13368),
        ([(6684, 2.9)], 13368),
        ([("13368", None)], 13368),
        ([(13368.9, None)], 13368),
        ([(13368, 0), (1, -3), (1, ""), (1, "x"), (1, [2])], 13372),
        ([(True, 13368)], 13368),
        ([(-1, None)], -1),
        ([("13368.0", 1), ("x", 2), (None, 3), (math.nan, 2), (math.inf, 2)], None),
        ([(10, math.inf)], 10),
        ([(10, 1), ("x", 5)], 10),
        ([], None),
    ],
)
def test_issued_samples(tables, entries, samples) -> None:
    fields = {name: tables.accuracy_targets[name] for name in ("samples_field", "repeats_field")}
    scores = {
        str(at): {"num_samples": count, "n_repeats": times} for at, (count, times) in enumerate(entries)
    }
    assert issued_samples(scores, **fields) == samples


HUGE = 10**400


@pytest.mark.parametrize(
    ("entry", "pointers"),
    [
        pytest.param({"num_samples": math.inf}, ["/a/num_samples"], id="infinite-samples"),
        pytest.param({"n_repeats": -math.inf}, ["/a/n_repeats"], id="infinite-repeats"),
        pytest.param({"num_samples": HUGE, "rouge1": -HUGE}, ["/a/rouge1", "/a/num_samples"], id="huge"),
        pytest.param({"score": HUGE}, ["/a/score"], id="huge-score"),
        pytest.param({"score": {"x/~y": HUGE}}, ["/a/score/x~1~0y"], id="huge-member"),
        pytest.param({"score": math.inf, "rouge1": HUGE}, [], id="infinite-score-and-no-metric"),
        pytest.param({"score": {"num_samples": math.inf}}, [], id="a-metric-is-no-count"),
        pytest.param({"num_samples": math.nan, "n_repeats": "inf"}, [], id="nan-and-text"),
        pytest.param({"num_samples": 10**300, "n_repeats": HUGE}, [], id="repeats-are-whole-numbers"),
    ],
)
def test_unbounded_numbers(tables, entry, pointers) -> None:
    names = ("score_field", "samples_field", "repeats_field", "not_metrics")
    fields = {name: tables.accuracy_targets[name] for name in names}
    assert [number["pointer"] for number in unbounded_numbers({"a": entry}, **fields)] == pointers


@pytest.mark.parametrize(
    ("weights", "mean"),
    [
        pytest.param((3, 1), 82.5, id="weighted"),
        pytest.param(("3", "1"), 82.5, id="texts"),
        pytest.param((0, 1), 90.0, id="zero"),
        pytest.param((None, 1), 85.0, id="one-missing"),
        pytest.param(("x", 1), 85.0, id="one-unreadable"),
        pytest.param((0, 0), 85.0, id="all-zero"),
        pytest.param((-3, 1), 85.0, id="negative-sum"),
    ],
)
def test_mean_metrics(weights, mean) -> None:
    scores = {name: {"num_samples": weight} for name, weight in zip("ab", weights, strict=True)}
    metrics = {"a": {"exact_match": 80.0}, "b": {"exact_match": 90.0}}
    assert mean_metrics(metrics, scores, samples_field="num_samples") == {"exact_match": mean}


@pytest.mark.parametrize("weight", [math.nan, math.inf, "inf", "nan"])
def test_an_odd_weight_leaves_no_mean(weight) -> None:
    metrics = {"a": {"exact_match": 80.0}, "b": {"exact_match": 90.0}}
    means = mean_metrics(metrics, {"a": {"n": weight}, "b": {"n": 1}}, samples_field="n")
    assert math.isnan(means["exact_match"])


def test_a_metric_is_averaged_over_the_datasets_that_have_it() -> None:
    metrics = {"a": {"x": 1.0}, "b": {"x": 3.0, "y": 7.0}}
    assert mean_metrics(metrics, {"a": {}, "b": {}}, samples_field="n") == {"x": 2.0, "y": 7.0}


def test_a_weight_may_cost_the_last_bit() -> None:
    floor = 38.7792 * 0.99
    means = mean_metrics({"a": {"rouge1": floor}}, {"a": {"n": 13658}}, samples_field="n")
    assert means["rouge1"] < floor


TARGET = {
    "metrics": {
        "rouge1": {"reference": 38.7792, "at_least": 0.99},
        "gen_len": {"reference": 100, "at_least": 0.5, "at_most": 1.5},
    }
}


@pytest.mark.parametrize(
    ("metric", "value", "low", "high", "scaled"),
    [
        pytest.param("rouge1", 38.7792 * 0.99, False, False, False, id="on-the-floor"),
        pytest.param("rouge1", 38.3914, True, False, False, id="below-the-floor"),
        pytest.param("rouge1", 0.384, False, False, True, id="fraction"),
        pytest.param("rouge1", 0.383, True, False, True, id="fraction-below"),
        pytest.param("rouge1", 0.0, True, False, True, id="zero"),
        pytest.param("rouge1", 1.0, False, False, True, id="one-is-a-fraction"),
        pytest.param("rouge1", 1.01, True, False, False, id="above-one-is-not"),
        pytest.param("rouge1", -0.5, True, False, False, id="negative-is-not"),
        pytest.param("ROUGE1", 40.0, False, False, False, id="letter-case"),
        pytest.param("gen_len", 50.0, False, False, False, id="on-the-lower-bound"),
        pytest.param("gen_len", 150.0, False, False, False, id="on-the-upper-bound"),
        pytest.param("gen_len", 150.01, False, True, False, id="above-the-upper-bound"),
        pytest.param("gen_len", math.nan, False, False, False, id="nan"),
    ],
)
def test_gate_rows(metric, value, low, high, scaled) -> None:
    (row,) = gate_rows({metric: value}, TARGET, score_field="score")
    assert row["metric"] == metric.lower()
    assert (row["low"], row["high"], row["scaled"]) == (low, high, scaled)


def test_rows_follow_the_target_and_skip_what_is_not_reported() -> None:
    means = {"other": 1.0, "gen_len": 100.0, "rouge1": 40.0}
    assert [row["metric"] for row in gate_rows(means, TARGET, score_field="score")] == ["rouge1", "gen_len"]
    assert gate_rows({"other": 1.0}, TARGET, score_field="score") == []


def test_of_two_spellings_the_first_counts() -> None:
    (row,) = gate_rows({"Rouge1": 40.0, "rouge1": 1.5}, TARGET, score_field="score")
    assert row["value"] == 40.0


def test_a_floor_of_one_or_less_is_met_by_the_fraction_itself() -> None:
    target = {"metrics": {"share": {"reference": 1.0, "at_least": 0.5}}}
    (row,) = gate_rows({"share": 0.5}, target, score_field="score")
    assert (row["value"], row["scaled"], row["low"]) == (0.5, False, False)


@pytest.mark.parametrize(
    ("means", "metrics", "unnamed"),
    [
        ({"score": 81.0}, ["exact_match"], True),
        ({"Score": 81.0}, ["exact_match"], False),
        ({"score": 81.0, "other": 1.0}, ["exact_match"], False),
        ({"score": 81.0}, ["rouge1", "rouge2"], False),
        ({}, ["exact_match"], False),
    ],
)
def test_is_unnamed_score(means, metrics, unnamed) -> None:
    target = {"metrics": {name: {"reference": 81.3582, "at_least": 0.99} for name in metrics}}
    assert is_unnamed_score(means, target, score_field="score") is unnamed
    assert len(gate_rows(means, target, score_field="score")) == int(unnamed)


@pytest.mark.parametrize(
    ("concurrency", "region", "bands"),
    [
        (8, "low_latency", ["ultra_low_concurrency"]),
        (20, "low_concurrency", ["ultra_low_concurrency", "low_concurrency"]),
        (32, "med_concurrency", ["ultra_low_concurrency", "med_concurrency"]),
        (33, "med_concurrency", ["med_concurrency"]),
        (1025, "margin", []),
        (2000, None, []),
        (0, None, ["ultra_low_concurrency"]),
    ],
)
def test_accuracy_bands(tables, concurrency, region, bands) -> None:
    lowest = tables.regions["ultra_low"]
    found = accuracy_bands(
        concurrency,
        region,
        ultra_low=lowest["name"],
        ultra_low_highest=lowest["highest"],
        bands=tables.regions["mandatory"],
    )
    assert found == bands
