"""What the guides must not forget: every key, function and module has its word in them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from submission_checker.engine.language import LANGUAGE

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "submission_checker"


@cache
def words_in_code(guide: str) -> frozenset[str]:
    """Return the words that stand in backticks, fenced blocks aside."""
    text = (ROOT / guide).read_text(encoding="utf-8")
    text = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    return frozenset(re.findall(r"[\w-]+", " ".join(re.findall(r"`([^`]+)`", text))))


def keys_of(schema: str) -> Iterator[str]:
    """Yield every key that a file of a ruleset may have, at any depth."""
    todo: list[Any] = [json.loads((ROOT / "schemas" / f"{schema}.schema.json").read_text(encoding="utf-8"))]
    while todo:
        part = todo.pop()
        if isinstance(part, dict):
            yield from part.get("properties", {})
            todo += part.values()
        elif isinstance(part, list):
            todo += part


@pytest.mark.parametrize("schema", ["rule", "ruleset", "layout", "facts", "clauses", "tailoring"])
def test_the_rule_language_names_every_key(schema: str) -> None:
    keys = set(keys_of(schema))
    assert keys
    assert keys - words_in_code("docs/rule-language.md") == set()


def test_the_rule_language_names_every_function_of_its_own() -> None:
    assert set(LANGUAGE) - words_in_code("docs/rule-language.md") == set()


def test_the_map_shows_every_part_of_the_program() -> None:
    parts = {path.stem for path in PACKAGE.glob("*.py")}
    parts |= {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    engine = {path.stem for path in (PACKAGE / "engine").glob("*.py")}
    unnamed = (parts | engine) - words_in_code("docs/architecture.md")
    assert unnamed == {"__init__", "__main__"}


def test_every_keyword_of_our_own_in_a_schema_is_explained() -> None:
    schemas = sorted((ROOT / "schemas").rglob("*.schema.json"))
    texts = "".join(path.read_text(encoding="utf-8") for path in schemas)
    used = set(re.findall(r'"(x-[\w-]+)":', texts))
    assert used
    assert used - words_in_code("schemas/README.md") == set()
