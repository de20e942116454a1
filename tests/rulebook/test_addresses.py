"""From a finding's line to the page of its rule, in one step."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from .conftest import ROOT, run

SITE = "https://checker.example/reference/{ruleset}/rules/{rule}.html"
SUBMISSION = ROOT / "fixtures/submissions/non-compliant"


def ruleset(folder: Path, **settings: str) -> Path:
    """A ruleset that only adds settings to a shipped one."""
    folder.mkdir()
    lines = [f"{key}: {json.dumps(value)}\n" for key, value in settings.items()]
    text = "title: Documented\nextends: 2026-10\n" + "".join(lines)
    (folder / "ruleset.yaml").write_text(text, encoding="utf-8")
    return folder


def test_reports_link_to_the_page_of_a_rule(tmp_path: Path) -> None:
    own = ruleset(tmp_path / "own", id="2026-10", site=SITE)
    sarif, html = tmp_path / "report.sarif", tmp_path / "report.html"
    files = ("-o", f"sarif={sarif}", "-o", f"html={html}")

    done = run("check", "-q", str(SUBMISSION), "--ruleset", str(own), *files)

    assert done.returncode == 1, done.stderr
    page = "https://checker.example/reference/2026-10/rules/point-count.html"
    assert page in done.stdout
    rules = json.loads(sarif.read_text(encoding="utf-8"))["runs"][0]["tool"]["driver"]["rules"]
    assert next(rule["helpUri"] for rule in rules if rule["id"] == "point-count") == page
    assert f'<a href="{page}"' in html.read_text(encoding="utf-8")
    assert (ROOT / "docs/reference/2026-10/rules/point-count.md").is_file()


@pytest.mark.parametrize(
    "site", ["javascript:alert('{rule}')", "https://x.example/", 'https://x.example/"{rule}']
)
def test_an_address_that_is_none_is_refused(tmp_path: Path, site: str) -> None:
    folder = ruleset(tmp_path / "own", id="own", site=site)

    done = run("check", str(SUBMISSION), "--ruleset", str(folder))

    assert done.returncode == 3
    assert "site" in done.stderr


def test_a_finding_names_the_command_that_prints_the_page() -> None:
    done = run("check", "-q", str(SUBMISSION))
    shown = run("rules", "show", "point-count")

    assert "more    submission-checker rules show point-count" in done.stdout
    assert shown.returncode == 0
    hint = re.search(r"What to do\n((?:  .*\n)+)", shown.stdout)
    page = (ROOT / "docs/reference/2026-10/rules/point-count.md").read_text(encoding="utf-8")
    assert hint is not None and " ".join(hint[1].split()) in page
