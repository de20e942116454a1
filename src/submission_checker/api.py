"""The documented programmatic API: check a folder, get a report."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

from submission_checker import resources
from submission_checker.engine import ruleset as rulesets
from submission_checker.engine.choosing import choose
from submission_checker.engine.errors import Mistake, RulesetError, did_you_mean
from submission_checker.engine.judge import Judge, Progress
from submission_checker.engine.model import CheckResult, Report, Severity
from submission_checker.engine.ruleset import Ruleset
from submission_checker.engine.subjects import Run, find_root
from submission_checker.engine.views import build as build_views
from submission_checker.functions import BUILTINS
from submission_checker.version import NAME, __version__

__all__ = ["CheckResult", "Report", "Severity", "SubmissionChecker", "load_ruleset"]

RULESET_VARIABLE = "MLPERF_ENDPOINTS_RULESET"
AUTO = "auto"
"""Name that stands for the ruleset that each submission is meant for."""


@lru_cache(maxsize=8)
def load_ruleset(name: str | Path | None = None, *, examples: bool = False) -> Ruleset:
    """Load a shipped ruleset by its name, or a user's own by its folder.

    Args:
        name: A shipped ruleset's name, or the path of a ruleset's folder. By default what
            `$MLPERF_ENDPOINTS_RULESET` says, else the newest shipped one that is no draft.
            `auto`, which asks for a submission, counts as the newest here.
        examples: Keep the examples inside the rules.

    Raises:
        RulesetError: where there is no such ruleset, or it cannot be used.
    """
    folder, own = _folder(name)
    return rulesets.load(
        folder,
        functions=BUILTINS,
        schemas=resources.schemas(),
        rulesets=resources.rulesets(),
        examples=examples,
        # What ships is linked by the tests; a user's own is linked each time.
        validate=own,
    )


def survey_ruleset(name: str | Path | None = None) -> rulesets.Survey:
    """Load what can be used of a ruleset, examples included, and collect what is wrong with the rest.

    Args:
        name: As for `load_ruleset`.

    Raises:
        RulesetError: where there is no such ruleset.
    """
    folder, _ = _folder(name)
    return rulesets.survey(
        folder,
        functions=BUILTINS,
        schemas=resources.schemas(),
        rulesets=resources.rulesets(),
        examples=True,
    )


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
    if not Path(wanted).is_dir():
        hint = did_you_mean(wanted, known) or f"; there are {', '.join(known)}, latest and {AUTO}"
        raise RulesetError([Mistake("", None, None, f"no ruleset named {wanted}{hint}")])
    return Path(wanted), True


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
        seed_sets_path: A published seed-set file instead of the ruleset's own.
        approved_drafters_path: A published list of approved drafters instead of the ruleset's own.
        ruleset: A ruleset's name or folder, see `load_ruleset`; or `auto` for the one that the submission is
            meant for by what it declares.
        keep_going: Check also what a broken rule would hide.
        details: Keep in the report which rules did not apply, and why.
        views: Draw up the ruleset's charts and tables too.
        progress: Called again and again with how many folders were judged, and how many there are.

    Raises:
        RulesetError: where the ruleset cannot be used.
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
    ):
        self._notes: list[str] = []
        if isinstance(ruleset, Ruleset):
            self.ruleset = ruleset
        elif is_auto(ruleset):
            self.ruleset, note = choose(map(load_ruleset, _finished()), Path(submission_path))
            self._notes.append(note)
        else:
            self.ruleset = load_ruleset(ruleset)
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
        """Check the submission and return the report. Files are read anew each time."""
        run = Run(self.ruleset, self.submission_path, self._inputs())
        judge = Judge(
            self.ruleset,
            run,
            keep_going=self._keep_going,
            details=self._details,
            progress=self._progress,
        )
        results, held = judge.judge_all()
        charts, tables = build_views(self.ruleset, judge.top) if self._views else ([], [])
        return Report(
            submission_path=self.submission_path,
            results=results,
            held=held,
            not_applicable=judge.not_applicable,
            ruleset=self.ruleset.info,
            notes=[*self._notes, *run.notes],
            rules=tuple(rule.info for rule in self.ruleset.rules.values()),
            charts=charts,
            tables=tables,
            checker=f"{NAME} {__version__}",
        )
