"""A ruleset, loaded and linked: the rules of one policy version."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from submission_checker.documents import DocumentSchema
from submission_checker.engine import layout as layouts
from submission_checker.engine import rules as parts
from submission_checker.engine import source, waivers
from submission_checker.engine.document_schemas import schema_content, schema_file
from submission_checker.engine.errors import ExpressionError, Mistake, RulesetError, did_you_mean
from submission_checker.engine.fitting import link_tailoring, tailor
from submission_checker.engine.language import LANGUAGE
from submission_checker.engine.layers import Files, chain_of, lay
from submission_checker.engine.linking import link, link_layout
from submission_checker.engine.model import RulesetInfo
from submission_checker.engine.tailoring import Tailoring, TailoringError


@dataclass(slots=True)
class Ruleset:
    """The rules of one policy version, loaded and linked."""

    info: RulesetInfo
    folder: Path
    chain: tuple[Path, ...]
    """The ruleset's folder, then the folders it extends."""
    settings: dict[str, Any]
    """`ruleset.yaml`, overlays applied."""
    layout: layouts.Layout
    facts: dict[str, dict[str, parts.Fact]]
    """Scope to name to fact."""
    tables: dict[str, Any]
    rules: dict[str, parts.Rule]
    """Id to rule, in the order of reports."""
    gates: list[parts.Gate]
    clauses: dict[str, Any]
    views: dict[str, Any]
    functions: parts.Functions
    schemas_folder: Path | None = None
    tailoring: Tailoring | None = None
    waivers: tuple[waivers.Entry, ...] = ()
    """Waivers that hold."""
    _schemas: dict[str, DocumentSchema] = field(default_factory=dict)

    def schema(self, name: str) -> DocumentSchema:
        """Return the schema of a kind of document, built once.

        Raises:
            RulesetError: where there is none of that name.
        """
        if name not in self._schemas:
            self._schemas[name] = DocumentSchema(self.raw_schema(name), name=name)
        return self._schemas[name]

    def raw_schema(self, name: str) -> dict[str, Any]:
        """Return a document's JSON Schema, laid over the one below where it says `x-extends`."""
        if self.schema_file(name) is None:
            raise RulesetError([Mistake(f"{name}.schema.json", None, None, "no such schema")])
        return schema_content(name, self.chain, self.schemas_folder)

    def schema_file(self, name: str) -> Path | None:
        """Return where a document's JSON Schema is: in the ruleset, in what it extends, or beside."""
        return schema_file(name, self.chain, self.schemas_folder)

    def by_scope(self) -> dict[str, list[parts.Rule]]:
        """Return the rules of each scope, in order."""
        found: dict[str, list[parts.Rule]] = {name: [] for name in self.layout.scopes}
        for rule in self.rules.values():
            found[rule.info.scope].append(rule)
        return found

    def find(self, name: str) -> parts.Rule | None:
        """Return the rule of that id or alias."""
        if name in self.rules:
            return self.rules[name]
        return next((rule for rule in self.rules.values() if name in rule.aliases), None)


def load(
    folder: Path,
    *,
    functions: Mapping[str, Callable[..., Any]],
    schemas: Path | None = None,
    rulesets: Path | None = None,
    tailored: Tailoring | None = None,
    examples: bool = False,
    validate: bool = True,
) -> Ruleset:
    """Load and link the ruleset in *folder*.

    Args:
        folder: The ruleset.
        functions: Name to named function, besides the language's own.
        schemas: Folder with the schemas of documents, by ruleset, for those not in the ruleset itself.
        rulesets: Folder in which `extends` looks for others; the one around *folder* by default.
        tailored: A user's changes on top.
        examples: Keep the rules' examples (a check needs none).
        validate: Check names, expressions, paths and messages now (a shipped ruleset is checked when built).

    Raises:
        RulesetError: with every mistake found.
    """
    found = survey(
        folder, functions=functions, schemas=schemas, rulesets=rulesets, tailored=tailored, examples=examples,
        validate=validate,
    )  # fmt: skip
    if found.mistakes or found.ruleset is None:
        to_blame = tailored is not None and all(m.file == tailored.marks.file for m in found.mistakes)
        raise (TailoringError if to_blame else RulesetError)(found.mistakes)
    return found.ruleset


@dataclass(frozen=True, slots=True)
class Survey:
    """What could be made of a ruleset's folder, and everything that is wrong with the rest."""

    ruleset: Ruleset | None
    """The ruleset without the rules that cannot be used; None where the layout itself cannot be."""
    mistakes: list[Mistake]
    marks: dict[str, source.Marks]
    """A rule's id, `ruleset`, `layout`, `facts`, `table:<name>` … to where the parts of its file stand."""


def survey(
    folder: Path,
    *,
    functions: Mapping[str, Callable[..., Any]],
    schemas: Path | None = None,
    rulesets: Path | None = None,
    tailored: Tailoring | None = None,
    examples: bool = False,
    validate: bool = True,
) -> Survey:
    """Load as much of the ruleset in *folder* as can be used, and collect what is wrong with the rest.

    The arguments are those of `load`.

    Raises:
        RulesetError: where there is no ruleset to look at: no folder, or one that it extends is missing.
    """
    chain = chain_of(folder, rulesets)
    files = Files(shapes=schemas if validate else None, examples=examples)
    mistakes: list[Mistake] = []
    for layer in reversed(chain):
        lay(files, layer, mistakes)
    layers = chain
    if tailored is not None:
        layers = (*reversed(tailored.folders), *chain)
        tailor(files, tailored, mistakes)
    if mistakes and (not validate or files.unusable & {"ruleset", "layout"}):
        return Survey(None, mistakes, files.marks)
    before = len(mistakes)
    if validate:
        link_layout(files, schemas, layers, mistakes)
    if len(mistakes) > before:
        return Survey(None, mistakes, files.marks)
    ruleset = _build(files, folder, layers, {**LANGUAGE, **functions}, schemas, mistakes)
    if validate:
        link(ruleset, files, mistakes)
    if tailored is not None:
        link_tailoring(ruleset, files, tailored, mistakes)
    if validate:
        _leave_out(ruleset, files, mistakes)
    return Survey(ruleset, mistakes, files.marks)


def _leave_out(ruleset: Ruleset, files: Files, mistakes: list[Mistake]) -> None:
    """Take the rules with mistakes out of a ruleset, so that what is left can be used."""
    blamed = {mistake.file for mistake in mistakes}
    for name in [name for name in ruleset.rules if files.sources[name] in blamed or name in files.unusable]:
        del ruleset.rules[name]


def _build(
    files: Files,
    folder: Path,
    chain: tuple[Path, ...],
    functions: parts.Functions,
    schemas: Path | None,
    mistakes: list[Mistake],
) -> Ruleset:
    """Make a ruleset of what its files say."""
    settings = files.settings
    layout = layouts.build(files.layout)
    rules = _rules(files, layout, functions, mistakes)
    facts = _facts(files, layout, functions, mistakes)
    gates = [_gate(raw, index, rules, layout, files, functions, mistakes)
             for index, raw in enumerate(settings.get("gates") or ())]  # fmt: skip
    info = RulesetInfo(
        id=str(settings.get("id", folder.name)),
        title=settings.get("title", ""),
        policy=settings.get("policy", ""),
        rules=len(rules),
        families={name: str(title) for name, title in (settings.get("families") or {}).items()},
        actions={name: entry["label"] for name, entry in (settings.get("actions") or {}).items()},
        clauses={number: entry["title"] for number, entry in (files.clauses.get("sections") or {}).items()},
    )
    return Ruleset(
        info=info, folder=folder, chain=chain, settings=settings, layout=layout, facts=facts,
        tables=files.tables, rules=rules, gates=gates, clauses=files.clauses, views=files.views,
        functions=functions, schemas_folder=schemas,
    )  # fmt: skip


def _rules(
    files: Files, layout: layouts.Layout, functions: parts.Functions, mistakes: list[Mistake]
) -> dict[str, parts.Rule]:
    """Make the rules in the order of reports; one that is no rule is a mistake with its place."""
    rules: dict[str, parts.Rule] = {}
    order = [*(files.settings.get("families") or ()), *sorted(set(files.families.values()))]
    for name in sorted(files.rules, key=lambda name: (order.index(files.families[name]), name)):
        raw = files.rules[name]
        try:
            made = parts.rule(
                raw, family=files.families[name], source=files.sources[name], functions=functions
            )
        except (ExpressionError, KeyError, ValueError, TypeError, AttributeError) as error:
            mistakes.append(files.marks[name].mistake((), f"not a rule: {type(error).__name__} {error}"))
            continue
        if made.info.scope not in layout.scopes:
            hint = did_you_mean(made.info.scope, layout.scopes)
            mistakes.append(files.marks[name].mistake(("scope",), f"no scope named {made.info.scope}{hint}"))
            continue
        rules[name] = _with_page(made, files.settings)
    return rules


def _facts(
    files: Files, layout: layouts.Layout, functions: parts.Functions, mistakes: list[Mistake]
) -> dict[str, dict[str, parts.Fact]]:
    """Make the facts of each scope."""
    facts: dict[str, dict[str, parts.Fact]] = {name: {} for name in layout.scopes}
    for scope, entries in files.facts.items():
        if scope not in facts:
            hint = did_you_mean(scope, layout.scopes)
            mistakes.append(files.marks["facts"].mistake((scope,), f"no scope named {scope}{hint}"))
            continue
        for name, raw in (entries or {}).items():
            doc = raw.get("doc", "") if isinstance(raw, dict) else ""
            facts[scope][name] = parts.Fact(
                name=name, scope=scope, definition=parts.definition(raw, functions), doc=doc
            )
    return facts


def _with_page(rule: parts.Rule, settings: Mapping[str, Any]) -> parts.Rule:
    """Give a rule the address of its documentation, where the ruleset has a `site`."""
    site = settings.get("site")
    if site is not None:
        page = site.replace("{rule}", rule.id).replace("{ruleset}", str(settings.get("id", "")))
        rule.info = replace(rule.info, page=page)
    return rule


def _gate(
    raw: Mapping[str, Any],
    index: int,
    rules: Mapping[str, parts.Rule],
    layout: layouts.Layout,
    files: Files,
    functions: parts.Functions,
    mistakes: list[Mistake],
) -> parts.Gate:
    """Make a gate: which rules it holds back is worked out here, once."""
    marks = files.marks["ruleset"]
    after = raw["after"] if isinstance(raw["after"], list) else [raw["after"]]
    stops = raw["stops"]
    if stops not in layout.scopes:
        mistakes.append(marks.mistake(("gates", index, "stops"), f"no scope named {stops}"))
        return parts.Gate(after=(), stops=stops, when=None, rules=frozenset())
    inside = {name for name in layout.scopes if stops in layout.chain(name)}
    named = {key: list(raw.get(key) or ()) for key in ("except", "only")}
    for key, entries in {"after": after, **named}.items():
        for entry in entries:
            if not _gate_may_name(key, entry, rules, files):
                hint = did_you_mean(entry, rules)
                mistakes.append(marks.mistake(("gates", index, key), f"a gate names no rule {entry}{hint}"))

    def listed(rule: parts.Rule, key: str) -> bool:
        return rule.id in named[key] or f"family:{rule.info.family}" in named[key]

    held = frozenset(
        rule.id
        for rule in rules.values()
        if rule.info.scope in inside
        and rule.id not in after
        and not listed(rule, "except")
        and (not named["only"] or listed(rule, "only"))
    )
    when = raw.get("when")
    return parts.Gate(
        after=tuple(name for name in after if name in rules), stops=stops,
        when=parts.Compute(when, functions) if when else None, rules=held,
        on_warning=raw.get("severity") == "warning", because=raw.get("because", ""),
    )  # fmt: skip


def _gate_may_name(key: str, entry: str, rules: Mapping[str, parts.Rule], files: Files) -> bool:
    """Tell whether there is the rule, or but for `after` the family, that a gate names."""
    if entry in rules or entry in files.unusable or entry in files.retired:
        return True
    families = {*files.families.values(), *(files.settings.get("families") or ())}
    return key != "after" and entry.removeprefix("family:") in families
