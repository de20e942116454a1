from __future__ import annotations

import itertools
import math

import pytest

from submission_checker.functions import (
    concurrencies_in,
    derived_c_min,
    last_per_concurrency,
    matched_bands,
    region_of,
)
from submission_checker.functions import region_bounds as cut


@pytest.fixture(scope="module")
def bounds_of(tables):
    def bounds(c_max, c_min):
        return cut(c_max, c_min, names=tables.regions["names"], margin_factor=tables.regions["margin_factor"])

    return bounds


# Appendix B: C_max, C_min, and the ends of low, medium, high and margin.
APPENDIX_B = [
    (64, 2, 6, 18, 64, 71),
    (128, 2, 7, 27, 128, 141),
    (256, 2, 8, 42, 256, 282),
    (256, 8, 14, 47, 256, 282),
    (512, 8, 16, 71, 512, 564),
    (1024, 8, 18, 109, 1024, 1127),
    (512, 16, 24, 79, 512, 564),
    (1024, 16, 26, 117, 1024, 1127),
    (2048, 16, 29, 176, 2048, 2253),
    (1024, 32, 42, 131, 1024, 1127),
    (2048, 32, 45, 192, 2048, 2253),
    (4096, 32, 48, 287, 4096, 4506),
    (8192, 32, 52, 437, 8192, 9012),
    (16384, 32, 57, 676, 16384, 18023),
]
FURTHER = [
    (1024, 1, 11, 103, 1024, 1127),
    (128, 1, 6, 26, 128, 141),
    (33, 1, 4, 11, 33, 37),
    (64, 32, 35, 42, 64, 71),
    # On paper the margin ends at 110; 1.10 × 100 in doubles lies just above it.
    (100, 32, 36, 49, 100, 111),
    (4096, 4, 20, 260, 4096, 4506),
    (2048, 2, 15, 163, 2048, 2253),
    (10000, 1, 23, 465, 10000, 11000),
    (36, 32, 34, 35, 36, 40),
    (35, 32, 33, 34, 35, 39),
]


@pytest.mark.parametrize(("c_max", "c_min", "low", "med", "high", "margin"), APPENDIX_B + FURTHER)
def test_bounds(bounds_of, c_max, c_min, low, med, high, margin) -> None:
    assert bounds_of(c_max, c_min) == {
        "low_latency": {"start": 1, "end": c_min},
        "low_concurrency": {"start": c_min + 1, "end": low},
        "med_concurrency": {"start": low + 1, "end": med},
        "high_concurrency": {"start": med + 1, "end": high},
        "margin": {"start": high + 1, "end": margin},
    }


@pytest.mark.parametrize(
    ("c_max", "c_min", "empty"),
    [
        pytest.param(34, 32, ["high_concurrency"], id="two-apart"),
        pytest.param(33, 31, ["high_concurrency"], id="two-apart-below"),
        pytest.param(33, 32, ["med_concurrency", "high_concurrency"], id="one-apart"),
        pytest.param(35, 32, [], id="three-apart"),
    ],
)
def test_a_region_may_be_empty_and_then_holds_nothing(bounds_of, c_max, c_min, empty) -> None:
    bounds = bounds_of(c_max, c_min)
    assert [name for name, bound in bounds.items() if bound["start"] > bound["end"]] == empty
    placed = {region_of(concurrency, bounds) for concurrency in range(50)}
    assert not placed & set(empty)


@pytest.mark.parametrize(
    ("c_max", "c_min"),
    [
        pytest.param(None, 16, id="c_max-unknown"),
        pytest.param(1024, None, id="c_min-unknown"),
        pytest.param(32, 32, id="equal"),
        pytest.param(8, 16, id="reversed"),
        pytest.param(int(1.7e308), 16, id="margin-beyond-double"),
        pytest.param(10**400, 16, id="c_max-beyond-double"),
    ],
)
def test_no_bounds_where_they_are_undefined(bounds_of, c_max, c_min) -> None:
    assert bounds_of(c_max, c_min) is None


def test_bounds_just_within_doubles(bounds_of) -> None:
    bounds = bounds_of(int(1.6e308), 16)
    assert bounds["margin"]["end"] == math.ceil(1.10 * 1.6e308)


def test_bounds_need_three_names() -> None:
    with pytest.raises(ValueError, match="three names or more, got 2"):
        cut(64, 2, names=["a", "b"], margin_factor=1.1)


@pytest.mark.parametrize("c_min", [1, 2, 7, 16, 31, 32])
def test_regions_leave_no_gap_and_do_not_overlap(bounds_of, c_min) -> None:
    for c_max in [*range(33, 400), 1023, 4096, 300_000]:
        bounds = list(bounds_of(c_max, c_min).values())
        assert bounds[0]["start"] == 1
        assert [bound["start"] for bound in bounds[1:]] == [bound["end"] + 1 for bound in bounds[:-1]]


@pytest.mark.parametrize(
    ("concurrency", "region"),
    [
        (-1, None),
        (0, None),
        (1, "low_latency"),
        (16, "low_latency"),
        (17, "low_concurrency"),
        (26, "low_concurrency"),
        (27, "med_concurrency"),
        (117, "med_concurrency"),
        (118, "high_concurrency"),
        (1024, "high_concurrency"),
        (1025, "margin"),
        (1127, "margin"),
        (1128, None),
        (None, None),
    ],
)
def test_region_of(bounds_of, concurrency, region) -> None:
    assert region_of(concurrency, bounds_of(1024, 16)) == region


def test_no_region_without_bounds() -> None:
    assert region_of(16, None) is None


def test_concurrencies_in(bounds_of) -> None:
    bounds = bounds_of(1024, 16)
    assert concurrencies_in([1, 16, 17, 26, 27, 1025], "low_concurrency", bounds) == [17, 26]
    assert concurrencies_in([], "margin", bounds) == []
    with pytest.raises(ValueError, match="no region 'low' among low_latency, low_concurrency"):
        concurrencies_in([1], "low", bounds)


@pytest.mark.parametrize(
    ("concurrencies", "c_min"),
    [([100, 16, 512], 16), ([33], 32), ([32], 32), ([31, 40], 31), ([0, 5], 0), ([-4], -4), ([], None)],
)
def test_derived_c_min(concurrencies, c_min) -> None:
    assert derived_c_min(concurrencies, highest=32) == c_min


def test_of_two_points_with_one_concurrency_the_later_counts() -> None:
    points = [{"concurrency": 64, "at": 1}, {"concurrency": 8, "at": 2}, {"concurrency": 64, "at": 3}]
    assert [point["at"] for point in last_per_concurrency(points)] == [2, 3]


@pytest.mark.parametrize(
    ("choices", "bands"),
    [
        ([], []),
        ([["a"]], ["a"]),
        ([[]], [None]),
        ([["a"], ["a"]], ["a", None]),
        ([["a", "b"], ["a"]], ["b", "a"]),
        # The third result moves both others on.
        ([["a", "b"], ["b", "c"], ["a"]], ["b", "c", "a"]),
        ([["a", "b"], ["a", "b"], ["a", "b"]], ["b", "a", None]),
        # One that was placed stays placed, even where a later one has fewer choices.
        ([["a"], ["a", "b"], ["b"]], ["a", "b", None]),
        ([["u", "l"], ["u"], ["l", "m"], ["h"], ["h"]], ["l", "u", "m", "h", None]),
    ],
)
def test_matched_bands(choices, bands) -> None:
    results = [{"at": number, "bands": names} for number, names in enumerate(choices)]

    found = matched_bands(results)

    assert [row["band"] for row in found] == bands
    assert [row["at"] for row in found] == list(range(len(choices)))


def test_no_other_placing_fills_more_bands() -> None:
    names = ["u", "l", "m", "h"]
    choices = [[name for bit, name in enumerate(names) if mask >> bit & 1] for mask in range(16)]
    for first, second, third in itertools.product(choices, repeat=3):
        results = [{"bands": first}, {"bands": second}, {"bands": third}]
        filled = [row["band"] for row in matched_bands(results) if row["band"]]
        best = max(
            len({name for name in picked if name})
            for picked in itertools.product([*first, ""], [*second, ""], [*third, ""])
        )
        assert len(set(filled)) == len(filled) == best
