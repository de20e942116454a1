"""What every shipped schema of a submission's files must have."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from submission_checker.documents.conversion import KEYWORDS

from .conftest import NAMES, SCHEMAS


def load(name: str) -> dict[str, Any]:
    return json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))


def fields(schema: Any, pointer: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every field that the schema declares, with its place."""
    if isinstance(schema, list):
        for index, item in enumerate(schema):
            yield from fields(item, f"{pointer}/{index}")
    elif isinstance(schema, dict):
        for key, value in schema.items():
            if key == "properties":
                for name, field in value.items():
                    if "not" not in field and not pointer.endswith(("/if", "/then")):
                        yield f"{pointer}/{name}", field
            if key not in ("default", "enum", "x-aliases"):
                yield from fields(value, f"{pointer}/{key}")


def test_there_are_schemas():
    assert {"point", "system_desc", "result_summary", "system_power", "accuracy_results"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_is_a_schema(name):
    schema = load(name)
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"].endswith(f"/{SCHEMAS.name}/{name}.schema.json")
    assert schema["title"] and schema["description"].endswith(".")


@pytest.mark.parametrize("name", NAMES)
def test_every_field_is_described(name):
    found = list(fields(load(name)))
    assert found
    for pointer, field in found:
        assert field.get("description", "").endswith("."), f"{name}{pointer} has no description"


@pytest.mark.parametrize("name", NAMES)
def test_every_clause_that_is_cited_exists(name):
    yaml = pytest.importorskip("yaml")
    clauses = SCHEMAS.parents[1] / "rules" / SCHEMAS.name / "clauses.yaml"
    known = set(yaml.safe_load(clauses.read_text(encoding="utf-8"))["sections"])
    cited = {field["x-clause"] for _, field in fields(load(name)) if "x-clause" in field}
    assert cited <= known


def test_the_readme_names_every_schema_and_keyword():
    readme = (Path(SCHEMAS).parent / "README.md").read_text(encoding="utf-8")
    for name in NAMES:
        assert f"| `{name}` |" in readme
    for keyword in KEYWORDS:
        assert f"`{keyword}" in readme
