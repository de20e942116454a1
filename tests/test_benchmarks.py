"""The benchmark measures what it says: sound trees, checked for real."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from submission_checker import SubmissionChecker

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"


def test_grown_tree_is_sound(tmp_path):
    """A tree of another size than the sample's breaks no rule, so that what is timed is a full check."""
    subprocess.run([sys.executable, BENCHMARKS / "trees.py", "2x3x12", tmp_path / "tree"], check=True)

    report = SubmissionChecker(tmp_path / "tree", ruleset="2026-10").run()

    assert len(list((tmp_path / "tree").glob("results/*/*/r*/point.yaml"))) == 2 * 3 * 12
    assert [(found.rule, found.message) for found in (*report.errors, *report.warnings)] == []


@pytest.mark.slow
def test_comparison_writes_its_figures(tmp_path):
    """Every row has figures for ours and for the floor, and none for a reference that was not asked for."""
    figures = tmp_path / "figures.json"
    options = ["--sizes", "1x1x8", "--trees", "2", "--rounds", "1", "--json", figures]

    subprocess.run([sys.executable, BENCHMARKS / "compare.py", *options], check=True, capture_output=True)

    rows = json.loads(figures.read_text(encoding="utf-8"))
    assert [row["what"] for row in rows] == ["command, 1x1x8", "in process, 2 of 1x1x8"]
    assert all(row["ours"]["wall_s"] > 0 and row["floor"]["wall_s"] > 0 for row in rows)
    assert all(row["reference"] is None for row in rows)
