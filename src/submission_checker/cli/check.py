"""`submission-checker check`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from submission_checker import api
from submission_checker.api import Report, SubmissionChecker
from submission_checker.cli import common, workflow
from submission_checker.cli.output import Target, TargetType, check_targets, echo, write
from submission_checker.cli.progress import ProgressLine
from submission_checker.engine.errors import RulesetError
from submission_checker.engine.tailoring import Tailoring
from submission_checker.reports import FORMATS, Options, render
from submission_checker.reports.strings import visible


@dataclass(frozen=True, slots=True, kw_only=True)
class _Request:
    """What a call of the command asks for."""

    paths: tuple[Path, ...]
    ruleset: str | None
    seed_sets: Path | None
    approved_drafters: Path | None
    keep_going: bool
    form: str
    targets: tuple[Target, ...]
    annotate: bool
    options: Options

    def run(self) -> int:
        """Check every path and write every report; return the exit code."""
        printed: list[str] = []
        codes: list[int] = []
        # Read anew each time, like the submissions.
        tailored = common.tailoring()
        unused: list[set[int]] = []
        for path, report in self._reports(tailored):
            unused.append(set(report.unused_waivers))
            codes.append(report.exit_code(strict=self.options.strict))
            self._write_files(path, report)
            text = render(self.form, report, self.options)
            if FORMATS[self.form].joins:
                echo("\n" + text if len(codes) > 1 and self.form != "github" else text)
            else:
                printed.append(text)
            if self.annotate:
                plain = self._file_options()
                if self.form != "github":
                    workflow.annotate(report, plain)
                workflow.summarise(report, plain)
        if printed:
            # Only JSON can hold several reports of those that cannot follow each other.
            echo(printed[0] if len(printed) == 1 else f"[\n{','.join(printed)}]\n")
        if len(codes) > 1 and self.form == "text":
            echo(f"\n{codes.count(0)} of {len(codes)} submissions passed.\n")
        # A waiver is for one of several submissions; one that is for none is a mistake.
        common.fail_unused(tailored, set.intersection(*unused))
        return max(codes)

    def _reports(self, tailored: Tailoring | None) -> Iterator[tuple[Path, Report]]:
        # A ruleset that each submission chooses is loaded with the submission.
        auto = api.is_auto(self.ruleset)
        ruleset = api.AUTO if auto else common.load_ruleset(self.ruleset, tailored)
        forms = [FORMATS[self.form], *(FORMATS[target.form] for target in self.targets)]
        for path in self.paths:
            with ProgressLine(f"Checking {path}", "folders", columns=common.width()) as progress:
                try:
                    checker = SubmissionChecker(
                        path,
                        self.seed_sets,
                        self.approved_drafters,
                        ruleset,
                        keep_going=self.keep_going,
                        details=self.options.verbose or any(form.details for form in forms),
                        views=any(form.views for form in forms),
                        progress=progress,
                        tailoring=tailored,
                        unused_waivers=True,
                    )
                except RulesetError as error:
                    common.fail_ruleset(error)
                report = checker.run()
            yield path, report

    def _write_files(self, path: Path, report: Report) -> None:
        options = self._file_options()
        for target in self.targets:
            write(target.path(path), render(target.form, report, options))

    def _file_options(self) -> Options:
        """Return how to write what is not printed: without colours, in the usual width."""
        shown = self.options
        return Options(
            quiet=shown.quiet, verbose=shown.verbose, strict=shown.strict, limit=shown.limit, base=shown.base
        )

    def watch(self) -> int:
        """Check again after every change until the user has enough; return the last check's exit code."""
        from submission_checker.cli.watching import changes

        extra = [path for path in (self.seed_sets, self.approved_drafters) if path is not None]
        own = self.ruleset is not None and Path(self.ruleset).is_dir()
        extra += [Path(self.ruleset)] if own and self.ruleset else []
        extra += common.tailoring_files()
        written = [target.path(path) for target in self.targets for path in self.paths]
        code = 0
        try:
            for changed in changes([*self.paths, *extra], written):
                click.clear()
                _tell_changed(changed)
                try:
                    code = self.run()
                except SystemExit as end:
                    # A ruleset that cannot be used just now is repaired while it is watched.
                    code = int(end.code or 0)
                click.echo(f"\nWatching {_places(self.paths)} for changes; Ctrl-C ends.", err=True)
        except KeyboardInterrupt:
            click.echo(err=True)
        return code


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=common.SubmissionPath())
@click.option("--strict", is_flag=True, help="Fail on warnings too.")
@click.option("-q", "--quiet", is_flag=True, help="Print findings and the verdict only.")
@click.option(
    "-v", "--verbose", is_flag=True, help="Print also what passed, and what was not checked and why."
)
@click.option(
    "-o", "--output", "targets", type=TargetType(), multiple=True, metavar="[FORMAT=]FILE",
    help="Write the report to FILE as well, as JSON or in FORMAT. May be given several times; "
    "{name} in FILE stands for the submission's name.",
)  # fmt: skip
@click.option(
    "--format", "form", type=click.Choice(list(FORMATS)), default="text", show_default=True,
    help="How to print the report.",
)  # fmt: skip
@click.option(
    "--limit", type=click.IntRange(min=0), default=100, show_default=True, metavar="N",
    help="Show at most N findings to people, and count the rest; 0 shows all.",
)  # fmt: skip
@click.option("--watch", is_flag=True, help="Check again when a file changes, until Ctrl-C.")
@click.option(
    "--annotate/--no-annotate", default=None,
    help="Findings as annotations on standard error, and a summary of the job; by default inside a "
    "GitHub workflow.",
)  # fmt: skip
@common.checking_options
@common.ruleset_option
@common.own_rules_option
@common.tailoring_options
@common.colour_option
@click.pass_context
def check(
    ctx: click.Context,
    paths: tuple[Path, ...],
    strict: bool,
    quiet: bool,
    verbose: bool,
    targets: tuple[Target, ...],
    form: str,
    limit: int,
    watch: bool,
    annotate: bool | None,
    seed_sets: Path | None,
    approved_drafters: Path | None,
    keep_going: bool,
    ruleset: str | None,
    own_rules: str | None,
    colour: str,
) -> None:
    """Check the submission at each PATH and print what was found.

    PATH is the folder that holds results/, docs/ and src/, or the one just above it.

    \b
      submission-checker check my-submission
      submission-checker check my-submission --strict -o report.json -o html=report.html
      submission-checker check my-submission --format json | jq .passed
      submission-checker check my-submission --watch

    \b
    Exit codes (of several submissions the highest):
      0  every rule that applies holds
      1  at least one rule is broken (with --strict: or warns)
      2  the command was called wrongly
      3  the check could not be completed (ruleset, table, or a rule without an answer)
    """
    check_targets(targets, paths)
    if len(paths) > 1 and not FORMATS[form].joins and form != "json":
        raise click.BadParameter(
            f"{form} holds one submission; write files instead: -o {form}={{name}}{FORMATS[form].suffix}",
            param_hint="--format",
        )
    request = _Request(
        paths=paths,
        ruleset=common.chosen_ruleset(ruleset, own_rules),
        seed_sets=seed_sets,
        approved_drafters=approved_drafters,
        keep_going=keep_going,
        form=form,
        targets=targets,
        annotate=workflow.runs_here() if annotate is None else annotate,
        options=Options(
            colour=common.wants_colour(colour),
            width=common.width(),
            quiet=quiet,
            verbose=verbose,
            strict=strict,
            limit=limit,
            base=workflow.base(),
        ),
    )
    ctx.exit(request.watch() if watch else request.run())


def _places(paths: tuple[Path, ...]) -> str:
    return visible(str(paths[0])) if len(paths) == 1 else f"{len(paths)} submissions"


def _tell_changed(changed: list[str]) -> None:
    if changed:
        more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        click.echo(f"Changed: {visible(changed[0], 200)}{more}\n", err=True)
