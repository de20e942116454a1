"""What the rules of 2026-11 make of a curve: regions with and without a declared C_min, points that count."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from submission_checker import resources
from submission_checker.engine import ruleset as rulesets
from submission_checker.engine.examples import subject_of
from submission_checker.engine.ruleset import Ruleset
from submission_checker.engine.subjects import Subject
from submission_checker.functions import BUILTINS

MEASURED = (1, 4, 16, 100, 128, 512, 1024)


@cache
def ruleset() -> Ruleset:
    folder = resources.rulesets()
    return rulesets.load(folder / "2026-11", functions=BUILTINS, schemas=resources.schemas(), rulesets=folder)


def curve(points: list[dict[str, Any]], **known: Any) -> Subject:
    rules = ruleset()
    return subject_of(rules, rules.rules["region-basis"], {"points": points, **known})


def points(concurrencies: tuple[int, ...] = MEASURED, **description: Any) -> list[dict[str, Any]]:
    return [
        {"number": c, "disclosure": {"concurrency": c}, "system_desc": description} for c in concurrencies
    ]


def ends(subject: Subject) -> list[tuple[int, int]] | None:
    bounds = subject.get("bounds")
    return None if bounds is None else [(bound["start"], bound["end"]) for bound in bounds.values()][1:4]


@pytest.mark.parametrize(
    ("declared", "ultra_low", "regions"),
    [
        (None, 32, [(2, 11), (12, 103), (104, 1024)]),
        (1, 1, [(2, 11), (12, 103), (104, 1024)]),
        (16, 16, [(17, 26), (27, 117), (118, 1024)]),
        # 32 is not measured.
        (32, 32, None),
        (16.0, 32, None),
        ("16", 32, None),
        (True, 32, None),
        (33, 32, None),
        (0, 32, None),
    ],
)
def test_a_declared_c_min_moves_the_regions(declared, ultra_low, regions) -> None:
    description = {} if declared is None else {"c_min_override": declared}

    subject = curve(points(**description), c_max=1024)

    assert ends(subject) == regions
    assert subject.get("ultra_low_highest") == ultra_low


def test_points_at_odds_about_c_min_have_no_regions() -> None:
    subject = curve([*points((16,), c_min_override=16), *points((100,))], c_max=1024)

    assert ends(subject) is None


@pytest.mark.parametrize(
    ("point", "concurrency"),
    [
        ({"number": 64, "disclosure": {"concurrency": 32}}, 32),
        ({"number": 64}, 64),
        ({"number": 64, "raw": {"disclosure": {"concurrency": 32}}}, 32),
        ({"number": 64, "raw": {"disclosure": {"concurrency": "32"}}}, 64),
        ({"number": 64, "raw": {"disclosure": {"concurrency": 32.0}}}, 64),
        ({"number": 64, "raw": {"disclosure": {"concurrency": True}}}, 64),
        ({"number": 64, "raw": {"disclosure": {"concurrency": -1}}}, 64),
        ({"number": 64, "raw": {"disclosure": [64]}}, 64),
        ({"number": 0}, None),
    ],
)
def test_every_point_has_a_concurrency(point, concurrency) -> None:
    assert curve([point]).get("points")[0].get("concurrency") == concurrency
