"""The HTML page: what is on it, that nothing leaves it, and how a real browser takes it."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from submission_checker.engine.model import CheckResult, Report
from submission_checker.reports import Options, render
from tests.reports.readers import Element, read_html
from tests.reports.test_hostile import HOSTILE, spoiled

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")


def page(report: Report, **options: object) -> Element:
    return read_html(render("html", report, Options(**options)))  # type: ignore[arg-type]


def test_verdict_ruleset_and_notes(report: Report, library: Path) -> None:
    written = page(report)
    assert written.first("p", "verdict").text() == "NOT COMPLETED"
    assert written.first("h1").text() == str(library)
    assert written.first("title").text() == "NOT COMPLETED: town"
    header = written.first("header").text()
    assert "ruleset 2026 (House rules), 6 rules" in header and "house_rules.md at 0123456" in header
    assert "The rules of 2026 were chosen" in written.text()


def test_findings_by_place(report: Report) -> None:
    written = page(report)
    places = [element.text() for element in written.all("h3")][:3]
    assert places == ["the submission itself", "branches/north", "branches/north/loan1"]
    finding = written.first("article", "error")
    assert "35 days, at most 28" in finding.text()
    assert [element.text() for element in finding.all("mark")] == ["35"] * 3
    assert [element.text() for element in finding.all("dd")] == [
        "A loan lasts at most 28 days (§4.1, §9.1)",
        "the reader pays a fine",
        "Shorten the loan, or record a renewal.",
        "Others wait for the book.",
        "submission-checker rules show loan-days",
    ]
    assert finding.attributes["data-clauses"] == "4.1|9.1"


def test_findings_by_clause_lead_to_the_finding(report: Report) -> None:
    written = page(report)
    links = {element.text(): element.attributes["href"] for element in written.all("a", "tag")}
    target = links["loan-days ×8"]
    assert target is not None
    [finding] = [e for e in written.all("article") if e.attributes["id"] == target[1:]]
    assert "35 days" in finding.text()


def test_rules_checked_and_not_checked(report: Report) -> None:
    rows = {row.first("code").text(): row.text() for row in page(report).all("tr") if row.all("code")}
    assert set(rows) == {rule.id for rule in report.rules}
    assert "not checked" in rows["night-hours"] and "open_at_night is false" in rows["night-hours"]
    assert "8 errors" in rows["loan-days"]
    assert "passed" in rows["shelf-present"]


def test_a_point_has_the_colour_of_its_findings(report: Report) -> None:
    quiet = replace(report, results=[r for r in report.results if "loan16/" not in r.location])
    points = [element for element in page(quiet).all("g", "point") if "tabindex" in element.attributes]
    states = {element.first("title").text().split()[0]: element.classes[1] for element in points}
    assert states["loan1"] == "error"
    assert states["loan16"] == "not-checked", "nothing said of it is no pass"


def test_a_table_of_measurements(report: Report) -> None:
    cells = [element.text() for element in page(report).first("table", "measured").all("td")]
    assert cells == ["loan1", "35", "loan2", "35"]


def test_a_long_report_is_cut_with_a_count() -> None:
    results = [CheckResult(f"rule-{n}", "m", subject="a") for n in range(1200)]
    written = page(Report(submission_path=Path("town"), results=results))
    assert len(written.all("article")) == 1000
    assert "200 more findings did not fit on this page" in written.text()
    identities = [element.attributes["id"] for element in written.all("article")]
    assert len(set(identities)) == 1000


def test_the_page_is_small(report: Report) -> None:
    assert len(render("html", report)) < 40_000


# -- in a browser


def in_browser(text: str, folder: Path, *arguments: str) -> tuple[str, str]:
    """The page's markup after its script ran, and what the browser's console said."""
    assert CHROMIUM is not None
    file = folder / "page.html"
    file.write_text(text, "utf-8")
    command = [
        CHROMIUM,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--host-resolver-rules=MAP * ~NOTFOUND",
        f"--user-data-dir={folder / 'profile'}",
        "--enable-logging=stderr",
        "--v=0",
        "--virtual-time-budget=2000",
        *arguments,
        "--dump-dom",
        file.as_uri(),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout, "\n".join(line for line in done.stderr.splitlines() if "CONSOLE" in line)


@pytest.mark.slow
@needs_chromium
def test_a_browser_runs_our_script_and_complains_of_nothing(report: Report, tmp_path: Path) -> None:
    markup, console = in_browser(render("html", report), tmp_path)
    assert console == ""
    assert "4 of 4 shown" in markup
    assert 'role="img" aria-label="loan1 · error' in markup


@pytest.mark.slow
@needs_chromium
def test_nothing_hostile_runs_in_a_browser(report: Report, tmp_path: Path) -> None:
    every = " ".join(text for name, text in HOSTILE.items() if name != "long")
    for number, text in enumerate([HOSTILE["markup"], every]):
        folder = tmp_path / str(number)
        folder.mkdir()
        markup, console = in_browser(render("html", spoiled(report, text)), folder)
        assert console == "", "not even an attempt that the security policy stops"
        assert re.search(r">(\d+) of \1 shown<", markup)
        read_html(markup)


DRIVER = """
const box = (kind) => document.querySelector(`input[data-kind="${kind}"]`);
const said = () => document.querySelector("output").textContent.split(" ")[0];
const input = () => new Event("input", {bubbles: true});
const act = (element, change) => { change(element); element.dispatchEvent(input()); };
const log = [said()];
act(box("error"), (e) => (e.checked = false)); log.push(said());
act(box("error"), (e) => (e.checked = true));
act(document.querySelector("select"), (e) => (e.value = "9.1")); log.push(said());
act(document.querySelector("select"), (e) => (e.value = ""));
act(document.querySelector("input[type=search]"), (e) => (e.value = "moby")); log.push(said());
act(document.querySelector("input[type=search]"), (e) => (e.value = "no such thing")); log.push(said());
log.push([...document.querySelectorAll("#findings .group")].every((e) => e.hidden));
const point = document.querySelector("svg .point[tabindex]");
point.dispatchEvent(new Event("pointerenter"));
log.push(document.querySelector("#tooltip").textContent.split("\\n")[1]);
window.onhashchange = () => (document.title = [...log, said()].join(" "));
location.hash = "#finding-2";
"""


@pytest.mark.slow
@needs_chromium
def test_filters_and_tooltips(report: Report, tmp_path: Path) -> None:
    text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", render("html", report))
    markup, console = in_browser(text.replace("</body>", f"<script>{DRIVER}</script></body>"), tmp_path)
    assert console == ""
    markup = re.sub(' style="left: [^"]*"', "", markup)  # the tooltip's place, set by our script
    assert read_html(markup, scripts=2).first("title").text() == "4 3 1 1 0 true readers: 1 4"


@pytest.mark.slow
@needs_chromium
def test_the_security_policy_stops_what_would_get_through(report: Report, tmp_path: Path) -> None:
    text = render("html", report)
    broken_in = text.replace(
        "</body>", "<script>document.title = 'owned'</script><img src=http://evil.example/>"
    )
    markup, console = in_browser(broken_in, tmp_path)
    assert "owned</title>" not in markup
    assert console.count("violates the following Content Security Policy") == 2
