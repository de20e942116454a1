"""A new rule to start from: complete, tested, and marked where only the editor knows better."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from submission_checker.bench.formatting import format_rule
from submission_checker.engine.ruleset import Ruleset

_LIMIT = 10


@dataclass(frozen=True, slots=True)
class _Start:
    """What the new rule looks at, so that there is something to change."""

    let: str
    """How `value` is bound."""
    at: str | None
    when: str | None
    given: Mapping[int, Any]
    """For a value, what an example gives."""


def scaffold(ruleset: Ruleset, name: str, scope: str, *, schema: Mapping[str, Any], schema_path: str) -> str:
    """Return the text of a new rule file, which has every part that a rule needs.

    Its examples come out as they say, and nothing is wrong with it but what is marked as still to do.

    Args:
        ruleset: The ruleset that the rule is for.
        name: The rule's id.
        scope: What it looks at.
        schema: The JSON Schema of rule files.
        schema_path: What the first line of the file calls that schema.
    """
    start = _start(ruleset, scope)
    clauses = list(ruleset.clauses.get("sections") or {"TODO": None})
    actions = list(ruleset.settings.get("actions") or ())
    lines = [
        f"# yaml-language-server: $schema={schema_path}",
        f"id: {name}",
        'title: "TODO: one sentence that says what holds when the rule holds"',
        f"clauses: [{json.dumps(clauses[0])}] # the clause that asks for it; a number of clauses.yaml",
        "severity: error # or warning",
        *([f"action: {actions[0]} # a key of `actions` in ruleset.yaml"] if actions else []),
        f"scope: {scope}",
        "# What a later ruleset may want to change.",
        f"params: {{limit: {_LIMIT}}}",
        start.let,
        *([f"when: {start.when}"] if start.when else []),
        "require: value <= limit",
        'broken: "{value} is more than {limit}"',
        *([f"at: {start.at}"] if start.at else []),
        'hint: "TODO: what to do about it"',
        'why: "TODO: why the rule exists"',
        "examples:",
        "  # On the limit and on both sides of it.",
        f"  passed: [{{given: {_given(start, _LIMIT)}}}, {{given: {_given(start, _LIMIT - 1)}}}]",
        f"  broken: [{{given: {_given(start, _LIMIT + 1)}, message: {_LIMIT + 1} is more than {_LIMIT}, "
        "severity: error}]",
        *(["  not_checked: [{given: {}}]"] if start.when else []),
    ]
    return format_rule("\n".join(lines) + "\n", schema)


def _given(start: _Start, value: int) -> str:
    return json.dumps(start.given[value])


def _start(ruleset: Ruleset, scope: str) -> _Start:
    """Begin with a number of a document of the scope; without one, with the length of the folder's name."""
    values = (_LIMIT - 1, _LIMIT, _LIMIT + 1)
    for source in ruleset.layout.by_scope[scope].values():
        if source.form is None or source.glob or source.option or source.schema is None:
            continue
        field = _number(ruleset.raw_schema(source.schema))
        if field is not None:
            path = f"{source.name}.{field}"
            given = {value: {source.name: {field: value}} for value in values}
            return _Start(f"extract: {{value: {path}}}", path, "value is not None", given)
    return _Start("let: {value: len(name)}", None, None, {value: {"name": "x" * value} for value in values})


def _number(schema: Mapping[str, Any]) -> str | None:
    """Return the first field of a document that is a number without limits of its own."""
    for name, field in schema.get("properties", {}).items():
        types = field.get("type") if isinstance(field, Mapping) else None
        named = types if isinstance(types, list) else [types]
        if name.isidentifier() and {"number", "integer"} & set(named) and "minimum" not in field:
            return str(name)
    return None
