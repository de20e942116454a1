"""Power by node sets: the policy's worked examples (appendix C), and what appendices D and E leave open."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from submission_checker.functions import (
    accelerator_total,
    bandwidth_power_w,
    computed_faults,
    declared_figure,
    default_accelerator_w,
    default_cpu_w,
    default_switch_w,
    engaged_power_kw,
    node_kinds,
    node_set_powers,
    node_use,
    power_figures,
    sourced_watts,
    system_power,
)

FILE = Path(__file__).parents[2] / "rules" / "2026-11" / "tables" / "power_defaults.yaml"
DEFAULTS = yaml.safe_load(FILE.read_text(encoding="utf-8"))
OVERHEADS = {"air": 0.5, "liquid": 0.3}


def watts(value: float, source: str | None = None) -> dict[str, Any]:
    return {"value_w": float(value), **sourced(source)}


def kilowatts(value: float) -> dict[str, Any]:
    return {"value_kw": float(value), **sourced(None)}


def picojoules(value: float, source: str | None = None) -> dict[str, Any]:
    return {"value_pj": float(value), **sourced(source)}


def sourced(source: str | None) -> dict[str, str]:
    if source is None:
        return {"source_type": "vendor_spec", "source": "https://example.org/spec"}
    return {"source_type": "mlc_default", "source": source}


def summed(cpu: tuple, accelerator: tuple, network: dict[str, Any] | None = None, nodes: int = 1) -> Any:
    """A set of nodes whose power is the sum of the components."""
    parts: dict[str, Any] = {"scale_up_network": network or {"method": "none"}}
    for name, (count, unit) in (("cpu", cpu), ("accelerator", accelerator)):
        parts[name] = {"count_per_node": count}
        parts[name] |= {"model": unit} if isinstance(unit, str) else {"tdp_per_unit": watts(unit)}
    return {"nodes_provisioned": nodes, "power_method": "component_sum", "components": parts}


def published(kw: float, nodes: int = 1, rack: int | None = None) -> dict[str, Any]:
    method = "published_system" if rack is None else "node_scaling"
    row = {"nodes_provisioned": nodes, "power_method": method, "published_power": kilowatts(kw)}
    return row if rack is None else {**row, "nodes_in_published_rack": rack}


def switches(power: float, count: int = 1) -> dict[str, Any]:
    return {"method": "declared_tdp", "switch_count": count, "tdp_per_switch": watts(power)}


def estimate(bandwidth: float, pj: float, source: str | None = None) -> dict[str, Any]:
    energy = picojoules(pj, source)
    return {
        "method": "bandwidth_estimate",
        "aggregate_bandwidth_tbps": bandwidth,
        "energy_per_bit_pj": energy,
    }


def fabric(model: str, count: int, cabling: str, **nics: Any) -> dict[str, Any]:
    given = {"count_per_node": 8, "bandwidth_per_nic_gbps": 800.0, "counted": False, **nics}
    switch = {"model": model, "count": count, "bandwidth_tbps": 51.2}
    return {"present": True, "cabling": cabling, "nics": given, "switches": [switch]}


def descriptor(*sets: dict[str, Any], scale_out: Any = None, declared: Any = None) -> dict[str, Any]:
    numbered = [
        {**row, "node_set_id": number, "system_node_ensemble_id": number} for number, row in enumerate(sets)
    ]
    whole = {"node_sets": numbered, "scale_out": scale_out or {"present": False}}
    return whole if declared is None else {**whole, "declared_provisioned_power": declared}


def power_of(whole: dict[str, Any], cooling: str = "air", cores: int | None = 64) -> tuple[Any, Any]:
    """Return the power of a system, and of each set."""
    kinds = [
        {"ensemble": row["system_node_ensemble_id"], "cores": cores, "accelerators": None}
        for row in whole["node_sets"]
    ]
    figures = power_figures(whole, kinds, defaults=DEFAULTS)
    sets = node_set_powers(whole, figures)
    return system_power(whole, sets, figures, OVERHEADS[cooling], decimals=DEFAULTS["decimals"]), sets


TWO_SETS = descriptor(published(14.5, 4), published(14.5, 4), declared=kilowatts(100))
COUNTED = {"counted": True, "tdp_per_nic": watts(75)}
NODE = ((2, 350), (8, 1000))
SWITCH = {"model": "Edge", "count": 1, "bandwidth_tbps": 51.2, "power_per_switch": watts(900)}


def one_switch(nics: dict[str, Any], power: float = 900) -> dict[str, Any]:
    whole = fabric("Edge", 1, "passive", **nics)
    return {**whole, "switches": [{**SWITCH, "power_per_switch": watts(power)}]}


@pytest.mark.parametrize(
    ("whole", "cooling", "kw"),
    [
        pytest.param(descriptor(summed(*NODE)), "air", 13.05, id="C.1"),
        pytest.param(
            descriptor(summed((36, 350), (72, 1200), switches(2000, 9))), "liquid", 152.10, id="C.2"
        ),
        pytest.param(descriptor(summed((2, 350), (4, 1000))), "air", 7.05, id="C.4"),
        pytest.param(descriptor(published(140, 6, 18)), "air", 46.67, id="C.5"),
        pytest.param(descriptor(summed((2, 350), (8, 1100), estimate(14.4, 5))), "air", 15.11, id="C.8"),
        pytest.param(
            descriptor(summed((2, 350), (8, 1100), estimate(14.4, 5)), declared=kilowatts(14.5)),
            "air",
            14.50,
            id="C.8-declared",
        ),
        pytest.param(descriptor(summed((36, 300), (72, 1400), estimate(130, 5))), "liquid", 151.84, id="C.9"),
        pytest.param(
            descriptor(summed((36, 300), (72, 1400), estimate(130, 5)), declared=watts(135000)),
            "liquid",
            135.00,
            id="C.9-declared",
        ),
        pytest.param(
            descriptor(summed((18, 500), (72, 2500), switches(3500, 12))), "liquid", 300.30, id="C.10"
        ),
        pytest.param(
            descriptor(published(14.5, 10), scale_out=fabric("SN5610", 2, "passive")),
            "air",
            146.80,
            id="C.11",
        ),
        pytest.param(
            descriptor(published(14.5, 10), scale_out=fabric("SN5610", 2, "active_optical")),
            "air",
            149.16,
            id="C.11-optical",
        ),
        pytest.param(
            descriptor(
                summed((2, 350), (8, 1100), estimate(14.4, 5), nodes=10),
                scale_out=fabric("SN5610", 2, "passive", counted=True),
            ),
            "air",
            161.94,
            id="C.11-formula",
        ),
        pytest.param(descriptor(published(120, 5, 8), published(96, 3, 8)), "air", 111.00, id="E.6.4"),
        pytest.param(
            descriptor(summed(*NODE, nodes=2), scale_out=one_switch(COUNTED)), "air", 28.80, id="formula"
        ),
        pytest.param(
            descriptor(published(14.5, 2), scale_out=one_switch({"counted": False})),
            "air",
            29.90,
            id="published",
        ),
        pytest.param(
            descriptor(
                published(14.5, 2),
                scale_out=one_switch({**COUNTED, "excluded_from_published_power": "listed apart"}),
            ),
            "air",
            31.70,
            id="published-and-nics",
        ),
        pytest.param(
            descriptor(published(14.5, 2), scale_out=one_switch(COUNTED)),
            "air",
            29.90,
            id="published-without-evidence",
        ),
        pytest.param(
            descriptor(summed(*NODE, nodes=4), scale_out=one_switch(COUNTED)), "air", 56.70, id="four"
        ),
        pytest.param(
            descriptor(summed(*NODE, nodes=4), published(14.5, 4), scale_out=one_switch(COUNTED, power=800)),
            "air",
            114.60,
            id="mixed",
        ),
    ],
)
def test_provisioned_power(whole, cooling, kw) -> None:
    power, _ = power_of(whole, cooling)

    assert power["kw"] == kw


def test_parts_of_a_power() -> None:
    """C.8: the estimate by bandwidth is a component; the total is not rounded."""
    power, _ = power_of(descriptor(summed((2, 350), (8, 1100), estimate(14.4, 5))))

    assert bandwidth_power_w(14.4, 5) == 576.0
    assert power == {
        "major_components_w": 10076.0,
        "overhead_fraction": 0.5,
        "other_components_w": 5038.0,
        "published_node_power_w": 0.0,
        "scale_out_switch_power_w": 0.0,
        "total_system_power_w": 15114.0,
        "declared_kw": None,
        "kw": 15.11,
    }


@pytest.mark.parametrize(
    ("whole", "cooling", "engaged", "kw"),
    [
        pytest.param(
            descriptor({**summed((2, 350), (4, 1200), switches(1000)), "nodes_provisioned": 18}),
            "liquid",
            [16],
            135.20,
            id="C.3-sixteen-of-eighteen",
        ),
        pytest.param(
            descriptor({**summed((2, 350), (4, 1200), switches(1000)), "nodes_provisioned": 18}),
            "liquid",
            [18],
            152.10,
            id="C.3-all",
        ),
        pytest.param(descriptor(published(140, 6, 18)), "air", [2], 15.56, id="C.5-two-of-six"),
        pytest.param(
            descriptor(summed(*NODE, nodes=4), scale_out=one_switch(COUNTED)),
            "air",
            [3],
            42.52,
            id="half-a-cent-to-even",
        ),
        pytest.param(
            descriptor(summed(*NODE, nodes=4), published(14.5, 4), scale_out=one_switch(COUNTED, power=800)),
            "air",
            [2, 4],
            86.50,
            id="one-set-in-part",
        ),
        pytest.param(TWO_SETS, "air", [2, 4], 100.00, id="declared-and-one-set-in-full"),
        pytest.param(TWO_SETS, "air", [2, 3], 75.00, id="declared-by-the-largest-share"),
        pytest.param(TWO_SETS, "air", [4, 4], 100.00, id="declared-in-full"),
    ],
)
def test_engaged_power(whole, cooling, engaged, kw) -> None:
    power, sets = power_of(whole, cooling)

    assert engaged_power_kw(power, sets, engaged, decimals=2) == kw


def test_no_power_is_engaged_of_an_unknown_one() -> None:
    power, sets = power_of(descriptor(summed((2, "Boreal"), (8, 1000))))

    assert power["kw"] is None
    assert engaged_power_kw(power, sets, [1], decimals=2) is None


def test_a_declared_power_needs_no_other_figure() -> None:
    power, sets = power_of(descriptor(summed((2, "Boreal"), (8, 1000), nodes=2), declared=kilowatts(20)))

    assert (power["kw"], power["total_system_power_w"]) == (20.0, None)
    assert engaged_power_kw(power, sets, [1], decimals=2) == 10.0


@pytest.mark.parametrize(
    ("model", "cores", "expected"),
    [
        ("AMD EPYC 9654", 96, 500),
        ("AMD EPYC 9534", 64, 350),
        ("AMD EPYC", 65, 500),
        ("Intel(R) Xeon(R)", 1, 350),
        ("EPYC/9654", 0, 350),
        ("x86_64", -4, 350),
        ("x86-64", True, 350),
        ("NVIDIA Grace", 72, 300),
        ("NVIDIA Grace", 128, 300),
        pytest.param("NVIDIA Grace", 129, None, id="arm-above-128-cores"),
        pytest.param("Grace x86", 96, 300, id="arm-first"),
        pytest.param("Graviton 4", 96, 300, id="word"),
        pytest.param("Graviton4", 96, None, id="no-word-apart"),
        pytest.param("amd_epyc", 96, None, id="underscore-joins"),
        pytest.param("Boreal 96", 96, None, id="unknown"),
        pytest.param("", 96, None, id="empty"),
        pytest.param(None, 96, None, id="none"),
        pytest.param("AMD EPYC 9654", None, None, id="no-cores"),
        pytest.param("AMD EPYC 9654", 64.0, None, id="cores-float"),
        pytest.param("AMD EPYC 9654", "64", None, id="cores-text"),
        pytest.param("AMD EPYC 64-core", None, 350, id="cores-in-name"),
        pytest.param("AMD EPYC, 65 Cores", None, 500, id="cores-in-name-apart"),
        pytest.param("64Core EPYC", None, 350, id="cores-in-name-joined"),
        pytest.param("EPYC 64 - core", None, 350, id="cores-in-name-dash"),
        pytest.param("EPYC core 96", None, None, id="cores-behind"),
        pytest.param("EPYC 64" + " " * 150_000, None, None, id="blanks-without-end"),
        pytest.param("EPYC 16-core", 96, 500, id="described-before-name"),
    ],
)
def test_default_of_a_processor(model, cores, expected) -> None:
    assert default_cpu_w(model, cores, architectures=DEFAULTS["cpu"]["architectures"]) == expected


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("NVIDIA GB300 NVL72", 1400),
        ("GB-200", 1200),
        ("NVIDIA B300-SXM", 1100),
        ("b 200", 1000),
        ("AMD MI455X", 2500),
        ("AMD Instinct MI 355X", 1400),
        ("mi350x", 1000),
        ("Google TPU v7x", 1000),
        ("AWS Trainium Tn3", 700),
        pytest.param("B300/B200", 1100, id="first-key"),
        pytest.param("H100", None, id="no-default"),
        pytest.param("trn3", None, id="another-name"),
        ("", None),
        (None, None),
    ],
)
def test_default_of_an_accelerator(model, expected) -> None:
    assert default_accelerator_w(model, models=DEFAULTS["accelerator"]["models"]) == expected


@pytest.mark.parametrize(
    ("model", "passive", "optical"),
    [
        ("NVIDIA SN6810-LD", 1960, 1960),
        ("NVIDIA Spectrum SN5610", 900, 2080),
        ("SN5400", 670, None),
        ("sn 4700", 630, None),
        ("Edge 64", None, None),
        (None, None, None),
    ],
)
def test_default_of_a_switch(model, passive, optical) -> None:
    models = DEFAULTS["switch"]["models"]

    assert default_switch_w(model, "passive", models=models) == passive
    assert default_switch_w(model, "active_optical", models=models) == optical
    assert default_switch_w(model, None, models=models) is None


@pytest.mark.parametrize(
    ("figure", "expected"),
    [
        ({"value_w": 350.0}, 350.0),
        ({"value_kw": 14.5}, 14500.0),
        ({"value_w": 0.0, "value_kw": None}, 0.0),
        ({"value_pj": 5.0}, None),
        (None, None),
    ],
)
def test_sourced_watts(figure, expected) -> None:
    assert sourced_watts(figure) == expected


def sections(whole: dict[str, Any]) -> dict[str, str]:
    """Return the sections of appendix D that figures are from, by the last keys of their pointers."""
    figures = power_figures(whole, [{"ensemble": 0, "cores": 64}], defaults=DEFAULTS)
    return {
        "/".join(figure["pointer"].split("/")[-2:]): figure["section"]
        for figure in figures
        if figure["section"] is not None
    }


def test_defaults_are_told_apart() -> None:
    """A default counts if it is filled in or cited, and not where another figure stands for it."""
    filled = summed((2, "AMD EPYC"), (8, "NVIDIA B200"), estimate(14.4, 5, "D.1"))
    scale_out = fabric("SN5610", 1, "passive", counted=True)

    assert sections(descriptor(filled, scale_out=scale_out)) == {
        "cpu/tdp_per_unit": "D.2",
        "accelerator/tdp_per_unit": "D.3",
        "scale_up_network/energy_per_bit_pj": "D.1",
        "nics/tdp_per_nic": "D.4",
        "0/power_per_switch": "D.4",
    }
    assert sections(descriptor(summed(*NODE), scale_out=one_switch(COUNTED))) == {}
    filled["components"]["combined_cpu_accelerator"] = watts(9000)
    assert sections(descriptor(filled)) == {"scale_up_network/energy_per_bit_pj": "D.1"}


def test_a_default_that_does_not_exist_is_none() -> None:
    """An unknown model is left without a value, and is no default."""
    figures = power_figures(descriptor(summed((2, "Boreal"), (8, 1000))), [], defaults=DEFAULTS)

    assert [(row["value"], row["section"], row["given"]) for row in figures] == [
        (None, None, False),
        (1000.0, None, True),
    ]


def test_declared_figure() -> None:
    assert declared_figure({}) == []
    [figure] = declared_figure({"declared_provisioned_power": {**picojoules(5), "value_w": None}})
    assert figure["value"] is None
    assert figure["given"]


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        pytest.param(None, [], id="none"),
        pytest.param([], [], id="list"),
        pytest.param({"node_types": "two"}, [], id="no-list"),
        pytest.param({"node_types": [None, 5]}, [], id="no-nodes"),
        pytest.param({"node_types": [{}]}, [(None, None, None)], id="nothing-told"),
        pytest.param(
            {"node_types": [{"system_node_ensemble_id": "1", "host_processor_core_count": "64"}]},
            [(1, "64", None)],
            id="ensemble-as-text-cores-as-written",
        ),
        pytest.param(
            {"node_types": [{"accelerators_per_node": 8, "accelerator_info": []}]},
            [(None, None, 8)],
            id="accelerators-at-the-node",
        ),
        pytest.param(
            {
                "node_types": [
                    {"accelerator_info": [{"accelerators_per_node": 4}, {"accelerators_per_node": 2}]}
                ]
            },
            [(None, None, 6)],
            id="several-models",
        ),
        pytest.param(
            {"node_types": [{"system_node_ensemble_id": value} for value in (7, "7", True, 7.0, 7.5, "x")]},
            [(7, None, None), (7, None, None), (1, None, None), *[(None, None, None)] * 3],
            id="ensembles",
        ),
    ],
)
def test_node_kinds(description, expected) -> None:
    found = node_kinds(description)

    assert [(kind["ensemble"], kind["cores"], kind["accelerators"]) for kind in found] == expected


@pytest.mark.parametrize(
    ("name", "off", "allowed"),
    [
        ("major_components_w", 0.5, True),
        ("major_components_w", 0.51, False),
        ("other_components_w", -0.5, True),
        ("other_components_w", -0.51, False),
        ("published_node_power_w", 0.51, False),
        ("scale_out_switch_power_w", 0.51, False),
        ("total_system_power_w", 0.5, True),
        ("total_system_power_w", 0.51, False),
        ("overhead_fraction", 9e-10, True),
        ("overhead_fraction", 2e-9, False),
    ],
)
def test_what_is_said_to_be_computed(name, off, allowed) -> None:
    whole = descriptor(summed(*NODE))
    power, _ = power_of(whole)
    whole["computed"] = {name: power[name] + off}

    faults = computed_faults(whole, power, tolerances=DEFAULTS["tolerances"])

    assert [fault["pointer"] for fault in faults] == ([] if allowed else [f"/computed/{name}"])


@pytest.mark.parametrize(("kw", "allowed"), [(13.054, True), (13.056, False), (13.046, True), (13.0, False)])
def test_power_said_to_be_provisioned(kw, allowed) -> None:
    whole = {**descriptor(summed(*NODE)), "provisioned_power_kw": kw}
    power, _ = power_of(whole)

    faults = computed_faults(whole, power, tolerances=DEFAULTS["tolerances"])

    assert (faults == []) is allowed


def test_nothing_is_compared_while_a_figure_is_absent() -> None:
    whole = descriptor(summed((2, "Boreal"), (8, 1000)), declared=kilowatts(20))
    power, _ = power_of(whole)

    assert computed_faults({**whole, "provisioned_power_kw": 5.0}, power, tolerances={}) == []


def test_numbers_beyond_a_double() -> None:
    """Any integer may stand in a file; none makes an error."""
    whole = descriptor(published(14.5, 10**400), published(14.5, 1, 10**400))
    power, sets = power_of(whole)

    assert power["kw"] == float("inf")
    assert sets[1]["published_w"] == 0.0
    assert node_use(sets, [{"system_node_ensemble_id": 0, "nodes": 10**401}])["faults"] != []
    assert accelerator_total([8, 8], [10**400, 1]) == 8 * 10**400 + 8
