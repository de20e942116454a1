"""Named intervals drawn on a logarithmic axis: as an SVG picture, and in a line of text."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

Bounds = Mapping[str, Mapping[str, int]]

WIDTH, HEIGHT = 720, 132
_LEFT, _RIGHT, _TOP, _BAR = 16, 16, 46, 34
_SHADES = "░▒▓█▚"
_PLAIN_SHADES = "-=+#*"
_STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#24292f}.t{font-weight:600;font-size:13px}"
    ".n{text-anchor:middle;fill:#fff}.k{text-anchor:middle}.s{fill:#57606a}"
    ".p{fill:#fff;stroke:#d0d7de}"
    ".b0{fill:#1f6f8b}.b1{fill:#2f5d9b}.b2{fill:#6b4c9a}.b3{fill:#9b3f73}.b4{fill:#6e7781}"
    "@media(prefers-color-scheme:dark)"
    "{text{fill:#e6edf3}.n{fill:#fff}.s{fill:#9da7b3}.p{fill:#161b22;stroke:#30363d}}"
)


@dataclass(frozen=True, slots=True)
class Span:
    """A band with its place on the axis, from 0 to 1."""

    name: str
    first: int
    last: int
    start: float
    end: float

    @property
    def is_empty(self) -> bool:
        """Whether no number lies in it."""
        return self.first > self.last


def spans(bounds: Bounds) -> list[Span]:
    """Lay bands out on a logarithmic axis: a number n reaches from n to n + 1."""
    first = max(1, min(bound["start"] for bound in bounds.values()))
    last = max(bound["end"] for bound in bounds.values()) + 1
    length = math.log(last / first) or 1.0

    def place(number: int) -> float:
        return math.log(max(number, first) / first) / length

    return [
        Span(
            name,
            bound["start"],
            bound["end"],
            place(bound["start"]),
            place(max(bound["end"] + 1, bound["start"])),
        )
        for name, bound in bounds.items()
    ]


def svg(title: str, bounds: Bounds, *, comment: str = "") -> str:
    """Draw bands as a picture of its own, right in the light and in the dark.

    Args:
        title: What is drawn.
        bounds: Name to first and last number, both inclusive.
        comment: A line to begin the file with.
    """
    inner = WIDTH - _LEFT - _RIGHT
    told = "; ".join(f"{span.name} {_range(span)}" for span in spans(bounds))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(f"{title}: {told}", quote=True)}">',
        f"<style>{_STYLE}</style>",
        f'<rect class="p" x=".5" y=".5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="6"/>',
        f'<text class="t" x="{_LEFT}" y="24">{escape(title)}</text>',
    ]
    legend = []
    for number, span in enumerate(spans(bounds)):
        x, width = _LEFT + span.start * inner, (span.end - span.start) * inner
        if span.is_empty:
            legend.append(f"{span.name}: empty")
            continue
        shade = f"b{min(number, 4)}"
        parts.append(
            f'<rect class="{shade}" x="{x:.1f}" y="{_TOP}" width="{max(width - 1.5, 1):.1f}" '
            f'height="{_BAR}" rx="2">'
            f"<title>{escape(span.name)}: {_range(span)}</title></rect>"
        )
        middle = x + width / 2
        if width > 7 * len(span.name):
            parts.append(f'<text class="n" x="{middle:.1f}" y="{_TOP + 22}">{escape(span.name)}</text>')
        else:
            legend.append(f"{span.name}: {_range(span)}")
        if width > 7 * len(_range(span)):
            parts.append(f'<text class="k" x="{middle:.1f}" y="{_TOP + _BAR + 18}">{_range(span)}</text>')
    if legend:
        said = escape(", ".join(legend))
        parts.append(f'<text class="s" x="{_LEFT}" y="{HEIGHT - 12}">{said}</text>')
    head = f"<!-- {comment} -->\n" if comment else ""
    return head + "\n".join([*parts, "</svg>"]) + "\n"


def marks(bounds: Bounds, *, ascii_only: bool = False) -> list[str]:
    """Return the character that each band is drawn with; a blank for an empty one."""
    shades = _PLAIN_SHADES if ascii_only else _SHADES
    return [
        " " if span.is_empty else shades[number % len(shades)] for number, span in enumerate(spans(bounds))
    ]


def bar(bounds: Bounds, width: int, *, ascii_only: bool = False) -> list[str]:
    """Draw bands in two lines of text: the bar, and where each band begins.

    Every band that is not empty has at least one column.

    >>> bar({"low": {"start": 1, "end": 8}, "high": {"start": 9, "end": 64}}, 24)
    ['░░░░░░░░░░░░░▒▒▒▒▒▒▒▒▒▒▒', '1            9        64']
    """
    drawn = [
        (span, mark)
        for span, mark in zip(spans(bounds), marks(bounds, ascii_only=ascii_only), strict=True)
        if not span.is_empty
    ]
    shown = [span for span, _ in drawn]
    line, numbers, begin = "", [" "] * width, 0
    for (span, mark), end in zip(drawn, _columns(shown, width), strict=True):
        line += mark * (end - begin)
        _put(numbers, begin, str(span.first))
        begin = end
    last = str(shown[-1].last) if shown else ""
    _put(numbers, width - len(last), last)
    return [line, "".join(numbers).rstrip()]


def _columns(shown: Sequence[Span], width: int) -> list[int]:
    """Return the column behind each band: as the axis has it, but one column at least for each."""
    ends: list[int] = []
    for number, span in enumerate(shown):
        least = (ends[-1] if ends else 0) + 1
        most = width - (len(shown) - number - 1)
        ends.append(min(max(round(span.end * width), least), most))
    return ends


def _put(line: list[str], column: int, text: str) -> None:
    """Write a number where there is room for it, with a blank on both sides."""
    column = max(column, 0)
    around = line[max(column - 1, 0) : column + len(text) + 1]
    if column + len(text) <= len(line) and all(mark == " " for mark in around):
        line[column : column + len(text)] = text


def _range(span: Span) -> str:
    if span.is_empty:
        return "empty"
    return str(span.first) if span.first == span.last else f"{span.first}–{span.last}"
