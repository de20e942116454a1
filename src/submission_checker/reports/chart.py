"""The geometry of a chart: numbers on paper, ready for a template to draw as SVG.

Drawn without a plotting library on purpose: a page that travels by mail must stay small, show its curves
without scripts and without the network, and look right in the light and in the dark.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from submission_checker.engine.model import Axis, Band, Chart, ChartPoint, Series

WIDTH, HEIGHT = 760, 340
LEFT, RIGHT, TOP, BOTTOM = 72, 20, 30, 48
SHAPES = ("circle", "diamond", "square", "triangle", "pentagon")
SERIES_STYLES = 4
"""How many series the style sheet tells apart; further ones begin again."""

LARGEST = 1e15
"""Values beyond are listed, not drawn: nothing measured is that large, and arithmetic would overflow."""
_LABEL_COLUMNS = 6.2
"""Width of a character of a band's label."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A labelled place on an axis."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class DrawnBand:
    """A shaded interval; `label` is empty where there is no room for it."""

    x: float
    width: float
    label: str
    title: str
    shaded: bool


@dataclass(frozen=True, slots=True)
class DrawnPoint:
    """A point with everything its tooltip says."""

    x: float
    y: float
    shape: str
    outline: str
    """Points of the shape's polygon; empty for a circle."""
    state: str
    label: str
    lines: tuple[str, ...]
    subject: str


@dataclass(frozen=True, slots=True)
class DrawnSeries:
    """A line and its points."""

    label: str
    style: int
    path: str
    points: tuple[DrawnPoint, ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A chart in the coordinates of its picture."""

    chart: Chart
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    bands: tuple[DrawnBand, ...]
    series: tuple[DrawnSeries, ...]
    marks: tuple[tuple[str, str, str], ...]
    """Label, shape and outline of each mark that occurs, for the legend."""
    states: tuple[str, ...]
    undrawn: tuple[str, ...]
    """Labels of the points that have no place in the picture."""


def draw(chart: Chart, state_of: Callable[[str], str]) -> Drawing:
    """Lay a chart out.

    Args:
        chart: What to draw.
        state_of: Gives the state of a subject, by which a point is coloured.
    """
    drawable = [[point for point in series.points if _drawable(chart, point)] for series in chart.series]
    points = [point for kept in drawable for point in kept]
    bands = [band for band in chart.bands if _fits(chart.x, band.start) and _fits(chart.x, band.end)]
    x_scale = _Scale(chart.x, [*(p.x for p in points), *(v for b in bands for v in (b.start, b.end))])
    y_scale = _Scale(chart.y, [_y(point) for point in points], from_zero=True)

    def across(x: float) -> float:
        return _rounded(LEFT + x_scale.share(x) * (WIDTH - LEFT - RIGHT))

    def down(y: float) -> float:
        return _rounded(HEIGHT - BOTTOM - y_scale.share(y) * (HEIGHT - TOP - BOTTOM))

    marks = list(dict.fromkeys(point.mark for point in points if point.mark))
    shapes = {mark: SHAPES[1 + number % (len(SHAPES) - 1)] for number, mark in enumerate(marks)}
    series = tuple(
        _series(chart, one, number, sorted(kept, key=lambda p: p.x), shapes, state_of, across, down)
        for number, (one, kept) in enumerate(zip(chart.series, drawable, strict=True))
    )
    return Drawing(
        chart=chart,
        x_ticks=tuple(Tick(across(value), number(value)) for value in x_scale.ticks()),
        y_ticks=tuple(Tick(down(value), number(value)) for value in y_scale.ticks()),
        bands=tuple(_band(band, index, across) for index, band in enumerate(bands)),
        series=series,
        marks=tuple((mark, shapes[mark], outline(shapes[mark], 8, 8, 5.5)) for mark in marks),
        states=tuple(dict.fromkeys(point.state for one in series for point in one.points)),
        undrawn=tuple(
            point.label or number(point.x)
            for one in chart.series
            for point in one.points
            if not _drawable(chart, point)
        ),
    )


def number(value: float) -> str:
    """Return a number as a person would write it beside an axis.

    >>> [number(value) for value in (0, 0.25, 12, 1024, 32768.0, 250000, 1.5e9)]
    ['0', '0.25', '12', '1024', '32768', '250k', '1.5G']
    """
    for size, unit in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e5, "k")):
        if abs(value) >= size:
            return f"{value / (1e3 if unit == 'k' else size):.4g}{unit}"
    return f"{value:.5g}"


def outline(shape: str, x: float, y: float, radius: float) -> str:
    """Return the points of a shape's polygon around a centre, or an empty text for a circle."""
    corners = {"diamond": (4, 0.0), "square": (4, 45.0), "triangle": (3, 0.0), "pentagon": (5, 0.0)}.get(
        shape
    )
    if corners is None:
        return ""
    count, turn = corners
    angles = [math.radians(turn - 90 + 360 * corner / count) for corner in range(count)]
    return " ".join(
        f"{_rounded(x + 1.15 * radius * math.cos(a))},{_rounded(y + 1.15 * radius * math.sin(a))}"
        for a in angles
    )


def _series(
    chart: Chart,
    series: Series,
    index: int,
    points: list[ChartPoint],
    shapes: dict[str, str],
    state_of: Callable[[str], str],
    across: Callable[[float], float],
    down: Callable[[float], float],
) -> DrawnSeries:
    places = [(across(point.x), down(_y(point))) for point in points]
    return DrawnSeries(
        label=series.label,
        style=index % SERIES_STYLES,
        path=_path(places, series.line),
        points=tuple(
            _point(chart, point, x, y, shapes.get(point.mark, SHAPES[0]), state_of)
            for point, (x, y) in zip(points, places, strict=True)
        ),
    )


def _point(
    chart: Chart, point: ChartPoint, x: float, y: float, shape: str, state_of: Callable[[str], str]
) -> DrawnPoint:
    lines = [
        f"{chart.x.label}: {number(point.x)}",
        f"{chart.y.label}: {number(_y(point))} {chart.y.unit}".strip(),
    ]
    lines += [f"{name}: {value}" for name, value in point.values.items()]
    state = state_of(point.subject)
    title = " · ".join(part for part in (point.label, point.mark, state) if part)
    return DrawnPoint(x, y, shape, outline(shape, x, y, 5.5), state, title, tuple(lines), point.subject)


def _path(places: list[tuple[float, float]], line: str) -> str:
    if line == "none" or len(places) < 2:
        return ""
    steps = [f"M{places[0][0]} {places[0][1]}"]
    for x, y in places[1:]:
        if line == "after":
            steps.append(f"H{x}V{y}")
        elif line == "before":
            steps.append(f"V{y}H{x}")
        else:
            steps.append(f"L{x} {y}")
    return "".join(steps)


def _band(band: Band, index: int, across: Callable[[float], float]) -> DrawnBand:
    left, right = across(band.start), across(band.end)
    width = max(1.0, _rounded(right - left))
    fits = len(band.label) * _LABEL_COLUMNS + 4 <= width
    title = f"{band.label}: {number(band.start)}–{number(band.end)}"
    return DrawnBand(left, width, band.label if fits else "", title, index % 2 == 0)


def _y(point: ChartPoint) -> float:
    return math.nan if point.y is None else point.y


def _drawable(chart: Chart, point: ChartPoint) -> bool:
    return _fits(chart.x, point.x) and point.y is not None and _fits(chart.y, point.y)


def _fits(axis: Axis, value: float) -> bool:
    return math.isfinite(value) and abs(value) < LARGEST and (not axis.log or value >= 1 / LARGEST)


def _rounded(value: float) -> float:
    return round(value, 1)


class _Scale:
    """Maps the values of an axis to shares of its length."""

    def __init__(self, axis: Axis, values: Iterable[float], *, from_zero: bool = False) -> None:
        known = list(values) or [1.0]
        low, high = min(known), max(known)
        self.log = axis.log
        if self.log:
            low, high = low / 1.15, high * 1.15
        else:
            low = min(0.0, low) if from_zero else low
            room = (high - low) * 0.06 or abs(high) or 1.0
            low, high = (low if low == 0.0 else low - room), high + room
        self.low, self.high = low, high

    def share(self, value: float) -> float:
        """Return where a value lies, from 0 to 1."""
        if self.log:
            return (math.log10(value) - math.log10(self.low)) / (math.log10(self.high) - math.log10(self.low))
        return (value - self.low) / (self.high - self.low)

    def ticks(self) -> list[float]:
        """Return the values to label, at most about ten."""
        return self._log_ticks() if self.log else self._linear_ticks()

    def _log_ticks(self) -> list[float]:
        first, last = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
        every = max(1, (last - first) // 10)
        for multiples in ((1.0, 2.0, 5.0), (1.0, 3.0), (1.0,)):
            values = [m * 10.0**power for power in range(first, last + 1, every) for m in multiples]
            inside = [value for value in values if self.low <= value <= self.high]
            if len(inside) <= 12:
                break
        # Between two neighbouring ticks of a narrow range only a linear scale has anything to label.
        return inside if len(inside) >= 2 else self._linear_ticks()

    def _linear_ticks(self) -> list[float]:
        size = 10.0 ** math.floor(math.log10((self.high - self.low) / 5))
        step = next(m * size for m in (1.0, 2.0, 2.5, 5.0, 10.0) if (self.high - self.low) / (m * size) <= 7)
        first = math.ceil(self.low / step)
        return [n * step for n in range(first, math.floor(self.high / step) + 1)]
