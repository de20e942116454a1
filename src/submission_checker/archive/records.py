"""What is kept of each submission: a line of JSON, as `schemas/batch.schema.json` says."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from submission_checker.engine.model import Report
from submission_checker.engine.ruleset import Ruleset
from submission_checker.reports import digest
from submission_checker.reports.digest import Kind
from submission_checker.reports.strings import shortened
from submission_checker.version import NAME, __version__

Record = dict[str, Any]

PASSED, FAILED, NOT_COMPLETED, CRASHED, TIMED_OUT = VERDICTS = (
    "passed", "failed", "not completed", "crashed", "timed out",
)  # fmt: skip
"""What became of a submission, in words."""

MESSAGE_LIMIT = 2_000

_KINDS = {
    Kind.PASSED: "passed",
    Kind.ERROR: "error",
    Kind.WARNING: "warning",
    Kind.NOTE: "note",
    Kind.WAIVED: "waived",
    Kind.INCOMPLETE: "not_evaluated",
    Kind.NOT_CHECKED: "not_applicable",
}


class LedgerError(ValueError):
    """A file of records cannot be gone on with."""


def record_of(name: str, report: Report, tailoring: str = "") -> Record:
    """Return the record of a finished check.

    Args:
        name: The submission.
        report: What was found, with its details.
        tailoring: The fingerprint of the tailoring, if there was one.
    """
    counts = digest.counts_of(report)
    verdict = {0: PASSED, 1: FAILED}.get(report.exit_code(), NOT_COMPLETED)
    return {
        "submission": name,
        "verdict": verdict,
        "errors": counts[Kind.ERROR],
        "warnings": counts[Kind.WARNING],
        "not_evaluated": counts[Kind.INCOMPLETE],
        "waived": counts[Kind.WAIVED],
        "passed": counts[Kind.PASSED],
        "held": sum(held.places for held in report.held),
        "message": "",
        "ruleset": report.ruleset.id,
        "tailoring": tailoring,
        "checker": report.checker,
        "unused_waivers": list(report.unused_waivers),
        "rules": {rule: dict(sorted(kinds.items())) for rule, kinds in _by_rule(report).items()},
    }


def made_by(ruleset: Ruleset) -> dict[str, str]:
    """Return what all records of one archive agree in."""
    tailored = "" if ruleset.tailoring is None else ruleset.tailoring.fingerprint
    return {"ruleset": ruleset.info.id, "tailoring": tailored, "checker": f"{NAME} {__version__}"}


def failure_of(name: str, verdict: str, message: str, origin: Mapping[str, str]) -> Record:
    """Return the record of a check that came to no end; *origin* is what `made_by` gives."""
    numbers = dict.fromkeys(("errors", "warnings", "not_evaluated", "waived", "passed", "held"), 0)
    return {
        "submission": name,
        "verdict": verdict,
        **numbers,
        "message": shortened(message, MESSAGE_LIMIT),
        **origin,
        "unused_waivers": [],
        "rules": {},
    }


def _by_rule(report: Report) -> dict[str, Counter[str]]:
    """Count, for each rule, the judgements of each kind; a rule that holds in silence counts as passed."""
    counted: dict[str, Counter[str]] = {rule.id: Counter() for rule in report.rules}
    for result in report.results:
        counted.setdefault(result.rule, Counter())[_KINDS[digest.kind_of(result)]] += 1
    for item in report.not_applicable:
        counted.setdefault(item.rule, Counter())["not_applicable" if item.reason else "passed"] += 1
    for held in report.held:
        for rule, number in held.counts.items():
            counted.setdefault(rule, Counter())["held"] += number
    return counted


def sorted_records(records: Iterable[Record]) -> list[Record]:
    """Return records by their submissions' paths."""
    return sorted(records, key=lambda record: str(record["submission"]).split("/"))


class Ledger:
    """A file of records: a line for each submission as it comes, and all in order at the end.

    Args:
        file: The file; None keeps the records in memory.
        resume: Go on with what is in the file.
        made_by: What all records must agree in, such as the ruleset.

    Raises:
        LedgerError: where the file cannot be gone on with.
        OSError: where it cannot be read or written.
    """

    def __init__(self, file: Path | None, *, resume: bool = False, made_by: Mapping[str, str]):
        self.records: dict[str, Record] = {}
        self._file = file
        self._made_by = dict(made_by)
        if file is None:
            return
        if file.exists() and file.stat().st_size and not resume:
            raise LedgerError(f"{file} exists already; --resume goes on with it")
        if file.exists():
            self._read(file)
        self._stream = file.open("a", encoding="ascii", newline="\n")

    def _read(self, file: Path) -> None:
        good = 0
        with file.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                record = _parsed(line)
                if record is None:
                    # Only the last line can be torn: the program was killed while it wrote.
                    if lines.read(1):
                        raise LedgerError(f"{file}, line {number} is no record of this program")
                    break
                self._agree(record, f"{file}, line {number}")
                self.records[str(record["submission"])] = record
                good += len(line)
        if good < file.stat().st_size:
            os.truncate(file, good)

    def _agree(self, record: Record, where: str) -> None:
        for key, wanted in self._made_by.items():
            if record.get(key) != wanted:
                raise LedgerError(f"{where} was written with the {key} {record.get(key)}, not {wanted}")

    def add(self, record: Record) -> None:
        """Keep a record; it is in the file when this returns."""
        self.records[str(record["submission"])] = record
        if self._file is not None:
            self._stream.write(line_of(record))
            self._stream.flush()

    def finish(self) -> list[Record]:
        """Put the file in the order of the submissions, and return the records."""
        ordered = sorted_records(self.records.values())
        if self._file is not None:
            self._stream.close()
            # In one step: whoever looks, or kills the program, finds the one file or the other.
            fresh = self._file.with_name(self._file.name + ".new")
            fresh.write_text("".join(map(line_of, ordered)), encoding="ascii", newline="\n")
            fresh.replace(self._file)
        return ordered


def line_of(record: Record) -> str:
    """Return a record as its line."""
    return json.dumps(record) + "\n"


def read_records(file: Path) -> Iterator[Record]:
    """Yield the records of a file that is complete.

    Raises:
        LedgerError: for a line that is none.
    """
    with file.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            record = _parsed(line)
            if record is None:
                raise LedgerError(f"{file}, line {number} is no record of this program")
            yield record


def _parsed(line: bytes) -> Record | None:
    if not line.endswith(b"\n"):
        return None
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    good = isinstance(record, dict) and isinstance(record.get("submission"), str)
    return record if good and record.get("verdict") in VERDICTS else None
