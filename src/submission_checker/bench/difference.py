"""What changed between two rulesets, rule by rule, in the words of release notes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from submission_checker.engine.layout import Source
from submission_checker.engine.rules import Rule
from submission_checker.engine.ruleset import Ruleset
from submission_checker.engine.tailoring import about_waiver

ADDED, REMOVED, CHANGED = "added", "removed", "changed"
_NOTHING: Any = object()
_MESSAGES = ("broken", "passed", "hint", "title", "why", "notes")
_CONDITIONS = (
    "where",
    "when",
    "require",
    "for_each",
    "extract",
    "let",
    "checks",
    "report",
    "at",
    "scope",
    "last",
)
_COUNTED = ("examples", "mutants", "allow")
_GROUPS = {
    "severity": ("severity", "action"),
    "number": ("params",),
    "condition": _CONDITIONS,
    "clause": ("clauses", "row", "family"),
    "wording": (*_MESSAGES, "aliases"),
}
"""What a change of a rule's key means to a reader, the weightiest first."""


@dataclass(frozen=True, slots=True)
class Detail:
    """One part that differs."""

    part: str
    before: Any
    """None with `added` where it was not there."""
    after: Any
    what: str = CHANGED
    group: str = ""
    """Of a rule: `severity`, `number`, `condition`, `clause`, `wording` or `examples`."""


@dataclass(frozen=True, slots=True)
class Change:
    """One thing of a ruleset that is new, gone or different."""

    kind: str
    """`rule`, `table`, `fact`, `gate`, `scope`, `document`, `place`, `schema`, `clause`, `view`,
    `setting`."""
    name: str
    what: str
    title: str = ""
    family: str = ""
    severity: str = ""
    clauses: tuple[str, ...] = ()
    details: tuple[Detail, ...] = ()
    used_by: tuple[str, ...] = ()
    """Rules that rest on it."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Everything that differs between two rulesets."""

    before: Ruleset
    after: Ruleset
    changes: tuple[Change, ...]

    def of(self, kind: str, what: str | None = None) -> list[Change]:
        """Return the changes of a kind."""
        return [c for c in self.changes if c.kind == kind and what in (None, c.what)]


def compare(before: Ruleset, after: Ruleset) -> Difference:
    """Compare two rulesets, loaded with examples."""
    uses = Uses(before), Uses(after)
    changes = [
        *_rules(before, after),
        *_entries("table", before.tables, after.tables, uses),
        *_facts(before, after, uses),
        *_gates(before, after),
        *_layout(before, after, uses),
        *_schemas(before, after, uses),
        *_entries("clause", _sections(before, "sections"), _sections(after, "sections")),
        *_entries("clause", _sections(before, "rows"), _sections(after, "rows")),
        *_views(before, after),
        *_settings(before, after),
    ]
    return Difference(before, after, tuple(changes))


def _sections(ruleset: Ruleset, name: str) -> Mapping[str, Any]:
    return ruleset.clauses.get(name) or {}


# -- rules


def _rules(before: Ruleset, after: Ruleset) -> Iterator[Change]:
    for name in [*before.rules, *(name for name in after.rules if name not in before.rules)]:
        old, new = before.rules.get(name), after.rules.get(name)
        shown = new or old
        assert shown is not None
        details: tuple[Detail, ...] = ()
        if old is not None and new is not None:
            whole = [{**rule.raw, "family": rule.info.family} for rule in (old, new)]
            details = tuple(_rule_details(*whole))
            if not details:
                continue
        yield Change(
            kind="rule",
            name=name,
            what=ADDED if old is None else REMOVED if new is None else CHANGED,
            title=shown.info.title,
            family=shown.info.family,
            severity=shown.info.severity,
            clauses=shown.info.clauses,
            details=details,
        )


def _rule_details(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Detail]:
    for group, keys in _GROUPS.items():
        for key in keys:
            for detail in differences(old.get(key, _NOTHING), new.get(key, _NOTHING), key):
                yield Detail(
                    detail.part, detail.before, detail.after, detail.what, _group(detail.part, group)
                )
    for key in _COUNTED:
        if old.get(key) != new.get(key):
            yield Detail(key, _count(old.get(key)), _count(new.get(key)), CHANGED, "examples")


def _group(part: str, group: str) -> str:
    """Return what a part of a rule is about: messages and severities stand inside of checks too."""
    last = part.rpartition(".")[2]
    if part.startswith("checks["):
        return "severity" if last == "severity" else "wording" if last in _MESSAGES else group
    return group


def _count(value: Any) -> int:
    if isinstance(value, Mapping):
        return sum(len(entries or ()) for entries in value.values())
    return len(value or ())


# -- anything


def differences(old: Any, new: Any, part: str) -> Iterator[Detail]:
    """Yield the parts in which two values differ.

    >>> [(d.part, d.before, d.after) for d in differences({"a": [1, 2]}, {"a": [1, 3], "b": 4}, "t")]
    [('t.a', 2, None), ('t.a', None, 3), ('t.b', None, 4)]
    """
    if old is _NOTHING or new is _NOTHING:
        if old is not new:
            gone = new is _NOTHING
            yield Detail(part, old if gone else None, None if gone else new, REMOVED if gone else ADDED)
    elif isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in [*old, *(key for key in new if key not in old)]:
            yield from differences(
                old.get(key, _NOTHING), new.get(key, _NOTHING), f"{part}.{key}" if part else key
            )
    elif isinstance(old, list) and isinstance(new, list):
        yield from _list_details(old, new, part)
    elif _canonical(old) != _canonical(new):
        yield Detail(part, old, new)


def _list_details(old: Sequence[Any], new: Sequence[Any], part: str) -> Iterator[Detail]:
    """Yield how two lists differ: mappings in each other's place are compared, other items come and go."""
    left, right = [_canonical(item) for item in old], [_canonical(item) for item in new]
    if left == right:
        return
    for what, i, j, k, m in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if what == "equal":
            continue
        pairs = min(j - i, m - k) if any(isinstance(item, Mapping) for item in (*old, *new)) else 0
        for offset in range(pairs):
            yield from differences(old[i + offset], new[k + offset], f"{part}[{k + offset}]")
        for index in range(i + pairs, j):
            yield Detail(
                f"{part}[{index}]" if pairs or isinstance(old[index], Mapping) else part,
                old[index],
                None,
                REMOVED,
            )
        for index in range(k + pairs, m):
            yield Detail(
                f"{part}[{index}]" if pairs or isinstance(new[index], Mapping) else part,
                None,
                new[index],
                ADDED,
            )


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=str)


def _entries(
    kind: str, old: Mapping[str, Any], new: Mapping[str, Any], uses: tuple[Uses, Uses] | None = None
) -> Iterator[Change]:
    for name in [*old, *(name for name in new if name not in old)]:
        found = tuple(differences(old[name], new[name], "")) if name in old and name in new else ()
        if name in old and name in new and not found:
            continue
        what = ADDED if name not in old else REMOVED if name not in new else CHANGED
        value = new.get(name, old.get(name))
        title = str(value.get("title", "")) if isinstance(value, Mapping) else ""
        yield Change(
            kind, name, what, title=title, details=found, used_by=_used_by((kind, name), uses) if uses else ()
        )


def _used_by(thing: tuple[str, str], uses: tuple[Uses, Uses]) -> tuple[str, ...]:
    rules = [rule for found in uses for rule, things in found.by_rule.items() if thing in things]
    return tuple(dict.fromkeys(rules))


def _facts(before: Ruleset, after: Ruleset, uses: tuple[Uses, Uses]) -> Iterator[Change]:
    def told(ruleset: Ruleset, scope: str) -> dict[str, Any]:
        facts = ruleset.facts.get(scope, {}).values()
        # What a fact is said to be plays no part in a verdict.
        return {
            fact.name: {
                key: getattr(fact.definition, name, None) for key, name in (("is", "source"), ("of", "of"))
            }
            for fact in facts
        }

    for scope in dict.fromkeys([*before.facts, *after.facts]):
        for change in _entries("fact", told(before, scope), told(after, scope), uses):
            fact = after.facts.get(scope, {}).get(change.name) or before.facts[scope][change.name]
            yield Change(
                "fact",
                change.name,
                change.what,
                fact.doc,
                scope,
                details=change.details,
                used_by=change.used_by,
            )


def _gates(before: Ruleset, after: Ruleset) -> Iterator[Change]:
    def told(ruleset: Ruleset) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for raw in ruleset.settings.get("gates") or ():
            names = raw["after"] if isinstance(raw["after"], list) else [raw["after"]]
            rest = {key: value for key, value in raw.items() if key not in ("after", "stops", "because")}
            name = f"after {' or '.join(names)}, stops the {raw['stops']}"
            # Two gates may differ in the rest only.
            while name in found:
                name += " (again)"
            found[name] = rest
        return found

    yield from _entries("gate", told(before), told(after))


def _layout(before: Ruleset, after: Ruleset, uses: tuple[Uses, Uses]) -> Iterator[Change]:
    def told(sources: Mapping[str, Source]) -> dict[str, Any]:
        keys = ("scope", "path", "glob", "schema", "ignore_case", "option", "form")
        return {
            name: {key: value for key in keys if (value := getattr(source, key))}
            for name, source in sources.items()
        }

    def scopes(ruleset: Ruleset) -> dict[str, Any]:
        return {
            name: {
                "in": scope.parent,
                "folder": scope.folder,
                "match": None if scope.pattern is None else scope.pattern.pattern,
                "order": scope.order,
            }
            for name, scope in ruleset.layout.scopes.items()
        }

    yield from _entries("scope", scopes(before), scopes(after))
    yield from _entries("document", told(before.layout.documents), told(after.layout.documents), uses)
    yield from _entries("place", told(before.layout.places), told(after.layout.places), uses)


# -- schemas


def _schemas(before: Ruleset, after: Ruleset, uses: tuple[Uses, Uses]) -> Iterator[Change]:
    def told(ruleset: Ruleset) -> dict[str, Any]:
        names = {s.schema for s in ruleset.layout.documents.values() if s.schema is not None}
        return {name: dict(_fields(ruleset.raw_schema(name), "")) for name in sorted(names)}

    yield from _entries("schema", told(before), told(after), uses)


_NO_MEANING = ("description", "title", "examples", "$schema", "$id", "$comment", "x-unit", "x-clause")
_NESTED = ("properties", "items", "additionalProperties", "required", "$defs")


def _fields(schema: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Yield the fields of a document with what its schema asks of each."""
    if not isinstance(schema, Mapping):
        return
    own = {key: value for key, value in schema.items() if key not in (*_NO_MEANING, *_NESTED)}
    if name or own:
        yield name or "the document", own
    required = schema.get("required") or ()
    for key, inner in (schema.get("properties") or {}).items():
        field = f"{name}.{key}" if name else key
        for found, asked in _fields(inner, field):
            yield found, {**asked, "required": True} if found == field and key in required else asked
        if inner is True or inner == {}:
            yield field, {"required": True} if key in required else {}
    undescribed = [key for key in required if key not in (schema.get("properties") or {})]
    for key in undescribed:
        yield f"{name}.{key}" if name else key, {"required": True}
    yield from _fields(schema.get("items"), f"{name}[]")
    yield from _fields(schema.get("additionalProperties"), f"{name}.*" if name else "*")
    yield from ((f"$defs.{key}{found}", asked) for key, inner in (schema.get("$defs") or {}).items()
                for found, asked in _fields(inner, "."))  # fmt: skip


# -- the rest


def _views(before: Ruleset, after: Ruleset) -> Iterator[Change]:
    def told(ruleset: Ruleset) -> dict[str, Any]:
        return {
            str(raw["title"]): raw for kind in ("charts", "tables") for raw in ruleset.views.get(kind, ())
        }

    for change in _entries("view", told(before), told(after)):
        yield Change("view", change.name, change.what)


def _settings(before: Ruleset, after: Ruleset) -> Iterator[Change]:
    keys = ("title", "policy", "cohorts", "families", "actions", "draft")
    for key in keys:
        found = tuple(differences(before.settings.get(key, _NOTHING), after.settings.get(key, _NOTHING), key))
        if found:
            yield Change("setting", key, CHANGED, details=found)
    told = [list(_decisions(ruleset)) for ruleset in (before, after)]
    found = tuple(differences(told[0], told[1], "tailoring"))
    if found:
        yield Change("setting", "tailoring", CHANGED, details=found)


def _decisions(ruleset: Ruleset) -> Iterator[str]:
    """Yield what a tailoring says besides what is seen in the rules: its reasons, and its waivers."""
    if ruleset.tailoring is not None:
        for entry in ruleset.tailoring.content.get("off", ()):
            yield f"{entry['rule']} is switched off: {entry['reason']}"
        for waiver in ruleset.waivers:
            yield about_waiver(waiver, True)


# -- what rests on what


class Uses:
    """What each rule rests on: facts, tables, documents and places, one behind the other.

    By names alone, so it may take in a little too much; it is there to point at reasons.
    """

    def __init__(self, ruleset: Ruleset):
        self._ruleset = ruleset
        self._facts = {fact.name for facts in ruleset.facts.values() for fact in facts.values()}
        self._fact_words = {
            name: _words_of(facts[name].definition for facts in ruleset.facts.values() if name in facts)
            for name in self._facts
        }
        self.by_rule = {name: self._things(rule) for name, rule in ruleset.rules.items()}

    def _things(self, rule: Rule) -> frozenset[tuple[str, str]]:
        parts = [part for _, part in rule.expressions()]
        bound = set(rule.definitions)
        words = _words_of([*parts, *rule.definitions.values()])
        if rule.at is not None and rule.at.document is not None:
            words.add(rule.at.document)
        found: set[tuple[str, str]] = set()
        waiting = [word for word in words if word not in bound or word in self._facts]
        seen: set[str] = set()
        while waiting:
            word = waiting.pop()
            if word in seen:
                continue
            seen.add(word)
            if word in self._facts:
                found.add(("fact", word))
                waiting += self._fact_words[word]
            if word in self._ruleset.tables:
                found.add(("table", word))
            if word in self._ruleset.layout.places:
                found.add(("place", word))
            document = self._ruleset.layout.documents.get(word)
            if document is not None:
                found |= {("document", word), ("schema", document.schema or "")}
        return frozenset(found)


def _words_of(entries: Iterable[Any]) -> set[str]:
    """Return every name, attribute and field in expressions and paths."""
    words: set[str] = set()
    for entry in entries:
        # Texts in quotes are keys as well: `summary."90"`.
        words.update(re.findall(r"[A-Za-z_][A-Za-z0-9_]*", str(getattr(entry, "source", ""))))
    return words
