from __future__ import annotations

import math
from typing import Any

import pytest

from submission_checker.functions import (
    borrowed_cooling,
    overhead_fraction,
    provisioned_power,
)


@pytest.mark.parametrize(
    ("cooling", "overhead"),
    [
        ("liquid", 0.30),
        ("Direct-to-chip WATER", 0.30),
        ("two-phase immersion", 0.30),
        ("air", 0.50),
        ("Air-cooled", 0.50),
        pytest.param("air and liquid", 0.30, id="liquid-before-air"),
        pytest.param("under the stairs", 0.50, id="within-a-word"),
        ("passive", None),
        ("", None),
    ],
)
def test_the_overhead_that_a_cooling_stands_for(tables, cooling, overhead) -> None:
    kinds = {name: tables.power[name] for name in ("overheads", "mixed_overhead")}
    assert overhead_fraction({"cooling": cooling}, [], **kinds)["fraction"] == overhead


@pytest.fixture
def borrow(tables):
    kinds = {name: tables.power[name] for name in ("overheads", "mixed_overhead")}
    return lambda *descriptions: borrowed_cooling(descriptions, **kinds)


@pytest.mark.parametrize(
    ("descriptions", "expected"),
    [
        pytest.param([], None, id="none"),
        pytest.param([None, [], "air", 3, {}], None, id="no-description-names-any"),
        pytest.param([{"cooling": "liquid"}], (["liquid"], 0.30), id="top"),
        pytest.param([{"node_types": [{"cooling": "air"}]}], (["air"], 0.50), id="node"),
        pytest.param([{"cooling": " "}, {"cooling": "air"}], (["air"], 0.50), id="blank-is-none"),
        pytest.param([{"cooling": "air"}, {"cooling": "liquid"}], (["air"], 0.50), id="first-description"),
        pytest.param(
            [{"cooling": "passive", "node_types": [{"cooling": "liquid"}]}],
            (["passive", "liquid"], None),
            id="first-text-hides-a-later-one",
        ),
        pytest.param(
            [{"node_types": [{"cooling": "liquid"}, {"cooling": "air"}]}],
            (["liquid", "air"], 0.50),
            id="mixed",
        ),
        pytest.param(
            [{"cooling": "passive", "node_types": [{"cooling": "liquid"}, {"cooling": "air"}]}],
            (["passive", "liquid", "air"], 0.50),
            id="mixed-behind-passive",
        ),
        pytest.param([{"cooling": ["air"], "node_types": [{"cooling": 1}, "air"]}], None, id="no-texts"),
        pytest.param([{"node_types": 5}, {"node_types": True}], None, id="node-types-no-list"),
        pytest.param([{"node_types": {"a": {"cooling": "air"}}}], None, id="node-types-mapping"),
    ],
)
def test_borrowed_cooling(borrow, descriptions, expected) -> None:
    found = borrow(*descriptions)
    assert found == (None if expected is None else {"texts": expected[0], "overhead": expected[1]})


@pytest.mark.parametrize(
    ("descriptor", "fraction", "source"),
    [
        pytest.param({"overhead_fraction": 0.1, "cooling": "air"}, 0.1, "stated", id="stated-first"),
        pytest.param({"overhead_fraction": 0}, 0.0, "stated", id="zero-is-stated"),
        pytest.param({"overhead_fraction": -1}, -1.0, "stated", id="negative"),
        pytest.param({"overhead_fraction": True}, 1.0, "stated", id="boolean"),
        pytest.param({"overhead_fraction": None, "cooling": "air"}, 0.5, "cooling", id="cooling"),
        pytest.param({"cooling": ""}, None, "cooling", id="empty-text-borrows-nothing"),
        pytest.param({"cooling": "passive"}, None, "cooling", id="passive"),
        pytest.param({"cooling": None}, 0.3, "descriptions", id="null-borrows"),
        pytest.param({}, 0.3, "descriptions", id="absent-borrows"),
    ],
)
def test_overhead_fraction(tables, descriptor, fraction, source) -> None:
    kinds = {name: tables.power[name] for name in ("overheads", "mixed_overhead")}
    found = overhead_fraction(descriptor, [{"cooling": "liquid"}], **kinds)
    assert (found["fraction"], found["source"]) == (fraction, source)


def test_no_overhead_without_a_word_on_cooling(tables) -> None:
    kinds = {name: tables.power[name] for name in ("overheads", "mixed_overhead")}
    assert overhead_fraction({}, [], **kinds) == {"fraction": None, "source": None, "texts": []}


def group(count: Any, watts: Any) -> dict[str, Any]:
    return {"count": count, "tdp_per_unit": watts}


CPU, ACCELERATOR = {"num_cpu": 2, "tdp_per_cpu": 350}, {"num_accelerator": 8, "tdp_per_accelerator": 1000}


@pytest.mark.parametrize(
    ("descriptor", "overhead", "kw", "path", "missing"),
    [
        # The worked examples of the policy's appendix.
        pytest.param(
            {"cpu": CPU, "accelerator": ACCELERATOR, "scale_up_network": group(0, 0)},
            0.5,
            13.05,
            "components",
            [],
            id="C.1",
        ),
        pytest.param(
            {"cpu": group(36, 350), "accelerator": group(72, 1200), "scale_up_network": group(9, 2000)},
            0.3,
            152.10,
            "components",
            [],
            id="C.2",
        ),
        pytest.param(
            {"cpu": CPU, "accelerator": group(4, 1000), "scale_up_network": group(0, 0)},
            0.5,
            7.05,
            "components",
            [],
            id="C.4",
        ),
        pytest.param(
            {"rack_power_w": 140_000, "rack_nodes": 18, "submitted_nodes": 6},
            None,
            46.6667,
            "rack",
            [],
            id="C.5",
        ),
        pytest.param(
            {"provisioned_power_w": 5000, "rack_power_w": 1, "rack_nodes": 1, "submitted_nodes": 1},
            None,
            5.0,
            "total",
            [],
            id="total-first",
        ),
        pytest.param({"provisioned_power_watts": 5000}, None, 5.0, "total", [], id="other-spelling"),
        pytest.param(
            {"provisioned_power_w": None, "provisioned_power_watts": 5000},
            None,
            None,
            None,
            [],
            id="null-spelling-counts",
        ),
        pytest.param({"provisioned_power_w": 0}, None, 0.0, "total", [], id="zero"),
        pytest.param({"provisioned_power_w": -5}, None, -0.005, "total", [], id="negative"),
        pytest.param({"provisioned_power_w": math.inf}, None, math.inf, "total", [], id="infinite"),
        pytest.param(
            {"rack_power_w": 10, "rack_nodes": 2, "submitted_nodes": 4},
            None,
            0.02,
            "rack",
            [],
            id="more-than-the-rack",
        ),
        pytest.param(
            {"rack_power_w": 10, "rack_nodes": 0, "submitted_nodes": 4}, None, None, None, [], id="empty-rack"
        ),
        pytest.param(
            {"rack_power_w": 10, "rack_nodes": math.nan, "submitted_nodes": 4},
            None,
            math.nan,
            "rack",
            [],
            id="nan-rack",
        ),
        pytest.param({"rack_power_w": 10, "submitted_nodes": 4}, None, None, None, [], id="rack-unknown"),
        pytest.param({"cpu": CPU, "accelerator": ACCELERATOR}, None, None, None, [], id="no-overhead"),
        pytest.param(
            {"cpu": CPU}, 0.5, 1.05, "components", ["accelerator", "scale_up_network"], id="one-part"
        ),
        pytest.param(
            {"scale_up_network": group(1, 900)},
            0.5,
            1.35,
            "components",
            ["cpu", "accelerator"],
            id="network-alone",
        ),
        pytest.param({"scale_out_network": group(1, 900)}, 0.5, None, None, [], id="scale-out-never"),
        pytest.param(
            {"compute": group(2, 5000), "cpu": CPU, "scale_up_network": group(1, 0)},
            0.5,
            15.0,
            "components",
            [],
            id="compute-for-its-parts",
        ),
        pytest.param(
            {"compute": group(2, None), "cpu": CPU, "accelerator": ACCELERATOR},
            0.5,
            13.05,
            "components",
            ["scale_up_network"],
            id="half-compute",
        ),
        pytest.param(
            {"cpu": {"count": None, "num_cpu": 2, "tdp_per_cpu": 350}}, 0.5, None, None, [], id="null-count"
        ),
        pytest.param(
            {"cpu": group(0, 350)}, 0.5, 0.0, "components", ["accelerator", "scale_up_network"], id="no-cpu"
        ),
        pytest.param(
            {"cpu": group("2", "350")},
            0.5,
            1.05,
            "components",
            ["accelerator", "scale_up_network"],
            id="texts",
        ),
        pytest.param({"cpu": "2x350", "accelerator": None}, 0.5, None, None, [], id="no-groups"),
        pytest.param({}, 0.5, None, None, [], id="empty"),
        pytest.param(None, 0.5, None, None, [], id="no-descriptor"),
    ],
)
def test_provisioned_power(tables, descriptor, overhead, kw, path, missing) -> None:
    found = provisioned_power(descriptor, overhead, fields=tables.power["fields"])
    assert found["kw"] == (None if kw is None else pytest.approx(kw, rel=1e-6, nan_ok=True))
    assert found["watts"] == (None if kw is None else pytest.approx(kw * 1000, rel=1e-6, nan_ok=True))
    assert (found["path"], found["missing"]) == (path, missing)


def test_nan_is_a_total_like_any_other(tables) -> None:
    found = provisioned_power({"provisioned_power_w": math.nan}, None, fields=tables.power["fields"])
    assert found["path"] == "total"
    assert math.isnan(found["kw"])
