from __future__ import annotations

import pytest

from submission_checker.functions import first_difference, missing_fields


def test_missing_fields(tables) -> None:
    required = tables.vocabularies["disclosure"]["required"]
    document = dict.fromkeys(required, "x") | {"max_supported_concurrency": 0, "model_name": " "}
    assert missing_fields(document, required) == []
    assert missing_fields(document | {"division": "", "seed_set": None}, required) == ["division", "seed_set"]
    assert missing_fields({}, required) == required
    assert len(required) == 12


@pytest.mark.parametrize(
    ("copies", "found"),
    [
        pytest.param([], None, id="none"),
        pytest.param([{"a": 1}], None, id="one"),
        pytest.param([{"a": 1, "b": [1]}, {"b": [1], "a": 1}], None, id="order-of-keys"),
        pytest.param([{"a": [1, 2]}, {"a": [2, 1]}], (1, ["a"]), id="order-of-lists"),
        pytest.param([{"a": 1}, {"a": 1.0}, {"a": True}], None, id="1-1.0-true"),
        pytest.param([{"a": 1, "u": 0.5}, {"a": 1, "u": 0.9}, {"a": 1}], None, id="ignored"),
        pytest.param([{"a": {"u": 1}}, {"a": {"u": 2}}], (1, ["a"]), id="ignored-only-at-the-top"),
        pytest.param([{"a": 1}, {"a": 1}, {"a": 2}, {"a": 3}], (2, ["a"]), id="first-one"),
        pytest.param([{}, {"a": None}], (1, ["a"]), id="null-is-not-absent"),
        pytest.param([{"z": 1, "b": 1}, {"z": 2, "b": 2}], (1, ["b", "z"]), id="sorted"),
    ],
)
def test_first_difference(copies, found) -> None:
    expected = None if found is None else {"index": found[0], "fields": found[1]}
    assert first_difference(copies, ignored=["u"]) == expected
