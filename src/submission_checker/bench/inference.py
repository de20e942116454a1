"""What expressions and paths give, judged from what is known of the names in them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from submission_checker.bench import trees
from submission_checker.bench.meanings import (
    BOOLEAN,
    LIST,
    MAPPING,
    NULL,
    NUMBER,
    TEXT,
    UNKNOWN,
    Constant,
    Entries,
    Ledger,
    Listed,
    Meaning,
    Plain,
    Shaped,
    UndescribedError,
    one_of,
    returned,
)
from submission_checker.engine.errors import EvaluationError, ExpressionError, did_you_mean
from submission_checker.engine.extraction import Path
from submission_checker.engine.patterns import safe_pattern
from submission_checker.engine.rules import Compute, Definition, Extract, Locate, Rule
from submission_checker.engine.ruleset import Ruleset

_TRUTH = Plain(BOOLEAN)
_COUNT = Plain(NUMBER, least=0)
_STATE_KINDS = ("file", "folder", "other", "outside", "absent")
_PROBLEM = {
    "path": Plain(TEXT, NULL), "kind": Plain(TEXT), "message": Plain(TEXT), "pointer": Plain(TEXT, NULL),
    "line": Plain(NUMBER, NULL), "column": Plain(NUMBER, NULL),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something in an expression or a path that cannot be as it is written."""

    lint: str
    message: str


class Known:
    """What is known of the names of one ruleset, scope by scope."""

    def __init__(self, ruleset: Ruleset):
        self.ruleset = ruleset
        self.ledger = Ledger()
        self._subjects: dict[str, Subject] = {}
        self._facts: dict[tuple[str, str], Meaning] = {}
        self._schemas: dict[str, Mapping[str, Any] | None] = {}
        self.fields_read: set[str] = set()
        """Every name that some path or expression takes from something."""

    def subject(self, scope: str) -> Subject:
        """Return what is known of the subjects of a scope."""
        if scope not in self._subjects:
            self._subjects[scope] = Subject(self, scope)
        return self._subjects[scope]

    def table(self, name: str) -> Constant:
        """Return a table."""
        return Constant(name, self.ruleset.tables[name], (name,), self.ledger)

    def document(self, name: str, *, as_written: bool) -> Meaning:
        """Return a document's value."""
        source = self.ruleset.layout.documents[name]
        schema = None if source.schema is None else self._schema(source.schema)
        label = f"raw.{name}" if as_written else name
        value: Meaning = UNKNOWN
        if schema is not None:
            value = Shaped(label, [schema], schema, as_written=as_written)
        if not source.glob:
            return value
        return Listed(Entries(label, {"path": Plain(TEXT), "value": value}))

    def _schema(self, name: str) -> Mapping[str, Any] | None:
        if name not in self._schemas:
            known = self.ruleset.schema_file(name) is not None
            self._schemas[name] = self.ruleset.raw_schema(name) if known else None
        return self._schemas[name]

    def fact(self, scope: str, name: str) -> Meaning:
        """Return what a fact gives."""
        key = (scope, name)
        if key not in self._facts:
            self._facts[key] = UNKNOWN  # while its own definition is looked at
            names = Names(self, scope, {})
            self._facts[key] = names.definition(self.ruleset.facts[scope][name].definition, [])
        return self._facts[key]


class Subject(Meaning):
    """A subject: what a path or an expression can take from it."""

    def __init__(self, known: Known, scope: str):
        self.known = known
        self.scope = scope

    @property
    def kinds(self) -> frozenset[str] | None:
        return frozenset({MAPPING})

    def entry(self, key: str) -> Meaning:
        found = self.find(key, paths=True)
        if found is None:
            names = self.names(paths=True)
            raise UndescribedError(f"a {self.scope} has no {key}{did_you_mean(key, names)}")
        return found

    def names(self, *, paths: bool) -> set[str]:
        """Return every name that it has, for paths or for expressions."""
        layout = self.known.ruleset.layout
        found = {"files", "name", "path", *self.known.ruleset.tables}
        for scope in layout.chain(self.scope):
            found |= {scope, *self.known.ruleset.facts[scope]}
            found |= {child.many for child in layout.children(scope)}
            pattern = layout.scopes[scope].pattern
            found |= set(pattern.groupindex) if pattern is not None else set()
            if paths:
                found |= {name for name, source in layout.by_scope[scope].items() if source.form}
        return found | {"raw"} if paths else found

    def find(self, key: str, *, paths: bool) -> Meaning | None:
        """Return what is known of a name; None where it has none of that name."""
        known, layout = self.known, self.known.ruleset.layout
        if key in ("name", "path"):
            return Plain(TEXT)
        if key == "files":
            return Entries("files", self._sources(lambda name: self._state(name)))
        if key == "raw" and paths:
            documents = self._sources(lambda name: known.document(name, as_written=True), documents=True)
            return Entries("raw", documents)
        for scope in layout.chain(self.scope):
            if key == scope:
                return known.subject(scope)
            if key in known.ruleset.facts[scope]:
                return known.fact(scope, key)
            source = layout.by_scope[scope].get(key)
            if source is not None and source.form and paths:
                return known.document(key, as_written=False)
            for child in layout.children(scope):
                if child.many == key:
                    return Listed(known.subject(child.name))
            pattern = layout.scopes[scope].pattern
            if pattern is not None and key in pattern.groupindex:
                return UNKNOWN
        return known.table(key) if key in known.ruleset.tables else None

    def _sources(
        self, make: Callable[[str], Meaning], *, documents: bool = False
    ) -> dict[str, Callable[[], Meaning]]:
        layout = self.known.ruleset.layout
        names = [
            name
            for scope in layout.chain(self.scope)
            for name, source in layout.by_scope[scope].items()
            if source.form or not documents
        ]
        return {name: (lambda name=name: make(name)) for name in names}  # type: ignore[misc]

    def _state(self, name: str) -> Meaning:
        problems = Listed(Entries("a problem", _PROBLEM))
        texts = Listed(Plain(TEXT))
        return Entries(
            f"files.{name}",
            {
                "path": Plain(TEXT), "name": Plain(TEXT), "exists": _TRUTH, "readable": _TRUTH,
                "kind": Plain(TEXT, words=_STATE_KINDS),
                "problems": problems, "read_problems": problems, "schema_problems": problems,
                "folders": texts, "files": texts, "matches": texts,
            },
        )  # fmt: skip


class Names:
    """The names of one rule (or fact) and what is known of each; notes doubts on the way."""

    def __init__(self, known: Known, scope: str, bound: Mapping[str, Meaning]):
        self.known = known
        self.subject = known.subject(scope)
        self.bound = dict(bound)

    def definition(self, entry: Definition, doubts: list[Doubt]) -> Meaning:
        """Return what a definition gives."""
        try:
            if isinstance(entry, Extract):
                root = self.subject if entry.of is None else self.name(entry.of)
                return self.path(entry.path, root, doubts)
            if isinstance(entry, Locate):
                self.expression(entry.text, doubts)
                return Entries(
                    "a place",
                    {"path": Plain(TEXT), "kind": Plain(TEXT, words=_STATE_KINDS), "exists": _TRUTH},
                )
            if isinstance(entry, Compute):
                return self.tree(trees.parse(entry.source), doubts)
        except (ExpressionError, SyntaxError, ValueError, RecursionError):
            pass
        return UNKNOWN

    def expression(self, compute: Compute, doubts: list[Doubt]) -> Meaning:
        """Return what an expression gives, and note that it is used."""
        found = self.definition(compute, doubts)
        found.use()
        return found

    def name(self, name: str) -> Meaning:
        """Return what is known of a name of an expression."""
        if name in self.bound:
            return self.bound[name]
        return self.subject.find(name, paths=False) or UNKNOWN

    # Expressions.

    def tree(self, node: ast.expr, doubts: list[Doubt]) -> Meaning:
        """Return what a part of an expression gives."""
        if isinstance(node, ast.Constant):
            return Constant(repr(node.value), node.value)
        if isinstance(node, ast.Name):
            self.known.fields_read.add(node.id)
            return self.name(node.id)
        if isinstance(node, ast.Attribute):
            return self._attribute(node, doubts)
        if isinstance(node, ast.Subscript):
            return self._subscript(node, doubts)
        if isinstance(node, ast.ListComp | ast.GeneratorExp):
            return self._comprehension(node, doubts)
        if isinstance(node, ast.IfExp):
            self.used(node.test, doubts)
            return one_of([self.tree(node.body, doubts), self.tree(node.orelse, doubts)])
        if isinstance(node, ast.Call):
            return self._call(node, doubts)
        if isinstance(node, ast.Compare):
            return self._compare(node, doubts)
        if isinstance(node, ast.BinOp):
            return self._arithmetic(node, doubts)
        if isinstance(node, ast.List | ast.Tuple):
            return Listed(one_of([self.used(element, doubts) for element in node.elts]))
        if isinstance(node, ast.Dict):
            return self._mapping(node, doubts)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.used(child, doubts)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return Plain(NUMBER)
        return _TRUTH if isinstance(node, ast.BoolOp | ast.UnaryOp) else UNKNOWN

    def used(self, node: ast.expr, doubts: list[Doubt]) -> Meaning:
        """Return what a part gives whose whole value is used."""
        found = self.tree(node, doubts)
        found.use()
        return found

    def _attribute(self, node: ast.Attribute, doubts: list[Doubt]) -> Meaning:
        base = self.tree(node.value, doubts)
        self.known.fields_read.add(node.attr)
        if isinstance(base, Subject):
            found = base.find(node.attr, paths=False)
            if found is not None:
                return found
            names = base.names(paths=False)
            seen = base.find(node.attr, paths=True) is not None
            message = (
                f"an expression sees no document: bind what it needs of {node.attr} by a path"
                if seen
                else f"a {base.scope} has no {node.attr}{did_you_mean(node.attr, names)}"
            )
            doubts.append(Doubt("unknown-field", f"{message} in `{trees.write(node)}`"))
            return UNKNOWN
        return self._entry(base, node.attr, trees.write(node), doubts)

    def _entry(self, base: Meaning, key: str, written: str, doubts: list[Doubt]) -> Meaning:
        try:
            return base.entry(key)
        except UndescribedError as error:
            doubts.append(Doubt("unknown-field", f"{error} in `{written}`"))
            return UNKNOWN

    def _subscript(self, node: ast.Subscript, doubts: list[Doubt]) -> Meaning:
        base = self.tree(node.value, doubts)
        if isinstance(node.slice, ast.Slice):
            return base
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            self.known.fields_read.add(node.slice.value)
            return self._entry(base, node.slice.value, trees.write(node), doubts)
        key = self.used(node.slice, doubts)
        words = [word for word in key.constants() if isinstance(word, str)]
        if words:
            return one_of([self._entry(base, word, trees.write(node), doubts) for word in words])
        # A mapping need not have an entry for every key.
        return one_of([base.value(), Plain(NULL)]) if base.kinds == frozenset({MAPPING}) else base.value()

    def _comprehension(self, node: ast.ListComp | ast.GeneratorExp, doubts: list[Doubt]) -> Meaning:
        outer = dict(self.bound)
        for generator in node.generators:
            walked = self.tree(generator.iter, doubts)
            item = walked.item()
            if item is UNKNOWN or all(not isinstance(c, Mapping) for c in item.constants()):
                walked.use()
            if isinstance(generator.target, ast.Name):
                self.bound[generator.target.id] = item
            for condition in generator.ifs:
                self.used(condition, doubts)
        element = self.tree(node.elt, doubts)
        self.bound = outer
        return Listed(element)

    def _call(self, node: ast.Call, doubts: list[Doubt]) -> Meaning:
        name = getattr(node.func, "id", "")
        keeps = _KEEPS.get(name)
        if keeps is not None and node.args and not node.keywords:
            return keeps(self.tree(node.args[0], doubts))
        arguments = [self.used(argument, doubts) for argument in node.args]
        if name == "matches" and arguments:
            doubts.extend(_patterns(arguments[0]))
        keywords = [self.used(keyword.value, doubts) for keyword in node.keywords]
        if name in ("min", "max") and arguments:
            return one_of([arguments[0].item(), *keywords])
        if name in ("abs", "len"):
            return _COUNT
        function = self.known.ruleset.functions.get(name)
        return UNKNOWN if function is None else returned(function)

    def _arithmetic(self, node: ast.BinOp, doubts: list[Doubt]) -> Meaning:
        sides = [self.used(node.left, doubts), self.used(node.right, doubts)]
        if isinstance(node.op, ast.Add):
            if any(side.kinds == frozenset({LIST}) for side in sides):
                return Listed(one_of([side.item() for side in sides]))
            if any(side.kinds != frozenset({NUMBER}) for side in sides):
                return UNKNOWN
        divides = isinstance(node.op, ast.Div)
        return Plain(NUMBER, is_float=divides or any(side.is_float for side in sides))

    def _mapping(self, node: ast.Dict, doubts: list[Doubt]) -> Meaning:
        found: dict[str, Meaning] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            meaning = self.used(value, doubts)
            if not (isinstance(key, ast.Constant) and isinstance(key.value, str)):
                return UNKNOWN
            found[key.value] = meaning
        return Entries("the mapping", found)

    def _compare(self, node: ast.Compare, doubts: list[Doubt]) -> Meaning:
        left = self.used(node.left, doubts)
        before = node.left
        for op, right_node in zip(node.ops, node.comparators, strict=True):
            right = self.used(right_node, doubts)
            written = trees.write(ast.Compare(left=before, ops=[op], comparators=[right_node]))
            if isinstance(op, ast.Eq | ast.NotEq):
                doubts.extend(_equality(left, right, written))
            elif isinstance(op, ast.In | ast.NotIn):
                doubts.extend(_membership(left, right, right_node, written))
            left, before = right, right_node
        return _TRUTH

    # Paths.

    def path(self, path: Path, root: Meaning, doubts: list[Doubt]) -> Meaning:
        """Return what a JMESPath gives."""
        return _Walk(self.known, path.source, doubts).visit(path.tree, root)


_KEEPS: Mapping[str, Callable[[Meaning], Meaning]] = {
    "distinct": lambda of: of,
    "sorted": lambda of: of,
    "values": lambda of: Listed(of.value()),
    "items": lambda of: Listed(Entries("an item", {"key": Plain(TEXT), "value": of.value()})),
}


def _patterns(meaning: Meaning) -> Iterator[Doubt]:
    for pattern in meaning.constants():
        try:
            safe_pattern(pattern)
        except EvaluationError as error:
            yield Doubt("bad-pattern", error.message)


def _equality(left: Meaning, right: Meaning, written: str) -> Iterator[Doubt]:
    yield from _words(left, right.constants(), written)
    yield from _words(right, left.constants(), written)
    if left.kinds and right.kinds and not (left.kinds & right.kinds):
        sides = " and ".join(_or(side.kinds) for side in (left, right))
        yield Doubt("never-equal", f"{sides} are never equal, in `{written}`")


def _membership(left: Meaning, right: Meaning, node: ast.expr, written: str) -> Iterator[Doubt]:
    if isinstance(node, ast.List | ast.Tuple):
        words = [element.value for element in node.elts if isinstance(element, ast.Constant)]
        yield from _words(left, iter(words), written)
    elif isinstance(right, Constant) and isinstance(right.content, list):
        known = left.words
        if known is not None and not (known & {word for word in right.content if isinstance(word, str)}):
            yield Doubt("unknown-word", f"none of the words of {right.what} can occur, in `{written}`")
    element = right.item()
    if left.kinds and element.kinds and not (left.kinds & element.kinds):
        yield Doubt("never-equal", f"{_or(left.kinds)} is never among {_or(element.kinds)}, in `{written}`")


def _words(meaning: Meaning, words: Iterator[Any], written: str) -> Iterator[Doubt]:
    known = meaning.words
    if known is None or any(True for _ in meaning.constants()):
        return
    for word in words:
        if isinstance(word, str) and word not in known:
            hint = did_you_mean(word, known) or f"; there are {', '.join(sorted(known))}"
            yield Doubt("unknown-word", f"no such word: {word!r}{hint} in `{written}`")


def _or(found: frozenset[str] | None) -> str:
    return " or ".join(sorted(found or ()))


class _Walk:
    """Walks a JMESPath's tree, from what is known of its root."""

    def __init__(self, known: Known, source: str, doubts: list[Doubt]):
        self.known = known
        self.source = source
        self.doubts = doubts

    def visit(self, node: Mapping[str, Any], current: Meaning) -> Meaning:
        handler = getattr(self, f"_{node['type']}", None)
        if handler is not None:
            found: Meaning = handler(node, current)
            return found
        for child in node["children"]:
            if isinstance(child, Mapping):
                self.visit(child, current)
        return UNKNOWN

    def _field(self, node: Mapping[str, Any], current: Meaning) -> Meaning:
        self.known.fields_read.add(node["value"])
        try:
            return current.entry(node["value"])
        except UndescribedError as error:
            self.doubts.append(Doubt("unknown-field", f"{error} in `{self.source}`"))
            return UNKNOWN

    def _chained(self, node: Mapping[str, Any], current: Meaning) -> Meaning:
        for child in node["children"]:
            current = self.visit(child, current)
        return current

    _subexpression = _index_expression = _pipe = _chained

    def _index(self, node: Mapping[str, Any], current: Meaning) -> Meaning:
        return current.item()

    def _slice(self, node: Mapping[str, Any], current: Meaning) -> Meaning:
        return current

    def _identity(self, node: Mapping[str, Any], current: Meaning) -> Meaning:
        return current

    _current = _identity

    def _literal(self, node: Mapping[str, Any], current: Meaning) -> Meaning:
        return Constant(repr(node["value"]), node["value"])

    def _flatten(self, node: Mapping[str, Any], current: Meaning) -> Meaning:
        found = self.visit(node["children"][0], current)
        inner = found.item()
        return inner if inner.kinds == frozenset({LIST}) else found

    def _projection(self, node: Mapping[str, Any], current: Meaning) -> Meaning:
        left = self.visit(node["children"][0], current)
        return Listed(self.visit(node["children"][1], left.item()))

    def _value_projection(self, node: Mapping[str, Any], current: Meaning) -> Meaning:
        left = self.visit(node["children"][0], current)
        return Listed(self.visit(node["children"][1], left.value()))

    def _filter_projection(self, node: Mapping[str, Any], current: Meaning) -> Meaning:
        left = self.visit(node["children"][0], current)
        self.visit(node["children"][2], left.item())
        return Listed(self.visit(node["children"][1], left.item()))

    def _comparator(self, node: Mapping[str, Any], current: Meaning) -> Meaning:
        left, right = (self.visit(child, current) for child in node["children"])
        if node["value"] in ("eq", "ne"):
            self.doubts.extend(_equality(left, right, self.source))
        return _TRUTH

    def _and_expression(self, node: Mapping[str, Any], current: Meaning) -> Meaning:
        # `a && b` gives b where a holds, else a, which is then empty.
        *_, last = [self.visit(child, current) for child in node["children"]]
        return last

    def _or_expression(self, node: Mapping[str, Any], current: Meaning) -> Meaning:
        return one_of([self.visit(child, current) for child in node["children"]])

    def _not_expression(self, node: Mapping[str, Any], current: Meaning) -> Meaning:
        self.visit(node["children"][0], current)
        return _TRUTH

    def _multi_select_dict(self, node: Mapping[str, Any], current: Meaning) -> Meaning:
        return Entries(
            "the mapping",
            {pair["value"]: self.visit(pair["children"][0], current) for pair in node["children"]},
        )


def names_of(known: Known, rule: Rule) -> tuple[Names, list[tuple[tuple[str | int, ...], Doubt]]]:
    """Return the names of a rule with what is known of each, and the doubts in their definitions."""
    params = {name: Constant(name, value) for name, value in rule.raw.get("params", {}).items()}
    names = Names(known, rule.info.scope, params)
    found: list[tuple[tuple[str | int, ...], Doubt]] = []
    if rule.for_each is not None:
        doubts: list[Doubt] = []
        # The list may use names of `let`, which are looked at below; those it uses are looked at first.
        early = Names(known, rule.info.scope, params)
        for name, entry in rule.definitions.items():
            early.bound.setdefault(name, early.definition(entry, []))
        walked = early.expression(rule.for_each.items, doubts)
        names.bound[rule.for_each.name] = walked.item()
        found += [(("for_each", "in"), doubt) for doubt in doubts]
    for name, entry in rule.definitions.items():
        if name in params:
            continue
        doubts = []
        key = "extract" if name in rule.raw.get("extract", {}) else "let"
        names.bound[name] = names.definition(entry, doubts)
        found += [((key, name), doubt) for doubt in doubts]
    return names, found
