"""Every rule of every shipped ruleset: its file is in order, and its examples come out as they say."""

from __future__ import annotations

import json
import re
import string
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from submission_checker import resources
from submission_checker.engine import examples, source
from submission_checker.engine import ruleset as rulesets
from submission_checker.engine.examples import Example
from submission_checker.engine.linking import names_in_scope
from submission_checker.engine.rules import Compute, Locate, Rule
from submission_checker.engine.ruleset import Ruleset
from submission_checker.functions import BUILTINS

RULESETS = sorted(path.parent for path in resources.rulesets().glob("*/ruleset.yaml"))
FILES = sorted(
    file for folder in RULESETS for file in folder.glob("*/*.yaml") if file.parent.name != "tables"
)


@cache
def ruleset_in(folder: Path) -> Ruleset:
    # Shipped rulesets are not linked at every start; here they are.
    return rulesets.load(
        folder,
        functions=BUILTINS,
        schemas=resources.schemas(),
        rulesets=resources.rulesets(),
        examples=True,
        validate=True,
    )


@dataclass(frozen=True)
class Case:
    """A rule, or an example of it, in a ruleset."""

    ruleset: Ruleset
    rule: Rule
    example: Example | None = None

    @property
    def id(self) -> str:
        return f"{self.ruleset.info.id}-{self.example.id if self.example else self.rule.id}"


def rule_cases() -> list[Any]:
    cases = [Case(ruleset, rule) for ruleset in map(ruleset_in, RULESETS) for rule in ruleset.rules.values()]
    return [pytest.param(case, id=case.id) for case in cases]


def example_cases() -> list[Any]:
    cases = [
        Case(ruleset, rule, example)
        for ruleset in map(ruleset_in, RULESETS)
        for rule in ruleset.rules.values()
        for example in examples.examples(rule)
    ]
    return [pytest.param(case, id=case.id) for case in cases]


each_rule = pytest.mark.parametrize("case", rule_cases())
each_file = pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parts[-3]}-{file.stem}")


def test_there_are_rulesets() -> None:
    assert RULESETS
    assert all(ruleset_in(folder).rules for folder in RULESETS)


PARTS_OF_OTHERS = {
    "bandwidth_power_w",
    "default_accelerator_w",
    "default_cpu_w",
    "default_switch_w",
    "sourced_watts",
}
"""Functions that only other functions call so far; a ruleset of somebody's own may want them."""


def functions_called(ruleset: Ruleset) -> Iterator[str]:
    for rule in ruleset.rules.values():
        for _, compute in rule.expressions():
            yield from compute.expression.called
    for facts in ruleset.facts.values():
        for fact in facts.values():
            if isinstance(fact.definition, Compute):
                yield from fact.definition.expression.called
            elif isinstance(fact.definition, Locate):
                yield from fact.definition.text.expression.called
    for gate in ruleset.gates:
        yield from gate.when.expression.called if gate.when else ()
    yield from re.findall(r"\b(\w+)\(", json.dumps(ruleset.views))


def test_every_named_function_is_called_by_some_shipped_ruleset() -> None:
    called = {name for folder in RULESETS for name in functions_called(ruleset_in(folder))}
    assert set(BUILTINS) - called == PARTS_OF_OTHERS


@pytest.mark.parametrize("case", example_cases())
def test_an_example_comes_out_as_it_says(case: Case) -> None:
    assert case.example is not None
    assert examples.shortcomings(case.ruleset, case.rule, case.example) == []


@each_file
def test_a_rule_file_fits_its_schema_and_names_it(file: Path) -> None:
    schema = resources.schemas() / "rule.schema.json"
    first = file.read_text(encoding="utf-8").partition("\n")[0]
    assert (file.parent / first.partition("$schema=")[2]).resolve() == schema
    content, _ = source.load(file)
    validator = Draft202012Validator(json.loads(schema.read_text(encoding="utf-8")))
    assert [error.message for error in validator.iter_errors(content)] == []


@each_rule
def test_a_rule_cites_what_there_is(case: Case) -> None:
    info, clauses = case.rule.info, case.ruleset.clauses
    assert set(info.clauses) <= set(clauses["sections"])
    assert info.row is None or info.row in clauses["rows"]
    assert info.action in case.ruleset.settings["actions"]
    assert info.family in case.ruleset.settings["families"]


@each_rule
def test_a_rule_says_what_to_do_and_why(case: Case) -> None:
    assert case.rule.info.hint
    assert case.rule.info.why


@each_rule
def test_a_rule_has_examples_of_all_it_can_say(case: Case) -> None:
    kinds = {example.kind for example in examples.examples(case.rule)}
    assert expected_kinds(case.rule) <= kinds


def expected_kinds(rule: Rule) -> set[str]:
    """Return the kinds of examples that a rule needs; one that reports in any case has none that pass."""
    expected = {"broken"} if rule.checks else {"passed"}
    reports = any(check.require is None and check.when is None for check in rule.checks)
    if not reports and any(check.require is not None for check in rule.checks):
        expected.add("passed")
    if rule.where is not None or rule.when is not None:
        expected.add("not_checked")
    return expected


@each_rule
def test_every_severity_is_told_by_an_example(case: Case) -> None:
    told = {example.severity for example in examples.examples(case.rule) if example.kind == "broken"}
    assert {check.severity.value for check in case.rule.checks} <= told


@each_rule
def test_every_message_is_told_by_an_example(case: Case) -> None:
    """The texts around the values of a message stand in some example, one after the other.

    What no example can tell is listed by the rule under `mutants`.
    """
    untold = [mutant["change"] for mutant in case.rule.raw.get("mutants", ())]
    told = {
        kind: [example.message for example in examples.examples(case.rule) if example.kind == kind]
        for kind in examples.KINDS
    }
    # A text may pass in an example of a broken rule as well, which may have several results.
    passing = [*told["passed"], *told["broken"]]
    for place, message in case.rule.messages():
        if any(change.startswith(written(place)) for change in untold):
            continue
        wanted = told["broken"] if place[-1] == "broken" else passing
        assert any(fits(message.source, text) for text in wanted if text is not None), message.source


def written(place: tuple[str | int, ...]) -> str:
    """Write a place in a rule as `mutants` does: `checks[0].broken`."""
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in place).lstrip(".")


def fits(template: str, text: str) -> bool:
    """Tell whether a text may come of a message's template."""
    position = 0
    for literal, _, _, _ in string.Formatter().parse(template):
        position = text.find(literal, position)
        if position < 0:
            return False
        position += len(literal)
    return True


@pytest.mark.parametrize("case", example_cases())
def test_an_example_gives_what_a_subject_knows(case: Case) -> None:
    """A misspelt name in `given` would be given to nobody."""
    assert case.example is not None
    unknown = list(unknown_names(case.ruleset, case.rule.info.scope, case.example.given))
    assert unknown == []


def unknown_names(ruleset: Ruleset, scope: str, given: Mapping[str, Any]) -> Iterator[str]:
    layout = ruleset.layout
    chain = layout.chain(scope)
    sources = {name for level in chain for name in layout.by_scope[level]}
    below = {child.many: child.name for child in layout.children(scope)}
    known = {"raw", "places", *names_in_scope(ruleset, scope), *sources}
    for name, value in given.items():
        if name not in known:
            yield name
        elif name in chain and name != scope:
            yield from unknown_names(ruleset, name, value or {})
        elif name in below:
            for entry in value:
                yield from unknown_names(ruleset, below[name], entry or {})
        elif name in ("files", "raw"):
            yield from (f"{name}.{key}" for key in value if key not in sources)


def test_a_misspelt_name_is_found() -> None:
    ruleset = ruleset_in(RULESETS[0])
    given = {"curve": {"agnetic": True}, "accuracy": {}, "files": {"acuracy": {}}, "poins": []}
    assert list(unknown_names(ruleset, "point", given)) == ["agnetic", "files.acuracy", "poins"]


@pytest.mark.parametrize("folder", RULESETS, ids=lambda folder: folder.name)
def test_no_name_stands_for_two_rules(folder: Path) -> None:
    names = [name for rule in ruleset_in(folder).rules.values() for name in (rule.id, *rule.aliases)]
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize("folder", RULESETS, ids=lambda folder: folder.name)
def test_every_fact_is_explained_and_used(folder: Path) -> None:
    ruleset = ruleset_in(folder)
    names = [fact.name for facts in ruleset.facts.values() for fact in facts.values()]
    assert [fact.name for facts in ruleset.facts.values() for fact in facts.values() if not fact.doc] == []
    files = [
        file for layer in ruleset.chain for file in layer.glob("**/*.yaml") if file.parent.name != "tables"
    ]
    words = Counter(word for file in files for word in re.findall(r"\w+", file.read_text(encoding="utf-8")))
    assert [name for name in names if words[name] == 1] == []
