"""Choosing a ruleset by what a submission declares, and drafts."""

from __future__ import annotations

from pathlib import Path

import pytest

from submission_checker import api, resources
from submission_checker.engine import ruleset as rulesets
from submission_checker.engine.choosing import choose
from submission_checker.engine.errors import RulesetError
from submission_checker.engine.ruleset import Ruleset

RULESETS = Path(__file__).parents[2] / "fixtures" / "rulesets"

EDITIONS = {
    "third": 'cohorts: {path: "branches[].name", first: t}',
    "second": 'cohorts: {path: "branches[].name", first: n, last: s}',
    "first": 'cohorts: {path: "branches[].name", last: m}',
}
"""The library's rules, the newest first, each for branches whose names lie in some part of the alphabet."""


def edition(folder: Path, name: str) -> Ruleset:
    (folder / name).mkdir()
    (folder / name / "ruleset.yaml").write_text(f"id: {name}\ntitle: T\nextends: library\n{EDITIONS[name]}\n")
    return rulesets.load(folder / name, functions={}, rulesets=RULESETS)


@pytest.mark.parametrize(
    ("branches", "chosen", "why"),
    [
        (["north"], "second", "because the submission declares north"),
        (["north", "s"], "second", "declares s, the latest of north, s"),
        (["south", "west"], "third", "declares west, the latest of south, west"),
        (["alpha"], "first", "declares alpha"),
        (["m"], "first", "declares m"),
        (["sz"], "third", "the newest, because no ruleset is meant for sz"),
        ([], "third", "the newest, because the submission declares nothing"),
    ],
)
def test_the_newest_ruleset_that_is_meant_for_the_latest_declared(tmp_path, branches, chosen, why):
    library = tmp_path / "library"
    (library / "branches").mkdir(parents=True)
    for name in branches:
        (library / "branches" / name).mkdir()

    ruleset, note = choose((edition(tmp_path, name) for name in EDITIONS), library)

    assert ruleset.info.id == chosen
    assert why in note


def test_without_rulesets_there_is_nothing_to_choose(tmp_path):
    with pytest.raises(RulesetError, match="no ruleset to choose from"):
        choose([], tmp_path)


def test_a_draft_is_not_the_latest(tmp_path, monkeypatch):
    for name in ("2", "3"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "ruleset.yaml").write_text(
            f"id: {name}\ntitle: T\n" + "draft: true\n" * (name == "3")
        )
    monkeypatch.setattr(resources, "rulesets", lambda: tmp_path)
    monkeypatch.delenv(api.RULESET_VARIABLE, raising=False)

    found = {name: api._folder(name)[0].name for name in (None, "latest", "auto", "3")}

    assert found == {None: "2", "latest": "2", "auto": "2", "3": "3"}
