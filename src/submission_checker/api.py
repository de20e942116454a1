"""The documented programmatic API: check a folder, get a report."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any, TypedDict

from submission_checker import resources
from submission_checker.engine import ruleset as rulesets
from submission_checker.engine import tailoring as tailorings
from submission_checker.engine import waivers as waiving
from submission_checker.engine.choosing import choose
from submission_checker.engine.errors import Mistake, RulesetError, did_you_mean
from submission_checker.engine.judge import Judge, Progress
from submission_checker.engine.model import CheckResult, Held, Report, Severity
from submission_checker.engine.ruleset import Ruleset
from submission_checker.engine.subjects import Run, find_root
from submission_checker.engine.tailoring import Tailoring, TailoringError
from submission_checker.engine.views import build as build_views
from submission_checker.functions import BUILTINS
from submission_checker.version import NAME, __version__

__all__ = [
    "CheckResult",
    "Report",
    "RulesetError",
    "Severity",
    "SubmissionChecker",
    "Tailoring",
    "load_ruleset",
    "read_tailoring",
]

RULESET_VARIABLE = "MLPERF_ENDPOINTS_RULESET"
AUTO = "auto"
"""Name that stands for the ruleset that each submission is meant for."""


def load_ruleset(
    name: str | Path | None = None, *, examples: bool = False, tailoring: Tailoring | None = None
) -> Ruleset:
    """Load a shipped ruleset by its name, or a user's own by its folder.

    Args:
        name: A shipped ruleset's name, or the path of a ruleset's folder. By default what
            `$MLPERF_ENDPOINTS_RULESET` says, else the newest shipped one that is no draft.
            `auto`, which asks for a submission, counts as the newest here.
        examples: Keep the examples inside the rules.
        tailoring: Changes to lay over it, see `read_tailoring`.

    Raises:
        RulesetError: where there is no such ruleset, or it cannot be used.
    """
    folder, own = _folder(name)
    # A user's own may have been edited since it was last asked for.
    return (_load if own else _load_once)(folder, own, examples, tailoring)


def _load(folder: Path, own: bool, examples: bool, tailoring: Tailoring | None) -> Ruleset:
    return rulesets.load(
        folder,
        **_shipped(),
        tailored=tailoring,
        examples=examples,
        # What ships is linked by the tests; a user's own is linked each time.
        validate=own or tailoring is not None,
    )


_load_once = lru_cache(maxsize=8)(_load)


def survey_ruleset(name: str | Path | None = None, *, tailoring: Tailoring | None = None) -> rulesets.Survey:
    """Load what can be used of a ruleset, examples included, and collect what is wrong with the rest.

    Args:
        name: As for `load_ruleset`.
        tailoring: As for `load_ruleset`.

    Raises:
        RulesetError: where there is no such ruleset.
    """
    folder, _ = _folder(name)
    return rulesets.survey(
        folder,
        **_shipped(),
        tailored=tailoring,
        examples=True,
    )


def read_tailoring(file: str | Path, *, as_of: date | None = None, waivers: bool = True) -> Tailoring:
    """Read a tailoring file: one user's changes to a ruleset, and waivers.

    Args:
        file: The file.
        as_of: The day of the check, which decides whether a waiver still holds; today in UTC by default.
        waivers: Whether to apply the waivers.

    Raises:
        TailoringError: where the file cannot be read or is not shaped like a tailoring.
    """
    schema = resources.schemas() / "tailoring.schema.json"
    return tailorings.read(Path(file), schema=schema, as_of=as_of, with_waivers=waivers)


class _Shipped(TypedDict):
    functions: Mapping[str, Callable[..., Any]]
    schemas: Path
    rulesets: Path


def _shipped() -> _Shipped:
    """Return what every ruleset may build on: our functions, schemas and rulesets."""
    return {"functions": BUILTINS, "schemas": resources.schemas(), "rulesets": resources.rulesets()}


def _folder(name: str | Path | None) -> tuple[Path, bool]:
    """Return the folder of a ruleset, and whether it is a user's own."""
    shipped = resources.rulesets()
    known = sorted(path.parent.name for path in shipped.glob("*/ruleset.yaml"))
    wanted = _wanted(name)
    if wanted in known:
        return shipped / wanted, False
    if wanted in ("latest", AUTO):
        newest = _finished()
        if newest:
            return shipped / newest[0], False
    if not _is_folder(wanted):
        hint = did_you_mean(wanted[:80], known) or f"; there are {', '.join(known)}, latest and {AUTO}"
        raise RulesetError([Mistake("", None, None, f"no ruleset named {wanted:.80}{hint}")])
    return Path(wanted), True


def _is_folder(name: str) -> bool:
    try:
        return Path(name).is_dir()
    except (OSError, ValueError):  # no name that a folder could have
        return False


def is_auto(name: str | Path | None) -> bool:
    """Tell whether each submission chooses its ruleset: the name says so, or without one the environment."""
    return _wanted(name) == AUTO


def _wanted(name: str | Path | None) -> str:
    return str(name or os.environ.get(RULESET_VARIABLE) or "latest")


def _finished() -> list[str]:
    """Name the shipped rulesets that are no drafts, the newest first."""
    files = sorted(resources.rulesets().glob("*/ruleset.yaml"), reverse=True)
    # Their settings are not loaded for this: it is asked at every start.
    return [file.parent.name for file in files if "\ndraft: true\n" not in file.read_text(encoding="utf-8")]


class SubmissionChecker:
    """Checks one submission folder.

    Args:
        submission_path: The submission's folder, or the one just above it.
        seed_sets_path: A file of published seed sets instead of the ruleset's own.
        approved_drafters_path: A published list of approved drafters instead of the ruleset's own.
        ruleset: A ruleset's name or folder, see `load_ruleset`; or `auto` for the one that the submission is
            meant for by what it declares.
        keep_going: Check also what a broken rule would hide.
        details: Keep in the report which rules did not apply, and why.
        views: Draw up the ruleset's charts and tables too.
        progress: Called again and again with how many folders were judged, and how many there are.
        tailoring: A tailoring file, or what `read_tailoring` made of one: changes to the ruleset, and
            waivers. With a `Ruleset` that is loaded already, its own tailoring counts.
        as_of: The day of the check, which decides whether a waiver still holds; today in UTC by default.
        unused_waivers: Let waivers stand that match no finding, as is meant for one of many submissions.

    Raises:
        RulesetError: where the ruleset or the tailoring cannot be used.
    """

    def __init__(
        self,
        submission_path: Path,
        seed_sets_path: Path | None = None,
        approved_drafters_path: Path | None = None,
        ruleset: str | Path | Ruleset | None = None,
        *,
        keep_going: bool = False,
        details: bool = False,
        views: bool = False,
        progress: Progress | None = None,
        tailoring: str | Path | Tailoring | None = None,
        as_of: date | None = None,
        unused_waivers: bool = False,
    ):
        self._notes: list[str] = []
        if tailoring is not None and not isinstance(tailoring, Tailoring):
            tailoring = read_tailoring(tailoring, as_of=as_of)
        if isinstance(ruleset, Ruleset):
            self.ruleset = ruleset
        elif is_auto(ruleset):
            self.ruleset, note = choose(map(load_ruleset, _finished()), Path(submission_path))
            if tailoring is not None:
                self.ruleset = load_ruleset(self.ruleset.info.id, tailoring=tailoring)
            self._notes.append(note)
        else:
            self.ruleset = load_ruleset(ruleset, tailoring=tailoring)
        self._unused_waivers = unused_waivers
        self.submission_path = find_root(self.ruleset.layout, Path(submission_path))
        self._given = {"seed_sets": seed_sets_path, "approved_drafters": approved_drafters_path}
        self._keep_going = keep_going
        self._details = details
        self._views = views
        self._progress = progress

    def _inputs(self) -> dict[str, Path]:
        """Return the files that serve the ruleset's inputs: as given, else as the environment says."""
        found: dict[str, Path] = {}
        for source in self.ruleset.layout.documents.values():
            if source.option is None:
                continue
            given = self._given.get(source.option)
            named = os.environ.get(source.variable) if source.variable else None
            if given is not None:
                found[source.option] = Path(given)
            elif named:
                found[source.option] = Path(named)
        return found

    def run(self) -> Report:
        """Check the submission and return the report. Files are read anew each time.

        Raises:
            TailoringError: where a waiver matches no finding.
        """
        run = Run(self.ruleset, self.submission_path, self._inputs())
        judge = Judge(
            self.ruleset,
            run,
            keep_going=self._keep_going,
            details=self._details,
            progress=self._progress,
        )
        results, held = judge.judge_all()
        results, unused = self._waived(results, held, run) if self.ruleset.waivers else (results, ())
        charts, tables = build_views(self.ruleset, judge.top) if self._views else ([], [])
        return Report(
            submission_path=self.submission_path,
            results=results,
            held=held,
            not_applicable=judge.not_applicable,
            ruleset=self.ruleset.info,
            notes=[*self._notes, *run.notes],
            unused_waivers=unused,
            rules=tuple(rule.info for rule in self.ruleset.rules.values()),
            charts=charts,
            tables=tables,
            checker=f"{NAME} {__version__}",
        )

    def _waived(
        self, results: list[CheckResult], held: list[Held], run: Run
    ) -> tuple[list[CheckResult], tuple[int, ...]]:
        """Waive findings; return the results and the numbers of the waivers without use."""
        outcome = waiving.apply(self.ruleset.waivers, self.ruleset.find, results, held)
        if outcome.unused and not self._unused_waivers:
            raise TailoringError([tailorings.mistake_of_unused(entry) for entry in outcome.unused])
        for entry in outcome.untried:
            run.note(f"the waiver of {entry.waiver.rule} was not needed: the rule was held back")
        numbers = (self.ruleset.waivers.index(entry) for entry in outcome.unused)
        return outcome.results, tuple(numbers)
