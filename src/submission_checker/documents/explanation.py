"""Why a document does not match its schema, in words for the person who wrote the document.

`jsonschema` finds the violations; its types are set right for values that come from YAML (dates are no text,
keys are text) and its messages are replaced by ours. Imported only when a document fails.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

from submission_checker.documents.conversion import disagreeing, is_date, not_at_most, number_key
from submission_checker.documents.problems import Problem, escape

_MOST_PROBLEMS: Final = 100
_MOST_EXAMINED: Final = 5000
"""Violations of one document that are looked at: a list of a million wrong items takes minutes."""
_SHORT: Final = 60

_EXPECTED: Final = {
    "object": "an object",
    "array": "a list",
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
}


def _is_object(_: Any, value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(key, str) for key in value)


def _is_integer(_: Any, value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(_: Any, value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    try:
        float(value)
    except OverflowError:
        return False
    return True


def _is_unicode(text: str) -> bool:
    """Whether *text* holds no half of a surrogate pair."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _bounded(keyword: str, holds: Callable[[Any, Any], bool]) -> Any:
    """Make a bound that refuses NaN, which the usual comparison lets through."""

    def check(validator: Any, bound: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
        if isinstance(value, (int, float)) and not isinstance(value, bool) and not holds(value, bound):
            yield ValidationError(keyword)

    return check


def _check_at_most(
    validator: Any, pairs: Mapping[str, str], value: Any, schema: Any
) -> Iterator[ValidationError]:
    if isinstance(value, dict):
        for lower, upper in pairs.items():
            if not_at_most(value, lower, upper):
                excess = f"{shorten(value[lower])} > {shorten(value[upper])}"
                yield ValidationError(f"must not exceed {upper}: {excess}", path=(lower,))


def _check_agree(validator: Any, names: list[str], value: Any, schema: Any) -> Iterator[ValidationError]:
    if isinstance(value, dict) and disagreeing(value, tuple(names)):
        given = ", ".join(
            f"{name} = {shorten(value[name])}" for name in names if value.get(name) not in (None, "")
        )
        yield ValidationError(f"these fields say the same thing and must agree: {given}")


def _check_date(validator: Any, wanted: bool, value: Any, schema: Any) -> Iterator[ValidationError]:
    if wanted and isinstance(value, str) and value.strip() and not is_date(value):
        yield ValidationError(f"must be a day of the calendar, YYYY-MM-DD, found {describe(value)}")


def _check_number_keys(
    validator: Any, bounds: Mapping[str, float], value: Any, schema: Any
) -> Iterator[ValidationError]:
    if not isinstance(value, dict):
        return
    first: dict[str, tuple[str, Any]] = {}
    for key, item in value.items():
        name = number_key(key, bounds)
        if name is None:
            limits = f"{bounds['minimum']} to {bounds['maximum']}"
            yield ValidationError(f"must have a number from {limits} as its key", path=(key,))
            continue
        other, there = first.setdefault(name, (key, item))
        if other != key and there != item:
            given = f"{shorten(item)} and {shorten(there)}"
            yield ValidationError(f"is the same key as {other}, with another value: {given}", path=(key,))


_Validator: Final[Any] = extend(  # type: ignore[no-untyped-call]
    Draft202012Validator,
    validators={
        "minimum": _bounded("minimum", lambda value, bound: value >= bound),
        "maximum": _bounded("maximum", lambda value, bound: value <= bound),
        "exclusiveMinimum": _bounded("exclusiveMinimum", lambda value, bound: value > bound),
        "exclusiveMaximum": _bounded("exclusiveMaximum", lambda value, bound: value < bound),
        "x-at-most": _check_at_most,
        "x-agree": _check_agree,
        "x-date": _check_date,
        "x-number-keys": _check_number_keys,
    },
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine_many(
        {"object": _is_object, "integer": _is_integer, "number": _is_number}
    ),
)


class Explainer:
    """Explains documents that the compiled validator refused, or had doubts about.

    Args:
        schema: The document's schema.
        name: What to call it.
    """

    def __init__(self, schema: Mapping[str, Any], name: str) -> None:
        self._validator = _Validator(schema)
        self._name = name

    def explain(self, value: Any) -> tuple[Problem, ...]:
        """List the violations in *value*, a converted document.

        Returns:
            One problem for each violation, in the order of the document's fields; none if the document is
            valid after all (the compiled validator refuses NaN, for instance, even where numbers may be NaN).
        """
        errors = list(islice(self._validator.iter_errors(value), _MOST_EXAMINED + 1))
        problems = list(dict.fromkeys(self._problems(errors[:_MOST_EXAMINED])))
        if not problems and _is_plain_json(value):
            return (Problem("schema", f"does not match the schema {self._name}"),)
        if len(problems) > _MOST_PROBLEMS:
            at_least = "at least " if len(errors) > _MOST_EXAMINED else ""
            more = f"and {at_least}{len(problems) - _MOST_PROBLEMS} more violations of the schema"
            problems = [*problems[:_MOST_PROBLEMS], Problem("schema", more)]
        return tuple(problems)

    def _problems(self, errors: Iterable[ValidationError]) -> Iterator[Problem]:
        found = list(errors)
        mistyped = {tuple(error.absolute_path) for error in found if error.validator == "type"}
        for error in found:
            if error.validator == "type" or tuple(error.absolute_path) not in mistyped:
                yield from self._of_error(error)

    def _of_error(self, error: ValidationError) -> Iterator[Problem]:
        path = list(error.absolute_path)
        expected: Any = error.validator_value
        value: Any = error.instance
        note = error.schema.get("x-message") if isinstance(error.schema, Mapping) else None
        if note is not None:
            yield _problem(path, note)
        elif error.validator == "required":
            for name in expected:
                if name not in value:
                    yield _problem([*path, name], f"{_name_of([*path, name])} is missing")
        elif error.validator == "additionalProperties":
            known = error.schema.get("properties", {}) if isinstance(error.schema, Mapping) else {}
            for name in value:
                if name not in known:
                    text = f"{_name_of([*path, name])} is none of the fields {', '.join(known)}"
                    yield _problem([*path, name], text)
        elif error.validator in ("anyOf", "oneOf"):
            closest = self._closest_branch(error)
            if closest:
                yield from self._problems(closest)
            else:
                yield _problem(
                    path, f"{_name_of(path)} must be {_alternatives(error)}, found {describe(value)}"
                )
        else:
            yield _problem(path, _sentence(error, path))

    def _closest_branch(self, error: ValidationError) -> list[ValidationError]:
        """Pick the violations of the one branch whose type the value has, if there is just one."""
        branches: dict[Any, list[ValidationError]] = {}
        for inner in error.context or ():
            branches.setdefault(inner.relative_schema_path[0], []).append(inner)
        fitting = [
            errors
            for errors in branches.values()
            if not any(inner.validator == "type" and not inner.relative_path for inner in errors)
        ]
        return fitting[0] if len(fitting) == 1 else []


def _problem(path: list[Any], message: str) -> Problem:
    return Problem("schema", message, "".join(f"/{escape(token)}" for token in path))


def _name_of(path: list[Any]) -> str:
    """Write a path as people do: `shelves[0].label`.

    >>> _name_of(["shelves", 0, "label"])
    'shelves[0].label'
    """
    name = ""
    for token in path:
        name += f"[{token}]" if isinstance(token, int) else f".{token}" if name else str(token)
    return name or "the document"


_BOUNDS = {
    "minimum": "at least",
    "maximum": "at most",
    "exclusiveMinimum": "greater than",
    "exclusiveMaximum": "less than",
}


def _sentence(error: ValidationError, path: list[Any]) -> str:
    """Say what one violation means."""
    name = _name_of(path)
    value: Any = error.instance
    expected: Any = error.validator_value
    match error.validator:
        case "type":
            return _wrong_kind(expected, value, path)
        case "enum":
            members = ", ".join(shorten(item) for item in expected)
            return f"{name} must be one of {members}, found {describe(value)}"
        case "const":
            return f"{name} must be {shorten(expected)}, found {describe(value)}"
        case "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" as bound:
            return f"{name} must be {_BOUNDS[bound]} {expected}, found {shorten(value)}"
        case "minLength":
            if expected == 1:
                return f"{name} must not be empty"
            return f"{name} must have at least {expected} characters, found {describe(value)}"
        case "maxLength":
            return f"{name} must have at most {expected} characters, found {describe(value)}"
        case "minItems":
            return f"{name} must have at least {_counted(expected, 'entry', 'entries')}, found {len(value)}"
        case "minProperties":
            return f"{name} must have at least {_counted(expected, 'field', 'fields')}, found {len(value)}"
        case "pattern" if expected == r"\S":
            return f"{name} must not be blank"
        case "pattern":
            return f"{name} must have the form {expected}, found {describe(value)}"
        case "x-date" | "x-number-keys" | "x-at-most":
            return f"{name} {error.message}"
        case "x-agree":
            return error.message
        case other:
            return f"{name} does not satisfy {other} of the schema, found {describe(value)}"


def _wrong_kind(expected: Any, value: Any, path: list[Any]) -> str:
    """Say that a value is of another kind than it should be."""
    name = _name_of(path)
    if isinstance(value, dict) and "object" in _listed(expected):
        # It is an object; then its keys are what no JSON object has.
        key = next(key for key in value if not isinstance(key, str))
        return f"the keys of {name} must be text, found {describe(key)}; put it in quotes"
    if value is None and not path:
        return f"the document must be {_kinds(expected)}, but it is empty or null"
    return f"{name} must be {_kinds(expected)}, found {describe(value)}{_hint(expected, value)}"


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _listed(kinds: Any) -> list[str]:
    return [kinds] if isinstance(kinds, str) else list(kinds)


def _kinds(kinds: Any) -> str:
    return " or ".join(_EXPECTED[kind] for kind in _listed(kinds))


def _hint(expected: Any, value: Any) -> str:
    """Say what usually went wrong when text was expected."""
    if "string" in _listed(expected) and value is not None and not isinstance(value, (dict, list, str)):
        return "; put it in quotes"
    return ""


def _alternatives(error: ValidationError) -> str:
    kinds: list[str] = []
    branches: Any = error.validator_value
    for branch in branches:
        kinds.extend(_EXPECTED[kind] for kind in _listed(branch.get("type", ())))
    return " or ".join(dict.fromkeys(kinds)) or "one of the alternatives in the schema"


def describe(value: Any) -> str:
    """Name a value and its kind, shortened.

    >>> describe("12x")
    'the text "12x"'
    >>> describe(None)
    'null'
    """
    if value is None or isinstance(value, bool):
        return shorten(value)
    if isinstance(value, str):
        return f"the text {shorten(value)}" if value else "empty text"
    if isinstance(value, (int, float)):
        text = shorten(value)
        return text if text.startswith("an ") else f"the number {text}"
    if isinstance(value, dict):
        return f"an object with {_counted(len(value), 'field', 'fields')}" if value else "an empty object"
    if isinstance(value, list):
        return f"a list of {len(value)}" if value else "an empty list"
    return f"the {type(value).__name__} {shorten(value)}"


def shorten(value: Any) -> str:
    """Write a value in a few characters.

    >>> shorten(10**400)
    'an integer of 401 digits'
    """
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**40:
        digits = int(math.log10(abs(value))) + 1
        return f"an integer of {digits} digits"
    if value is None or isinstance(value, (str, bool, int, float)):
        text = json.dumps(value[: _SHORT + 1] if isinstance(value, str) else value)
    else:
        text = str(value)
    return text if len(text) <= _SHORT + 2 else f"{text[:_SHORT]}…"


def _is_plain_json(value: Any) -> bool:
    """Whether *value* holds only what JSON has: then both validators should have agreed."""
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, dict):
            if not all(isinstance(key, str) and _is_unicode(key) for key in item):
                return False
            todo.extend(item.values())
        elif isinstance(item, list):
            todo.extend(item)
        elif isinstance(item, float):
            if not math.isfinite(item):
                return False
        elif isinstance(item, str):
            if not _is_unicode(item):
                return False
        elif isinstance(item, int):
            if abs(item) >= 2**63:  # early releases of the compiled validator stop here
                return False
        elif item is not None:
            return False
    return True
