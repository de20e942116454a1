"""Expressions: Python's expression syntax, a closed list of what is allowed, compiled once.

simpleeval reads the text and lends its bounded operators. What its interpreter would do for
every evaluation (walk the tree) is done once here: the checked tree, with every operator
replaced by a strict one, becomes a function of the names that the expression uses.
"""

from __future__ import annotations

import ast
import math
import operator
import re
import string
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

import simpleeval

from submission_checker.engine import kinds
from submission_checker.engine.errors import EvaluationError, ExpressionError, did_you_mean
from submission_checker.engine.extraction import Record
from submission_checker.engine.patterns import safe_pattern

MAX_LENGTH = 2_000
MAX_NODES = 250
MAX_DEPTH = 50
"""Levels of an expression: Python itself reads no more than 200 brackets in each other."""
MAX_STEPS = 200_000
"""Items that the comprehensions of one evaluation may visit."""
MANY = 100
"""Items of a list from which on looking through it is counted."""
MAX_BITS = 100_000
"""Size of an integer that arithmetic makes."""
MAX_SHOWN = 300
"""Characters of one value in a message."""

MAX_NESTED = 3
"""Levels of lists that a message shows."""
_SPEC = re.compile(r"(?:.?[<>=^])?[-+ ]?z?#?0?[0-9]{0,2}[,_]?(?:\.[0-9]{1,2})?[a-zA-Z%]?")

_steps = threading.local()


class Names(Protocol):
    """What gives names their values: a mapping, a frame, a subject."""

    def __getitem__(self, name: str, /) -> Any:
        """Return the value of a name."""


def _items(value: Any) -> Any:
    """Return what a comprehension may walk over, and count it against the budget."""
    if isinstance(value, Mapping):
        value = list(value)
    elif not isinstance(value, list | tuple):
        raise EvaluationError(f"cannot walk over {kinds.show(value)}, {kinds.kind(value)}")
    _steps.count = getattr(_steps, "count", 0) + len(value)
    if _steps.count > MAX_STEPS:
        raise EvaluationError(f"visits more than {MAX_STEPS:,} items")
    return value


def _contains(item: Any, collection: Any) -> bool:
    """Look for an item, and count a long look against the budget."""
    if isinstance(collection, list | tuple) and len(collection) > MANY:
        _steps.count = getattr(_steps, "count", 0) + len(collection) // MANY
        if _steps.count > MAX_STEPS:
            raise EvaluationError(f"visits more than {MAX_STEPS:,} items")
    return kinds.contains(item, collection)


def _attribute(value: Any, name: str) -> Any:
    """Return the entry of a mapping, null where there is none."""
    if isinstance(value, dict):
        return value.get(name)
    if isinstance(value, Record):
        return value.fact(name)
    raise EvaluationError(f"cannot take .{name} of {kinds.show(value)}, {kinds.kind(value)}")


def _item(value: Any, key: Any) -> Any:
    """Return the item of a list (an error beyond its end) or the entry of a mapping (null if absent)."""
    if isinstance(value, Mapping):
        return value.get(key)
    if isinstance(value, list | tuple | str):
        if isinstance(key, slice):
            return value[key]
        if type(key) is int:
            if -len(value) <= key < len(value):
                return value[key]
            raise EvaluationError(f"item {key} of {len(value)}")
    raise EvaluationError(f"cannot take [{kinds.show(key)}] of {kinds.show(value)}, {kinds.kind(value)}")


def _arithmetic(symbol: str, operate: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def strict(a: Any, b: Any) -> Any:
        if type(a) in kinds.NUMBERS and type(b) in kinds.NUMBERS:
            return operate(a, b)
        raise EvaluationError(
            f"cannot compute {kinds.show(a)} {symbol} {kinds.show(b)}: {kinds.kind(a)} and {kinds.kind(b)}"
        )

    return strict


def _add(a: Any, b: Any) -> Any:
    if type(a) in kinds.NUMBERS and type(b) in kinds.NUMBERS:
        return a + b
    if isinstance(a, str) and isinstance(b, str):
        return kinds.cut(a + b)
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return [*_items(a), *_items(b)]
    raise EvaluationError(
        f"cannot compute {kinds.show(a)} + {kinds.show(b)}: {kinds.kind(a)} and {kinds.kind(b)}"
    )


def _times(a: Any, b: Any) -> Any:
    if type(a) is type(b) is int and a.bit_length() + b.bit_length() > MAX_BITS:
        raise EvaluationError("the product has thousands of digits")
    return a * b


def _power(a: Any, b: Any) -> Any:
    if type(a) is type(b) is int and abs(a) > 1 and b * a.bit_length() > MAX_BITS:
        raise EvaluationError("the power has thousands of digits")
    power = a**b
    if isinstance(power, complex):
        raise EvaluationError(f"{kinds.show(a)} has no power of {kinds.show(b)}")
    return power


def _negative(value: Any) -> Any:
    if type(value) in kinds.NUMBERS:
        return -value
    raise EvaluationError(f"cannot compute -{kinds.show(value)}: {kinds.kind(value)}")


_BINARY: Mapping[type[ast.operator], tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Add: ("_add", _add),
    ast.Sub: ("_sub", _arithmetic("-", lambda a, b: a - b)),
    ast.Mult: ("_mul", _arithmetic("*", _times)),
    ast.Div: ("_div", _arithmetic("/", lambda a, b: a / b)),
    ast.FloorDiv: ("_floordiv", _arithmetic("//", lambda a, b: a // b)),
    ast.Mod: ("_mod", _arithmetic("%", lambda a, b: a % b)),
    ast.Pow: ("_pow", _arithmetic("**", _power)),
}
_COMPARE: Mapping[type[ast.cmpop], tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Eq: ("_eq", kinds.equal),
    ast.NotEq: ("_ne", kinds.not_equal),
    ast.Lt: ("_lt", kinds.less),
    ast.LtE: ("_le", kinds.less_equal),
    ast.Gt: ("_gt", kinds.greater),
    ast.GtE: ("_ge", kinds.greater_equal),
    ast.In: ("_in", _contains),
    ast.NotIn: ("_not_in", lambda item, collection: not _contains(item, collection)),
}


def _written(value: Any, spec: str, depth: int = 0) -> str:
    """Write one value; a format that does not fit its kind is left out instead of failing."""
    if spec and type(value) in kinds.NUMBERS:
        try:
            return format(value, spec)
        except (ValueError, OverflowError):
            return kinds.plain(value)
    if isinstance(value, str):
        written = value
    elif isinstance(value, list | tuple):
        inner = "…" if depth == MAX_NESTED else None
        shown = (inner or _written(item, spec, depth + 1) for item in value[:20])
        written = ", ".join(shown) + (" …" if len(value) > 20 else "")
    elif value is None or isinstance(value, bool):
        written = kinds.show(value)
    else:
        written = kinds.plain(value)
    return written if len(written) <= MAX_SHOWN else written[: MAX_SHOWN - 1] + "…"


_GLOBALS: Mapping[str, Any] = {
    "__builtins__": {},
    "_truth": kinds.truth,
    "_items": _items,
    "_attribute": _attribute,
    "_item": _item,
    "_negative": _negative,
    "_written": _written,
    "slice": slice,
    **dict(_BINARY.values()),
    **dict(_COMPARE.values()),
}


class _Compiler(ast.NodeVisitor):
    """Checks a tree against the closed list and writes it down with the strict operators in.

    Each visit returns Python source in which every name is `n_<name>` and every function `f_<name>`.
    """

    def __init__(self, functions: Mapping[str, Callable[..., Any]]):
        self.functions = functions
        self.names: dict[str, None] = {}
        self.called: dict[str, None] = {}
        self.bound: list[str] = []
        self.walks = False
        self._left = MAX_NODES
        self._depth = 0

    def helpers(self) -> Mapping[str, Callable[..., Any]]:
        """Return functions that the compiled expression needs besides those of the rule language."""
        return {}

    def refuse(self, node: ast.AST, what: str) -> ExpressionError:
        return ExpressionError(what, offset=getattr(node, "col_offset", 0))

    def visit(self, node: ast.AST) -> str:
        self._left -= 1
        if self._left < 0:
            raise self.refuse(node, f"too large: more than {MAX_NODES} parts; give a part a name in `let`")
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self.refuse(node, f"nested more than {MAX_DEPTH} deep; give a part a name in `let`")
        written: str = super().visit(node)
        self._depth -= 1
        return written

    def generic_visit(self, node: ast.AST) -> str:
        raise self.refuse(node, f"{type(node).__name__} is not part of the rule language")

    def _each(self, nodes: Iterable[ast.expr]) -> str:
        return ", ".join([self.visit(node) for node in nodes])

    def _decision(self, node: ast.expr) -> str:
        """Visit a node whose value must be exactly true or false."""
        certain = isinstance(node, ast.Compare | ast.BoolOp) or (
            isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
        )
        return self.visit(node) if certain else f"_truth({self.visit(node)})"

    def visit_Constant(self, node: ast.Constant) -> str:
        value = node.value
        finite = not isinstance(value, float) or math.isfinite(value)
        if finite and (value is None or isinstance(value, bool | int | float | str)):
            return repr(value)
        raise self.refuse(node, f"a constant like {value!r:.40} is not part of the rule language")

    def visit_Name(self, node: ast.Name) -> str:
        if node.id.startswith("_"):
            raise self.refuse(node, f"the name {node.id} starts with an underscore")
        if node.id not in self.bound:
            self.names[node.id] = None
        return f"n_{node.id}"

    def visit_Compare(self, node: ast.Compare) -> str:
        links: list[str] = []
        left = node.left
        for op, right in zip(node.ops, node.comparators, strict=True):
            links.append(self._link(node, left, op, right))
            left = right
        return links[0] if len(links) == 1 else f"({' and '.join(links)})"

    def _link(self, node: ast.Compare, left: ast.expr, op: ast.cmpop, right: ast.expr) -> str:
        if isinstance(op, ast.Is | ast.IsNot):
            if not (isinstance(right, ast.Constant) and right.value is None):
                raise self.refuse(node, "`is` compares with None only; use ==")
            return f"({self.visit(left)} {'is' if isinstance(op, ast.Is) else 'is not'} None)"
        self.walks = self.walks or isinstance(op, ast.In | ast.NotIn)
        return f"{_COMPARE[type(op)][0]}({self.visit(left)}, {self.visit(right)})"

    def visit_BoolOp(self, node: ast.BoolOp) -> str:
        word = " and " if isinstance(node.op, ast.And) else " or "
        return f"({word.join([self._decision(value) for value in node.values])})"

    def visit_UnaryOp(self, node: ast.UnaryOp) -> str:
        if isinstance(node.op, ast.Not):
            return f"(not {self._decision(node.operand)})"
        if isinstance(node.op, ast.USub):
            return f"_negative({self.visit(node.operand)})"
        raise self.refuse(node, f"{type(node.op).__name__} is not part of the rule language")

    def visit_BinOp(self, node: ast.BinOp) -> str:
        if type(node.op) not in _BINARY:
            raise self.refuse(node, f"{type(node.op).__name__} is not part of the rule language")
        self.walks = self.walks or isinstance(node.op, ast.Add)  # of lists, perhaps
        return f"{_BINARY[type(node.op)][0]}({self.visit(node.left)}, {self.visit(node.right)})"

    def visit_IfExp(self, node: ast.IfExp) -> str:
        test, body, other = self._decision(node.test), self.visit(node.body), self.visit(node.orelse)
        return f"({body} if {test} else {other})"

    def visit_Attribute(self, node: ast.Attribute) -> str:
        if node.attr.startswith("_"):
            raise self.refuse(node, f"the name {node.attr} starts with an underscore")
        return f"_attribute({self.visit(node.value)}, {node.attr!r})"

    def visit_Subscript(self, node: ast.Subscript) -> str:
        if isinstance(node.slice, ast.Slice):
            bounds = (node.slice.lower, node.slice.upper, node.slice.step)
            parts = ["None" if part is None else self.visit(part) for part in bounds]
            key = f"slice({', '.join(parts)})"
        else:
            key = self.visit(node.slice)
        return f"_item({self.visit(node.value)}, {key})"

    def visit_List(self, node: ast.List) -> str:
        return f"[{self._each(node.elts)}]"

    def visit_Tuple(self, node: ast.Tuple) -> str:
        # A tuple would be a list that behaves a little differently.
        return f"[{self._each(node.elts)}]"

    def visit_Dict(self, node: ast.Dict) -> str:
        entries = []
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                raise self.refuse(node, "** is not part of the rule language")
            entries.append(f"{self.visit(key)}: {self.visit(value)}")
        return f"{{{', '.join(entries)}}}"

    def visit_Call(self, node: ast.Call) -> str:
        if not isinstance(node.func, ast.Name):
            raise self.refuse(node, "only functions can be called, not methods or results")
        name = node.func.id
        if name not in self.functions:
            raise self.refuse(node.func, f"no function named {name}(){did_you_mean(name, self.functions)}")
        self.called[name] = None
        if any(isinstance(argument, ast.Starred) for argument in node.args) or any(
            keyword.arg is None for keyword in node.keywords
        ):
            raise self.refuse(node, "* and ** are not part of the rule language")
        _check_arity(name, self.functions[name], node, self.refuse)
        _check_pattern(name, node, self.refuse)
        arguments = [self.visit(argument) for argument in node.args]
        arguments += [f"{keyword.arg}={self.visit(keyword.value)}" for keyword in node.keywords]
        return f"f_{name}({', '.join(arguments)})"

    def _comprehension(self, node: ast.ListComp | ast.GeneratorExp) -> str:
        self.walks = True
        depth = len(self.bound)
        clauses = []
        for generator in node.generators:
            if generator.is_async or not isinstance(generator.target, ast.Name):
                raise self.refuse(node, "a comprehension binds one name: [x for x in …]")
            if generator.target.id.startswith("_"):
                raise self.refuse(node, f"the name {generator.target.id} starts with an underscore")
            walked = self.visit(generator.iter)
            self.bound.append(generator.target.id)
            conditions = "".join([f" if {self._decision(condition)}" for condition in generator.ifs])
            clauses.append(f" for n_{generator.target.id} in _items({walked}){conditions}")
        element = self.visit(node.elt)
        del self.bound[depth:]
        # A generator is written as a list: its errors then belong to the evaluation that made it.
        return f"[{element}{''.join(clauses)}]"

    visit_ListComp = _comprehension
    visit_GeneratorExp = _comprehension


class _ObservedCompiler(_Compiler):
    """Makes an expression that tells the value of each part while it computes."""

    def __init__(self, functions: Mapping[str, Callable[..., Any]], observe: Callable[[ast.expr, Any], None]):
        super().__init__(functions)
        self._parts: list[ast.expr] = []
        self._observe = observe

    def visit(self, node: ast.AST) -> str:
        visited = super().visit(node)
        if not isinstance(node, ast.expr) or isinstance(node, ast.Constant):
            return visited
        self._parts.append(node)
        return f"_seen({len(self._parts) - 1}, {visited})"

    def helpers(self) -> Mapping[str, Callable[..., Any]]:
        def seen(number: int, value: Any) -> Any:
            self._observe(self._parts[number], value)
            return value

        return {"_seen": seen}


def _check_pattern(name: str, node: ast.Call, refuse: Callable[[ast.AST, str], ExpressionError]) -> None:
    """Refuse a pattern that could take for ever when it is read, not when it meets a text."""
    pattern = node.args[0] if name == "matches" and node.args else None
    if isinstance(pattern, ast.Constant) and isinstance(pattern.value, str):
        try:
            safe_pattern(pattern.value)
        except EvaluationError as error:
            raise refuse(pattern, error.message) from None


def _check_arity(
    name: str,
    function: Callable[..., Any],
    node: ast.Call,
    refuse: Callable[[ast.AST, str], ExpressionError],
) -> None:
    import inspect

    parameters = _signatures.get(name)
    if parameters is None or parameters[0] is not function:
        parameters = _signatures[name] = (function, inspect.signature(function))
    try:
        parameters[1].bind(*node.args, **{k.arg: k.value for k in node.keywords if k.arg})
    except TypeError as error:
        raise refuse(node, f"{name}(): {error}") from None


_signatures: dict[str, tuple[Callable[..., Any], Any]] = {}


class Expression:
    """A checked expression: the names it needs, and their values in, its value out.

    Args:
        source: The text of the expression.
        functions: Name to function, for everything that it may call.
        observe: Told the value of each part, with the part's syntax tree, as it is computed.

    Raises:
        ExpressionError: for what is not part of the language, with the offset in the text.
    """

    __slots__ = ("_arguments", "_function", "_walks", "called", "names", "source")

    def __init__(
        self,
        source: str,
        functions: Mapping[str, Callable[..., Any]],
        observe: Callable[[ast.expr, Any], None] | None = None,
    ):
        self.source = source
        if not isinstance(source, str):
            raise ExpressionError(f"expected an expression, found {source!r:.60}")
        if len(source) > MAX_LENGTH:
            raise ExpressionError(f"an expression may have {MAX_LENGTH:,} characters at the most", source)
        tree = _parse(source)
        compiler = _Compiler(functions) if observe is None else _ObservedCompiler(functions, observe)
        try:
            body = compiler.visit(tree)
        except ExpressionError as error:
            error.source = source
            raise
        self.names = tuple(compiler.names)
        self.called = tuple(compiler.called)
        self._arguments = _getter(self.names)
        self._walks = compiler.walks
        called = {f"f_{name}": functions[name] for name in self.called}
        self._function = _function(body, self.names, {**called, **compiler.helpers()})

    def __repr__(self) -> str:
        return f"Expression({self.source!r})"

    def evaluate(self, names: Names) -> Any:
        """Return the expression's value for the given values of its names.

        Raises:
            EvaluationError: where the values have no answer: null in arithmetic, a wrong kind,
                a division by zero, a function outside its domain, or a budget exceeded.
        """
        arguments = self._arguments(names)
        if self._walks:
            _steps.count = 0
        try:
            return self._function(*arguments)
        except EvaluationError as error:
            raise EvaluationError(f"{error.message} in `{self.source}`") from None
        except (ArithmeticError, TypeError, ValueError, LookupError, AttributeError, RecursionError,
                simpleeval.InvalidExpression) as error:  # fmt: skip
            raise EvaluationError(f"{str(error) or type(error).__name__} in `{self.source}`") from None

    def decide(self, names: Names) -> bool:
        """Return the expression's value, which must be exactly true or false."""
        value = self.evaluate(names)
        if value is True or value is False:
            return bool(value)
        raise EvaluationError(
            f"expected true or false, found {kinds.show(value)}, {kinds.kind(value)} in `{self.source}`"
        )


def _function(
    body: str, names: tuple[str, ...], called: Mapping[str, Callable[..., Any]]
) -> Callable[..., Any]:
    """Compile what a compiler wrote to a function of its names; *called* are the functions in it."""
    parameters = ", ".join([f"n_{name}" for name in names])
    made: Callable[..., Any] = eval(f"lambda {parameters}: {body}", {**_GLOBALS, **called})
    return made


def _getter(names: tuple[str, ...]) -> Callable[[Names], tuple[Any, ...]]:
    """Return what takes the values of several names at once."""
    if not names:
        return lambda _: ()
    if len(names) == 1:
        name = names[0]
        return lambda values: (values[name],)
    return operator.itemgetter(*names)


def _parse(source: str) -> ast.expr:
    try:
        # simpleeval would take the first of several statements and drop the rest.
        several = (";" in source or "\n" in source) and len(ast.parse(source.strip()).body) > 1
        tree = ast.Pass() if several else simpleeval.SimpleEval.parse(source)
    except (SyntaxError, simpleeval.InvalidExpression) as error:
        offset = (getattr(error, "offset", None) or 1) - 1
        detail = error.msg if isinstance(error, SyntaxError) else str(error)
        raise ExpressionError(f"not an expression: {detail}", source, offset) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise ExpressionError(f"not an expression: {error or type(error).__name__}", source) from None
    expression = tree.value if isinstance(tree, ast.Expr) else tree
    if not isinstance(expression, ast.expr):
        raise ExpressionError("a rule has expressions only, no statements", source)
    return expression


class Template:
    """A message: text with `{name}` and `{name:format}` for bound names and their entries.

    Raises:
        ExpressionError: for anything else between braces.
    """

    __slots__ = ("_arguments", "_function", "names", "source")

    def __init__(self, source: str):
        if not isinstance(source, str):
            raise ExpressionError(f"expected a message, found {source!r:.60}")
        self.source = source
        try:
            pieces = list(string.Formatter().parse(source))
        except ValueError as error:
            raise ExpressionError(f"not a message: {error}", source) from None
        compiler = _Compiler({})
        parts: list[str] = []
        for literal, name, spec, conversion in pieces:
            if literal:
                parts.append(repr(literal))
            if name is not None:
                if conversion or "{" in (spec or "") or not _is_dotted(name):
                    raise ExpressionError(
                        f"{{{name}}} in a message is no name; bind it with `let` first",
                        source,
                        source.find("{" + name),
                    )
                if not _SPEC.fullmatch(spec or ""):
                    message = f"{spec!r} in a message is no format; one looks like .2f"
                    raise ExpressionError(message, source, source.find("{" + name))
                parts.append(f"_written({compiler.visit(_parse(name))}, {spec or ''!r})")
        self.names = tuple(compiler.names)
        self._arguments = _getter(self.names)
        self._function = _function(f"[{', '.join(parts)}]", self.names, {})

    def render(self, names: Names) -> str:
        """Return the message with values in.

        Raises:
            EvaluationError: where a name's entry cannot be taken.
        """
        return "".join(self._function(*self._arguments(names)))


def _is_dotted(name: str) -> bool:
    return all(part.isidentifier() for part in name.split("."))
