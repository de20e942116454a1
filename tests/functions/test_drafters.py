from __future__ import annotations

import pytest

from submission_checker.functions import approved_drafter, drafter_list


def entry(**changes):
    return {"benchmark": "kimi-k3", "weight_checksum": "w", **changes}


def only(**fields):
    found = drafter_list({"drafters": [{"benchmark": "kimi-k3", **fields}]})
    assert found["problems"] == []
    return found["drafters"][0]


@pytest.mark.parametrize("value", [None, {"drafters": []}])
def test_an_empty_list_is_usable(value) -> None:
    assert drafter_list(value) == {"usable": True, "drafters": [], "problems": []}


def test_the_published_file(tables) -> None:
    assert drafter_list(tables.approved_drafters)["usable"]


@pytest.mark.parametrize("value", [{}, {"drafters": None}, {"drafters": {"a": 1}}, [], "drafters", 3])
def test_a_file_without_a_list(value) -> None:
    found = drafter_list(value)
    assert not found["usable"]
    assert found["problems"] == ["the file holds no mapping with a list of drafters"]


@pytest.mark.parametrize(
    ("drafter", "problem"),
    [
        (7, "drafters[1] is not a mapping"),
        (entry(benchmark=3), "drafters[1].benchmark is not a text"),
        (entry(benchmark=""), "drafters[1].benchmark is not a text"),
        (entry(weight_checksum=None), "drafters[1] has neither a weight_checksum nor a target_checksum"),
        (entry(configuration="abc"), "drafters[1].configuration is not a mapping"),
        (entry(configuration=3), "drafters[1].configuration is not a mapping"),
        (entry(configuration=[1]), "drafters[1].configuration is not a mapping"),
    ],
)
def test_an_entry_that_cannot_be_used(drafter, problem) -> None:
    found = drafter_list({"drafters": [entry(), drafter]})
    assert found == {"usable": False, "drafters": [], "problems": [problem]}


@pytest.mark.parametrize(
    ("configuration", "read"),
    [({"a": 1}, {"a": 1}), (None, {}), ([], {}), ("", {}), (0, {}), ([["a", 1]], {"a": 1})],
)
def test_configurations(configuration, read) -> None:
    assert only(weight_checksum="w", configuration=configuration)["configuration"] == read


def test_scalars_become_texts() -> None:
    drafter = only(weight_checksum=12, approved_cohort=2026, model_id=True)
    assert (drafter["weight_checksum"], drafter["approved_cohort"], drafter["model_id"]) == (
        "12",
        "2026",
        "True",
    )
    assert drafter["target_checksum"] is None


BY_TARGET = {"target_checksum": "t", "configuration": {"depth": 24}}


@pytest.mark.parametrize(
    ("fields", "declared", "matches"),
    [
        pytest.param({"weight_checksum": "w"}, {"weight_checksum": "w"}, True, id="weights"),
        pytest.param({"weight_checksum": "w"}, {"weight_checksum": "v"}, False, id="other-weights"),
        pytest.param({"weight_checksum": "w"}, {}, False, id="undeclared"),
        pytest.param({"weight_checksum": ""}, {"weight_checksum": ""}, True, id="empty-counts"),
        pytest.param({"weight_checksum": 12}, {"weight_checksum": 12}, False, id="unquoted-number"),
        pytest.param({"weight_checksum": 12}, {"weight_checksum": "12"}, True, id="quoted-number"),
        pytest.param({"weight_checksum": "w", **BY_TARGET}, BY_TARGET, False, id="weights-decide-alone"),
        pytest.param(BY_TARGET, BY_TARGET, True, id="target"),
        pytest.param(
            BY_TARGET, {"target_checksum": "t", "configuration": {"depth": 24.0}}, True, id="24-is-24.0"
        ),
        pytest.param(
            BY_TARGET, {"target_checksum": "t", "configuration": {"depth": 25}}, False, id="differs"
        ),
        pytest.param(
            BY_TARGET, {"target_checksum": "t", "configuration": {"depth": 24, "x": 1}}, False, id="extra-key"
        ),
        pytest.param(BY_TARGET, {"target_checksum": "t"}, False, id="no-configuration"),
        pytest.param(
            BY_TARGET, {"target_checksum": "s", "configuration": {"depth": 24}}, False, id="other-target"
        ),
        pytest.param(
            {"target_checksum": "t"},
            {"target_checksum": "t", "configuration": {}},
            False,
            id="empty-configuration",
        ),
    ],
)
def test_which_drafter_a_point_declares(fields, declared, matches) -> None:
    drafter = only(**fields)
    found = approved_drafter([drafter], drafter["benchmark"], declared)
    assert found == (drafter if matches else None)


def test_the_first_match_counts() -> None:
    rows = [
        entry(approved_cohort="2027-01-C0"),
        entry(approved_cohort="2026-01-C0"),
        entry(benchmark="other"),
    ]
    drafters = drafter_list({"drafters": rows})["drafters"]
    found = approved_drafter(drafters, "kimi-k3", {"weight_checksum": "w"})
    assert found is not None
    assert found["approved_cohort"] == "2027-01-C0"
    assert approved_drafter(drafters, "Kimi-K3", {"weight_checksum": "w"}) is None
    assert approved_drafter(drafters, "kimi-k3", {"weight_checksum": "x"}) is None
