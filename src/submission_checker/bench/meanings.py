"""What is known of a value before any submission is looked at: by schemas, tables, facts and functions.

Lint asks here whether a field is described, whether a word can occur, and which kinds a value can
have. Where nothing is known, nothing is reported.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from submission_checker.engine import kinds
from submission_checker.engine.errors import did_you_mean

TEXT, NUMBER, BOOLEAN = kinds.kind(""), kinds.kind(0), kinds.kind(True)
NULL, LIST, MAPPING = kinds.kind(None), kinds.kind([]), kinds.kind({})
NOTHING: frozenset[str] = frozenset()
MAX_OPTIONS = 200
"""Alternatives that are kept apart; of more nothing is known."""

_OF_TYPE = {
    "string": TEXT, "number": NUMBER, "integer": NUMBER, "boolean": BOOLEAN, "null": NULL, "array": LIST,
    "object": MAPPING,
}  # fmt: skip


class UndescribedError(Exception):
    """A field that nothing describes: it would be null for ever."""


class Meaning:
    """What is known of a value; of this one, nothing."""

    def entry(self, key: str) -> Meaning:
        """Return what is known of the entry of a mapping.

        Raises:
            UndescribedError: where there can be no such entry.
        """
        return UNKNOWN

    def item(self) -> Meaning:
        """Return what is known of the items of a list."""
        return UNKNOWN

    def value(self) -> Meaning:
        """Return what is known of the values of a mapping, whatever their keys."""
        return UNKNOWN

    @property
    def kinds(self) -> frozenset[str] | None:
        """Kinds that it can have; None where that is not known."""
        return None

    @property
    def words(self) -> frozenset[str] | None:
        """Texts that it can be; None where that is not known."""
        return None

    @property
    def is_float(self) -> bool:
        """Whether it is a number that may have a fraction."""
        return False

    @property
    def least(self) -> float | None:
        """A number that it is never below."""
        return None

    @property
    def may_be_absent(self) -> bool:
        """Whether a sound document can do without it."""
        return False

    def constants(self) -> Iterator[Any]:
        """Yield the values that it can have, where the ruleset alone decides them."""
        yield from ()

    def use(self) -> None:
        """Note that a rule uses the value as a whole."""


UNKNOWN = Meaning()


class Plain(Meaning):
    """A value of known kinds, such as a function gives."""

    def __init__(
        self,
        *of: str,
        words: Iterable[str] | None = None,
        is_float: bool = False,
        least: float | None = None,
    ):
        self._kinds = frozenset(of)
        self._words = None if words is None else frozenset(words)
        self._is_float = is_float
        self._least = least

    @property
    def kinds(self) -> frozenset[str] | None:
        return self._kinds

    @property
    def words(self) -> frozenset[str] | None:
        return self._words

    @property
    def is_float(self) -> bool:
        return self._is_float

    @property
    def least(self) -> float | None:
        return self._least

    def entry(self, key: str) -> Meaning:
        if self._kinds and MAPPING not in self._kinds:
            raise UndescribedError(f"{' or '.join(sorted(self._kinds))} has no .{key}")
        return UNKNOWN


class Listed(Meaning):
    """A list of items that are alike."""

    def __init__(self, item: Meaning):
        self._item = item
        self._is_used = False

    def item(self) -> Meaning:
        return self._item

    @property
    def kinds(self) -> frozenset[str] | None:
        return frozenset({LIST})

    def use(self) -> None:
        # Lists may share their items many times over: each is walked once.
        if not self._is_used:
            self._is_used = True
            self._item.use()


class Entries(Meaning):
    """A mapping whose entries are all known."""

    def __init__(self, what: str, entries: Mapping[str, Meaning | Callable[[], Meaning]]):
        self.what = what
        self.entries = dict(entries)
        self._is_used = False

    def entry(self, key: str) -> Meaning:
        if key not in self.entries:
            raise UndescribedError(f"{self.what} has no {key}{did_you_mean(key, self.entries)}")
        found = self.entries[key]
        return found if isinstance(found, Meaning) else found()

    @property
    def kinds(self) -> frozenset[str] | None:
        return frozenset({MAPPING})

    def use(self) -> None:
        if not self._is_used:
            self._is_used = True
            for found in self.entries.values():
                if isinstance(found, Meaning):
                    found.use()


class OneOf(Meaning):
    """One of several, it is not known which."""

    def __init__(self, options: Sequence[Meaning]):
        self.options = tuple(options)

    def _each(self, get: Callable[[Meaning], Meaning]) -> Meaning:
        found, refused = [], None
        for option in self.options:
            try:
                found.append(get(option))
            except UndescribedError as error:
                refused = error
        if not found and refused is not None:
            raise refused
        return one_of(found)

    def entry(self, key: str) -> Meaning:
        return self._each(lambda option: option.entry(key))

    def item(self) -> Meaning:
        return self._each(lambda option: option.item())

    def value(self) -> Meaning:
        return self._each(lambda option: option.value())

    def _union(self, sets: list[frozenset[str] | None]) -> frozenset[str] | None:
        known = [found for found in sets if found is not None]
        return frozenset().union(*known) if len(known) == len(sets) and known else None

    @property
    def kinds(self) -> frozenset[str] | None:
        return self._union([option.kinds for option in self.options])

    @property
    def words(self) -> frozenset[str] | None:
        only_null = frozenset({NULL})
        return self._union(
            [NOTHING if option.kinds == only_null else option.words for option in self.options]
        )

    @property
    def is_float(self) -> bool:
        return any(option.is_float for option in self.options)

    @property
    def least(self) -> float | None:
        found = [option.least for option in self.options]
        known = [number for number in found if number is not None]
        return min(known) if known and len(known) == len(found) else None

    @property
    def may_be_absent(self) -> bool:
        return any(option.may_be_absent for option in self.options)

    def constants(self) -> Iterator[Any]:
        for option in self.options:
            yield from option.constants()

    def use(self) -> None:
        for option in self.options:
            option.use()


def one_of(options: Sequence[Meaning]) -> Meaning:
    """Return what is known of a value that is one of several."""
    flat: dict[int, Meaning] = {}
    for option in options:
        for inner in option.options if isinstance(option, OneOf) else (option,):
            flat[id(inner)] = inner
    if not flat or len(flat) > MAX_OPTIONS or any(option is UNKNOWN for option in flat.values()):
        return UNKNOWN
    return next(iter(flat.values())) if len(flat) == 1 else OneOf(tuple(flat.values()))


class Ledger:
    """Which entries of the ruleset's tables some rule uses."""

    def __init__(self) -> None:
        self.used: set[tuple[str, ...]] = set()

    def is_used(self, place: tuple[str, ...]) -> bool:
        """Tell whether an entry is used: itself, with all around it, or through something in it."""
        return any(
            place[: len(used)] == used or used[: len(place)] == place for used in self.used
        )  # fmt: skip


class Constant(Meaning):
    """A value that the ruleset alone decides: a table, an entry of one, a parameter."""

    def __init__(self, what: str, content: Any, place: tuple[str, ...] = (), ledger: Ledger | None = None):
        self.what = what
        self.content = content
        self.place = place
        self.ledger = ledger

    def _inner(self, key: str, content: Any) -> Constant:
        return Constant(f"{self.what}.{key}", content, (*self.place, key), self.ledger)

    def entry(self, key: str) -> Meaning:
        if isinstance(self.content, Mapping):
            if key not in self.content:
                raise UndescribedError(f"{self.what} has no {key}{did_you_mean(key, self.content)}")
            return self._inner(key, self.content[key])
        if self.content is None:
            return UNKNOWN
        raise UndescribedError(f"{self.what} is {kinds.kind(self.content)} and has no .{key}")

    def item(self) -> Meaning:
        if not isinstance(self.content, list):
            return UNKNOWN
        return one_of([Constant(f"{self.what}[]", item, self.place, self.ledger) for item in self.content])

    def value(self) -> Meaning:
        if not isinstance(self.content, Mapping):
            return self.item()
        return one_of([self._inner(str(key), content) for key, content in self.content.items()])

    @property
    def kinds(self) -> frozenset[str] | None:
        return frozenset({kinds.kind(self.content)})

    @property
    def words(self) -> frozenset[str] | None:
        return frozenset({self.content}) if isinstance(self.content, str) else None

    @property
    def is_float(self) -> bool:
        return isinstance(self.content, float)

    def constants(self) -> Iterator[Any]:
        yield self.content

    def use(self) -> None:
        if self.ledger is not None:
            self.ledger.used.add(self.place)


class Shaped(Meaning):
    """A value of a document, as the document's JSON Schema describes it.

    Args:
        what: How to call it, such as `card.books`.
        schemas: The parts of the schema that may apply to it.
        root: The whole schema, for `$ref`.
        as_written: Whether it is the value as written, which may be of any kind.
        optional: Whether a sound document can do without it.
    """

    def __init__(
        self,
        what: str,
        schemas: Sequence[Mapping[str, Any]],
        root: Mapping[str, Any],
        *,
        as_written: bool = False,
        optional: bool = False,
    ):
        self.what = what
        self.root = root
        self.as_written = as_written
        self.optional = optional
        self._written = schemas

    @cached_property
    def branches(self) -> list[Mapping[str, Any]]:
        """The alternatives, references and choices resolved."""
        found: list[Mapping[str, Any]] = []
        for schema in self._written:
            self._resolve(schema, found, 0)
        return found

    def _resolve(self, schema: Any, found: list[Mapping[str, Any]], depth: int) -> None:
        if not isinstance(schema, Mapping) or depth > 20:
            return
        reference = schema.get("$ref")
        if isinstance(reference, str):
            self._resolve(_referred(self.root, reference), found, depth + 1)
        inner = [option for key in ("anyOf", "oneOf", "allOf") for option in schema.get(key, ())]
        for option in inner:
            self._resolve(option, found, depth + 1)
        if (
            "type" in schema
            or "properties" in schema
            or "enum" in schema
            or "const" in schema
            or (not inner and reference is None)
        ):
            found.append(schema)

    def _inner(self, name: str, schemas: Sequence[Mapping[str, Any]], optional: bool) -> Shaped:
        return Shaped(
            name, schemas, self.root, as_written=self.as_written, optional=self.optional or optional
        )

    def entry(self, key: str) -> Meaning:
        mappings = [branch for branch in self.branches if "object" in _types(branch, "object")]
        if not mappings:
            raise UndescribedError(f"{self.what} has no .{key}: its schema says that it is no mapping")
        found = [schema for branch in mappings for schema in _property(branch, key)]
        if found:
            required = all(key in branch.get("required", ()) for branch in mappings)
            return self._inner(f"{self.what}.{key}", found, not required)
        if any(_is_open(branch) for branch in mappings):
            return UNKNOWN
        known = [name for branch in mappings for name in _names(branch)]
        raise UndescribedError(f"the schema of {self.what} has no {key}{did_you_mean(key, known)}")

    def item(self) -> Meaning:
        items = [b["items"] for b in self.branches if isinstance(b.get("items"), Mapping)]
        return self._inner(f"{self.what}[]", items, False) if items else UNKNOWN

    def value(self) -> Meaning:
        found = [
            schema
            for branch in self.branches
            for schema in (*branch.get("properties", {}).values(), branch.get("additionalProperties"))
            if isinstance(schema, Mapping)
        ]
        return self._inner(f"{self.what}.*", found, True) if found else self.item()

    @property
    def kinds(self) -> frozenset[str] | None:
        if self.as_written:
            return None
        found = [name for branch in self.branches for name in _types(branch, None)]
        if not found or None in found:
            return None
        # Null always: the document itself may be absent.
        return frozenset({NULL, *(_OF_TYPE[name] for name in found if name is not None)})

    @property
    def words(self) -> frozenset[str] | None:
        if self.as_written:
            return None
        words: set[str] = set()
        for branch in self.branches:
            if "enum" in branch:
                words |= {word for word in branch["enum"] if isinstance(word, str)}
            elif "const" in branch:
                words |= {branch["const"]} if isinstance(branch["const"], str) else set()
            elif "string" in _types(branch, "string"):
                return None
        return frozenset(words) if words else None

    @property
    def is_float(self) -> bool:
        return not self.as_written and any("number" in _types(branch, None) for branch in self.branches)

    @property
    def least(self) -> float | None:
        numbers = [b for b in self.branches if {"number", "integer"} & set(_types(b, None))]
        found = [branch.get("minimum", branch.get("exclusiveMinimum")) for branch in numbers]
        known = [number for number in found if number is not None]
        return min(known) if known and len(known) == len(found) and not self.as_written else None

    @property
    def may_be_absent(self) -> bool:
        return self.optional or any("null" in _types(branch, None) for branch in self.branches)


def _referred(root: Mapping[str, Any], reference: str) -> Any:
    found: Any = root
    for key in reference.removeprefix("#").strip("/").split("/"):
        found = found.get(key) if isinstance(found, Mapping) and key else found
    return found


def _types(schema: Mapping[str, Any], default: str | None) -> list[str | None]:
    """Return the types that a schema names; *default* where it names none."""
    if "enum" in schema and "type" not in schema:
        return [_json_type(word) for word in schema["enum"]]
    named = schema.get("type", "object" if "properties" in schema else default)
    return list(named) if isinstance(named, list) else [named]


def _json_type(word: Any) -> str:
    names = {
        TEXT: "string",
        NUMBER: "number",
        BOOLEAN: "boolean",
        NULL: "null",
        LIST: "array",
        MAPPING: "object",
    }
    return names[kinds.kind(word)]


def _property(schema: Mapping[str, Any], key: str) -> Iterator[Mapping[str, Any]]:
    properties = schema.get("properties", {})
    if key in properties:
        yield properties[key] if isinstance(properties[key], Mapping) else {}
        return
    for name, alias in schema.get("x-aliases", {}).items():
        if key in alias.get("names", ()) and isinstance(properties.get(name), Mapping):
            yield properties[name]
    for pattern, inner in schema.get("patternProperties", {}).items():
        if re.search(pattern, key):
            yield inner
    if isinstance(schema.get("additionalProperties"), Mapping):
        yield schema["additionalProperties"]


def _is_open(schema: Mapping[str, Any]) -> bool:
    """Tell whether a schema says nothing of the entries of its mappings."""
    return not schema.get("properties") and schema.get("additionalProperties") is not False


def _names(schema: Mapping[str, Any]) -> list[str]:
    return [
        *schema.get("properties", {}),
        *(n for a in schema.get("x-aliases", {}).values() for n in a["names"]),
    ]


_ANNOTATIONS = {
    "bool": BOOLEAN, "int": NUMBER, "float": NUMBER, "str": TEXT, "None": NULL, "list": LIST, "dict": MAPPING,
    "Mapping": MAPPING,
}  # fmt: skip


def returned(function: Callable[..., Any]) -> Meaning:
    """Return what is known of a function's value, by its annotation."""
    annotation = inspect.signature(function).return_annotation
    written = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "Any")
    parts = [re.sub(r"\[.*\]", "", part).strip() for part in _split(written)]
    if not all(part in _ANNOTATIONS for part in parts):
        return UNKNOWN
    return Plain(*(_ANNOTATIONS[part] for part in parts), is_float="float" in parts)


def _split(annotation: str) -> list[str]:
    """Split a union at the top level.

    >>> _split("list[int | str] | None")
    ['list[int | str] ', ' None']
    """
    parts, depth, start = [], 0, 0
    for index, character in enumerate(annotation):
        depth += {"[": 1, "]": -1}.get(character, 0)
        if character == "|" and depth == 0:
            parts.append(annotation[start:index])
            start = index + 1
    return [*parts, annotation[start:]]
