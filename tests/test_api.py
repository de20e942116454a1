"""The documented programmatic API beyond a plain check: views, details and progress."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from submission_checker import SubmissionChecker
from submission_checker.engine.model import Chart, Report, Table
from tests.support.submissions import SUBMISSIONS


def check(sample: str | Path, **settings: object) -> Report:
    return SubmissionChecker(SUBMISSIONS / sample, ruleset="2026-10", **settings).run()  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def seen() -> Report:
    return check("compliant", views=True)


def titled(items: list[Chart] | list[Table], text: str) -> object:
    [found] = [item for item in items if text in item.title]
    return found


def test_views_and_details_are_extra() -> None:
    report = check("compliant")
    assert (report.charts, report.tables, report.not_applicable) == ([], [], [])
    assert check("compliant", details=True).not_applicable


def test_views_change_no_verdict(seen: Report) -> None:
    assert seen.model_dump() == check("compliant").model_dump()


@pytest.mark.parametrize("quantity", ["system throughput", "throughput of a user"])
def test_a_curve_is_steps_on_a_log_axis(seen: Report, quantity: str) -> None:
    chart = titled(seen.charts, quantity)
    assert isinstance(chart, Chart)
    measured, offline = chart.series
    assert (chart.x.log, measured.line, offline.line) == (True, "after", "none")
    assert any("§5.2" in note for note in chart.notes)
    assert [point.x for point in measured.points] == [16, 24, 64, 128, 256, 512, 1024]
    assert [(point.x, point.mark) for point in offline.points] == [(13368, "Offline (dedicated)")]
    assert [band.label for band in chart.bands] == [
        "low_latency", "low_concurrency", "med_concurrency", "high_concurrency", "margin",
    ]  # fmt: skip
    assert all(point.y is not None and point.y > 0 for point in measured.points)
    assert all(point.subject.endswith(f"r{point.x}") for point in measured.points)


def test_a_table_has_what_follows_from_the_files(seen: Report) -> None:
    table = titled(seen.tables, "points")
    assert isinstance(table, Table)
    row = dict(zip(table.columns, table.rows[0], strict=True))
    assert row["Point"] == "r16" and row["Region"] == "low_latency"
    # 9408398 tokens in 3788.489 s; 1000 / 6.95844 ms; by 11.18 kW
    assert (row["system_tps [tok/s]"], row["tps_per_user [tok/s]"]) == ("2483.4", "143.71")
    assert row["system_tps_per_kw [tok/s/kW]"] == "222.13"


def test_the_power_of_a_system(seen: Report) -> None:
    table = titled(seen.tables, "provisioned power")
    assert isinstance(table, Table)
    assert table.subject == "results/lakeside_l8"
    assert table.rows[0][:3] == ("11.180", "components", "0.3")


def test_a_margin_point_is_marked_and_a_lost_one_listed(tmp_path: Path) -> None:
    root = Path(shutil.copytree(SUBMISSIONS / "compliant", tmp_path / "sub"))
    curve = next(root.glob("results/*/*"))
    shutil.copytree(curve / "r1024", curve / "r1100")
    point = curve / "r1100" / "point.yaml"
    text = point.read_text("utf-8")
    point.write_text(text.replace("concurrency: 1024", "concurrency: 1100", 1), encoding="utf-8")
    (curve / "r64" / "result_summary.json").unlink()
    (curve / "r128" / "point.yaml").write_text("[")
    report = check(root, views=True)
    chart = titled(report.charts, "system throughput")
    assert isinstance(chart, Chart)
    points = {point.label: point for point in chart.series[0].points}
    assert points["r1100"].mark == "margin"
    assert points["r64"].y is None and "r128" not in points
    table = titled(report.tables, "points")
    assert isinstance(table, Table)
    rows = {row[0]: row for row in table.rows}
    assert rows["r64"][8] == rows["r128"][1] == "–", "what cannot be derived is neither zero nor left out"


@pytest.mark.parametrize("sample", ["compliant", "compliant-agentic"])
def test_every_point_is_in_the_pictures(sample: str) -> None:
    report = check(sample, views=True)
    folders = {path.name for path in (SUBMISSIONS / sample).glob("results/*/*/r*")}
    for chart in report.charts:
        assert {point.label for series in chart.series for point in series.points} == folders


def test_a_folder_without_anything_has_no_views(tmp_path: Path) -> None:
    report = check(tmp_path, views=True)
    assert (report.charts, report.tables) == ([], [])


def test_progress_tells_of_every_folder_up_to_the_last() -> None:
    told: list[tuple[int, int]] = []
    report = check("compliant", progress=lambda done, total: told.append((done, total)))
    total = told[0][1]
    assert told == [(done, total) for done in range(total + 1)]
    assert total == 1 + 1 + 1 + 1 + 8, "submission, implementation, system, curve, points"
    assert report.passed
