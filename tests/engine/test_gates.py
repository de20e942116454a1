"""Gates that a warning closes, and the name of the file that serves an input."""

from __future__ import annotations

from pathlib import Path

import pytest

from submission_checker.engine import ruleset as rulesets
from submission_checker.engine.judge import Judge
from submission_checker.engine.subjects import Run

RULESETS = Path(__file__).parents[2] / "fixtures" / "rulesets"
SCHEMAS = Path(__file__).parents[2] / "schemas"


def gated(folder: Path, gate: str) -> rulesets.Ruleset:
    """Lay a ruleset with one gate over the library's."""
    folder.mkdir()
    text = f"id: own\ntitle: Own\nextends: library\ngates: [{gate}]\n"
    (folder / "ruleset.yaml").write_text(text, encoding="utf-8")
    return rulesets.load(folder, functions={}, schemas=SCHEMAS, rulesets=RULESETS)


@pytest.fixture
def fees(tmp_path_factory) -> Path:
    file = tmp_path_factory.mktemp("fees") / "fees.yaml"
    file.write_text("a_day: [", encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("severity", "held_back"),
    [("severity: warning, ", ("books-known",)), ("severity: error, ", ()), ("", ())],
    ids=["warning", "error", "default"],
)
def test_warning_closes_a_gate_that_says_so(library, fees, tmp_path_factory, severity, held_back):
    gate = f"{{after: fees-readable, {severity}stops: library, only: [books-known]}}"
    ruleset = gated(tmp_path_factory.mktemp("rulesets") / "own", gate)

    results, held = Judge(ruleset, Run(ruleset, library(), {"fees": fees})).judge_all()

    assert tuple(rule for entry in held for rule in entry.rules) == held_back
    assert ("books-known" in {result.rule for result in results}) is not bool(held_back)


def test_error_closes_a_gate_that_names_warnings(library, tmp_path_factory):
    gate = "{after: branch-exists, severity: warning, stops: library, only: [fees-readable]}"
    ruleset = gated(tmp_path_factory.mktemp("rulesets") / "own", gate)
    (empty := tmp_path_factory.mktemp("empty")).joinpath("branches").mkdir()

    _, [held] = Judge(ruleset, Run(ruleset, empty)).judge_all()

    assert (held.because, held.rules) == (("branch-exists",), ("fees-readable",))


def test_input_is_named_by_the_file_that_serves_it(library, ruleset, fees):
    told = Run(ruleset, library(), {"fees": fees}).top()
    own = Run(ruleset, library()).top()

    assert told.get("files").get("fees").get("path") == str(fees)
    assert own.get("files").get("fees").get("path") == str(RULESETS / "library" / "tables" / "fees.yaml")
