"""`docs build` and `docs check`: what drifts is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import ROOT, copy, run

pytestmark = pytest.mark.slow


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count(old) >= 1, f"{file} has no {old!r}"
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


PAGES = "reference/2026-10"
CHANGES = {
    "rule": (
        "rules/2026-10/points/min-query-count.yaml", "queries completed", "queries came back",
        f"{PAGES}/rules/min-query-count.md",
    ),
    "table": (
        "rules/2026-10/tables/durations.yaml", "low_latency: 600000", "low_latency: 600001",
        f"{PAGES}/tables/durations.md",
    ),
    "schema": (
        "schemas/2026-10/point.schema.json", "Number of requests kept in", "How many requests are in",
        f"{PAGES}/documents/disclosure.md",
    ),
    "clause": (
        "rules/2026-10/clauses.yaml", "title: Load pattern", "title: Pattern of load",
        f"{PAGES}/clauses/6.1.md",
    ),
    "docstring": (
        "src/submission_checker/functions/regions.py", "Cut the concurrencies", "Part the concurrencies",
        "reference/functions/region_bounds.md",
    ),
    "help": (
        "src/submission_checker/cli/check.py", "Fail on warnings too.", "Warnings fail, too.",
        "reference/commands.md",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", CHANGES)
def test_a_change_without_its_pages_is_drift(checkout: Path, tmp_path: Path, kind: str) -> None:
    file, old, new, page = CHANGES[kind]
    changed = copy(checkout, tmp_path / "changed")
    change(changed / file, old, new)

    done = run("docs", "check", checkout=changed)

    assert done.returncode == 1, done.stdout + done.stderr
    assert f"{page}: different" in done.stdout
    assert "`submission-checker docs build` writes them anew" in done.stdout


def test_pages_that_are_as_they_would_be_are_no_drift(checkout: Path) -> None:
    done = run("docs", "check", checkout=checkout)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("pages are up to date\n")


def test_missing_edited_and_left_over_pages_are_drift_and_mended(checkout: Path, tmp_path: Path) -> None:
    changed = copy(checkout, tmp_path / "changed")
    rules = changed / "docs/reference/2026-10/rules"
    (rules / "point-count.md").unlink()
    change(rules / "point-cap.md", "point-cap", "point-map")
    (rules / "gone.md").write_text((rules / "load-pattern.md").read_text(encoding="utf-8"), encoding="utf-8")
    (rules / "by-hand.md").write_text("# Mine\n", encoding="utf-8")

    found = run("docs", "check", checkout=changed)
    mended = run("docs", "build", checkout=changed)
    after = run("docs", "check", checkout=changed)

    assert found.returncode == 1
    for page, what in (
        ("point-count", "missing"),
        ("point-cap", "different"),
        ("gone", "not generated any more"),
    ):
        assert f"rules/{page}.md: {what}" in found.stdout
    assert mended.stdout.endswith(": 2 written, 1 removed\n")
    assert (after.returncode, (rules / "by-hand.md").exists(), (rules / "gone.md").exists()) == (
        0,
        True,
        False,
    )


def contents(folder: Path) -> dict[str, bytes]:
    files = (file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def test_the_same_rules_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("first", "second"):
        done = run("docs", "build", "--ruleset", "2026-10", "--out", str(tmp_path / name))
        assert done.returncode == 0, done.stderr

    first, second = contents(tmp_path / "first"), contents(tmp_path / "second")
    assert first == second
    assert len(first) > 200


def test_a_ruleset_of_one_s_own_has_pages_too(tmp_path: Path) -> None:
    library = ROOT / "fixtures/rulesets/library"

    done = run("docs", "build", "--ruleset", str(library), "--out", "pages", cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    assert (tmp_path / "pages/reference/library/rules/few-shelves.md").is_file()


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["build", "--ruleset", "2026-10"], 2, "--ruleset needs --out"),
        (["check", "--ruleset", "2026-9", "--out", "x"], 3, "no ruleset named 2026-9"),
        (["build", "--ruleset", "2026-10", "--out", "out", "--site", "site"], 1, "no mkdocs.yml beside out"),
    ],
)
def test_wrong_calls_are_told(tmp_path: Path, arguments: list[str], code: int, said: str) -> None:
    done = run("docs", *arguments, cwd=tmp_path)

    assert done.returncode == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_what_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "reference").write_text("in the way", encoding="utf-8")

    done = run("docs", "build", "--ruleset", "2026-10", "--out", str(tmp_path))

    assert done.returncode == 3
    assert "Traceback" not in done.stderr and "reference" in done.stderr
