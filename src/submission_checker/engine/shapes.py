"""Is a ruleset's file shaped as its JSON Schema says? Mistakes in words, with their place."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from submission_checker.engine.errors import Mistake, did_you_mean
from submission_checker.engine.source import Marks

_KINDS = {
    "string": "a text", "object": "a mapping", "array": "a list", "boolean": "true or false",
    "number": "a number", "integer": "an integer", "null": "nothing",
}  # fmt: skip


@lru_cache(maxsize=64)
def _validator(schema: Path) -> Any:
    # Imported here: a check with a shipped ruleset needs none of it.
    from jsonschema import Draft202012Validator

    return Draft202012Validator(json.loads(schema.read_text(encoding="utf-8")))


def mistakes(schema: Path, content: Any, marks: Marks) -> list[Mistake]:
    """Return what is wrong with the shape of a file's content.

    Args:
        schema: The JSON Schema's file.
        content: The content, as `source.load` gives it.
        marks: Where its parts stand.
    """
    errors = _validator(schema).iter_errors(content)
    found = [replace(mistake, kind="shape") for error in errors for mistake in _explain(error, marks)]
    return sorted(set(found), key=lambda mistake: (mistake.line or 0, mistake.column or 0))


def _explain(error: Any, marks: Marks) -> list[Mistake]:
    at = tuple(error.absolute_path)
    where = f"{at[-1]}: " if at else ""
    if error.validator in ("anyOf", "oneOf"):
        return [marks.mistake(at, where + _alternatives(error))]
    if error.validator == "additionalProperties" and isinstance(error.instance, dict):
        known = error.schema.get("properties", {})
        unknown = [key for key in error.instance if key not in known]
        return [marks.mistake((*at, key), f"no key {key} here{did_you_mean(key, known)}") for key in unknown]
    return [marks.mistake(at, where + _sentence(error))]


def _alternatives(error: Any) -> str:
    """Explain a choice by the alternative that came closest."""
    if error.validator == "oneOf" and any("checks" in str(branch) for branch in error.schema["oneOf"]):
        return "a rule has either `checks`, or `require` and `broken`"
    if isinstance(error.instance, dict):
        branches = [branch for branch in error.validator_value if isinstance(branch, dict)]
        known = [key for branch in branches for key in branch.get("properties", {})]
        unknown = [key for key in error.instance if known and key not in known]
        if unknown:
            return f"no key {unknown[0]} here{did_you_mean(unknown[0], known)}"
    deepest = max(error.context, key=lambda inner: len(inner.absolute_path), default=None)
    if deepest is not None and len(deepest.absolute_path) > len(error.absolute_path):
        return f"{deepest.absolute_path[-1]}: {_sentence(deepest)}"
    kinds = [_KINDS[inner.validator_value] for inner in error.context
             if inner.validator == "type" and isinstance(inner.validator_value, str)]  # fmt: skip
    if len(set(kinds)) == len(error.context):
        return f"must be {' or '.join(dict.fromkeys(kinds))}"
    inner = next((inner for inner in error.context if inner.validator != "type"), error.context[0])
    if inner.validator == "additionalProperties":
        unknown = [key for key in inner.instance if key not in inner.schema.get("properties", {})]
        return f"no key {unknown[0]} here{did_you_mean(unknown[0], inner.schema.get('properties', {}))}"
    return _sentence(inner)


def _sentence(error: Any) -> str:
    value, wanted = error.instance, error.validator_value
    shown = json.dumps(value, ensure_ascii=False, default=str)
    shown = shown if len(shown) <= 60 else shown[:57] + "…"
    if error.validator == "required":
        missing = [key for key in wanted if key not in value]
        return f"{', '.join(missing)} is missing"
    if error.validator == "type":
        kinds = [wanted] if isinstance(wanted, str) else wanted
        return f"must be {' or '.join(_KINDS[kind] for kind in kinds)}, not {shown}"
    if error.validator == "enum":
        hint = did_you_mean(value, [str(word) for word in wanted]) if isinstance(value, str) else ""
        return f"must be one of {', '.join(map(str, wanted))}, not {shown}{hint}"
    if error.validator == "pattern":
        return f"{shown} is not written as it must be ({wanted})"
    if error.validator in ("minLength", "minItems", "minProperties"):
        return "is empty"
    if error.validator == "uniqueItems":
        return "names something twice"
    if error.validator == "not":
        return "has keys that exclude each other"
    return str(error.message)
