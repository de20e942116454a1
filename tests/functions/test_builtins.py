from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest

from submission_checker import functions
from submission_checker.engine import language
from submission_checker.functions import BUILTINS

SOURCES = sorted(
    path for path in Path(functions.__file__).parent.glob("*.py") if not path.stem.startswith("_")
)


@pytest.mark.parametrize("function", BUILTINS.values(), ids=list(BUILTINS))
def test_a_function_is_documented_in_five_parts(function) -> None:
    text = inspect.getdoc(function) or ""
    parts = ["\nArgs:\n", "\nReturns:\n", "\nClause:\n", "\n>>> "]
    positions = [text.find(part) for part in parts]
    assert -1 not in positions
    assert positions == sorted(positions)
    parameters = inspect.signature(function).parameters
    assert all(f"\n    {name}: " in text for name in parameters)


@pytest.mark.parametrize("function", BUILTINS.values(), ids=list(BUILTINS))
def test_a_function_is_annotated_and_has_no_default(function) -> None:
    signature = inspect.signature(function)
    assert signature.return_annotation is not inspect.Signature.empty
    for parameter in signature.parameters.values():
        assert parameter.annotation is not inspect.Parameter.empty
        assert parameter.default is inspect.Parameter.empty


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_every_public_function_is_a_builtin(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    public = {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name[0] != "_"}
    assert public <= set(BUILTINS)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_a_family_imports_no_other(path: Path) -> None:
    if path.stem == "__init__":
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imported = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    ours = [module for module in imported if module.startswith("submission_checker")]
    assert all(module.rpartition(".")[2].startswith("_") for module in ours)


def test_no_name_is_one_of_the_rule_language() -> None:
    assert not set(BUILTINS) & set(language.LANGUAGE)
