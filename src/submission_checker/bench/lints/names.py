"""Names that nothing uses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from submission_checker.bench.cases import RuleCase, RulesetCase
from submission_checker.bench.lint import Found, Lint
from submission_checker.engine.rules import Extract


def _names(case: RuleCase) -> Iterator[Found]:
    rule = case.rule
    used: set[str] = set()
    for _, compute in rule.expressions():
        used |= set(compute.names())
    for _, message in rule.messages():
        used |= set(message.template.names)
    used |= {entry.of for entry in rule.definitions.values() if isinstance(entry, Extract) and entry.of}
    for key in ("params", "extract", "let"):
        for name in rule.raw.get(key, {}):
            if name not in used:
                what = "parameter" if key == "params" else "name"
                yield Found((key, name), f"no expression and no message uses the {what} {name}")
    each = rule.for_each
    if each is not None and each.name not in used:
        yield Found(("for_each",), f"nothing uses {each.name}: every judgement is the same")


UNUSED_NAME = Lint(
    id="unused-name",
    title="A parameter, an extracted name or a name of `let` that the rule does not use",
    chapter="names",
    why="""\
A parameter that nothing uses can be changed without effect, which is worse than not being there. An
unused name is often what is left of a condition that was taken out.""",
    bad="""\
params: {limit: 3}
require: len(name) <= 4
broken: "{name} is too long"
""",
    good="""\
params: {limit: 3}
require: len(name) <= limit
broken: "{name} is longer than {limit}"
""",
    rule=_names,
)


def _facts(case: RulesetCase) -> Iterator[Found]:
    read = case.looked_through.fields_read
    marks = case.marks.get("facts")
    for scope, facts in case.ruleset.facts.items():
        for name in facts:
            if name not in read and marks is not None and (scope, name) in marks.places:
                yield Found((scope, name), f"no rule, fact or view uses the fact {name}", "facts")


UNUSED_FACT = Lint(
    id="unused-fact",
    title="A fact that no rule, fact or view uses",
    chapter="names",
    why="""\
Facts are the vocabulary of the rules; a word that nobody uses is read by everybody.""",
    ruleset=_facts,
)


def _entries(case: RulesetCase) -> Iterator[Found]:
    ledger = case.looked_through.ledger
    for name, content in case.ruleset.tables.items():
        marks = case.marks.get(f"table:{name}")
        if marks is None:
            continue
        if not ledger.is_used((name,)):
            yield Found((), f"nothing uses the table {name}", f"table:{name}")
            continue
        for place in _unused(content, (name,), ledger):
            if place[1:] in marks.places:
                message = f"nothing uses {'.'.join(place)}"
                yield Found(place[1:], message, f"table:{name}")


def _unused(content: Any, place: tuple[str, ...], ledger: Any) -> Iterator[tuple[str, ...]]:
    if not isinstance(content, Mapping):
        return
    for key, value in content.items():
        inner = (*place, str(key))
        if not ledger.is_used(inner):
            yield inner
        else:
            yield from _unused(value, inner, ledger)


UNUSED_ENTRY = Lint(
    id="unused-entry",
    title="A table, or an entry of one, that nothing uses",
    chapter="names",
    why="""\
An entry of a table that no rule reads looks like policy and is none: changing it changes nothing.""",
    ruleset=_entries,
)


def _sources(case: RulesetCase) -> Iterator[Found]:
    read = case.looked_through.fields_read
    marks = case.marks.get("layout")
    pointed = {
        at.document
        for rule in case.ruleset.rules.values()
        for at in (rule.at, *(check.at for check in rule.checks))
        if at is not None
    }
    for section, sources in (
        ("documents", case.ruleset.layout.documents),
        ("places", case.ruleset.layout.places),
    ):
        for name in sources:
            if (
                name not in read
                and name not in pointed
                and marks is not None
                and (section, name) in marks.places
            ):
                yield Found((section, name), f"no rule or fact looks at {name}", "layout")


UNUSED_SOURCE = Lint(
    id="unused-document",
    title="A document or a place of the layout that nothing looks at",
    chapter="names",
    why="""\
A file that the layout names and no rule reads is not checked at all, whatever its schema says: not
even whether it is there.""",
    ruleset=_sources,
)

LINTS = (UNUSED_NAME, UNUSED_FACT, UNUSED_ENTRY, UNUSED_SOURCE)
