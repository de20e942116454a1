"""A JSON Schema as a list of fields for readers, and the least document that it accepts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

MAX_DEPTH = 12
"""How deep fields are listed: a schema may refer to itself."""
_WORDS = {"string": "text", "object": "mapping", "array": "list", "null": "null"}
_CHOICES = ("anyOf", "oneOf", "allOf")
_LIMITS = {
    "minimum": "≥ {}", "exclusiveMinimum": "> {}", "maximum": "≤ {}", "exclusiveMaximum": "< {}",
    "multipleOf": "a multiple of {}",
    "minLength": "{} characters or more", "maxLength": "{} characters or less",
    "minItems": "{} items or more", "maxItems": "{} items or less", "minProperties": "{} entries or more",
    "maxProperties": "{} entries or less",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field of a document."""

    path: str
    """Keys from the top, such as `books[].title`; `*` is any key."""
    type: str
    """Kinds and limits in words."""
    required: bool
    """Whether it must be there where the mapping around it is."""
    description: str = ""
    clause: str = ""
    unit: str = ""
    deprecated: bool = False
    default: tuple[Any, ...] = ()
    """The value that stands for an absent field, if there is one."""
    aliases: tuple[str, ...] = ()
    """Other spellings that are read for it."""
    words: tuple[Any, ...] = field(default=())
    """The values that it can have, where they are listed."""
    has_inner: bool = False
    """Whether fields of its own follow."""

    @property
    def anchor(self) -> str:
        """The mark of the field on its document's page."""
        kept = "".join(c if c.isalnum() or c in "_." else "-" for c in self.path.replace("*", "any"))
        return f"field-{kept.strip('-')}"


def fields(schema: Mapping[str, Any]) -> list[Field]:
    """List the fields of a document in the order of its schema, each below the one that holds it."""
    return list(_fields(schema, schema, "", 0))


def _fields(schema: Any, root: Mapping[str, Any], path: str, depth: int) -> Iterator[Field]:
    branches = list(_branches(schema, root))
    seen: set[str] = set()
    if depth > MAX_DEPTH:
        return
    for branch in branches:
        for name, inner in branch.get("properties", {}).items():
            if name not in seen and isinstance(inner, Mapping):
                seen.add(name)
                required = name in branch.get("required", ())
                here = f"{path}.{name}" if path else name
                yield from _field(inner, root, here, required, _aliases(branches, name), depth)
        extra = branch.get("additionalProperties")
        if isinstance(extra, Mapping) and "*" not in seen:
            seen.add("*")
            yield from _field(extra, root, f"{path}.*" if path else "*", False, (), depth)
        items = branch.get("items")
        if isinstance(items, Mapping) and "[]" not in seen:
            seen.add("[]")
            yield from _fields(items, root, f"{path}[]", depth + 1)


def _field(
    schema: Mapping[str, Any],
    root: Mapping[str, Any],
    path: str,
    required: bool,
    aliases: tuple[str, ...],
    depth: int,
) -> Iterator[Field]:
    branches = list(_branches(schema, root))
    below = list(_fields(schema, root, path, depth + 1))
    yield Field(
        path=path,
        type=describe_type(schema, root),
        required=required,
        description=_first(branches, schema, "description"),
        clause=_first(branches, schema, "x-clause"),
        unit=_first(branches, schema, "x-unit"),
        deprecated=schema.get("deprecated") is True,
        default=(schema["default"],) if "default" in schema else (),
        aliases=aliases,
        words=tuple(word for branch in branches for word in branch.get("enum", ())),
        has_inner=bool(below),
    )
    yield from below


def _first(branches: list[Mapping[str, Any]], schema: Mapping[str, Any], key: str) -> str:
    """Return what the field says of itself, else what the first definition behind it says."""
    return str(next((part[key] for part in (schema, *branches) if key in part), ""))


def _aliases(branches: list[Mapping[str, Any]], name: str) -> tuple[str, ...]:
    return tuple(
        other for branch in branches for other in branch.get("x-aliases", {}).get(name, {}).get("names", ())
    )


def _branches(schema: Any, root: Mapping[str, Any], depth: int = 0) -> Iterator[Mapping[str, Any]]:
    """Yield the alternatives of a schema, references and choices resolved."""
    if not isinstance(schema, Mapping) or depth > MAX_DEPTH:
        return
    reference = schema.get("$ref")
    if isinstance(reference, str):
        yield from _branches(referred(root, reference), root, depth + 1)
    choices = [option for key in _CHOICES for option in schema.get(key, ())]
    if _says_something(schema) or (reference is None and not choices):
        yield schema
    for option in choices:
        if "x-message" not in option:
            yield from _branches(option, root, depth + 1)


def _says_something(schema: Mapping[str, Any]) -> bool:
    return any(
        key in schema for key in ("type", "properties", "items", "enum", "const", "additionalProperties")
    )


def referred(root: Mapping[str, Any], reference: str) -> Any:
    """Return the part of a schema that a `$ref` names, null where there is none."""
    found: Any = root
    for key in reference.removeprefix("#").strip("/").split("/"):
        found = found.get(key) if isinstance(found, Mapping) and key else found
    return found


def describe_type(schema: Mapping[str, Any], root: Mapping[str, Any]) -> str:
    """Say in words which values a schema accepts.

    >>> describe_type({"type": ["integer", "null"], "minimum": 0}, {})
    'integer ≥ 0, or null'
    >>> describe_type({"enum": ["a", "b"]}, {})
    'one of `a`, `b`'
    """
    said: dict[str, None] = {}
    for branch in _branches(schema, root):
        said.update(dict.fromkeys(_kinds(branch, root)))
    nullable = said.pop("null", "") is None
    words = list(said) or (["null"] if nullable else ["any value"])
    text = " or ".join(words)
    if nullable and said:
        text += ", or null" if " " in text else " or null"
    return text


def _kinds(branch: Mapping[str, Any], root: Mapping[str, Any]) -> Iterator[str]:
    if "const" in branch:
        yield f"`{show(branch['const'])}`"
        return
    if "enum" in branch:
        yield "one of " + ", ".join(f"`{show(word)}`" for word in branch["enum"] if word is not None)
        if None in branch["enum"]:
            yield "null"
        return
    named = branch.get("type", "object" if "properties" in branch else None)
    limits = [words.format(branch[key]) for key, words in _LIMITS.items() if key in branch]
    if "pattern" in branch:
        limits.append(f"matching `{branch['pattern']}`")
    if branch.get("x-date"):
        limits.append("a day, YYYY-MM-DD")
    for kind in named if isinstance(named, list) else [named]:
        if kind is None:
            continue
        word = _WORDS.get(str(kind), str(kind))
        if kind == "array" and isinstance(branch.get("items"), Mapping):
            word = f"list of {_plural(describe_type(branch['items'], root))}"
        yield word if kind == "null" or not limits else f"{word} {', '.join(limits)}"


def _plural(kind: str) -> str:
    plurals = {
        "text": "texts",
        "mapping": "mappings",
        "integer": "integers",
        "number": "numbers",
        "list": "lists",
    }
    return plurals.get(kind, kind)


def show(value: Any) -> str:
    """Write a value as JSON has it, texts without quotation marks."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def conditions(schema: Mapping[str, Any]) -> list[str]:
    """List what a schema asks besides the kinds of its fields, in the words of its messages."""
    return list(dict.fromkeys(_conditions(schema)))


def _conditions(schema: Any) -> Iterator[str]:
    if isinstance(schema, list):
        for item in schema:
            yield from _conditions(item)
    if not isinstance(schema, Mapping):
        return
    if "x-message" in schema:
        yield str(schema["x-message"])
    if "x-agree" in schema:
        yield f"{_listed(schema['x-agree'])} agree where they are given"
    for lesser, greater in schema.get("x-at-most", {}).items():
        yield f"`{lesser}` is not above `{greater}`"
    for key, inner in schema.items():
        if key not in ("enum", "default", "const", "examples", "x-aliases"):
            yield from _conditions(inner)


def _listed(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def least(schema: Mapping[str, Any]) -> Any:
    """Make the least document that a schema accepts: what it requires, with values that it suggests.

    A value comes from `examples`, `const`, `enum` or `default`, else from the kind and its limits.
    """
    return _least(schema, schema, 0)


def _least(schema: Any, root: Mapping[str, Any], depth: int) -> Any:
    if not isinstance(schema, Mapping) or depth > MAX_DEPTH:
        return None
    if schema.get("examples"):
        return schema["examples"][0]
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    if isinstance(schema.get("$ref"), str):
        return _least(referred(root, schema["$ref"]), root, depth + 1)
    choices = schema.get("anyOf") or schema.get("oneOf")
    if choices and "type" not in schema and "properties" not in schema:
        return _least(choices[0], root, depth + 1)
    named = schema.get("type", "object" if "properties" in schema else None)
    kind = named[0] if isinstance(named, list) else named
    if kind == "object":
        return _least_mapping(schema, root, depth)
    if kind == "array":
        count = schema.get("minItems", 1)
        return [_least(schema.get("items"), root, depth + 1) for _ in range(count)]
    return _least_scalar(schema, kind)


def _least_mapping(schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> dict[str, Any]:
    required = [*schema.get("required", ()), *_required_by_choice(schema)]
    properties = schema.get("properties", {})
    found = {name: _least(properties.get(name), root, depth + 1) for name in required}
    extra = schema.get("additionalProperties")
    while len(found) < schema.get("minProperties", 0):
        open_names = [name for name in properties if name not in found]
        name = open_names[0] if open_names else f"name{len(found) + 1}"
        found[name] = _least(properties.get(name, extra), root, depth + 1)
    for part in (schema, *schema.get("allOf", ())):
        then = _consequence(part, found)
        for name in then.get("required", ()):
            inner = {**properties.get(name, {}), **then.get("properties", {}).get(name, {})}
            found.setdefault(name, _least(inner, root, depth + 1))
    return found


def _consequence(part: Mapping[str, Any], found: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what `if` asks besides of a mapping."""
    if "if" not in part:
        return {}
    from jsonschema import Draft202012Validator

    applies = Draft202012Validator(part["if"]).is_valid(found)
    then = part.get("then" if applies else "else", {})
    return then if isinstance(then, Mapping) else {}


def _required_by_choice(schema: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the first of the alternatives requires."""
    alternatives = [schema, *schema.get("allOf", ())]
    for part in alternatives:
        for key in ("anyOf", "oneOf"):
            choices = part.get(key)
            if choices:
                yield from map(str, choices[0].get("required", ()))


def _least_scalar(schema: Mapping[str, Any], kind: str | None) -> Any:
    if kind in ("integer", "number"):
        low = schema.get("minimum", schema.get("exclusiveMinimum", 0) + 1)
        return min(max(low, 1), schema.get("maximum", max(low, 1)))
    if kind == "string":
        wanted = schema.get("minLength", 1)
        return "…" if wanted <= 1 else ("…" * wanted)
    if kind == "boolean":
        return schema.get("default", True)
    return None
