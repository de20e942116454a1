"""Does every name in a ruleset mean something? Compiles everything and says what does not."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from submission_checker.engine import rules as parts
from submission_checker.engine import source
from submission_checker.engine.document_schemas import schema_file, schema_names
from submission_checker.engine.errors import EvaluationError, ExpressionError, Mistake, did_you_mean
from submission_checker.engine.layers import Files
from submission_checker.engine.patterns import safe_pattern

if TYPE_CHECKING:
    from submission_checker.engine.ruleset import Ruleset


def link_layout(files: Files, schemas: Path | None, chain: tuple[Path, ...], mistakes: list[Mistake]) -> None:
    """See that the scopes, patterns and schemas that the layout names are there."""
    marks = files.marks.get("layout") or source.Marks("layout.yaml")
    scopes = files.layout.get("scopes") or {}
    if sum(1 for entry in scopes.values() if not (entry or {}).get("in")) != 1:
        mistakes.append(marks.mistake(("scopes",), "there must be exactly one scope that is in no other"))
    for name, entry in scopes.items():
        parent = (entry or {}).get("in")
        if parent is not None and parent not in scopes:
            hint = did_you_mean(parent, scopes)
            mistakes.append(marks.mistake(("scopes", name, "in"), f"no scope named {parent}{hint}"))
        elif _is_around_itself(name, scopes):
            mistakes.append(marks.mistake(("scopes", name, "in"), f"the scope {name} is around itself"))
        _link_pattern(name, entry or {}, marks, mistakes)
    for section in ("documents", "places"):
        for name, entry in (files.layout.get(section) or {}).items():
            if entry["scope"] not in scopes:
                hint = did_you_mean(entry["scope"], scopes)
                message = f"no scope named {entry['scope']}{hint}"
                mistakes.append(marks.mistake((section, name, "scope"), message))
            schema = entry.get("schema")
            if schema is not None and schema_file(schema, chain, schemas) is None:
                known = schema_names(chain, schemas)
                message = f"no schema named {schema}{did_you_mean(schema, known)}"
                mistakes.append(marks.mistake((section, name, "schema"), message))


def _is_around_itself(name: str, scopes: Mapping[str, Any]) -> bool:
    seen: list[str] = []
    current: str | None = name
    while current is not None and current not in seen:
        seen.append(current)
        current = (scopes.get(current) or {}).get("in")
    return current == name


def _link_pattern(name: str, entry: Mapping[str, Any], marks: source.Marks, mistakes: list[Mistake]) -> None:
    if "match" not in entry:
        return
    try:
        groups = safe_pattern(entry["match"]).compiled.groupindex
    except EvaluationError as error:
        mistakes.append(marks.mistake(("scopes", name, "match"), error.message))
        return
    if entry.get("order") is not None and entry["order"] not in groups:
        hint = did_you_mean(entry["order"], groups)
        message = f"the pattern has no group {entry['order']}{hint}"
        mistakes.append(marks.mistake(("scopes", name, "order"), message))


def names_in_scope(ruleset: Ruleset, scope: str) -> set[str]:
    """Return every name that an expression of a scope may use without binding it first."""
    layout = ruleset.layout
    chain = layout.chain(scope)
    names = {"files", "name", "path", *ruleset.tables}
    for name in chain:
        kind = layout.scopes[name]
        names |= {name, *ruleset.facts[name], *(child.many for child in layout.children(name))}
        if kind.pattern is not None:
            names |= set(kind.pattern.groupindex)
    return names


def paths_in_scope(ruleset: Ruleset, scope: str) -> set[str]:
    """Return every name that a JMESPath of a scope may begin with."""
    documents = {source.name for name in ruleset.layout.chain(scope)
                 for source in ruleset.layout.by_scope[name].values() if source.form}  # fmt: skip
    return names_in_scope(ruleset, scope) | documents | {"raw"}


def link(ruleset: Ruleset, files: Files, mistakes: list[Mistake]) -> None:
    """Compile everything and see that every name means something."""
    for scope, facts in ruleset.facts.items():
        known = names_in_scope(ruleset, scope)
        roots = paths_in_scope(ruleset, scope)
        for fact in facts.values():
            _link_definition(
                fact.definition, known, roots, files.marks["facts"], (scope, fact.name), mistakes
            )
    for rule in ruleset.rules.values():
        _link_rule(ruleset, rule, files.marks[rule.id], mistakes)
    for index, gate in enumerate(ruleset.gates):
        if gate.when is not None:
            _names_known(
                gate.when,
                names_in_scope(ruleset, gate.stops),
                files.marks["ruleset"],
                ("gates", index),
                mistakes,
            )


def _link_rule(ruleset: Ruleset, rule: parts.Rule, marks: source.Marks, mistakes: list[Mistake]) -> None:
    outer = names_in_scope(ruleset, rule.info.scope)
    roots = paths_in_scope(ruleset, rule.info.scope)
    each = {rule.for_each.name} if rule.for_each else set()
    known = outer | each
    for name, entry in rule.definitions.items():
        key = next((key for key in ("params", "extract", "let") if name in rule.raw.get(key, {})), "let")
        _link_definition(entry, known, roots, marks, (key, name), mistakes)
        known = known | {name}
    for place, expression in rule.expressions():
        if place[0] != "let":
            _names_known(expression, known, marks, place, mistakes)
    for place, message in rule.messages():
        try:
            for name in message.template.names:
                if name not in known:
                    mistakes.append(
                        marks.mistake(place, f"the message has no name {name}{did_you_mean(name, known)}")
                    )
        except ExpressionError as error:
            mistakes.append(marks.mistake(place, error.message))
    sources = {
        name for scope in ruleset.layout.chain(rule.info.scope) for name in ruleset.layout.by_scope[scope]
    }
    places = [(("at",), rule.at), *((("checks", i, "at"), check.at) for i, check in enumerate(rule.checks))]
    for place, where in places:
        if where is not None and where.document is not None and where.document not in sources:
            hint = did_you_mean(where.document, sources)
            mistakes.append(marks.mistake(place, f"no document or place named {where.document}{hint}"))


def _link_definition(
    entry: parts.Definition,
    known: set[str],
    roots: set[str],
    marks: source.Marks,
    place: tuple[str | int, ...],
    mistakes: list[Mistake],
) -> None:
    if isinstance(entry, parts.Extract):
        try:
            first = entry.path.first_keys
        except ExpressionError as error:
            mistakes.append(marks.mistake(place, error.message))
            return
        if entry.of is None:
            unknown = [name for name in first if name not in roots]
            mistakes.extend(
                marks.mistake(place, f"nothing named {name} here{did_you_mean(name, roots)}")
                for name in unknown
            )
        elif entry.of not in known:
            mistakes.append(marks.mistake(place, f"no name {entry.of}{did_you_mean(entry.of, known)}"))
    elif isinstance(entry, parts.Locate):
        _names_known(entry.text, known, marks, place, mistakes)
    elif isinstance(entry, parts.Compute):
        _names_known(entry, known, marks, place, mistakes)


def _names_known(
    expression: parts.Compute,
    known: set[str],
    marks: source.Marks,
    place: tuple[str | int, ...],
    mistakes: list[Mistake],
) -> None:
    try:
        names = expression.names()
    except ExpressionError as error:
        mistakes.append(marks.mistake(place, f"{error.message} in `{expression.source}`"))
        return
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known)
            mistakes.append(marks.mistake(place, f"no name {name}{hint} in `{expression.source}`"))
