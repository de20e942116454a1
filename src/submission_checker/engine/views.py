"""Charts and tables of the measurements, as the ruleset's `views.yaml` says."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from string import Formatter
from typing import TYPE_CHECKING, Any

from submission_checker.engine import kinds
from submission_checker.engine.errors import EvaluationError
from submission_checker.engine.model import Axis, Band, Chart, ChartPoint, Series, Table
from submission_checker.engine.rules import Compute, Message
from submission_checker.engine.subjects import Subject

if TYPE_CHECKING:
    from submission_checker.engine.ruleset import Ruleset

MAX_ROWS = 2_000
"""Items that one chart or table shows."""
NOTHING = "–"
"""A cell of a table without a value."""


class _Names:
    """What the expressions of a view see: the item it is at, then the subject."""

    def __init__(self, subject: Subject, **bound: Any):
        self._subject = subject
        self._bound = bound

    def __getitem__(self, name: str) -> Any:
        return self._bound[name] if name in self._bound else self._subject.fact(name)


class _View:
    """One entry of `views.yaml`, for the subjects of its scope."""

    def __init__(self, raw: Mapping[str, Any], ruleset: Ruleset):
        self.raw = raw
        self._functions = ruleset.functions
        self._compiled: dict[str, Compute | Message] = {}

    def compute(self, source: str, names: _Names) -> Any:
        """Return the value of an expression, null where it has no answer: a picture accuses nobody."""
        compiled = self._compiled.setdefault(source, Compute(source, self._functions))
        assert isinstance(compiled, Compute)
        try:
            return compiled.evaluate(names)
        except EvaluationError:
            return None

    def write(self, source: str, names: _Names) -> str:
        """Return a message with values in."""
        compiled = self._compiled.setdefault(f"message {source}", Message(source))
        assert isinstance(compiled, Message)
        try:
            return compiled.template.render(names)
        except EvaluationError:
            return ""

    def fill(self, source: str, names: _Names) -> str:
        """Return a message with values in, or an empty text where one of the values is null."""
        fields = (name for _, name, _, _ in Formatter().parse(source) if name)
        return "" if any(self.compute(name, names) is None for name in fields) else self.write(source, names)

    def items(self, subject: Subject) -> Iterator[tuple[Any, _Names]]:
        """Yield what the view shows, with the names that go with it."""
        found = self.compute(self.raw["over"], _Names(subject))
        for item in (found if isinstance(found, list) else [])[:MAX_ROWS]:
            yield item, _Names(subject, **{self.raw["each"]: item})

    def applies(self, subject: Subject) -> bool:
        """Tell whether the view shows anything of a subject."""
        when = self.raw.get("when")
        return when is None or self.compute(when, _Names(subject)) is True


def build(ruleset: Ruleset, top: Subject) -> tuple[list[Chart], list[Table]]:
    """Draw up charts and tables of a subject and of all below it, one subject after the other."""
    raw = ruleset.views
    charts = [(_View(entry, ruleset), _chart) for entry in raw.get("charts", ())]
    tables = [(_View(entry, ruleset), _table) for entry in raw.get("tables", ())]
    found_charts: list[Chart] = []
    found_tables: list[Table] = []
    for subject in top.walk() if charts or tables else ():
        found_charts += [make(v, subject) for v, make in charts if _serves(v, subject)]
        found_tables += [make(v, subject) for v, make in tables if _serves(v, subject)]
    return found_charts, found_tables


def _serves(view: _View, subject: Subject) -> bool:
    return bool(view.raw["scope"] == subject.scope.name) and view.applies(subject)


def _axis(raw: Mapping[str, Any]) -> Axis:
    return Axis(label=raw["label"], log=raw.get("log", False), unit=raw.get("unit", ""))


def _chart(view: _View, subject: Subject) -> Chart:
    raw = view.raw
    bands = view.compute(raw["bands"], _Names(subject)) if "bands" in raw else None
    series = [
        Series(
            label=entry["label"],
            line=entry.get("line", "straight"),
            points=tuple(_points(view, entry, subject)),
        )
        for entry in raw["series"]
    ]
    return Chart(
        title=view.write(raw["title"], _Names(subject)),
        subject=subject.location,
        x=_axis(raw["x"]),
        y=_axis(raw["y"]),
        series=tuple(series),
        bands=tuple(_bands(bands)),
        notes=tuple(raw.get("notes", ())),
    )


def _points(view: _View, entry: Mapping[str, Any], subject: Subject) -> Iterator[ChartPoint]:
    raw = view.raw
    for item, names in view.items(subject):
        if "when" in entry and view.compute(entry["when"], names) is not True:
            continue
        x, y = view.compute(raw["x"]["value"], names), view.compute(entry["value"], names)
        if not _is_finite(x):
            continue
        mark = view.compute(raw["mark"], names) if "mark" in raw else None
        yield ChartPoint(
            x=x,
            y=y if _is_finite(y) else None,
            label=view.write(raw["label"], names),
            subject=item.location if isinstance(item, Subject) else "",
            mark="" if mark is None else str(mark),
            values=dict(_values(view, names)),
        )


def _values(view: _View, names: _Names) -> Iterator[tuple[str, str]]:
    """Write the further values of a point that has them."""
    for label, text in view.raw.get("values", {}).items():
        written = view.fill(text, names)
        if written:
            yield label, written


def _bands(value: Any) -> Iterator[Band]:
    """Read bands of a mapping: name to `start` and `end`; empty ones are left out."""
    for name, span in value.items() if isinstance(value, Mapping) else ():
        if span["start"] <= span["end"]:
            yield Band(label=name, start=span["start"], end=span["end"])


def _is_finite(value: Any) -> bool:
    return type(value) in kinds.NUMBERS and math.isfinite(value)


def _table(view: _View, subject: Subject) -> Table:
    raw = view.raw
    rows = [
        tuple(view.fill(text, names) or NOTHING for text in raw["columns"].values())
        for _, names in view.items(subject)
    ]
    return Table(
        title=view.write(raw["title"], _Names(subject)),
        subject=subject.location,
        columns=tuple(raw["columns"]),
        rows=tuple(rows),
        notes=tuple(raw.get("notes", ())),
    )
