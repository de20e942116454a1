from __future__ import annotations

import math
from datetime import date

import pytest

from submission_checker.functions import seed_mismatches, seed_registry


def entry(**changes):
    seeds = {"scheduler_rng_seed": 1, "sample_index_rng_seed": 2, "model_seed": 3}
    return {"id": "A", **seeds, **changes}


def nested(*entries, **cohort):
    return {"cohort": {"cohort-id": "2026-10-C1", "seed_sets": list(entries), **cohort}}


@pytest.fixture
def registry(tables):
    binding = tables.seed_binding
    return lambda value: seed_registry(value, seeds=binding["seeds"], window=binding["adoption_window"])


def test_the_published_file(registry, tables) -> None:
    found = registry(tables.seed_sets)
    assert found["usable"]
    assert found["any_cohort"]
    assert found["sets"]["A"] == {
        "seeds": {
            "scheduler_rng_seed": 10487924139932647040,
            "sample_index_rng_seed": 586478644936801402,
            "model_seed": 9315206023656308754,
        },
        "cohorts": ["2026-10-C1", "2026-11-C0", "2026-11-C1", "2026-12-C0"],
    }


@pytest.mark.parametrize(
    ("value", "cohorts"),
    [
        pytest.param(
            nested(entry(), **{"cohort-id": "2026-12-C1"}),
            ["2026-12-C1", "2027-01-C0", "2027-01-C1", "2027-02-C0"],
            id="new-year",
        ),
        pytest.param(
            nested(entry(), **{"cohort-id": " 2026-10-C1 "}),
            ["2026-10-C1", "2026-11-C0", "2026-11-C1", "2026-12-C0"],
            id="trimmed",
        ),
        pytest.param(nested(entry(), **{"cohort-id": None}), [], id="null-cohort"),
        pytest.param(nested(entry(cohorts=["2027-05-C0", 7])), ["2027-05-C0", "7"], id="own-cohorts"),
        pytest.param(nested(entry(cohorts=[])), [], id="own-cohorts-none"),
        pytest.param(
            nested(entry(cohorts=None)),
            ["2026-10-C1", "2026-11-C0", "2026-11-C1", "2026-12-C0"],
            id="own-cohorts-null",
        ),
        pytest.param({"seed_sets": [entry()]}, [], id="flat"),
        pytest.param({"seed_sets": [entry()], "cohort-id": "2026-10-C1"}, [], id="flat-has-no-cohort"),
        pytest.param({"seed_sets": [entry()], "cohort": "2026-10-C1"}, [], id="cohort-no-mapping"),
        pytest.param(
            nested(entry(model_seed=9), entry()),
            ["2026-10-C1", "2026-11-C0", "2026-11-C1", "2026-12-C0"],
            id="last-of-one-id",
        ),
    ],
)
def test_usable_files(registry, value, cohorts) -> None:
    found = registry(value)
    assert found["problems"] == []
    assert found["sets"]["A"]["cohorts"] == cohorts
    assert found["sets"]["A"]["seeds"]["model_seed"] == 3
    assert found["any_cohort"] is bool(cohorts)


@pytest.mark.parametrize(
    ("seed", "read"),
    [(" 7 ", 7), ("1_0", 10), (1.9, 1), (True, 1), (-1, -1), (2**70, 2**70), (str(2**70), 2**70)],
)
def test_seeds_are_read_as_whole_numbers(registry, seed, read) -> None:
    assert registry(nested(entry(model_seed=seed)))["sets"]["A"]["seeds"]["model_seed"] == read


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        pytest.param(None, "the file holds no mapping", id="empty"),
        pytest.param([entry()], "the file holds no mapping", id="list"),
        pytest.param({}, "seed_sets is not a list with at least one set", id="nothing"),
        pytest.param({"seed_sets": []}, "seed_sets is not a list with at least one set", id="none"),
        pytest.param(
            {"cohort": {}, "seed_sets": [entry()]},
            "cohort.seed_sets is not a list with at least one set",
            id="cohort-hides-the-top",
        ),
        pytest.param(nested(7), "cohort.seed_sets[0] is not a mapping", id="no-mapping"),
        pytest.param(nested(entry(id=7)), "cohort.seed_sets[0].id is not a text", id="number-id"),
        pytest.param(nested(entry(id="")), "cohort.seed_sets[0].id is not a text", id="empty-id"),
        pytest.param(
            nested(entry(), entry(model_seed=None)),
            "cohort.seed_sets[1].model_seed is not a whole number",
            id="null-seed",
        ),
        pytest.param(
            nested(entry(model_seed="7.0")),
            "cohort.seed_sets[0].model_seed is not a whole number",
            id="text-with-point",
        ),
        pytest.param(
            nested(entry(model_seed=math.nan)),
            "cohort.seed_sets[0].model_seed is not a whole number",
            id="nan-seed",
        ),
        pytest.param(
            nested(entry(model_seed=math.inf)),
            "cohort.seed_sets[0].model_seed is not a whole number",
            id="infinite-seed",
        ),
        pytest.param(
            nested(entry(model_seed="9" * 5000)),
            "cohort.seed_sets[0].model_seed is not a whole number",
            id="endless-seed",
        ),
        pytest.param(
            nested(entry(model_seed=[1])),
            "cohort.seed_sets[0].model_seed is not a whole number",
            id="list-seed",
        ),
        pytest.param(
            nested(entry(cohorts="2026-10-C1")),
            "cohort.seed_sets[0].cohorts is not a list",
            id="cohorts-text",
        ),
        pytest.param(
            nested(entry(cohorts={})), "cohort.seed_sets[0].cohorts is not a list", id="cohorts-mapping"
        ),
        pytest.param(
            nested(entry(), **{"cohort-id": ""}),
            "cohort.cohort-id is '', not a cohort like 2026-10-C1",
            id="empty-cohort",
        ),
        pytest.param(
            nested(entry(), **{"cohort-id": "2026-13-C0"}),
            "cohort.cohort-id is '2026-13-C0', not a cohort like 2026-10-C1",
            id="no-such-month",
        ),
        pytest.param(
            nested(entry(), **{"cohort-id": date(2026, 10, 1)}),
            "cohort.cohort-id is datetime.date(2026, 10, 1), not a cohort like 2026-10-C1",
            id="date",
        ),
    ],
)
def test_unusable_files(registry, value, problem) -> None:
    assert registry(value) == {"usable": False, "sets": {}, "any_cohort": False, "problems": [problem]}


def test_all_problems_are_named(registry) -> None:
    found = registry(nested(entry(id=None, model_seed=None), 7, **{"cohort-id": 3}))
    assert len(found["problems"]) == 4


def test_seed_mismatches() -> None:
    published = {"scheduler": 1, "sample": 2, "model": 3}
    assert seed_mismatches(published, published) == []
    assert [row["name"] for row in seed_mismatches({"scheduler": 1, "sample": None}, published)] == [
        "sample",
        "model",
    ]
