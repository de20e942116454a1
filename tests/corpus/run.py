"""Our checker on a case of the corpus."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from submission_checker import Report, SubmissionChecker

from . import privileges, store, trees
from .store import Case, Request, Rows
from .trees import Tree


class Bench:
    """Puts cases on disk and runs our checker on them.

    A base is written once; a case changes what it changes in it and puts it back. Making forty files anew
    for each case would take longer than checking them.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._laid: dict[tuple[str, str], Path] = {}

    def check(self, case: Case) -> tuple[Report, Rows]:
        """What our checker says of *case*."""
        if case.has_modes:
            return self._check_closed(case)
        folder, base = self._base(case)
        tree = case.tree()
        trees.transform(folder, base, tree)
        try:
            return _check(case.request(folder))
        finally:
            trees.transform(folder, tree, base)

    def _base(self, case: Case) -> tuple[Path, Tree]:
        base = store.base_trees(case.policy)[case.base]
        key = case.policy, case.base
        if key not in self._laid:
            self._laid[key] = self._folder / f"{case.policy}-{case.base}"
            trees.write(base, self._laid[key])
        return self._laid[key], base

    def _check_closed(self, case: Case) -> tuple[Report, Rows]:
        """A case with file modes, in a folder of its own and without root's right to ignore them."""
        folder = self._folder / "closed"
        request = case.materialise(folder)
        try:
            case.close(folder)
            return privileges.without_override(lambda: _check(request))
        finally:
            case.reopen(folder)
            shutil.rmtree(folder)


def _check(request: Request) -> tuple[Report, Rows]:
    report = SubmissionChecker(
        request.path,
        seed_sets_path=request.seed_sets,
        approved_drafters_path=request.approved_drafters,
        ruleset=request.policy,
    ).run()
    return report, frozenset(
        (str(result.rule), _severity(result.severity), _relative(result.path, request.path))
        for result in report.results
    )


def _severity(value: Any) -> str:
    return str(getattr(value, "value", value)).lower()


def _relative(path: Path | str | None, root: Path) -> str:
    """*path* below *root*; "" for none, "." for *root* itself, as it is where it lies elsewhere."""
    if path is None:
        return ""
    text, base = str(path), str(root)
    if text == base:
        return "."
    return text.removeprefix(base + "/")
