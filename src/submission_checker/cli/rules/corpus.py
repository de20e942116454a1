"""`submission-checker rules corpus`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from submission_checker.archive.coverage import RuleCoverage, coverage
from submission_checker.archive.find import find
from submission_checker.archive.records import Ledger, LedgerError, Record, made_by, read_records
from submission_checker.archive.worker import Settings
from submission_checker.cli import archiving, common
from submission_checker.cli.output import echo
from submission_checker.cli.rules import printing
from submission_checker.engine.ruleset import Ruleset
from submission_checker.reports.strings import count, visible

_NEVER = (
    ("applied", "Never applied: no submission has what they look at, or something else hid it"),
    ("broken", "Applied, but never broken"),
    ("passed", "Applied, but never passed"),
)


@click.command()
@click.argument("root", type=click.Path(exists=True, path_type=Path))
@archiving.archive_options
@common.own_rules_option
@printing.format_option
@click.pass_context
def corpus(
    ctx: click.Context,
    root: Path,
    jobs: int,
    timeout: float,
    seed_sets: Path | None,
    approved_drafters: Path | None,
    keep_going: bool,
    ruleset: str | None,
    own_rules: str | None,
    form: str,
) -> None:
    """Say how often each rule applied, broke, passed or was held back over an archive, and which never did.

    ROOT is a folder with submissions somewhere below, or what `batch -o FILE` wrote about one.

    \b
      submission-checker rules corpus archive
      submission-checker rules corpus records.jsonl --format json

    \b
    Exit codes:
      0  every submission was judged
      3  at least one could not be judged, or there is none
    """
    name = common.chosen_ruleset(ruleset, own_rules)
    tailored = common.tailoring()
    rules = common.load_ruleset(name, tailored)
    if root.is_file():
        records, complete = _recorded(root, rules), True
    else:
        settings = Settings(
            root=root,
            ruleset=name,
            tailoring=tailored,
            seed_sets=seed_sets,
            approved_drafters=approved_drafters,
            keep_going=keep_going,
        )
        found = find(root, rules.layout.root_holds)
        archiving.tell_unlisted(found)
        ledger = Ledger(None, made_by=made_by(rules))
        archiving.gather(ledger, found, settings, rules, jobs=jobs, timeout=timeout)
        records, complete = ledger.finish(), not found.unlisted
    lost = [record for record in records if not record["rules"]]
    rows = coverage(records, rules.rules)
    if form == "json":
        printing.print_json(_as_json(rules, records, lost, rows))
    else:
        echo("\n".join(_lines(rules, records, lost, rows)))
    ctx.exit(0 if records and complete and not lost else common.INCOMPLETE)


def _recorded(file: Path, rules: Ruleset) -> list[Record]:
    try:
        records = list(read_records(file))
    except (LedgerError, OSError) as error:
        raise click.UsageError(str(error)) from None
    other = next((record for record in records if record["ruleset"] != rules.info.id), None)
    if other is not None:
        raise click.UsageError(f"{file} was written with the ruleset {other['ruleset']}, not {rules.info.id}")
    return records


def _as_json(
    rules: Ruleset, records: Sequence[Record], lost: Sequence[Record], rows: Sequence[RuleCoverage]
) -> dict[str, object]:
    return {
        "ruleset": rules.info.id,
        "submissions": len(records),
        "not_judged": [record["submission"] for record in lost],
        "rules": [
            {
                "rule": row.rule,
                "applied": row.applied,
                "passed": row.passed,
                "broken": row.broken,
                "broken_in": row.broken_in,
                "held": row.held,
                "not_evaluated": row.not_evaluated,
                "not_applicable": row.not_applicable,
            }
            for row in rows
        ],
    }


def _lines(
    rules: Ruleset, records: Sequence[Record], lost: Sequence[Record], rows: Sequence[RuleCoverage]
) -> Iterator[str]:
    width = max([4, *(len(row.rule) for row in rows)])
    titles = ("applied", "passed", "broken", "in", "held back", "not evaluated")
    yield f"{'rule':<{width}}" + "".join(f"  {title:>{max(7, len(title))}}" for title in titles)
    for row in rows:
        numbers = (row.applied, row.passed, row.broken, row.broken_in, row.held, row.not_evaluated)
        told = zip(titles, numbers, strict=True)
        yield f"{row.rule:<{width}}" + "".join(f"  {number:>{max(7, len(title))}}" for title, number in told)
    yield ""
    for what, title in _NEVER:
        never = [row.rule for row in rows if not getattr(row, what) and (row.applied or what == "applied")]
        if never:
            yield f"{title} ({len(never)}):"
            yield printing.wrapped(", ".join(never), common.width())
            yield ""
    for record in lost:
        why = f"{record['verdict']}, {visible(record['message'])}"
        yield f"Not judged: {visible(record['submission'])}: {why}"
    yield f"{count(len(records), 'submission')}, {count(len(rows), 'rule')} of {rules.info.id}"
