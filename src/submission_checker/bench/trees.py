"""Expressions as trees: read, written anew, walked and changed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any


def parse(source: str) -> ast.expr:
    """Return the tree of an expression that the rule language accepts.

    >>> type(parse("a + 1")).__name__
    'BinOp'
    """
    return ast.parse(source.strip(), mode="eval").body


def write(tree: ast.expr) -> str:
    """Return the text of a tree, in one canonical spelling.

    >>> write(parse('( a ["b"] )'))
    "a['b']"
    """
    return ast.unparse(tree)


def replaced(tree: ast.expr, target: ast.AST, new: ast.AST) -> ast.expr:
    """Return a tree in which one node stands in the place of another; the rest is shared.

    >>> tree = parse("a + b")
    >>> write(replaced(tree, tree.left, parse("c * d")))
    'c * d + b'
    """
    found = _replaced(tree, target, new)
    assert isinstance(found, ast.expr)
    return found


def _replaced(node: ast.AST, target: ast.AST, new: ast.AST) -> ast.AST:
    if node is target:
        return new
    changes: dict[str, Any] = {}
    for name, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            changes[name] = _replaced(value, target, new)
        elif isinstance(value, list):
            changes[name] = [
                _replaced(item, target, new) if isinstance(item, ast.AST) else item for item in value
            ]
        else:
            changes[name] = value
    return type(node)(**changes)


def walk(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and all below it, in the order of the text.

    >>> [node.id for node in walk(parse("a + (b - c)")) if isinstance(node, ast.Name)]
    ['a', 'b', 'c']
    """
    yield tree
    for child in ast.iter_child_nodes(tree):
        yield from walk(child)


def scoped(tree: ast.AST, bound: frozenset[str] = frozenset()) -> Iterator[tuple[ast.AST, frozenset[str]]]:
    """Yield a node and all below it, each with the names that comprehensions around it bind.

    >>> found = scoped(parse("[x for x in xs]"))
    >>> [(node.id, sorted(bound)) for node, bound in found if isinstance(node, ast.Name)]
    [('x', ['x']), ('x', ['x']), ('xs', [])]
    """
    yield tree, bound
    if isinstance(tree, ast.ListComp | ast.GeneratorExp):
        inner = bound
        walked = []
        for generator in tree.generators:
            walked.append((generator.iter, inner))
            inner = inner | {node.id for node in walk(generator.target) if isinstance(node, ast.Name)}
        yield from scoped(tree.elt, inner)
        for generator, (items, around) in zip(tree.generators, walked, strict=True):
            yield from scoped(generator.target, inner)
            yield from scoped(items, around)
            for condition in generator.ifs:
                yield from scoped(condition, inner)
        return
    for child in ast.iter_child_nodes(tree):
        yield from scoped(child, bound)


def free_names(tree: ast.AST) -> set[str]:
    """Return the names that an expression takes from outside: no functions, no names of comprehensions.

    >>> sorted(free_names(parse("[f(x) + y for x in xs]")))
    ['xs', 'y']
    """
    if isinstance(tree, ast.Name):
        return {tree.id}
    if isinstance(tree, ast.Call):
        parts = [*tree.args, *(keyword.value for keyword in tree.keywords)]
        return set().union(*(free_names(part) for part in parts)) if parts else set()
    if isinstance(tree, ast.ListComp | ast.GeneratorExp):
        found = free_names(tree.elt)
        for generator in reversed(tree.generators):
            found |= set().union(*(free_names(part) for part in generator.ifs)) if generator.ifs else set()
            found -= free_names(generator.target)
            found |= free_names(generator.iter)
        return found
    return set().union(*(free_names(child) for child in ast.iter_child_nodes(tree)), set())


def called(tree: ast.AST) -> list[str]:
    """Return the names of the functions that an expression calls, in order.

    >>> called(parse("f(g(x), f(y))"))
    ['f', 'g']
    """
    return list(
        dict.fromkeys(
            node.func.id
            for node in walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        )
    )
