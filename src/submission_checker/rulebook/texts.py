"""Which texts a function of Python knows: what it can look up by name in what it is given."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from typing import Any


@dataclass(slots=True)
class _Body:
    texts: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)


@lru_cache(maxsize=1024)
def texts_of(function: Callable[..., Any]) -> frozenset[str]:
    """Return the texts in a function and in what it uses of its module.

    >>> "sum of" in texts_of(texts_of)
    False
    """
    module = function.__module__
    bodies = _bodies(module) if module else {}
    found: set[str] = set()
    waiting, seen = [function.__name__], set()
    while waiting:
        name = waiting.pop()
        if name in bodies and name not in seen:
            seen.add(name)
            found |= bodies[name].texts
            waiting += bodies[name].names
    return frozenset(found)


@lru_cache(maxsize=64)
def _bodies(module: str) -> Mapping[str, _Body]:
    """Return the functions and constants of a module, with the texts in them and the names that they use."""
    try:
        tree = ast.parse(inspect.getsource(import_module(module)))
    except (OSError, TypeError, SyntaxError):
        return {}
    found: dict[str, _Body] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = _body(node)
        elif isinstance(node, ast.Assign):
            found.update({target.id: _body(node) for target in node.targets if isinstance(target, ast.Name)})
    return found


def _body(node: ast.AST) -> _Body:
    body = _Body()
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            body.texts.add(part.value)
        elif isinstance(part, ast.Name):
            body.names.add(part.id)
    return body
