"""`submission-checker batch`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from submission_checker.archive.find import Found, find
from submission_checker.archive.records import (
    CRASHED,
    FAILED,
    NOT_COMPLETED,
    PASSED,
    TIMED_OUT,
    VERDICTS,
    Ledger,
    LedgerError,
    Record,
    made_by,
)
from submission_checker.archive.worker import Settings
from submission_checker.cli import INTERRUPTED, archiving, common, workflow
from submission_checker.cli.output import FileTrouble, echo
from submission_checker.engine.ruleset import Ruleset
from submission_checker.reports import FORMATS, Options
from submission_checker.reports.strings import columns_of, count, visible

NAME_COLUMNS = 60
_COLOURS = {PASSED: "32", FAILED: "1;31"}
_OTHER_COLOUR = "1;35"


class ReportsTarget(click.ParamType):  # type: ignore[type-arg]  # not generic in click 8.1
    """`FORMAT=DIR`."""

    name = "reports"

    def convert(
        self, value: str | tuple[str, Path], param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, Path]:
        """Split the format from the folder."""
        if isinstance(value, tuple):
            return value
        form, equals, folder = value.partition("=")
        if not equals or form not in FORMATS or not folder:
            self.fail(f"{value!r} is no FORMAT=DIR with a format of {', '.join(FORMATS)}", param, ctx)
        return form, Path(folder)


@click.command()
@click.argument("root", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "-o", "--output", "file", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
    help="Write a record of each submission to FILE, as JSON Lines.",
)  # fmt: skip
@click.option("--resume", is_flag=True, help="Go on with FILE: what is recorded there is not checked again.")
@click.option(
    "--reports", type=ReportsTarget(), multiple=True, metavar="FORMAT=DIR",
    help="Write a report of each submission below DIR. May be given several times.",
)  # fmt: skip
@click.option("--strict", is_flag=True, help="Fail on warnings too.")
@click.option("-q", "--quiet", is_flag=True, help="Print the last line only.")
@archiving.archive_options
@common.own_rules_option
@common.colour_option
@click.pass_context
def batch(
    ctx: click.Context,
    root: Path,
    file: Path | None,
    resume: bool,
    reports: tuple[tuple[str, Path], ...],
    strict: bool,
    quiet: bool,
    jobs: int,
    timeout: float,
    seed_sets: Path | None,
    approved_drafters: Path | None,
    keep_going: bool,
    ruleset: str | None,
    own_rules: str | None,
    colour: str,
) -> None:
    """Check every submission below ROOT and print one line for each.

    A folder that holds results/ is a submission. Nothing stops the others: a broken submission, one that
    takes too long, or one that brings its process down gets its line as well.

    \b
      submission-checker batch archive -o records.jsonl
      submission-checker batch archive -o records.jsonl --resume     after it was interrupted
      submission-checker batch archive --reports html=pages

    \b
    Exit codes:
      0  every submission passed
      1  at least one failed (with --strict: or has warnings)
      2  the command was called wrongly
      3  at least one could not be checked to the end, or there is none
    """
    if resume and file is None:
        raise click.UsageError("--resume needs the file to go on with: -o FILE")
    name = common.chosen_ruleset(ruleset, own_rules)
    tailored = common.tailoring()
    settings = Settings(
        root=root,
        ruleset=name,
        tailoring=tailored,
        seed_sets=seed_sets,
        approved_drafters=approved_drafters,
        keep_going=keep_going,
        reports=reports,
        options=Options(strict=strict, base=workflow.base()),
    )
    rules = common.load_ruleset(name, tailored)
    found = find(root, rules.layout.root_holds)
    archiving.tell_unlisted(found)
    ledger = open_ledger(file, resume, rules)
    try:
        archiving.gather(ledger, found, settings, rules, jobs=jobs, timeout=timeout)
    except KeyboardInterrupt:
        _tell_interrupted(ledger, found, file)
        ctx.exit(INTERRUPTED)
    records = ledger.finish()
    if not quiet:
        echo("\n".join(table(records, strict, common.wants_colour(colour))) + "\n")
    echo(summary(records, strict))
    common.fail_unused(tailored, useless(records))
    ctx.exit(exit_code(records, found, strict))


def open_ledger(file: Path | None, resume: bool, rules: Ruleset) -> Ledger:
    """Open a file of records, or end with what is wrong with it.

    Raises:
        click.UsageError: where it is of no use.
        FileTrouble: where it cannot be read or written.
    """
    try:
        return Ledger(file, resume=resume, made_by=made_by(rules))
    except LedgerError as error:
        raise click.UsageError(str(error)) from None
    except OSError as error:
        raise FileTrouble(file, error) from None


def table(records: Iterable[Record], strict: bool, colour: bool) -> Iterator[str]:
    """Yield a line for each submission, with a heading."""
    rows = [(visible(record["submission"], NAME_COLUMNS), record) for record in records]
    width = max((columns_of(name) for name, _ in rows), default=0)
    width = max(width, len("submission"))
    yield f"{'submission':<{width}}  {'verdict':<13}  {'errors':>6}  {'warnings':>8}"
    for name, record in rows:
        verdict = word(record, strict)
        painted = f"{verdict:<13}"
        if colour:
            painted = f"\x1b[{_COLOURS.get(verdict, _OTHER_COLOUR)}m{painted}\x1b[0m"
        padding = " " * (width - columns_of(name))
        line = f"{name}{padding}  {painted}  {record['errors']:>6}  {record['warnings']:>8}"
        yield line + (f"  {visible(record['message'], 120)}" if record["message"] else "")
    yield ""


def word(record: Record, strict: bool) -> str:
    """Return the verdict of a record; strictly, warnings fail."""
    verdict = str(record["verdict"])
    return FAILED if strict and verdict == PASSED and record["warnings"] else verdict


def summary(records: list[Record], strict: bool) -> str:
    """Return the last line: how many submissions there are of each verdict."""
    verdicts = Counter(word(record, strict) for record in records)
    told = ", ".join(f"{verdicts[verdict]} {verdict}" for verdict in VERDICTS if verdicts[verdict])
    return f"{count(len(records), 'submission')}: {told or 'nothing was checked'}"


def exit_code(records: list[Record], found: Found, strict: bool) -> int:
    """Return 0, 1 or 3, as for a single check; no submission at all is no success."""
    verdicts = {word(record, strict) for record in records}
    if not records or found.unlisted or verdicts & {NOT_COMPLETED, CRASHED, TIMED_OUT}:
        return common.INCOMPLETE
    return 1 if FAILED in verdicts else 0


def useless(records: Iterable[Record]) -> set[int]:
    """Return the numbers of the waivers that match no finding of any submission that was judged."""
    numbers = [set(record["unused_waivers"]) for record in records if record["rules"]]
    return set.intersection(*numbers) if numbers else set()


def _tell_interrupted(ledger: Ledger, found: Found, file: Path | None) -> None:
    done = sum(name in ledger.records for name in found.submissions)
    kept = "" if file is None else f"; {file} keeps them, --resume goes on"
    click.echo(
        f"\nInterrupted: {done} of {count(len(found.submissions), 'submission')} checked{kept}.", err=True
    )
