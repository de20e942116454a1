"""What there is to know of a rule, as data: for `rules list`, `rules show` and the documentation."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from submission_checker.bench import trees
from submission_checker.bench.inference import Known, Names, names_of
from submission_checker.bench.sentence import sentence
from submission_checker.engine import examples
from submission_checker.engine.rules import Compute, Extract, Gate, Locate, Rule
from submission_checker.engine.ruleset import Ruleset


def row(ruleset: Ruleset, rule: Rule) -> dict[str, Any]:
    """Return what a list of rules says of one."""
    info = rule.info
    return {
        "id": info.id,
        "title": info.title,
        "clauses": list(info.clauses),
        "row": info.row,
        "severity": info.severity,
        "action": info.action,
        "family": info.family,
        "scope": info.scope,
    }


def describe(ruleset: Ruleset, rule: Rule) -> dict[str, Any]:
    """Return everything that a reader may want to know of a rule.

    Args:
        ruleset: The rule's ruleset, loaded with examples.
        rule: The rule.

    Raises:
        ExpressionError: where an expression of the rule is none.
    """
    info = rule.info
    sections = ruleset.clauses.get("sections") or {}
    rows = ruleset.clauses.get("rows") or {}
    actions = ruleset.settings.get("actions") or {}
    return {
        **row(ruleset, rule),
        "aliases": rule.aliases,
        "sentence": sentence(ruleset, rule),
        "family_title": ruleset.info.families.get(info.family, info.family),
        "clauses": [{"number": number, **_entry(sections, number)} for number in info.clauses],
        "row": None if info.row is None else {"name": info.row, **_entry(rows, info.row)},
        "action": None if info.action is None else {"key": info.action, **_entry(actions, info.action)},
        "hint": info.hint,
        "why": info.why,
        "notes": list(rule.raw.get("notes", [])),
        "params": dict(rule.raw.get("params", {})),
        "limits": list(_limits(ruleset, rule)),
        "names": list(_names(rule)),
        "condition": _condition(rule),
        "examples": [_example(example) for example in examples.examples(rule)],
        "functions": list(_functions(ruleset, rule)),
        "gates": {
            "held_back_by": [_gate(gate) for gate in ruleset.gates if rule.id in gate.rules],
            "holds_back": [_gate(gate) for gate in ruleset.gates if rule.id in gate.after],
        },
        "mutants": list(rule.raw.get("mutants", [])),
        "source": info.source,
    }


def _entry(entries: Mapping[str, Any], key: str) -> dict[str, Any]:
    return dict(entries.get(key) or {})


def _limits(ruleset: Ruleset, rule: Rule) -> Iterator[dict[str, Any]]:
    """Yield the comparisons with what the ruleset alone decides: numbers, parameters, entries of tables."""
    names, _ = names_of(Known(ruleset), rule)
    for place, compute in rule.expressions():
        for node, bound in trees.scoped(trees.parse(compute.source)):
            if isinstance(node, ast.Compare) and not bound:
                yield from _limits_of(names, node, str(place[-1]))


def _limits_of(names: Names, node: ast.Compare, part: str) -> Iterator[dict[str, Any]]:
    left = node.left
    for op, right in zip(node.ops, node.comparators, strict=True):
        sides, left = (left, right), right
        if not isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE):
            continue
        known = [list(names.tree(side, []).constants()) for side in sides]
        if bool(known[0]) != bool(known[1]):
            text = trees.write(ast.Compare(left=sides[0], ops=[op], comparators=[sides[1]]))
            yield {"part": part, "comparison": text, "limit": known[0] or known[1]}


def _names(rule: Rule) -> Iterator[dict[str, Any]]:
    """Yield the names that a rule binds, with what they are."""
    for name, entry in rule.definitions.items():
        written = rule.raw.get("let", {}).get(name)
        doc = written.get("doc") if isinstance(written, Mapping) else None
        if isinstance(entry, Extract):
            found = {"kind": "path", "source": entry.source, **({"of": entry.of} if entry.of else {})}
        elif isinstance(entry, Locate):
            found = {"kind": "place", "source": entry.source}
        elif isinstance(entry, Compute):
            found = {"kind": "expression", "source": entry.source}
        else:
            continue
        yield {"name": name, **found, **({"doc": doc} if doc else {})}


def _condition(rule: Rule) -> dict[str, Any]:
    raw = rule.raw
    kept: dict[str, Any] = {key: raw[key] for key in ("where", "for_each", "when") if key in raw}
    checks = raw.get("checks") or [{key: raw[key] for key in ("require", "broken") if key in raw}]
    return {**kept, "checks": checks, **{key: raw[key] for key in ("report", "passed", "at") if key in raw}}


def _example(example: examples.Example) -> dict[str, Any]:
    said = {"kind": example.kind, "given": dict(example.given)}
    if example.message is not None:
        said["message"] = example.message
    if example.severity is not None:
        said["severity"] = example.severity
    return said


def called_functions(rule: Rule) -> dict[str, None]:
    """Return the names of the functions that a rule calls, in order."""
    return {name: None for _, compute in rule.expressions() for name in compute.expression.called}


def _functions(ruleset: Ruleset, rule: Rule) -> Iterator[dict[str, str]]:
    for name in called_functions(rule):
        function = ruleset.functions[name]
        yield {"name": name, "signature": signature(name, function), "does": summary(function)}


def signature(name: str, function: Callable[..., Any]) -> str:
    """Return how a function is called in a rule.

    >>> signature("len", lambda value: 0)
    'len(value)'
    """
    shown = []
    for parameter in inspect.signature(function).parameters.values():
        default = parameter.default
        plain = default is parameter.empty or default is ...
        shown.append(parameter.name if plain else f"{parameter.name}={default!r}")
    return f"{name}({', '.join(shown)})"


def summary(function: Callable[..., Any]) -> str:
    """Return what a function does, in the first line of its documentation."""
    return (inspect.getdoc(function) or "").split("\n")[0]


def _gate(gate: Gate) -> dict[str, Any]:
    return {
        "after": list(gate.after),
        "stops": gate.stops,
        "severity": "warning" if gate.on_warning else "error",
        "when": None if gate.when is None else gate.when.source,
        "because": gate.because,
        "rules": len(gate.rules),
    }
