"""What the commands over an archive share: their options, and the run over all its submissions."""

from __future__ import annotations

import os

import click

from submission_checker.archive import pool
from submission_checker.archive.find import Found
from submission_checker.archive.records import (
    CRASHED,
    PASSED,
    TIMED_OUT,
    Ledger,
    failure_of,
    made_by,
)
from submission_checker.archive.worker import Settings, checker
from submission_checker.cli import common
from submission_checker.cli.common import Command
from submission_checker.cli.progress import ProgressLine
from submission_checker.engine.ruleset import Ruleset
from submission_checker.reports.strings import visible

TIMEOUT = 600.0


def archive_options(function: Command) -> Command:
    """Add how to check an archive: in how many processes, for how long, with which ruleset."""
    return common.with_options(
        function,
        click.option(
            "--jobs", type=click.IntRange(1, 256), default=cores, metavar="N",
            help="Check N submissions at once. [default: one for each processor]",
        ),
        click.option(
            "--timeout", type=click.FloatRange(0, min_open=True), default=TIMEOUT, show_default=True,
            metavar="SECONDS", help="Give a submission up after so long.",
        ),
        common.checking_options,
        common.ruleset_option,
        common.tailoring_options,
    )  # fmt: skip


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def gather(
    ledger: Ledger, found: Found, settings: Settings, rules: Ruleset, *, jobs: int, timeout: float
) -> None:
    """Check what has no record yet, and keep a record of each."""
    left = [name for name in found.submissions if name not in ledger.records]
    done, total = len(found.submissions) - len(left), len(found.submissions)
    bad = sum(record["verdict"] != PASSED for record in ledger.records.values())
    with ProgressLine("Checking", "submissions", columns=common.width(), delay=0.2) as progress:
        for outcome in pool.run(left, checker, settings, jobs=min(jobs, len(left) or 1), timeout=timeout):
            record = outcome.value
            if outcome.failure:
                verdict = TIMED_OUT if outcome.timed_out else CRASHED
                record = failure_of(outcome.task, verdict, outcome.failure, made_by(rules))
            ledger.add(record)
            done += 1
            bad += record["verdict"] != PASSED
            progress(done, total, f", {bad} not passed")


def tell_unlisted(found: Found) -> None:
    """Say what could not be searched for submissions."""
    for text in found.unlisted:
        click.echo(f"Not searched: {visible(text)}", err=True)
