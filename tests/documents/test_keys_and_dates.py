"""Keys that are numbers, days of the calendar, and integers as they are written."""

from __future__ import annotations

import json
import math

import pytest

from submission_checker.documents import DocumentSchema

KEYS = DocumentSchema(
    {
        "x-lenient": True,
        "type": "object",
        "x-number-keys": {"minimum": 0, "maximum": 100},
        "additionalProperties": {"type": "number"},
    },
    name="keys",
)
FIELD = DocumentSchema(
    {
        "x-lenient": True,
        "type": "object",
        "properties": {
            "day": {"type": ["string", "null"], "x-date": True},
            "exact": {"type": "integer", "x-strict": True},
            "name": {"type": "string", "pattern": r"\S"},
        },
    },
    name="field",
)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ({"90": 1}, {"90": 1.0}),
        ({"90.0": 1}, {"90": 1.0}),
        ({"99.90": 1}, {"99.9": 1.0}),
        ({" +9e1 ": 1}, {"90": 1.0}),
        ({"0": 1, "-0": 1}, {"0": 1.0}),
        ({"90": 1, "90.0": "1"}, {"90": 1.0}),
        ({"100": 1}, {"100": 1.0}),
    ],
)
def test_a_number_has_one_key(written, read) -> None:
    assert KEYS.check(written) == (read, ())


@pytest.mark.parametrize(
    ("written", "pointer", "message"),
    [
        ({"p90": 1}, "/p90", "p90 must have a number from 0 to 100 as its key"),
        ({"": 1}, "/", "must have a number from 0 to 100 as its key"),
        ({"100.0001": 1}, "/100.0001", "100.0001 must have a number from 0 to 100 as its key"),
        ({"-1": 1}, "/-1", "-1 must have a number from 0 to 100 as its key"),
        ({"nan": 1}, "/nan", "nan must have a number from 0 to 100 as its key"),
        ({"90.0": 1, "90": math.nan}, "/90", "90 is the same key as 90.0, with another value: NaN and 1.0"),
        ({"90.0": 2, "90.00": 1}, "/90.00", "90.00 is the same key as 90.0, with another value: 1.0 and 2.0"),
        ({"90": 1, "90.0": 2}, "/90.0", "90.0 is the same key as 90, with another value: 2.0 and 1.0"),
        (
            {"90": math.nan, "90.0": math.nan},
            "/90.0",
            "90.0 is the same key as 90, with another value: NaN and NaN",
        ),
    ],
)
def test_what_is_no_key(written, pointer, message) -> None:
    problems = KEYS.check(written)[1]

    assert [problem.pointer for problem in problems] == [pointer]
    assert problems[0].message.endswith(message)


@pytest.mark.parametrize("value", ["2028-02-29", "0001-01-01", "", "  ", None])
def test_a_day_or_nothing(value) -> None:
    assert FIELD.check({"day": value})[1] == ()


@pytest.mark.parametrize("value", ["2027-02-29", "2027-2-3", " 2027-02-03", "20270203", "2027-13-01", "soon"])
def test_no_day(value) -> None:
    assert [problem.message for problem in FIELD.check({"day": value})[1]] == [
        f"day must be a day of the calendar, YYYY-MM-DD, found the text {json.dumps(value)}"
    ]


def test_an_integer_as_it_is_written() -> None:
    assert FIELD.check({"exact": 4})[1] == ()
    for value in (4.0, "4", True, None):
        assert len(FIELD.check({"exact": value})[1]) == 1


def test_blank_text() -> None:
    assert [problem.message for problem in FIELD.check({"name": " "})[1]] == ["name must not be blank"]
