"""Pictures of bands, and the command that draws them."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from submission_checker.functions.regions import region_bounds
from submission_checker.rulebook import bands

from .conftest import run

NAMES = ["first", "second", "third", "fourth", "margin"]
SVG = "{http://www.w3.org/2000/svg}"
PAIRS = st.tuples(st.integers(33, 10**7), st.integers(1, 32))


def bounds_of(c_max: int, c_min: int) -> bands.Bounds:
    found = region_bounds(c_max, c_min, names=NAMES, margin_factor=1.1)
    assert found is not None
    return found


@given(PAIRS, st.integers(20, 100))
def test_a_bar_has_a_column_at_least_for_every_band_that_is_not_empty(
    pair: tuple[int, int], width: int
) -> None:
    bounds = bounds_of(*pair)

    line, numbers = bands.bar(bounds, width)

    shown = [mark for mark in bands.marks(bounds) if mark != " "]
    assert len(line) == width and len(numbers) <= width
    assert list(dict.fromkeys(line)) == shown
    assert {int(number) for number in numbers.split()} <= {n for b in bounds.values() for n in b.values()}


@given(PAIRS)
def test_a_picture_shows_each_band_where_it_is(pair: tuple[int, int]) -> None:
    bounds = bounds_of(*pair)

    root = ElementTree.fromstring(bands.svg("a < b & c", bounds, comment="from here"))

    drawn = [rect for rect in root.iter(f"{SVG}rect") if rect.get("class", "").startswith("b")]
    places = [(float(rect.get("x", "")), float(rect.get("width", ""))) for rect in drawn]
    assert len(drawn) == sum(bound["start"] <= bound["end"] for bound in bounds.values())
    assert places == sorted(places) and all(x >= 16 and x + w <= bands.WIDTH - 10 for x, w in places)
    told = root.get("aria-label", "")
    assert told.startswith("a < b & c: ") and all(name in told for name in NAMES)


def test_a_picture_asks_for_nothing_from_elsewhere() -> None:
    text = bands.svg("title", bounds_of(1024, 16))

    assert re.findall(r"https?://[^\"]+", text) == ["http://www.w3.org/2000/svg"]
    assert "<script" not in text and "url(" not in text


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["-M", "8192"], [(1, 32), (33, 52), (53, 437), (438, 8192), (8193, 9012)]),
        (["-M", "256", "-m", "1"], [(1, 1), (2, 7), (8, 41), (42, 256), (257, 282)]),
        (["-M", "1024", "-m", "16"], [(1, 16), (17, 26), (27, 117), (118, 1024), (1025, 1127)]),
    ],
)
def test_the_command_prints_the_worked_examples(
    arguments: list[str], expected: list[tuple[int, int]]
) -> None:
    done = run("regions", *arguments)

    rows = re.findall(r"^  \S \w+ +(\d+) . (\d+)", done.stdout, re.MULTILINE)
    assert (done.returncode, [(int(a), int(b)) for a, b in rows]) == (0, expected)
    assert re.search(r"^  ░+▒+▓+█+▚+$", done.stdout, re.MULTILINE)


def test_the_command_draws_a_file(tmp_path: Path) -> None:
    done = run("regions", "-M", "1024", "-m", "16", "--svg", "regions.svg", cwd=tmp_path)
    refused = run("regions", "-M", "1024", "--svg", "no/such/folder.svg", cwd=tmp_path)

    assert done.returncode == 0
    assert ElementTree.parse(tmp_path / "regions.svg").getroot().tag == f"{SVG}svg"
    assert refused.returncode == 3 and "Traceback" not in refused.stderr


def test_the_pictures_of_the_worked_examples_stand_on_their_clause() -> None:
    from submission_checker.rulebook.pages import clauses, pictures

    from .test_shipped import BOOKS, MAIN

    drawn = dict(pictures.pages(BOOKS[MAIN]))
    page = dict(clauses.pages(BOOKS[MAIN]))[f"reference/{MAIN}/clauses/5.4.md"]

    assert len(drawn) == 3
    for path, text in drawn.items():
        ElementTree.fromstring(text)
        assert f"(../{path.removeprefix(f'reference/{MAIN}/')})" in page
