"""A ruleset as the pages see it: where each thing has its page, and what is connected with what."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from submission_checker.bench import overview
from submission_checker.engine.language import LANGUAGE
from submission_checker.engine.layout import Source
from submission_checker.engine.rules import Rule
from submission_checker.engine.ruleset import Ruleset, Survey
from submission_checker.rulebook import markdown as md
from submission_checker.rulebook import schemas
from submission_checker.rulebook.usage import Usages

FOLDED = 4
"""Rules that a cell of a table shows at once."""
PROGRAM = "submission-checker"
COMMAND = f"{PROGRAM} docs build"
REFERENCE = "reference"
"""Folder of the generated pages, below the documentation's."""
FUNCTIONS = f"{REFERENCE}/functions"
_SECTION = re.compile(r"(?:(?<![\w`])([A-Z]{1,4}) )?§((?:[A-Z]{1,4} )?[A-Z0-9]+(?:\.\d+)*)")

SourceLink = Callable[[str], "str | None"]
"""Gives the path, from the documentation's folder, of a file of the rulesets' or schemas' folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deviation:
    """A difference from another checker that is known and meant."""

    rules: tuple[str, ...]
    why: str


class Book:
    """One ruleset.

    Args:
        survey: The ruleset, loaded with examples.
        source: How its files are reached from the pages.
        deviations: Known differences from another checker.
    """

    def __init__(self, survey: Survey, source: SourceLink, deviations: Sequence[Deviation] = ()):
        assert survey.ruleset is not None
        self.ruleset: Ruleset = survey.ruleset
        self.usages = Usages(self.ruleset, survey.marks)
        self.deviations = deviations
        self._source = source
        self.root = f"{REFERENCE}/{self.id}"
        self.settings: Mapping[str, Any] = self.ruleset.settings
        self.sections: Mapping[str, Any] = self.ruleset.clauses.get("sections") or {}
        self.rows: Mapping[str, Any] = self.ruleset.clauses.get("rows") or {}
        self.manual: Mapping[str, Any] = self.ruleset.clauses.get("manual") or {}
        self.policies: Mapping[str, Any] = self.ruleset.clauses.get("documents") or {}
        self.actions: Mapping[str, Any] = self.settings.get("actions") or {}

    @property
    def id(self) -> str:
        """The ruleset's name."""
        return self.ruleset.info.id

    @property
    def rules(self) -> Mapping[str, Rule]:
        """The rules by id, in the order of reports."""
        return self.ruleset.rules

    @property
    def is_draft(self) -> bool:
        """Whether it is not finished."""
        return self.settings.get("draft") is True

    @property
    def label(self) -> str:
        """Its name for readers."""
        return f"{self.id} (draft)" if self.is_draft else self.id

    # Where things are.

    @property
    def home(self) -> str:
        """The page that the others hang from."""
        return f"{self.root}/README.md"

    @property
    def coverage(self) -> str:
        """The matrix of clauses and rules."""
        return f"{self.root}/coverage.md"

    @property
    def changes(self) -> str:
        """The differences from the ruleset before."""
        return f"{self.root}/changes.md"

    def index(self, kind: str) -> str:
        """Return the page that lists all of one kind: `rules`, `clauses`, `documents`, `tables`."""
        return f"{self.root}/{kind}/README.md"

    def page_of_rule(self, rule: str) -> str:
        """Return a rule's page."""
        return f"{self.root}/rules/{rule}.md"

    def page_of_clause(self, number: str) -> str:
        """Return a clause's page."""
        return f"{self.root}/clauses/{number.replace(' ', '-')}.md"

    def page_of_document(self, name: str) -> str | None:
        """Return a document's page; None for one that has no schema to make a page of."""
        return f"{self.root}/documents/{name}.md" if name in self.described else None

    def page_of_table(self, name: str) -> str:
        """Return a table's page."""
        return f"{self.root}/tables/{name}.md"

    # Links.

    def named(self, here: str) -> str:
        """Link to the ruleset by its name."""
        return md.link(f"Ruleset {self.label}", self.home, here)

    def titled(self, here: str) -> str:
        """Link to the ruleset by its title."""
        return md.link(md.text(self.ruleset.info.title), self.home, here)

    def rule(self, rule: str, here: str) -> str:
        """Link to a rule."""
        return md.link(md.code(rule), self.page_of_rule(rule), here) if rule in self.rules else md.code(rule)

    def rule_list(self, rules: Sequence[str], here: str) -> str:
        """Link to several rules."""
        return ", ".join(self.rule(rule, here) for rule in rules)

    def folded_rules(self, rules: Sequence[str], here: str) -> str:
        """Link to several rules in a cell of a table; many are folded away behind their number."""
        listed = self.rule_list(rules, here)
        if len(rules) <= FOLDED:
            return listed
        return f"<details><summary>{len(rules)} rules</summary>{listed}</details>"

    def clause(self, number: str, here: str, *, title: bool = False) -> str:
        """Link to a clause by its number, maybe with its title."""
        entry = self.sections.get(number)
        label = f"§{number}" + (f" {md.text(entry['title'])}" if title and entry else "")
        return md.link(label, self.page_of_clause(number), here) if entry else label

    def clause_list(self, numbers: Sequence[str], here: str) -> str:
        """Link to several clauses."""
        return ", ".join(self.clause(number, here) for number in numbers)

    def document(self, name: str, here: str) -> str:
        """Link to a document or a place by the name that rules use."""
        page = self.page_of_document(name)
        return md.link(md.code(self.file_name(name)), page, here) if page else md.code(self.file_name(name))

    def schema_file(self, document: str) -> str:
        """Return the path of a document's schema from where the rulesets' and schemas' folders are."""
        file = self.ruleset.schema_file(self.described[document].schema or "")
        assert file is not None
        if file.parent.parent in self.ruleset.chain:
            return f"rules/{file.parent.parent.name}/schemas/{file.name}"
        return f"schemas/{file.parent.name}/{file.name}"

    def field(self, document: str, path: str, here: str) -> str:
        """Link to a field of a document."""
        label = md.code(f"{document}.{path}")
        found = self.fields.get(document, {}).get(path)
        page = self.page_of_document(document)
        return md.link(label, f"{page}#{found.anchor}", here) if found and page else label

    def source(self, file: str, here: str) -> str:
        """Link to a file of the ruleset, by its path below the rulesets' folder."""
        return self.outside(f"rules/{file}", here)

    def outside(self, file: str, here: str) -> str:
        """Link to a file beside the documentation."""
        found = self._source(file)
        return md.link(md.code(file), found, here) if found else md.code(file)

    def prose(self, written: str, here: str) -> str:
        """Escape a text, and link the clauses that it names."""
        parts = re.split(r"(`[^`]*`)", written)
        for index in range(0, len(parts), 2):
            parts[index] = _SECTION.sub(lambda found: self._linked(found, here), md.text_kept(parts[index]))
        return " ".join("".join(parts).split())

    def _linked(self, found: re.Match[str], here: str) -> str:
        number = self.find_clause(found[2], found[1])
        return found[0] if number is None else f"[{found[0]}]({md.target(self.page_of_clause(number), here)})"

    def find_clause(self, number: str, document: str | None = None) -> str | None:
        """Return the key of a clause; one may be listed with its document before its number."""
        for key in ([f"{document} {number}"] if document else []) + [number]:
            if key in self.sections:
                return key
        return None

    # What is connected with what.

    @cached_property
    def described(self) -> dict[str, Source]:
        """Documents that have a schema, in the order of the layout."""
        return {
            name: source
            for name, source in self.ruleset.layout.documents.items()
            if source.schema and self.ruleset.schema_file(source.schema)
        }

    def schema(self, document: str) -> Mapping[str, Any]:
        """Return the schema of a document."""
        schema = self.ruleset.layout.documents[document].schema
        return self.ruleset.raw_schema(schema) if schema else {}

    @cached_property
    def fields(self) -> dict[str, dict[str, schemas.Field]]:
        """Document to path to field."""
        return {
            name: {field.path: field for field in schemas.fields(self.schema(name))}
            for name in self.described
        }

    @cached_property
    def described_rules(self) -> dict[str, dict[str, Any]]:
        """Everything that there is to know of each rule."""
        return {rule.id: overview.describe(self.ruleset, rule) for rule in self.rules.values()}

    def rules_of_clause(self, number: str) -> list[str]:
        """Return the rules that serve a clause: that cite it, or that it or a row of it names."""
        named = set(self.sections.get(number, {}).get("rules", ()))
        for row in self.rows.values():
            if number in row.get("clauses", ()):
                named |= set(row.get("rules", ()))
        return [rule.id for rule in self.rules.values() if number in rule.info.clauses or rule.id in named]

    def rules_that_call(self, function: str) -> list[str]:
        """Return the rules that call a function, directly or through facts."""
        return [rule for rule, used in self.usages.rules.items() if function in used.functions]

    def file_name(self, name: str) -> str:
        """Return the file name of a document or a place, or the name itself where it has none."""
        layout = self.ruleset.layout
        source = layout.documents.get(name) or layout.places.get(name)
        if source is None:
            return name
        if source.option is not None:
            return f"--{source.option.replace('_', '-')}"
        return source.path or source.glob or "."

    def folder_of(self, scope: str) -> str:
        """Return where the folders of a scope lie, as a pattern below the submission."""
        layout = self.ruleset.layout
        parts = []
        for name in reversed(layout.chain(scope)):
            kind = layout.scopes[name]
            if kind.parent is not None:
                own = _as_shown(kind.pattern.pattern) if kind.pattern is not None else "*"
                parts += [kind.folder, own] if kind.folder else [own]
        return "".join(f"{part}/" for part in parts) or "./"

    def differs(self, rule: str) -> str:
        """Say how what the checker does differs from what the policy does; nothing where it does not."""
        info = self.rules[rule].info
        wanted = (self.actions.get(info.action or "") or {}).get("severity")
        if wanted is None or wanted == info.severity:
            return ""
        return "stricter" if info.severity == "error" else "milder"

    def deviations_of(self, rule: str) -> list[Deviation]:
        """Return the known differences from another checker that concern a rule."""
        return [deviation for deviation in self.deviations if rule in deviation.rules]


def _as_shown(pattern: str) -> str:
    """Show a pattern for names of folders as people write it.

    >>> _as_shown("r(?P<number>[0-9]+)")
    'r<number>'
    """
    return re.sub(r"\(\?P<(\w+)>[^()]*\)", r"<\1>", pattern)


def page_of_function(name: str) -> str:
    """Return the page of a function: one for itself, or one for all that the language has."""
    return f"{FUNCTIONS}/language.md#{name}" if name in LANGUAGE else f"{FUNCTIONS}/{name}.md"


def first_line(source: str, *, mark: str = "<!-- {} -->") -> str:
    """Return the first line of a generated file: from what, and by which command."""
    return mark.format(f"Generated from {source} by `{COMMAND}`; change that, not this.")
