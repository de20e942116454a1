"""What a worker does with a submission."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from submission_checker.api import AUTO, SubmissionChecker, is_auto, load_ruleset
from submission_checker.archive.records import Record, record_of
from submission_checker.engine.tailoring import Tailoring
from submission_checker.reports import FORMATS, Options, render


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How every submission of an archive is checked."""

    root: Path
    ruleset: str | None = None
    tailoring: Tailoring | None = None
    seed_sets: Path | None = None
    approved_drafters: Path | None = None
    keep_going: bool = False
    reports: tuple[tuple[str, Path], ...] = ()
    """Formats, and the folders that take a report of each submission."""
    options: Options = field(default_factory=Options)


def checker(settings: Settings) -> Callable[[str], Record]:
    """Return what checks a submission of an archive, writes its reports, and returns its record."""
    ruleset = (
        AUTO if is_auto(settings.ruleset) else load_ruleset(settings.ruleset, tailoring=settings.tailoring)
    )
    views = any(FORMATS[form].views for form, _ in settings.reports)

    def check(name: str) -> Record:
        report = SubmissionChecker(
            settings.root / name,
            settings.seed_sets,
            settings.approved_drafters,
            ruleset,
            keep_going=settings.keep_going,
            details=True,
            views=views,
            tailoring=settings.tailoring,
            unused_waivers=True,
        ).run()
        for form, folder in settings.reports:
            file = report_file(settings.root, name, form, folder)
            file.parent.mkdir(parents=True, exist_ok=True)
            text = render(form, report, settings.options)
            file.write_text(text, encoding="utf-8", errors="backslashreplace")
        return record_of(name, report, "" if settings.tailoring is None else settings.tailoring.fingerprint)

    return check


def report_file(root: Path, name: str, form: str, folder: Path) -> Path:
    """Return the file for a submission's report."""
    path = root.resolve().name if name == "." else name
    return folder / f"{path}{FORMATS[form].suffix}"
