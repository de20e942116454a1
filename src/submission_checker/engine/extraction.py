"""Extraction: JMESPath over a subject, fast where it is a plain path, recorded where someone asks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import jmespath
from jmespath import exceptions, functions, visitor

from submission_checker.engine.errors import EvaluationError, ExpressionError, did_you_mean

_KEY = r'(?:[A-Za-z_][A-Za-z0-9_]*|"[^"\\]*")'
_PLAIN = re.compile(rf"{_KEY}(?:\.{_KEY})*")
_KEYS = re.compile(_KEY)


class Record:
    """What behaves like a mapping in a path: subjects, and the states of their files."""

    __slots__ = ()

    def get(self, key: str, default: Any = None) -> Any:
        """Return the entry named *key*, null where there is none."""
        raise NotImplementedError

    def fact(self, name: str) -> Any:
        """Return the entry named *name* for an expression, which sees no document."""
        return self.get(name)


@dataclass(slots=True)
class Trace:
    """What a path read: each place, and whether there was anything (absent is not null)."""

    read: list[tuple[Any, str | int]] = field(default_factory=list)
    """Container and key of every entry that was found, in order."""
    absent: list[tuple[Any, str | int]] = field(default_factory=list)
    """Container and key of every entry that was looked for in vain."""


class _RecordingInterpreter(visitor.TreeInterpreter):
    """jmespath's own interpreter, noting which keys were read and which were absent."""

    def __init__(self, trace: Trace):
        super().__init__()
        self._trace = trace

    def visit_field(self, node: Any, value: Any) -> Any:
        key = node["value"]
        if isinstance(value, Mapping):
            (self._trace.read if key in value else self._trace.absent).append((value, key))
            return value.get(key)
        if isinstance(value, Record):
            found = value.get(key)
            (self._trace.absent if found is None else self._trace.read).append((value, key))
            return found
        return None

    def visit_index(self, node: Any, value: Any) -> Any:
        index = node["value"]
        if isinstance(value, list):
            there = -len(value) <= index < len(value)
            (self._trace.read if there else self._trace.absent).append((value, index))
            return value[index] if there else None
        return None


class Path:
    """A compiled JMESPath expression.

    Args:
        source: The expression.

    Raises:
        ExpressionError: where it is no JMESPath.
    """

    __slots__ = ("_compiled", "keys", "source")

    def __init__(self, source: str):
        if not isinstance(source, str) or not source.strip():
            raise ExpressionError(f"expected a JMESPath, found {source!r:.60}")
        self.source = source
        self.keys: tuple[str, ...] | None = None
        """The keys of a plain dotted path; None for anything else."""
        self._compiled: Any = None
        if _PLAIN.fullmatch(source):
            self.keys = tuple(key.strip('"') for key in _KEYS.findall(source))
        else:
            self._compiled = self._compile()

    def _compile(self) -> Any:
        try:
            compiled = jmespath.compile(self.source)
            _check_functions(compiled.parsed, self.source)
            return compiled
        except exceptions.ParseError as error:
            offset = getattr(error, "lex_position", 0) or 0
            raise ExpressionError(f"not a JMESPath: {error.msg}", self.source, offset) from None
        except (exceptions.JMESPathError, RecursionError) as error:
            raise ExpressionError(f"not a JMESPath: {error}", self.source) from None

    def __repr__(self) -> str:
        return f"Path({self.source!r})"

    @property
    def first_keys(self) -> tuple[str, ...]:
        """The names that the path takes from the subject itself."""
        if self.keys is not None:
            return self.keys[:1]
        found: dict[str, None] = {}
        _roots(self._compiled.parsed, found)
        return tuple(found)

    @property
    def tree(self) -> dict[str, Any]:
        """The path's syntax tree, as jmespath makes it."""
        parsed: dict[str, Any] = (self._compiled or self._compile()).parsed
        return parsed

    def search(self, root: Any) -> Any:
        """Return what the path finds; null for what is absent.

        Raises:
            EvaluationError: where a function of JMESPath meets a wrong kind.
        """
        if self.keys is not None:
            value = root
            for key in self.keys:
                if isinstance(value, dict | Record):
                    value = value.get(key)
                else:
                    return None
            return value
        try:
            return self._compiled.search(root)
        except (exceptions.JMESPathError, TypeError, ValueError, RecursionError) as error:
            raise EvaluationError(f"{error} in `{self.source}`") from None

    def trace(self, root: Any) -> tuple[Any, Trace]:
        """Return what the path finds, and what it read on the way."""
        trace = Trace()
        try:
            return _RecordingInterpreter(trace).visit(self.tree, root), trace  # type: ignore[arg-type]
        except (exceptions.JMESPathError, TypeError, ValueError, RecursionError) as error:
            raise EvaluationError(f"{error} in `{self.source}`") from None


def _check_functions(node: Any, source: str) -> None:
    """See that the functions of a path exist; jmespath itself would ask only when it meets one."""
    if not isinstance(node, dict):
        return
    known = functions.Functions.FUNCTION_TABLE
    if node["type"] == "function_expression" and node["value"] not in known:
        hint = did_you_mean(node["value"], known)
        raise ExpressionError(f"a path has no function {node['value']}(){hint}", source)
    for child in node["children"]:
        _check_functions(child, source)


def _roots(node: dict[str, Any], found: dict[str, None]) -> None:
    """Collect the fields that a tree takes from the root (the left-most ones of each branch)."""
    kind, children = node["type"], node["children"]
    if kind == "field":
        found[node["value"]] = None
    elif kind in ("subexpression", "index_expression", "projection", "value_projection", "flatten",
                  "filter_projection", "pipe"):  # fmt: skip
        _roots(children[0], found)
    else:
        for child in children:
            if isinstance(child, dict):
                _roots(child, found)
