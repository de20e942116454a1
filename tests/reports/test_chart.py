"""The geometry of charts: every number lands inside the picture, whatever it is."""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import replace

import pytest

from submission_checker.engine.model import Axis, Band, Chart, ChartPoint, Series
from submission_checker.reports import chart as paper
from submission_checker.reports.chart import Drawing, draw, number, outline


def drawn(points: list[tuple[float, float | None]], *, line: str = "after", **more: object) -> Drawing:
    series = Series(label="s", points=tuple(ChartPoint(x=x, y=y) for x, y in points), line=line)
    settings: dict[str, object] = {"x": Axis(label="x", log=True), "y": Axis(label="y"), **more}
    return draw(Chart(title="t", subject=".", series=(series,), **settings), lambda _: "passed")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("line", "shape"),
    [("after", "MHVHV"), ("before", "MVHVH"), ("straight", "MLL"), ("none", "")],
)
def test_a_step_keeps_a_value_to_its_side(line: str, shape: str) -> None:
    path = drawn([(1, 10), (10, 30), (100, 20)], line=line).series[0].path
    assert "".join(re.findall("[A-Z]", path)) == shape


def test_points_are_drawn_in_the_order_of_x() -> None:
    xs = [point.x for point in drawn([(100, 1), (1, 1), (10, 1)]).series[0].points]
    assert xs == sorted(xs)
    assert xs[1] - xs[0] == pytest.approx(xs[2] - xs[1], abs=0.2), "equal ratios, equal room"


NUMBERS = [0.0, -1.0, 1e-320, 1e-9, 0.5, 1.0, 1024.0, 1e9, 1e300, math.inf, -math.inf, math.nan, None]


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize(("x", "y"), list(itertools.product([n for n in NUMBERS if n is not None], NUMBERS)))
def test_any_number_lands_inside_or_is_listed(x: float, y: float | None, log: bool) -> None:
    drawing = drawn(
        [(x, y), (8.0, 3.0)], y=Axis(label="y", log=log), bands=(Band(label="b", start=x, end=64),)
    )
    points = drawing.series[0].points
    assert len(points) + len(drawing.undrawn) == 2
    for point in points:
        assert paper.LEFT <= point.x <= paper.WIDTH - paper.RIGHT
        assert paper.TOP <= point.y <= paper.HEIGHT - paper.BOTTOM
    for tick in drawing.x_ticks:
        assert paper.LEFT <= tick.at <= paper.WIDTH - paper.RIGHT
    for tick in drawing.y_ticks:
        assert paper.TOP <= tick.at <= paper.HEIGHT - paper.BOTTOM
    assert 2 <= len(drawing.x_ticks) <= 30 and 1 <= len(drawing.y_ticks) <= 30


def test_a_chart_without_points() -> None:
    assert drawn([]).series[0].points == ()
    assert (
        draw(Chart(title="t", subject=".", x=Axis(label="x"), y=Axis(label="y"), series=()), str).series == ()
    )


def test_marks_get_shapes_of_their_own() -> None:
    points = tuple(ChartPoint(x=n, y=n, mark=mark) for n, mark in enumerate(["", "a", "b", "a"], 1))
    chart = Chart(
        title="t",
        subject=".",
        x=Axis(label="x"),
        y=Axis(label="y"),
        series=(Series(label="s", points=points),),
    )
    drawing = draw(chart, lambda _: "passed")
    assert [point.shape for point in drawing.series[0].points] == ["circle", "diamond", "square", "diamond"]
    assert [(label, shape) for label, shape, _ in drawing.marks] == [("a", "diamond"), ("b", "square")]
    assert outline("circle", 0, 0, 1) == "" and outline("diamond", 0, 0, 1).count(",") == 4


def test_a_narrow_band_is_named_in_the_legend_only() -> None:
    bands = (Band(label="Wide", start=1, end=900), Band(label="Narrow margin", start=901, end=990))
    assert [band.label for band in drawn([(1, 1), (900, 2)], bands=bands).bands] == ["Wide", ""]


def test_a_point_tells_its_values() -> None:
    point = ChartPoint(x=16, y=1234.5, label="r16", mark="Offline", values={"window": "600 s"})
    chart = Chart(
        title="t",
        subject=".",
        x=Axis(label="concurrency"),
        y=Axis(label="rate", unit="tok/s"),
        series=(Series(label="s", points=(point,)),),
    )
    [shown] = draw(replace(chart), lambda _: "error").series[0].points
    assert shown.label == "r16 · Offline · error"
    assert shown.lines == ("concurrency: 16", "rate: 1234.5 tok/s", "window: 600 s")


@pytest.mark.parametrize(
    ("value", "text"), [(1e14, "100T"), (-250000.0, "-250k"), (1e-7, "1e-07"), (99999.0, "99999")]
)
def test_numbers_beside_an_axis(value: float, text: str) -> None:
    assert number(value) == text
