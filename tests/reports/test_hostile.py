"""Strings that a hostile submission could hold, through every format."""

from __future__ import annotations

import dataclasses
import json
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from submission_checker.engine.model import Report, RuleInfo
from submission_checker.reports import FORMATS, Options, render
from tests.reports.readers import read_github, read_html, read_junit, read_markdown, read_sarif

HOSTILE = {
    "markup": "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'><svg/onload=alert(1)>&amp;",
    "template": "{{ 7 * 7 }}{% for x in y %}${7*7}<%= 7*7 %>",
    "ansi": "\x1b[31mred\x1b]8;;http://evil.example\x07link\x1b]8;;\x07\x1b[2J\x9b2J\x90q\x9c",
    "carriage": "good\rbad\x08\x08\x7f\x0b\x0c\x00",
    "lines": "one\ntwo\r\n::error::three\n\n# four\n```\nfive\u2028six\u2029seven\x85eight",
    "bidi": "a\u202egnp.exe\u2066\u2069\u200b\u200f\ufeff\U000e0041",
    "formula": '=HYPERLINK("http://evil.example";"x")',
    "workflow": "::add-mask::x%0A::set-output name=a::b,c:d%",
    "markdown": "[click](javascript:x) | `tick` ``` **bold** <!-- --> ![x](http://evil.example) @all #1",
    "xml": "]]> <![CDATA[ &lt; &#0; \ufffe \uffff",
    "surrogate": "bad \ud800 name \udcff",
    "long": "N" * 1_000_000,
    "wide": "漢字" * 300 + "é" * 300,
    "brackets": "[/red][bold]x[/]",
    "percent": "%s %d {0} {message} %(x)s \\x1b",
}


def spoiled(report: Report, text: str) -> Report:
    """The report with a hostile text wherever a submission can put one."""
    name = text.replace("\0", "")
    results = [
        dataclasses.replace(
            result,
            message=f"{result.message}: {text}",
            location=f"{result.location}/{name}" if result.location else "",
            path=None if result.path is None else result.path / name,
            subject=f"{result.subject}/{name}",
            pointer=f"/{text}",
        )
        for result in report.results
    ]
    charts = [
        dataclasses.replace(
            chart,
            title=text,
            subject=text,
            x=dataclasses.replace(chart.x, label=text),
            bands=tuple(dataclasses.replace(band, label=text) for band in chart.bands),
            notes=(text,),
            series=tuple(
                dataclasses.replace(
                    series,
                    label=text,
                    points=tuple(
                        dataclasses.replace(point, label=text, subject=text, mark=text, values={text: text})
                        for point in series.points
                    ),
                )
                for series in chart.series
            ),
        )
        for chart in report.charts
    ]
    tables = [
        dataclasses.replace(table, title=text, columns=(text, text), rows=((text, text),))
        for table in report.tables
    ]
    return dataclasses.replace(report, results=results, charts=charts, tables=tables, notes=[text])


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_nothing_breaks_the_format(report: Report, name: str, text: str) -> None:
    written = render(name, spoiled(report, text), Options(verbose=True))
    written.encode("utf-8")
    shown = {character for character in written if _obeyed(character)}
    assert shown <= {"\n"}, f"{shown!r} reached the output raw"
    PARSERS.get(name, lambda _: None)(written)
    if name != "github":
        assert not [line for line in written.splitlines() if line.lstrip().startswith(("::", "##["))]


@pytest.mark.parametrize("name", sorted(set(FORMATS) - {"json"}))
def test_a_long_name_is_cut(report: Report, name: str) -> None:
    written = render(name, spoiled(report, HOSTILE["long"]), Options(verbose=True))
    assert len(written) < 300_000
    assert "characters left out" in written


def test_json_is_cut_as_well(report: Report) -> None:
    written = render("json", spoiled(report, HOSTILE["long"]))
    assert len(written) < 6_000_000
    assert "characters left out" in written


@pytest.mark.parametrize("name", FORMATS)
def test_a_path_may_be_any_bytes(report: Report, name: str) -> None:
    root = Path("town\udcff\x1b[31m")
    render(name, dataclasses.replace(report, submission_path=root), Options()).encode("utf-8")


@pytest.mark.parametrize("name", FORMATS)
def test_a_rule_with_nothing_but_an_id(report: Report, name: str) -> None:
    results = [dataclasses.replace(result, info=RuleInfo(id="")) for result in report.results]
    render(name, dataclasses.replace(report, results=results, rules=()), Options(verbose=True))


@pytest.mark.parametrize("name", sorted(set(FORMATS) - {"sarif"}))
def test_a_fault_in_a_rule_is_not_the_submitters_to_fix(report: Report, name: str) -> None:
    faults = dataclasses.replace(report, results=report.incomplete)
    written = render(name, faults, Options(verbose=True))
    assert "this rule could not be evaluated" in written
    if name != "json":
        assert "Look the fee up" not in written and "pays a fine" not in written


@pytest.mark.parametrize("name", FORMATS)
def test_an_empty_report(name: str) -> None:
    written = render(name, Report(submission_path=Path("town")), Options())
    PARSERS.get(name, lambda _: None)(written)


@pytest.mark.parametrize("name", FORMATS)
def test_the_same_report_gives_the_same_bytes(report: Report, name: str) -> None:
    assert render(name, report) == render(name, dataclasses.replace(report))


def test_an_unknown_format_is_refused(report: Report) -> None:
    with pytest.raises(ValueError, match="unknown format 'morse'; known are text, json"):
        render("morse", report)


def _obeyed(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")


PARSERS: dict[str, Callable[[str], object]] = {
    "json": json.loads,
    "sarif": read_sarif,
    "junit": read_junit,
    "github": read_github,
    "markdown": read_markdown,
    "html": read_html,
}
