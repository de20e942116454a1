"""Lenient conversion, row by row."""

from __future__ import annotations

import copy
import json
import math
from datetime import date, datetime

import pytest

from submission_checker.documents import DocumentSchema, SchemaProblem

REFUSED = object()
NAN, INF = math.nan, math.inf


def schema(field: dict, **more) -> DocumentSchema:
    return DocumentSchema(
        {"x-lenient": True, "type": "object", "properties": {"f": field}, **more}, name="test"
    )


TYPES = {name: schema({"type": name}) for name in ("integer", "number", "boolean", "string")}
TYPES["strict number"] = schema({"type": "number", "x-strict": True})

ROWS = [
    ("integer", 5, 5),
    ("integer", 10**30, 10**30),
    ("integer", True, 1),
    ("integer", False, 0),
    ("integer", 64.0, 64),
    ("integer", -0.0, 0),
    ("integer", 2.0**62, 2**62),
    ("integer", 9.2e18, 9200000000000000000),
    ("integer", 2.0**63, REFUSED),
    ("integer", -(2.0**63), REFUSED),
    ("integer", 1e19, REFUSED),
    ("integer", 1.5, REFUSED),
    ("integer", NAN, REFUSED),
    ("integer", INF, REFUSED),
    ("integer", "64", 64),
    ("integer", " 64 ", 64),
    ("integer", "\u00a064\n", 64),
    ("integer", "\x1f64", REFUSED),
    ("integer", "1_024", 1024),
    ("integer", "1_000.0", 1000),
    ("integer", "64.0", 64),
    ("integer", "64.000", 64),
    ("integer", "0064", 64),
    ("integer", "+64", 64),
    ("integer", "-64", -64),
    ("integer", "-0", 0),
    ("integer", "10487924139932647040", 10487924139932647040),
    ("integer", "1" * 4300, int("1" * 4300)),
    ("integer", "1" * 4301, REFUSED),
    ("integer", "0" * 5000 + "1", 1),
    ("integer", "64.", REFUSED),
    ("integer", "64.5", REFUSED),
    ("integer", "1e3", REFUSED),
    ("integer", "1,024", REFUSED),
    ("integer", "0x10", REFUSED),
    ("integer", "1__0", REFUSED),
    ("integer", "_1", REFUSED),
    ("integer", "1_", REFUSED),
    ("integer", "- 1", REFUSED),
    ("integer", "\u0663", REFUSED),
    ("integer", "", REFUSED),
    ("integer", "true", REFUSED),
    ("integer", None, REFUSED),
    ("integer", [], REFUSED),
    ("integer", {}, REFUSED),
    ("integer", date(2026, 1, 1), REFUSED),
    ("number", 1.5, 1.5),
    ("number", 3, 3.0),
    ("number", True, 1.0),
    ("number", INF, INF),
    ("number", NAN, NAN),
    ("number", "nan", NAN),
    ("number", "-Infinity", -INF),
    ("number", "inf", INF),
    ("number", "1e3", 1000.0),
    ("number", "1E+3", 1000.0),
    ("number", " 1.5 ", 1.5),
    ("number", ".5", 0.5),
    ("number", "5.", 5.0),
    ("number", "1_0", 10.0),
    ("number", "1_0.0_5", 10.05),
    ("number", "1e400", INF),
    ("number", "1__0", REFUSED),
    ("number", "_1", REFUSED),
    ("number", "1_", REFUSED),
    ("number", "1e", REFUSED),
    ("number", "e5", REFUSED),
    ("number", ".", REFUSED),
    ("number", "0x10", REFUSED),
    ("number", "1,5", REFUSED),
    ("number", "", REFUSED),
    ("number", "yes", REFUSED),
    ("number", "\x1c5", REFUSED),
    ("number", 10**308, 1e308),
    ("number", 10**400, REFUSED),
    ("number", None, REFUSED),
    ("number", [1], REFUSED),
    ("boolean", True, True),
    ("boolean", 1, True),
    ("boolean", 0, False),
    ("boolean", 1.0, True),
    ("boolean", 0.0, False),
    *[("boolean", word, True) for word in ("1", "true", "t", "yes", "y", "on", "TRUE", "Yes", "oN")],
    *[("boolean", word, False) for word in ("0", "false", "f", "no", "n", "off", "False", "N")],
    ("boolean", 2, REFUSED),
    ("boolean", 1.5, REFUSED),
    ("boolean", "1.0", REFUSED),
    ("boolean", " true", REFUSED),
    ("boolean", "", REFUSED),
    ("boolean", None, REFUSED),
    ("boolean", [], REFUSED),
    ("string", "x", "x"),
    ("string", "", ""),
    ("string", 7, REFUSED),
    ("string", 1.5, REFUSED),
    ("string", True, REFUSED),
    ("string", None, REFUSED),
    ("string", date(2026, 11, 1), REFUSED),
    ("string", datetime(2026, 11, 1), REFUSED),
    ("strict number", 3, 3.0),
    ("strict number", 1.5, 1.5),
    ("strict number", True, REFUSED),
    ("strict number", "1.5", REFUSED),
    ("strict number", 10**400, REFUSED),
]


@pytest.mark.parametrize(("kind", "value", "wanted"), ROWS)
def test_scalars(kind, value, wanted):
    converted, problems = TYPES[kind].check({"f": value})
    if wanted is REFUSED:
        assert [problem.pointer for problem in problems] == ["/f"]
    else:
        assert problems == ()
        assert repr(converted["f"]) == repr(wanted)  # of the same type too, and NaN equals NaN


@pytest.mark.parametrize("kind", ["integer", "number", "boolean", "string"])
def test_optional_fields_may_be_null(kind):
    optional = schema({"type": [kind, "null"]})
    assert optional.check({"f": None}) == ({"f": None}, ())
    assert optional.check({}) == ({}, ())
    assert optional.check({"f": []})[1] != ()


@pytest.mark.parametrize("value", [NAN, "nan", -0.1, 1.1, INF])
def test_a_bound_refuses_what_is_no_number(value):
    assert schema({"type": "number", "minimum": 0, "maximum": 1}).check({"f": value})[1] != ()


@pytest.mark.parametrize(
    ("value", "wanted"),
    [("Ready", "Ready"), ("ready", "Ready"), (" READY\n", "Ready"), ("read y", REFUSED), (1, REFUSED)],
)
def test_folded_enum(value, wanted):
    converted, problems = schema({"type": "string", "enum": ["Ready", "Set"], "x-fold": True}).check(
        {"f": value}
    )
    assert problems == () if wanted is not REFUSED else problems != ()
    assert converted["f"] == (value if wanted is REFUSED else wanted)


@pytest.mark.parametrize(
    ("field", "value", "wanted"),
    [
        ({"type": "string", "x-text": True}, 5, "5"),
        ({"type": "string", "x-text": True}, date(2026, 1, 2), "2026-01-02"),
        ({"type": "string", "x-text": True, "x-trim": True}, " x ", "x"),
        ({"type": "string", "x-trim": True}, " x ", "x"),
        ({"type": "integer", "x-truncate": True}, 7.9, 7),
        ({"type": "integer", "x-truncate": True}, "7", 7),
        ({"type": "integer", "x-truncate": True}, "7.0", REFUSED),
        ({"type": "integer", "x-truncate": True}, INF, REFUSED),
        ({"type": ["number", "null"], "x-empty-is-null": True}, "", None),
        ({"type": "array", "items": {"type": "integer"}}, ["1", 2.0], [1, 2]),
        ({"type": "array", "items": {"type": "integer"}}, "12", REFUSED),
        ({"type": "object", "additionalProperties": {"type": "number"}}, {"90": "1e3"}, {"90": 1000.0}),
        ({"type": "object", "additionalProperties": {"type": "number"}}, {"90": None}, REFUSED),
        ({"type": "object"}, {"a": 1}, {"a": 1}),
        ({"type": "object"}, {1: 1}, REFUSED),
        ({}, {1: date(2026, 1, 1), "a": NAN}, {1: date(2026, 1, 1), "a": NAN}),
        ({"anyOf": [{"type": "string"}, {"type": "number"}]}, True, 1.0),
        ({"anyOf": [{"type": "string"}, {"type": "number"}]}, "5", "5"),
        ({"anyOf": [{"type": "number"}, {"type": "null"}]}, [], REFUSED),
        ({"type": ["number", "string"]}, 5, 5.0),
        ({"$ref": "#/$defs/count"}, "5", 5),
    ],
)
def test_other_keywords(field, value, wanted):
    converted, problems = schema(field, **{"$defs": {"count": {"type": "integer"}}}).check({"f": value})
    if wanted is REFUSED:
        assert problems != ()
    else:
        assert problems == ()
        assert repr(converted["f"]) == repr(wanted)


@pytest.mark.parametrize(
    ("skip", "document", "wanted"),
    [
        ("absent", {"old": 1}, 1),
        ("absent", {"f": None, "old": 1}, None),
        ("null", {"f": None, "old": 1}, 1),
        ("null", {"f": 2, "old": 1}, 2),
        ("null", {"old": None, "older": 3}, 3),
        ("absent", {"old": None, "older": 3}, None),
        ("null", {"f": None, "old": None}, None),
        ("empty", {"f": "", "old": 1}, 1),
        ("null", {"f": "", "old": 1}, REFUSED),
    ],
)
def test_aliases(skip, document, wanted):
    aliases = {"f": {"names": ["old", "older"], "skip": skip}}
    converted, problems = schema({"type": ["integer", "null"]}, **{"x-aliases": aliases}).check(document)
    assert (problems != ()) == (wanted is REFUSED)
    if wanted is not REFUSED:
        assert converted["f"] == wanted


@pytest.mark.parametrize(
    ("document", "wanted"),
    [
        ({"name": "x", "size": "5"}, [{"name": "x", "size": 5}]),
        ({"name": "x", "f": []}, [{"name": "x"}]),
        ({"name": "x", "f": None}, [{"name": "x"}]),
        ({"name": None}, []),
        ({"size": "many", "f": [{"name": "y"}]}, [{"name": "y"}]),
        ({"size": "many"}, REFUSED),
        ({"f": None}, REFUSED),
    ],
)
def test_gathering(document, wanted):
    item = {"type": "object", "properties": {"name": {"type": "string"}, "size": {"type": "integer"}}}
    gathering = schema({"type": "array", "default": [], "x-gather": True, "items": item})
    converted, problems = gathering.check(document)
    assert (problems != ()) == (wanted is REFUSED)
    if wanted is not REFUSED:
        assert converted["f"] == wanted


@pytest.mark.parametrize(
    ("document", "fits"),
    [
        ({"a": "x", "b": " X "}, True),
        ({"a": "x", "b": ""}, True),
        ({"a": "x", "b": None}, True),
        ({"a": "x", "b": "y"}, False),
    ],
)
def test_fields_that_must_agree(document, fits):
    problems = schema({}, **{"x-agree": ["a", "b"]}).check(document)[1]
    assert (problems == ()) is fits


@pytest.mark.parametrize(
    ("document", "fits"),
    [({"a": 1, "b": 1}, True), ({"a": 2, "b": 1}, False), ({"a": "2", "b": 1}, True), ({"a": 2}, True)],
)
def test_a_field_that_bounds_another(document, fits):
    problems = schema({}, **{"x-at-most": {"a": "b"}}).check(document)[1]
    assert (problems == ()) is fits
    if not fits:
        assert (problems[0].pointer, problems[0].message) == ("/a", "a must not exceed b: 2 > 1")


def test_defaults_are_filled_in_to_the_bottom():
    inner = {"type": "object", "properties": {"total": {"type": "number", "default": 0.0}}}
    filled = schema({**inner, "default": {}}).check({})[0]
    assert filled == {"f": {"total": 0.0}}
    filled["f"]["total"] = 5.0
    assert schema({**inner, "default": {}}).check({})[0] == {"f": {"total": 0.0}}


def test_the_document_itself_is_not_changed():
    document = {"f": {"x": ["1", {"y": "2"}], "old": 1}, "g": 1}
    before = copy.deepcopy(document)
    field = {
        "type": "object",
        "x-aliases": {"new": {"names": ["old"], "skip": "absent"}},
        "properties": {
            "d": {"default": 5},
            "x": {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "object"}]}},
        },
    }
    converted, problems = schema(field).check(document)
    assert (document, problems) == (before, ())
    assert converted == {"f": {"x": ["1", {"y": "2"}], "old": 1, "new": 1, "d": 5}, "g": 1}


def test_without_x_lenient_nothing_is_converted():
    plain = DocumentSchema(
        {"type": "object", "properties": {"f": {"type": "integer", "default": 1}}}, name="plain"
    )
    document: dict = {}
    assert plain.check(document)[0] is document
    assert plain.check({"f": "5"})[1] != ()


@pytest.mark.parametrize(
    ("bad", "part"),
    [
        ({"properties": {"f": {"x-leniend": True}}}, "/properties/f: unknown keyword 'x-leniend'"),
        ({"allOf": [{"x-mesage": ""}]}, "/allOf/0: unknown keyword 'x-mesage'"),
        ({"properties": {"f": {"$ref": "#/$defs/nothing"}}}, "cannot resolve '#/$defs/nothing'"),
        ({"properties": {"f": {"$ref": "other.json"}}}, "cannot resolve 'other.json'"),
        (
            {
                "$defs": {"a": {"type": "array", "items": {"$ref": "#/$defs/a"}}},
                "properties": {"f": {"$ref": "#/$defs/a"}},
            },
            "refers to itself",
        ),
        ({"x-aliases": {"f": {"names": [], "skip": "sometimes"}}}, "skip must be"),
    ],
)
def test_schemas_that_cannot_be_used(bad, part):
    with pytest.raises(SchemaProblem) as caught:
        DocumentSchema({"x-lenient": True, "type": "object", **bad}, name="bad")
    assert part in str(caught.value)


def test_a_field_may_be_called_like_a_keyword():
    document = {"x-files": 1, "properties": "2"}
    odd = DocumentSchema(
        json.loads(
            '{"x-lenient": true, "type": "object", "properties":'
            ' {"x-files": {"type": "integer"}, "properties": {"type": "integer"}}}'
        ),
        name="odd",
    )
    assert odd.check(document) == ({"x-files": 1, "properties": 2}, ())
