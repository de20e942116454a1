"""What each rule makes use of: fields of documents, files, facts, entries of tables, functions.

It follows the rule's paths and expressions, and those of the facts they lead to, without any
submission: from the schemas, as lint does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from submission_checker.bench.cases import RuleCase
from submission_checker.bench.inference import Known, Subject
from submission_checker.bench.meanings import Ledger, Meaning, Shaped
from submission_checker.engine.rules import Compute, Definition, Locate, Rule
from submission_checker.engine.ruleset import Ruleset
from submission_checker.engine.source import Marks


@dataclass(slots=True)
class Usage:
    """What something makes use of."""

    fields: set[str] = field(default_factory=set)
    """Fields of documents that are taken by their name, such as `card.books[].title`."""
    wholes: set[str] = field(default_factory=set)
    """Documents, and mappings or lists in them, that are taken as a whole."""
    files: set[str] = field(default_factory=set)
    """Documents and places of which it is asked whether they are there, or what is wrong with them."""
    facts: dict[tuple[str, str], None] = field(default_factory=dict)
    """Facts by scope and name."""
    entries: set[tuple[str, ...]] = field(default_factory=set)
    """Entries of tables, the table's name first."""
    functions: dict[str, None] = field(default_factory=dict)

    @property
    def documents(self) -> set[str]:
        """Documents that are read or asked after."""
        return {name.split(".")[0].removesuffix("[]") for name in (*self.fields, *self.wholes)} | self.files

    def merge(self, other: Usage) -> None:
        """Take over what another makes use of."""
        self.fields |= other.fields
        self.wholes |= other.wholes
        self.files |= other.files
        self.entries |= other.entries
        self.facts.update(other.facts)
        self.functions.update(other.functions)


class Usages:
    """What the rules and the facts of a ruleset make use of."""

    def __init__(self, ruleset: Ruleset, marks: Mapping[str, Marks]):
        self._ruleset = ruleset
        self._known = _Watched(ruleset)
        self._marks = marks
        for scope, facts in ruleset.facts.items():
            for name in facts:
                self._known.fact(scope, name)
        self.facts: Mapping[tuple[str, str], Usage] = self._known.used_by
        """Fact, by scope and name, to what it uses itself."""
        self.direct = {rule.id: self._of_rule(rule) for rule in ruleset.rules.values()}
        """Rule to what it uses itself."""
        self.rules = {rule: self._with_facts(used) for rule, used in self.direct.items()}
        """Rule to what it uses itself or through facts."""

    def _of_rule(self, rule: Rule) -> Usage:
        used = Usage()
        with self._known.watch(used):
            # Looks at every expression, path and message on its way.
            _ = RuleCase(self._ruleset, rule, self._known, self._marks[rule.id]).doubts
        for _, compute in rule.expressions():
            used.functions.update(dict.fromkeys(compute.expression.called))
        return used

    def _with_facts(self, used: Usage) -> Usage:
        found = Usage()
        for part in self.parts(used):
            found.merge(part)
        return found

    def parts(self, used: Usage) -> Iterator[Usage]:
        """Yield what something uses itself, then what each of the facts uses that it rests on."""
        yield used
        seen = dict(used.facts)
        waiting = list(seen)
        while waiting:
            inner = self.facts[waiting.pop(0)]
            new = [fact for fact in inner.facts if fact not in seen]
            seen.update(dict.fromkeys(new))
            waiting += new
            yield inner


class _Watch:
    """While it is open, what is used is noted in one place."""

    def __init__(self, known: _Watched, used: Usage):
        self._known = known
        self._used = used

    def __enter__(self) -> None:
        self._known.open.append(self._used)

    def __exit__(self, *_: object) -> None:
        self._known.open.pop()


class _Watched(Known):
    """Notes what is taken from documents, tables and facts while it is asked for their meaning."""

    def __init__(self, ruleset: Ruleset):
        super().__init__(ruleset)
        self.open: list[Usage] = [Usage()]
        self.used_by: dict[tuple[str, str], Usage] = {}
        self.ledger = _Entries(self)

    @property
    def used(self) -> Usage:
        """Where to note what is used now."""
        return self.open[-1]

    def watch(self, used: Usage) -> _Watch:
        """Note in *used* what is used from now on."""
        return _Watch(self, used)

    def subject(self, scope: str) -> Subject:
        """Return what is known of the subjects of a scope."""
        if scope not in self._subjects:
            self._subjects[scope] = _WatchedSubject(self, scope)
        return self._subjects[scope]

    def document(self, name: str, *, as_written: bool) -> Meaning:
        """Return a document's value."""
        source = self.ruleset.layout.documents[name]
        schema = None if source.schema is None else self._schema(source.schema)
        if schema is None or source.glob:
            self.used.files.add(name)
            return super().document(name, as_written=as_written)
        return _WatchedShape(self, name, [schema], schema, as_written=as_written)

    def fact(self, scope: str, name: str) -> Meaning:
        """Return what a fact gives."""
        key = (scope, name)
        self.used.facts[key] = None
        if key not in self.used_by:
            used = self.used_by[key] = Usage()
            with self.watch(used):
                found = super().fact(scope, name)
            definition = self.ruleset.facts[scope][name].definition
            used.functions.update(dict.fromkeys(_called(definition)))
            return found
        return super().fact(scope, name)


def _called(definition: Definition) -> Sequence[str]:
    if isinstance(definition, Locate):
        return definition.text.expression.called
    return definition.expression.called if isinstance(definition, Compute) else ()


class _WatchedSubject(Subject):
    """Notes of which files the state is asked."""

    def _state(self, name: str) -> Meaning:
        assert isinstance(self.known, _Watched)
        self.known.used.files.add(name)
        return super()._state(name)


class _WatchedShape(Shaped):
    """Notes which fields are taken from a document."""

    def __init__(
        self,
        known: _Watched,
        what: str,
        schemas: Sequence[Mapping[str, Any]],
        root: Mapping[str, Any],
        *,
        as_written: bool = False,
        optional: bool = False,
    ):
        super().__init__(what, schemas, root, as_written=as_written, optional=optional)
        self._known = known

    def _inner(self, name: str, schemas: Sequence[Mapping[str, Any]], optional: bool) -> Shaped:
        self._known.used.fields.add(name)
        return _WatchedShape(
            self._known, name, schemas, self.root, as_written=self.as_written,
            optional=self.optional or optional,
        )  # fmt: skip

    def use(self) -> None:
        if self._holds_others:
            self._known.used.wholes.add(self.what)

    @cached_property
    def _holds_others(self) -> bool:
        return any(
            key in branch
            for branch in self.branches
            for key in ("properties", "items", "additionalProperties")
        )


class _Entries(Ledger):
    """Notes which entries of tables are used."""

    def __init__(self, known: _Watched):
        self._known = known

    @property
    def used(self) -> set[tuple[str, ...]]:  # type: ignore[override]
        """Where to note an entry."""
        return self._known.used.entries
