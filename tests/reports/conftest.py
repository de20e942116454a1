"""A small report by hand, about a library that lends books, so that no rule of the real policy is needed."""

from __future__ import annotations

from pathlib import Path

import pytest

from submission_checker.engine.model import (
    Axis,
    Band,
    Chart,
    ChartPoint,
    CheckResult,
    Held,
    NotApplicable,
    Report,
    RuleInfo,
    RulesetInfo,
    Series,
    Severity,
    Table,
    Verdict,
    Waiver,
)

RULES = {
    info.id: info
    for info in (
        RuleInfo(id="shelf-present", title="Every branch has a shelf", family="building", clauses=("1",)),
        RuleInfo(
            id="loan-days",
            title="A loan lasts at most 28 days",
            family="loans",
            action="fine",
            clauses=("4.1", "9.1"),
            hint="Shorten the loan, or record a renewal.",
            why="Others wait for the book.",
        ),
        RuleInfo(
            id="loan-title",
            title="A loan names its book",
            family="loans",
            severity="warning",
            action="remind",
            clauses=("4.2",),
        ),
        RuleInfo(id="reader-known", title="A reader has a card", family="loans", clauses=("3",)),
        RuleInfo(
            id="fee-table",
            title="Fees follow the table",
            family="fees",
            clauses=("7",),
            action="fine",
            hint="Look the fee up.",
        ),
        RuleInfo(id="night-hours", title="Nobody reads at night", family="building", clauses=("2",)),
    )
}

LOAN = """{
  "title": "Moby-Dick",
  "days": 35,
  "reader": "R. Reader"
}
"""


def result(root: Path, rule: str, message: str, location: str = "", **more: object) -> CheckResult:
    """A result with its rule's facts and its place filled in."""
    more.setdefault("path", root / location if location else None)
    more.setdefault("subject", location.rpartition("/")[0] if location else ".")
    return CheckResult(
        rule=rule,
        message=message,
        location=location,
        info=RULES.get(rule, RuleInfo(id=rule)),
        **more,  # type: ignore[arg-type]
    )


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A folder with one branch and eight loans, all too long."""
    root = tmp_path / "town"
    for number in (1, 2, 4, 8, 16, 32, 64, 128):
        folder = root / "branches" / "north" / f"loan{number}"
        folder.mkdir(parents=True)
        (folder / "loan.json").write_text(LOAN)
    return root


@pytest.fixture
def report(library: Path) -> Report:
    """A report with every kind of result in it."""
    loans = [f"branches/north/loan{n}/loan.json" for n in (128, 1, 2, 4, 8, 16, 32, 64)]
    waiver = Waiver(
        rule="reader-known",
        where="branches/north/loan1",
        reason="The card is in the post.",
        approved_by="Head librarian",
        expires="2027-01-31",
    )
    results = [
        result(library, "shelf-present", "north has a shelf", severity=Severity.INFO, verdict=Verdict.PASSED),
        *(
            result(library, "loan-days", "35 days, at most 28", loan, line=3, column=11, pointer="/days")
            for loan in loans[:6]
        ),
        *(
            result(library, "loan-days", f"{n} days, at most 28", loan, line=3, column=11, pointer="/days")
            for n, loan in zip((36, 37), loans[6:], strict=True)
        ),
        result(
            library,
            "loan-title",
            "Moby-Dick has a subtitle",
            loans[1],
            line=2,
            column=12,
            severity=Severity.WARNING,
        ),
        result(library, "reader-known", "R. Reader has no card", loans[1], line=4, column=13, waiver=waiver),
        result(
            library, "fee-table", "this rule could not be evaluated: 'price' is text", verdict=Verdict.ERROR
        ),
    ]
    return Report(
        submission_path=library,
        results=results,
        held=[
            Held(
                subject="branches/north",
                because=("shelf-present",),
                rules=("fee-table", "reader-known"),
                places=16,
            )
        ],
        not_applicable=[NotApplicable(rule="night-hours", subject=".", reason="open_at_night is false")],
        ruleset=RulesetInfo(
            id="2026",
            title="House rules",
            policy="house_rules.md at 0123456",
            rules=len(RULES),
            families={"building": "Building", "loans": "Loans", "fees": "Fees"},
            actions={"fine": "the reader pays a fine", "remind": "the reader is reminded"},
            clauses={"1": "Shelves", "4.1": "Length of loans", "9.1": "Automatic checks"},
        ),
        notes=["The rules of 2026 were chosen because the folder names no other."],
        rules=tuple(RULES.values()),
        charts=[chart()],
        tables=[
            Table(
                title="Loans",
                subject="branches/north",
                columns=("loan", "days"),
                rows=(("loan1", "35"), ("loan2", "35")),
            )
        ],
        checker="library-checker 1.0",
    )


def chart() -> Chart:
    """A chart with every feature in it."""
    points = tuple(
        ChartPoint(
            x=float(n),
            y=100.0 * n**0.7,
            label=f"loan{n}",
            subject=f"branches/north/loan{n}",
            mark="Renewed" if n == 128 else "",
            values={"days": "35"},
        )
        for n in (1, 2, 4, 8, 16, 32, 64, 128)
    )
    return Chart(
        title="North: pages read",
        subject="branches/north",
        x=Axis(label="readers", log=True),
        y=Axis(label="pages", unit="1/h"),
        series=(Series(label="pages", points=points, line="after"),),
        bands=(Band(label="Few", start=1, end=10), Band(label="Many", start=11, end=128)),
        notes=("The curve holds a value until the next point.",),
    )
