"""What an example inside a rule may say of the findings it leads to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from submission_checker.engine.examples import Example, shortcomings

BROKEN = Example(
    rule="books-known",
    kind="broken",
    number=0,
    given={"path": "branches/north/s1", "card": {"subject": "cookery"}},
    message="cookery is not one of history, poetry",
    severity="warning",
    at="branches/north/s1/card.yaml#/subject",
)
PASSED = replace(
    BROKEN, kind="passed", given={"card": {"subject": "poetry"}}, message=None, severity="info", at=None
)
NOT_CHECKED = replace(BROKEN, kind="not_checked", given={}, message=None, severity=None, at=None)


@pytest.mark.parametrize("example", [BROKEN, PASSED, NOT_CHECKED], ids=lambda example: example.kind)
def test_an_example_that_comes_out_as_it_says(ruleset, example) -> None:
    assert shortcomings(ruleset, ruleset.rules["books-known"], example) == []


@pytest.mark.parametrize(
    ("example", "said"),
    [
        (replace(BROKEN, message="cookery"), "says ['cookery is not one of history, poetry'], not 'cookery'"),
        (replace(BROKEN, severity="error"), "has severity ['warning'], not error"),
        (replace(BROKEN, at="branches/north/s1/card.yaml"),
         "points at ['branches/north/s1/card.yaml#/subject'], not 'branches/north/s1/card.yaml'"),
        (replace(BROKEN, at="nowhere"), "points at ['branches/north/s1/card.yaml#/subject'], not 'nowhere'"),
        (replace(PASSED, kind="broken"), "is not broken"),
        (replace(PASSED, kind="not_checked"), "is checked"),
        (replace(BROKEN, kind="passed"), "is broken: cookery is not one of history, poetry"),
        (replace(NOT_CHECKED, kind="passed"), "is not checked: `when` is false"),
        (replace(BROKEN, given={"card": {"subject": "cookery"}, "subjects": {"known": 5}}),
         "this rule could not be evaluated: cannot look for 'cookery' in 5, a number in"),
    ],
)  # fmt: skip
def test_an_example_that_comes_out_otherwise(ruleset, example, said) -> None:
    [shortcoming] = shortcomings(ruleset, ruleset.rules["books-known"], example)

    assert shortcoming.startswith(said)
