"""Renders a report: one format per module, chosen by name from `FORMATS`.

A renderer is a function `render(report, options) -> str` that changes nothing: the same report gives the
same text, byte for byte, whatever the clock or the terminal says. Modules are imported when their format is
asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

from submission_checker.engine.model import Report
from submission_checker.reports.options import Options

__all__ = ["FORMATS", "Format", "Options", "render"]


@dataclass(frozen=True, slots=True)
class Format:
    """A way to write a report down."""

    module: str
    """Module beside this one with the function `render(report, options)`."""
    summary: str
    """What it is for, in half a sentence."""
    suffix: str
    """Usual end of a file's name, with its dot."""
    details: bool = False
    """Whether it tells which rules did not apply, and why."""
    views: bool = False
    """Whether it shows charts and tables."""
    joins: bool = False
    """Whether several reports may follow each other in one output."""


FORMATS: dict[str, Format] = {
    "text": Format("text", "for people at a terminal", ".txt", joins=True),
    "json": Format("json", "everything, for programs (schemas/report.schema.json)", ".json"),
    "sarif": Format("sarif", "for code scanning (SARIF 2.1.0)", ".sarif"),
    "junit": Format("junit", "for test dashboards (JUnit XML)", ".xml"),
    "github": Format("github", "annotations of a GitHub workflow", ".txt", joins=True),
    "markdown": Format("markdown", "for a pull request, or the summary of a GitHub job", ".md", joins=True),
    "html": Format(
        "html", "one page for reviewers, with the curves; works offline", ".html", details=True, views=True
    ),
}


def render(name: str, report: Report, options: Options | None = None) -> str:
    """Write a report in one format.

    Args:
        name: A key of `FORMATS`.
        report: What a check found.
        options: How to write it; the defaults suit a file or a pipe.

    Raises:
        ValueError: No format has this name.
    """
    chosen = FORMATS.get(name)
    if chosen is None:
        raise ValueError(f"unknown format {name!r}; known are {', '.join(FORMATS)}")
    renderer = import_module(f"{__name__}.{chosen.module}")
    text: str = renderer.render(report, options or Options())
    return text
