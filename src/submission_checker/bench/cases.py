"""A rule on the bench: its expressions as trees, what is known of its names, what its examples make of it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from submission_checker.bench import trees
from submission_checker.bench.examples import Trial
from submission_checker.bench.inference import Doubt, Known, Names, names_of
from submission_checker.bench.meanings import UNKNOWN, Meaning
from submission_checker.engine import rules as parts
from submission_checker.engine.errors import EvaluationError, ExpressionError
from submission_checker.engine.expressions import Expression
from submission_checker.engine.rules import Compute, Rule
from submission_checker.engine.ruleset import Ruleset
from submission_checker.engine.source import Marks

MAX_OBSERVED = 5_000
"""Values that are kept of one part of an expression."""

Place: TypeAlias = "tuple[str | int, ...]"
Spot: TypeAlias = "tuple[Place, int, int, int, int, str]"
"""A part of an expression: the expression's place, and where the part stands in its text."""


@dataclass(frozen=True, slots=True)
class Written:
    """An expression of a rule, with its place in the rule's file."""

    place: Place
    source: str
    tree: ast.expr

    def spot(self, node: ast.expr) -> Spot:
        """Return the identity of a part of the expression."""
        return spot(self.place, node)


def spot(place: Place, node: ast.expr) -> Spot:
    """Return the identity of a part of the expression at *place*."""
    end_line, end_column = node.end_lineno or 0, node.end_col_offset or 0
    return (place, node.lineno, node.col_offset, end_line, end_column, type(node).__name__)


@dataclass(slots=True)
class Observations:
    """What the parts of a rule's expressions were while its examples were judged."""

    values: dict[Spot, list[Any]] = field(default_factory=dict)
    pairs: dict[Spot, list[tuple[int, Any, Any]]] = field(default_factory=dict)
    """For each comparison: the number of the link in its chain, and the two sides."""
    _latest: dict[Spot, Any] = field(default_factory=dict)

    def watch(self, place: Place) -> Callable[[ast.expr, Any], None]:
        """Return what is told the values of the parts of the expression at *place*."""
        spots: dict[int, Spot] = {}

        def seen(node: ast.expr, value: Any) -> None:
            where = spots.get(id(node))
            if where is None:
                where = spots[id(node)] = spot(place, node)
            kept = self.values.setdefault(where, [])
            if len(kept) >= MAX_OBSERVED:
                return
            kept.append(value)
            if isinstance(node, ast.Compare):
                self._compared(place, node)
            self._latest[where] = value

        return seen

    def _compared(self, place: Place, node: ast.Compare) -> None:
        left = node.left
        for number, right in enumerate(node.comparators):
            sides = [self._side(place, side) for side in (left, right)]
            if all(known for known, _ in sides):
                pair = (number, sides[0][1], sides[1][1])
                self.pairs.setdefault(spot(place, node), []).append(pair)
            left = right

    def _side(self, place: Place, node: ast.expr) -> tuple[bool, Any]:
        if isinstance(node, ast.Constant):
            return True, node.value
        where = spot(place, node)
        return where in self._latest, self._latest.get(where)


@dataclass
class RuleCase:
    """One rule with everything that the lints ask of it."""

    ruleset: Ruleset
    rule: Rule
    known: Known
    marks: Marks

    @cached_property
    def names(self) -> Names:
        """The rule's names with what is known of each."""
        return self._inferred[0]

    @cached_property
    def _inferred(self) -> tuple[Names, list[tuple[Place, Doubt]]]:
        return names_of(self.known, self.rule)

    @cached_property
    def doubts(self) -> list[tuple[Place, Doubt]]:
        """Everything in expressions, paths and messages that cannot be as it is written."""
        names, found = self._inferred
        found = list(found)
        for place, compute in self.rule.expressions():
            if place[0] != "let" and place != ("for_each", "in"):
                doubts: list[Doubt] = []
                names.expression(compute, doubts)
                found += [(place, doubt) for doubt in doubts]
        for place, message in self.rule.messages():
            for dotted in _fields(message.source):
                doubts = []
                names.expression(Compute(dotted, {}), doubts)
                found += [(place, doubt) for doubt in doubts]
        return found

    @cached_property
    def expressions(self) -> list[Written]:
        """Every expression of the rule."""
        found = []
        for place, compute in self.rule.expressions():
            found.append(Written(place, compute.source, trees.parse(compute.source)))
        return found

    @property
    def conditions(self) -> Iterator[Written]:
        """The expressions that decide: `where`, `when`, `require`."""
        for written in self.expressions:
            if written.place[-1] in ("where", "when", "require"):
                yield written

    @property
    def requirements(self) -> Iterator[Written]:
        """The expressions that must hold."""
        return (written for written in self.conditions if written.place[-1] == "require")

    def meaning(self, node: ast.expr, bound: frozenset[str] = frozenset()) -> Meaning:
        """Return what is known of a part of an expression.

        Args:
            node: The part.
            bound: Names that comprehensions around it bind; nothing is known of those.
        """
        before = dict(self.names.bound)
        self.names.bound.update(dict.fromkeys(bound, UNKNOWN))
        try:
            return self.names.tree(node, [])
        finally:
            self.names.bound = before

    @cached_property
    def observed(self) -> Observations:
        """What the parts of the expressions were in the rule's examples."""
        found = Observations()
        made = parts.rule(
            self.rule.raw,
            family=self.rule.info.family,
            source=self.rule.info.source,
            functions=self.ruleset.functions,
        )
        for place, compute in made.expressions():
            compute.expression = Expression(compute.source, self.ruleset.functions, found.watch(place))
        with suppress(EvaluationError, ExpressionError):  # which are the examples' own lint
            Trial(self.ruleset, self.rule).judge(made)
        return found

    @cached_property
    def file(self) -> Path | None:
        """The rule's file; None for a rule that an overlay adds."""
        for layer in self.ruleset.chain:
            name, _, rest = self.rule.info.source.partition("/")
            if layer.name == name and (layer / rest).is_file():
                return layer / rest
        return None


def _fields(message: str) -> Iterator[str]:
    """Yield what stands between the braces of a message, without formats."""
    import string

    for _, name, _, _ in string.Formatter().parse(message):
        if name:
            yield name


@dataclass
class RulesetCase:
    """A ruleset with everything that the lints ask of it."""

    ruleset: Ruleset
    marks: Mapping[str, Marks]
    """Where things stand in its files: `ruleset`, `facts`, `table:<name>` …, and rules by id."""

    @cached_property
    def known(self) -> Known:
        """What is known of the names of the ruleset."""
        return Known(self.ruleset)

    @cached_property
    def rules(self) -> list[RuleCase]:
        """The rules that could be loaded."""
        return [
            RuleCase(self.ruleset, rule, self.known, self.marks[rule.id])
            for rule in self.ruleset.rules.values()
        ]

    @cached_property
    def fact_doubts(self) -> list[tuple[Place, Doubt]]:
        """Everything in the facts that cannot be as it is written."""
        found: list[tuple[Place, Doubt]] = []
        for scope, facts in self.ruleset.facts.items():
            for name, fact in facts.items():
                doubts: list[Doubt] = []
                Names(self.known, scope, {}).definition(fact.definition, doubts)
                found += [((scope, name), doubt) for doubt in doubts]
        return found

    @cached_property
    def looked_through(self) -> Known:
        """What is known, once everything that uses names has been looked at."""
        for case in self.rules:
            assert case.doubts is not None
        assert self.fact_doubts is not None
        for gate in self.ruleset.gates:
            if gate.when is not None:
                Names(self.known, gate.stops, {}).expression(gate.when, [])
        for text in _texts(self.ruleset.settings.get("cohorts")):
            self._mention(self.ruleset.layout.top.name, text)
        for view in _views(self.ruleset.views):
            scope = view.get("scope", self.ruleset.layout.top.name)
            for text in _texts(view):
                self._mention(
                    scope if scope in self.ruleset.layout.scopes else self.ruleset.layout.top.name, text
                )
        for source in self.ruleset.layout.documents.values():
            if source.option is not None:
                self.known.ledger.used.add((Path(source.path).stem,))
        return self.known

    def _mention(self, scope: str, text: str) -> None:
        """Note the names in a text that may be an expression, a path or a message."""
        import re

        self.known.fields_read.update(re.findall(r"[A-Za-z_][A-Za-z0-9_]*", text))
        for dotted in re.findall(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*", text):
            if dotted.split(".")[0] in self.ruleset.tables:
                Names(self.known, scope, {}).expression(Compute(dotted, self.ruleset.functions), [])


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def _views(views: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the entries of `views.yaml`."""
    for section in views.values() if isinstance(views, Mapping) else ():
        for entry in section.values() if isinstance(section, Mapping) else section or ():
            if isinstance(entry, Mapping):
                yield entry
