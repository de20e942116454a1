"""Which ruleset a submission is meant for, by what it declares itself."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from submission_checker.engine.errors import Mistake, RulesetError
from submission_checker.engine.extraction import Path as JmesPath
from submission_checker.engine.ruleset import Ruleset
from submission_checker.engine.subjects import Run, find_root

_SHOWN = 5


def choose(rulesets: Iterable[Ruleset], folder: Path) -> tuple[Ruleset, str]:
    """Choose the newest ruleset that is meant for a submission.

    Args:
        rulesets: Rulesets, the newest first; no more are taken than are needed.
        folder: The submission's folder, or the one just above it.

    Returns:
        The ruleset, and a sentence that says why.

    Raises:
        RulesetError: where there is no ruleset to choose from.
    """
    newest: Ruleset | None = None
    declared: list[str] = []
    for ruleset in rulesets:
        if newest is None:
            newest, declared = ruleset, _declared(ruleset, folder)
        if not declared:
            break
        if _holds(ruleset, declared[-1]):
            several = f", the latest of {_listed(declared)}" if len(declared) > 1 else ""
            return (
                ruleset,
                f"ruleset {ruleset.info.id}, because the submission declares {declared[-1]:.60}{several}",
            )
    if newest is None:
        raise RulesetError([Mistake("", None, None, "there is no ruleset to choose from")])
    reason = f"no ruleset is meant for {declared[-1]:.60}" if declared else "the submission declares nothing"
    return newest, f"ruleset {newest.info.id}, the newest, because {reason}"


def _declared(ruleset: Ruleset, folder: Path) -> list[str]:
    """Return what a submission declares, in ascending order."""
    path = ruleset.settings.get("cohorts", {}).get("path")
    if path is None:
        return []
    top = Run(ruleset, find_root(ruleset.layout, folder)).top()
    found = JmesPath(path).search(top)
    values = found if isinstance(found, list) else [found]
    return sorted({value.strip() for value in values if isinstance(value, str) and value.strip()})


def _holds(ruleset: Ruleset, declared: str) -> bool:
    meant = ruleset.settings.get("cohorts", {})
    first, last = meant.get("first"), meant.get("last")
    return (first is None or first <= declared) and (last is None or declared <= last)


def _listed(declared: list[str]) -> str:
    more = len(declared) - _SHOWN
    return ", ".join(f"{text:.60}" for text in declared[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
