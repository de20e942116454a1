from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from submission_checker.documents import DocumentSchema

SCHEMAS = Path(__file__).parents[2] / "schemas" / "2026-10"
NAMES = sorted(file.name.removesuffix(".schema.json") for file in SCHEMAS.glob("*.schema.json"))


@pytest.fixture(scope="session")
def shipped() -> Callable[[str], DocumentSchema]:
    """A shipped schema by its name, built once."""
    built: dict[str, DocumentSchema] = {}

    def schema(name: str) -> DocumentSchema:
        if name not in built:
            text = (SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8")
            built[name] = DocumentSchema(json.loads(text), name=name)
        return built[name]

    return schema
