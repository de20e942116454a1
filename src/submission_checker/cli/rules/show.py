"""`submission-checker rules show`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import click

from submission_checker.bench import overview
from submission_checker.cli import common
from submission_checker.cli.rules import printing


@click.command()
@click.argument("rule")
@printing.format_option
@printing.ruleset_options
def show(rule: str, form: str, ruleset: str | None, own_rules: str | None) -> None:
    """Show RULE (an id or an alias): in a sentence, with its clause, limits, messages and examples.

    The sentence is made from the rule's parts, not from its title.

    \b
      submission-checker rules show min-query-count
      submission-checker rules show min-query-count --format json
    """
    rules, _ = printing.load(ruleset, own_rules)
    described = overview.describe(rules, printing.find_rule(rules, rule))
    if form == "json":
        printing.print_json({"ruleset": rules.info.id, **described})
        return
    for line in _lines(described, common.width()):
        click.echo(line)


def _lines(rule: Mapping[str, Any], width: int) -> Iterator[str]:
    yield rule["id"] + (f" (also {', '.join(rule['aliases'])})" if rule["aliases"] else "")
    yield printing.wrapped(rule["title"], width)
    yield ""
    yield printing.wrapped(rule["sentence"], width)
    yield ""
    yield from _facts(rule, width)
    yield from _condition(rule["condition"])
    yield from _section("Parameters", [f"{name} = {_json(value)}" for name, value in rule["params"].items()])
    yield from _section("Limits", [_limit(entry) for entry in rule["limits"]])
    yield from _section("Names", [_name(entry) for entry in rule["names"]])
    yield from _section("Functions", [f"{f['signature']}: {f['does']}" for f in rule["functions"]])
    yield from _gates(rule["gates"])
    for title, text in (("What to do", rule["hint"]), ("Why", rule["why"])):
        if text:
            yield from _section(title, [printing.wrapped(text, width)[2:]])
    yield from _section("Notes", [f"- {printing.wrapped(note, width, '    ')[4:]}" for note in rule["notes"]])
    yield from _section("Examples", [line for example in rule["examples"] for line in _example(example)])


def _facts(rule: Mapping[str, Any], width: int) -> Iterator[str]:
    clauses = [f"§{c['number']} {c.get('title', '')}".rstrip() for c in rule["clauses"]]
    yield printing.wrapped(f"Clause    {'; '.join(clauses)}", width)
    if rule["row"]:
        yield printing.wrapped(f"Row       {rule['row']['name']}: {rule['row'].get('asks', '')}", width)
    yield f"  Severity  {rule['severity']}"
    if rule["action"]:
        meaning = f"{rule['action'].get('label', '')}: {rule['action'].get('doc', '')}"
        yield printing.wrapped(f"Action    {rule['action']['key']} ({meaning.rstrip()})", width)
    yield f"  Family    {rule['family_title']}"
    yield f"  File      {rule['source']}"


def _section(title: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield ""
        yield title
        yield from (f"  {line}" for line in lines)


def _condition(condition: Mapping[str, Any]) -> Iterator[str]:
    lines = [f"where     {condition['where']}"] if "where" in condition else []
    each = condition.get("for_each")
    if each:
        distinct = ", distinct" if each.get("distinct") else ""
        lines.append(f"for each  {each['each']} in {each['in']}{distinct}")
    if "when" in condition:
        lines.append(f"when      {condition['when']}")
    several = len(condition["checks"]) > 1
    for number, check in enumerate(condition["checks"], 1):
        if several:
            lines.append(f"check {number}" + (f", {check['severity']}" if "severity" in check else ""))
        lines += [
            f"{'  ' if several else ''}{key:<{8 if several else 10}}{check[key]}"
            for key in ("when", "require", "broken", "passed")
            if key in check
        ]
    if "passed" in condition:
        lines.append(f"passed    {condition['passed']}")
    if "at" in condition:
        at = condition["at"]
        lines.append(f"at        {at if isinstance(at, str) else _json(at)}")
    yield from _section("Condition", lines)


def _limit(entry: Mapping[str, Any]) -> str:
    values = ", ".join(dict.fromkeys(_json(value) for value in entry["limit"][:6]))
    return f"{entry['comparison']}  # {values}" if values not in entry["comparison"] else entry["comparison"]


def _name(entry: Mapping[str, Any]) -> str:
    told = {"path": "", "expression": "", "place": "what stands at "}[entry["kind"]]
    of = f" of {entry['of']}" if "of" in entry else ""
    doc = f"  # {entry['doc']}" if "doc" in entry else ""
    return f"{entry['name']} = {told}{entry['source']}{of}{doc}"


def _gates(gates: Mapping[str, Any]) -> Iterator[str]:
    lines = []
    for gate in gates["held_back_by"]:
        when = f", and {gate['when']}" if gate["when"] else ""
        lines.append(
            f"not checked while {' or '.join(gate['after'])} is broken{when} (of the {gate['stops']})"
        )
    for gate in gates["holds_back"]:
        when = f", if {gate['when']}" if gate["when"] else ""
        lines.append(
            f"while it is broken, {gate['rules']} rules of the {gate['stops']} are not checked{when}"
        )
    yield from _section("Gates", lines)


def _example(example: Mapping[str, Any]) -> Iterator[str]:
    kind = example["kind"].replace("_", " ")
    yield f"{kind + ':':<13}{_json(example['given'])}"
    if "message" in example:
        severity = f" ({example['severity']})" if "severity" in example else ""
        yield f"{'':<13}-> {example['message']}{severity}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
