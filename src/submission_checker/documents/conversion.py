"""Lenient conversion: a schema's types to functions that turn `"64"` into 64 before validation.

Compiled once from a schema, run on every document. A conversion never judges and never fails: what it cannot
convert it leaves as it is, for validation to refuse. Where validation could not see the fault by itself (an
integer beyond the range of floats, two fields that must agree) it records a doubt, and the document takes the
slow, thorough road.

The keywords read here are those of JSON Schema 2020-12 that give types (`type`, `properties`, `items`,
`additionalProperties`, `anyOf`, `$ref` to `#/$defs`, `default`, `enum`) and ours, described in
`schemas/README.md`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Final, TypeAlias

Doubts: TypeAlias = list[str]
Convert: TypeAlias = Callable[[Any, Doubts], Any]
"""Takes a value, gives the converted one (the same object when nothing changes)."""
Schema: TypeAlias = Mapping[str, Any]

KEYWORDS: Final = frozenset(
    {
        "x-lenient", "x-strict", "x-fold", "x-empty-is-null", "x-aliases", "x-agree", "x-gather",
        "x-at-most", "x-text", "x-trim", "x-truncate", "x-date", "x-number-keys", "x-extends", "x-message",
        "x-clause", "x-unit",
    }
)  # fmt: skip
"""Every keyword of ours; the last three are for people, and `x-extends` is gone before a schema is used."""

_WHOLE_TEXT: Final = re.compile(r"[+-]?[0-9]+(?:_[0-9]+)*(?:\.0+)?")
_DATE_TEXT: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_NUMBER_TEXT: Final = re.compile(
    r"[+-]?(?:[0-9]+\.?[0-9]*(?:e[+-]?[0-9]+)?|\.[0-9]+(?:e[+-]?[0-9]+)?|inf|infinity|nan)", re.IGNORECASE
)
_BLANKS: Final = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""White space of Unicode; Python's own idea of it has four control characters more."""
_LARGEST_WHOLE_FLOAT: Final = 2.0**63
"""Floats from here on are not taken for integers: their last digits are not known."""
_TRUE: Final = frozenset({"1", "true", "t", "yes", "y", "on"})
_FALSE: Final = frozenset({"0", "false", "f", "no", "n", "off"})


class SchemaProblem(ValueError):
    """A schema cannot be used; says which one and where."""


def to_integer(value: Any, doubts: Doubts) -> Any:
    """Convert to a whole number.

    Takes booleans, floats without a fraction below 2^63 and decimal text: sign, surrounding blanks, single
    underscores between digits and a tail of `.0` are allowed.

    >>> [to_integer(v, []) for v in (True, 64.0, " 1_024 ", "64.0", "1e3", 1.5)]
    [1, 64, 1024, 64, '1e3', 1.5]
    """
    kind = type(value)
    if kind is int or value is None:
        return value
    if kind is bool:
        return int(value)
    if kind is float:
        if value.is_integer():
            if abs(value) < _LARGEST_WHOLE_FLOAT:
                return int(value)
            doubts.append("an integer beyond the exact range of floats")
    elif kind is str:
        text = value.strip(_BLANKS)
        if _WHOLE_TEXT.fullmatch(text):
            digits = text.partition(".")[0].replace("_", "")
            sign = -1 if digits[0] == "-" else 1
            try:
                return sign * int(digits.lstrip("+-").lstrip("0") or "0")
            except ValueError:  # more digits than Python converts
                return value
    return value


def to_truncated_integer(value: Any, doubts: Doubts) -> Any:
    """Convert to a whole number, cutting off a fraction.

    >>> [to_truncated_integer(v, []) for v in (7.9, "12", True)]
    [7, 12, 1]
    """
    kind = type(value)
    if kind is float and value == value and abs(value) != float("inf"):
        return int(value)
    if kind is str:
        try:
            return int(value)
        except ValueError:
            return value
    return to_integer(value, doubts)


def to_number(value: Any, doubts: Doubts) -> Any:
    """Convert to a float.

    Takes integers that fit, booleans and numeric text, `nan` and `inf` included.

    >>> [to_number(v, []) for v in (3, True, " 1.5 ", "1e3", "1,5", "")]
    [3.0, 1.0, 1.5, 1000.0, '1,5', '']
    """
    kind = type(value)
    if kind is float or value is None:
        return value
    if kind is int or kind is bool:
        try:
            return float(value)
        except OverflowError:
            doubts.append("an integer too large for a float")
            return value
    if kind is str:
        text = value.strip(_BLANKS)
        if "_" in text:
            if text[0] == "_" or text[-1] == "_" or "__" in text:
                return value
            text = text.replace("_", "")
        if _NUMBER_TEXT.fullmatch(text):
            return float(text)
    return value


def to_float(value: Any, doubts: Doubts) -> Any:
    """Widen an integer, and nothing else, to a float.

    >>> [to_float(v, []) for v in (3, True, "3")]
    [3.0, True, '3']
    """
    return to_number(value, doubts) if type(value) is int else value


def to_boolean(value: Any, doubts: Doubts) -> Any:
    """Convert to true or false.

    Takes the numbers 0 and 1 and the usual words in any case, without surrounding blanks.

    >>> [to_boolean(v, []) for v in (1, 0.0, "Yes", "off", "1.0", 2)]
    [True, False, True, False, '1.0', 2]
    """
    kind = type(value)
    if kind is bool or value is None:
        return value
    if kind is int or kind is float:
        if value == 1:
            return True
        if value == 0:
            return False
    elif kind is str:
        word = value.lower()
        if word in _TRUE:
            return True
        if word in _FALSE:
            return False
    return value


def to_text(value: Any, doubts: Doubts) -> Any:
    """Write anything that is not null as text."""
    return value if value is None or type(value) is str else str(value)


def to_trimmed(value: Any, doubts: Doubts) -> Any:
    """Cut off blanks around text."""
    return value.strip() if type(value) is str else value


def to_written_integer(value: Any, doubts: Doubts) -> Any:
    """Take an integer as it is written; that 64.0 is none is for the thorough road to see."""
    if type(value) is float:
        doubts.append("a float where an integer is wanted")
    return value


def is_date(value: Any) -> bool:
    """Tell whether *value* is the text of a day of the calendar, YYYY-MM-DD.

    >>> [is_date(v) for v in ("2028-02-29", "2027-02-29", "2027-2-3", " 2027-02-03", 20270203)]
    [True, False, False, False, False]
    """
    if not isinstance(value, str) or not _DATE_TEXT.fullmatch(value):
        return False
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


def number_key(key: Any, bounds: Mapping[str, float]) -> str | None:
    """Write a key that is the text of a number in one way; None for what is none, or out of bounds.

    >>> [number_key(k, {"minimum": 0, "maximum": 100}) for k in ("90.0", "99.90", "p90", "101", "nan")]
    ['90', '99.9', None, None, None]
    """
    number = to_number(key, []) if type(key) is str else None
    if type(number) is not float or not bounds["minimum"] <= number <= bounds["maximum"]:
        return None
    return str(int(number)) if number.is_integer() else repr(number)


def is_nothing(value: Any) -> bool:
    """Whether *value* is null or empty text."""
    return value is None or value == ""


def folded(value: Any) -> str:
    """Write *value* as text without case and surrounding blanks."""
    return str(value).strip().lower()


_BY_TYPE: Final[dict[str, Convert]] = {
    "integer": to_integer,
    "number": to_number,
    "boolean": to_boolean,
}
_PYTHON_TYPES: Final[dict[str, tuple[type, ...]]] = {
    "string": (str,),
    "object": (dict,),
    "array": (list,),
    "number": (float, int, bool),
    "integer": (int, float, bool),
    "boolean": (bool,),
}


def compile_conversion(schema: Schema, name: str) -> Convert | None:
    """Compile the conversion that *schema* asks for.

    Args:
        schema: A document's schema.
        name: What it is called in errors.

    Returns:
        The conversion, None if the schema does not ask for one (`x-lenient`) or nothing needs converting.

    Raises:
        SchemaProblem: It uses one of our keywords in a way we do not know.
    """
    compiler = _Compiler(schema, name)
    compiler.check_keywords(schema, "")
    return compiler.compile(schema, "") if schema.get("x-lenient") else None


class _Compiler:
    """One schema on its way to functions."""

    def __init__(self, root: Schema, name: str) -> None:
        self._root = root
        self._name = name
        self._open: set[str] = set()

    def check_keywords(self, schema: Any, pointer: str) -> None:
        """Refuse unknown `x-` keywords: a misspelled one would silently do nothing."""
        if isinstance(schema, list):
            for index, item in enumerate(schema):
                self.check_keywords(item, f"{pointer}/{index}")
        if not isinstance(schema, Mapping):
            return
        for key, value in schema.items():
            named = pointer.endswith(("/properties", "/$defs")) and not pointer.endswith(
                ("/properties/properties", "/$defs/properties")
            )
            if not named and key.startswith("x-") and key not in KEYWORDS:
                raise SchemaProblem(f"schema {self._name}, {pointer or '/'}: unknown keyword {key!r}")
            if key not in {"default", "const", "enum", "examples"} or named:
                self.check_keywords(value, f"{pointer}/{key}")

    def compile(self, schema: Any, pointer: str) -> Convert | None:
        """Compile the conversion for one subschema, None where nothing changes."""
        if not isinstance(schema, Mapping):
            return None
        if schema.get("x-strict"):
            return {"number": to_float, "integer": to_written_integer}.get(schema.get("type", ""))
        if "$ref" in schema:
            schema, pointer = self._resolve(schema["$ref"], pointer)
        kinds = schema.get("type", ())
        kinds = {kinds} if isinstance(kinds, str) else set(kinds)
        if "anyOf" in schema and not kinds:
            convert = self._compile_any_of(schema["anyOf"], pointer)
        else:
            convert = self._compile_kinds(schema, kinds, pointer)
        return _empty_is_null(convert) if schema.get("x-empty-is-null") else convert

    def _resolve(self, reference: str, pointer: str) -> tuple[Schema, str]:
        prefix = "#/$defs/"
        found = self._root.get("$defs", {}).get(reference.removeprefix(prefix))
        if not reference.startswith(prefix) or found is None:
            raise SchemaProblem(f"schema {self._name}, {pointer or '/'}: cannot resolve {reference!r}")
        if pointer.count("/$defs/") > 20:
            raise SchemaProblem(f"schema {self._name}: {reference!r} refers to itself")
        return found, f"{pointer}{reference[1:]}"

    def _compile_kinds(self, schema: Schema, kinds: set[str], pointer: str) -> Convert | None:
        kinds = kinds - {"null"}
        if kinds == {"object"}:
            return self._compile_object(schema, pointer)
        if kinds == {"array"}:
            item = self.compile(schema.get("items"), f"{pointer}/items")
            return None if item is None else _list_of(item)
        if kinds == {"string"}:
            return _text_conversion(schema)
        if kinds == {"integer"} and schema.get("x-truncate"):
            return to_truncated_integer
        if len(kinds) == 1:
            return _BY_TYPE.get(next(iter(kinds)))
        if len(kinds) > 1:
            return self._compile_any_of([{**schema, "type": kind} for kind in sorted(kinds)], pointer)
        return None

    def _compile_any_of(self, branches: list[Schema], pointer: str) -> Convert | None:
        """Convert by the branch whose type the value has; no other branch is tried."""
        by_type: dict[type, Convert | None] = {}
        for index, branch in enumerate(branches):
            convert = self.compile(branch, f"{pointer}/anyOf/{index}")
            target = self._resolve(branch["$ref"], pointer)[0] if "$ref" in branch else branch
            for python_type in _PYTHON_TYPES.get(target.get("type", ""), ()):
                by_type.setdefault(python_type, convert)
        chosen = {python_type: convert for python_type, convert in by_type.items() if convert is not None}
        if not chosen:
            return None

        def convert_by_type(value: Any, doubts: Doubts) -> Any:
            convert = chosen.get(type(value))
            return value if convert is None else convert(value, doubts)

        return convert_by_type

    def _compile_object(self, schema: Schema, pointer: str) -> Convert:
        properties: Schema = schema.get("properties", {})
        table = {}
        for key, subschema in properties.items():
            convert = self.compile(subschema, f"{pointer}/properties/{key}")
            if convert is not None:
                table[key] = convert
        others = self.compile(schema.get("additionalProperties"), f"{pointer}/additionalProperties")
        defaults = {
            key: subschema["default"]
            for key, subschema in properties.items()
            if isinstance(subschema, Mapping) and "default" in subschema
        }
        return _object_conversion(
            table, others, frozenset(properties), defaults, self._rewrites(schema), schema
        )

    def _rewrites(self, schema: Schema) -> tuple[Callable[[dict[Any, Any]], None], ...]:
        """List the changes to an object as a whole, which come before its fields are converted."""
        rewrites = [_alias(key, **how) for key, how in schema.get("x-aliases", {}).items()]
        for key, subschema in schema.get("properties", {}).items():
            if isinstance(subschema, Mapping) and subschema.get("x-gather"):
                items = subschema.get("items", {})
                if "$ref" in items:
                    items = self._resolve(items["$ref"], key)[0]
                rewrites.append(_gather(key, tuple(items.get("properties", {}))))
        return tuple(rewrites)


def _empty_is_null(convert: Convert | None) -> Convert:
    def convert_or_null(value: Any, doubts: Doubts) -> Any:
        if value == "":
            return None
        return value if convert is None else convert(value, doubts)

    return convert_or_null


def _text_conversion(schema: Schema) -> Convert | None:
    if schema.get("x-fold"):
        members = {folded(member): member for member in schema.get("enum", ()) if isinstance(member, str)}

        def fold(value: Any, doubts: Doubts) -> Any:
            return members.get(folded(value), value) if type(value) is str else value

        return fold
    if schema.get("x-date"):
        return _doubt_date
    if schema.get("x-text") and schema.get("x-trim"):
        return lambda value, doubts: to_trimmed(to_text(value, doubts), doubts)
    if schema.get("x-text"):
        return to_text
    return to_trimmed if schema.get("x-trim") else None


def _doubt_date(value: Any, doubts: Doubts) -> Any:
    if type(value) is str and value.strip() and not is_date(value):
        doubts.append("a date")
    return value


def _list_of(convert: Convert) -> Convert:
    def convert_list(value: Any, doubts: Doubts) -> Any:
        return [convert(item, doubts) for item in value] if type(value) is list else value

    return convert_list


def _object_conversion(
    table: dict[str, Convert],
    others: Convert | None,
    declared: frozenset[str],
    defaults: dict[str, Any],
    rewrites: tuple[Callable[[dict[Any, Any]], None], ...],
    schema: Schema,
) -> Convert:
    """Convert a copy of an object: rewrites, then fields, then defaults, then doubts."""
    at_most = tuple(schema.get("x-at-most", {}).items())
    agree = tuple(schema.get("x-agree", ()))
    bounds = schema.get("x-number-keys")

    def convert_object(value: Any, doubts: Doubts) -> Any:
        if type(value) is not dict:
            return value
        result = value.copy()
        for rewrite in rewrites:
            rewrite(result)
        for key, item in result.items():
            convert = table.get(key)
            if convert is not None:
                result[key] = convert(item, doubts)
            elif type(key) is not str:
                doubts.append("a key that is not text")
            elif others is not None and key not in declared:
                result[key] = others(item, doubts)
        for key, default in defaults.items():
            if key not in result:
                convert = table.get(key)
                result[key] = default if convert is None else convert(default, doubts)
        if agree and disagreeing(result, agree):
            doubts.append("fields that must agree")
        if bounds is not None:
            result = _with_number_keys(result, bounds, doubts)
        for lower, upper in at_most:
            if not_at_most(result, lower, upper):
                doubts.append("a field that exceeds another")
        return result

    return convert_object


def _with_number_keys(value: dict[Any, Any], bounds: Mapping[str, float], doubts: Doubts) -> dict[Any, Any]:
    """Write the keys of a mapping, each a number, in one way; leave all where that cannot be done."""
    result: dict[Any, Any] = {}
    for key, item in value.items():
        name = number_key(key, bounds)
        if name is None or (name in result and result[name] != item):
            doubts.append("a key that is no number, or the same number as another")
            return value
        result[name] = item
    return result


def _alias(key: str, names: list[str], skip: str) -> Callable[[dict[Any, Any]], None]:
    """Fill *key* from the first of *names* whose value is not to be skipped.

    Args:
        key: The field to fill.
        names: Where to look, in order; *key* itself comes first.
        skip: `absent`, `null` (absent or null) or `empty` (absent, null or empty text).
    """
    if skip not in ("absent", "null", "empty"):
        raise SchemaProblem(f"x-aliases of {key!r}: skip must be absent, null or empty, not {skip!r}")

    def passed_over(value: Any) -> bool:
        return skip != "absent" and (value is None or (skip == "empty" and value == ""))

    def fill(target: dict[Any, Any]) -> None:
        if key in target and not passed_over(target[key]):
            return
        for name in names:
            if name in target and not passed_over(target[name]):
                target[key] = target[name]
                return

    return fill


def _gather(key: str, names: tuple[str, ...]) -> Callable[[dict[Any, Any]], None]:
    """Make a one-element list at *key* from fields written on the object itself, if the list is not given."""

    def gather(target: dict[Any, Any]) -> None:
        if not target.get(key):
            found = {name: target[name] for name in names if target.get(name) is not None}
            if found:
                target[key] = [found]

    return gather


def disagreeing(value: Mapping[Any, Any], names: tuple[str, ...]) -> bool:
    """Whether the fields *names*, nulls and empty text aside, differ by more than case and blanks."""
    return len({folded(value[name]) for name in names if not is_nothing(value.get(name))}) > 1


def not_at_most(value: Mapping[Any, Any], lower: str, upper: str) -> bool:
    """Whether the number at *lower* exceeds the one at *upper*."""
    low, high = value.get(lower), value.get(upper)
    numbers = (int, float)
    return isinstance(low, numbers) and isinstance(high, numbers) and not low <= high
