"""Accuracy documents in all their shapes, and the entry that was scored while it was measured."""

from __future__ import annotations

from typing import Any

import pytest

from submission_checker.functions import inline_dataset, read_scores

FIELDS: dict[str, Any] = {
    "name_field": "dataset_name",
    "score_field": "score",
    "type_field": "dataset_type",
    "inline_type": "performance",
    "aliases": {"num_samples": "unit_samples", "n_repeats": "num_repeats"},
}
GPQA = {"score": 0.5}
NAMED = {"dataset_name": "gpqa", "score": 0.5}


def read(document: Any, wrapper: str | None = "accuracy_scores") -> dict[str, Any]:
    return read_scores(document, wrapper=wrapper, **FIELDS)


@pytest.mark.parametrize(
    ("document", "entries", "pointer"),
    [
        ({"gpqa": GPQA}, {"gpqa": GPQA}, ""),
        ({"accuracy_scores": {"gpqa": GPQA}}, {"gpqa": GPQA}, "/accuracy_scores"),
        ({"accuracy_scores": {"gpqa": GPQA}, "other": 5}, {"gpqa": GPQA}, "/accuracy_scores"),
        ([NAMED], {"gpqa": NAMED}, None),
        ({"accuracy_scores": [NAMED]}, {"gpqa": NAMED}, None),
        ([{"dataset_name": "gpqa", "score": None}], {"gpqa": {"dataset_name": "gpqa", "score": None}}, None),
        ([{**NAMED, "unit_samples": 3}], {"gpqa": {**NAMED, "unit_samples": 3, "num_samples": 3}}, None),
        (
            [{**NAMED, "num_repeats": 2, "n_repeats": 2.0}],
            {"gpqa": {**NAMED, "num_repeats": 2, "n_repeats": 2}},
            None,
        ),
        (
            [NAMED, {**NAMED, "dataset_name": " gpqa"}],
            {"gpqa": NAMED, " gpqa": {**NAMED, "dataset_name": " gpqa"}},
            None,
        ),
        # Only a list has other names for members, and entries without a score.
        (
            {"gpqa": {"unit_samples": 1, "num_samples": 2}},
            {"gpqa": {"unit_samples": 1, "num_samples": 2}},
            "",
        ),
    ],
)
def test_what_can_be_read(document, entries, pointer) -> None:
    assert read(document) == {"entries": entries, "pointer": pointer, "problems": []}


@pytest.mark.parametrize(
    ("document", "pointers"),
    [
        ({}, [None]),
        ([], [None]),
        ({"accuracy_scores": {}}, [None]),
        (5, [""]),
        ({"accuracy_scores": None}, ["/accuracy_scores"]),
        ({"accuracy_scores": "x", "gpqa": GPQA}, ["/accuracy_scores"]),
        ({"gpqa": 5}, ["/gpqa"]),
        ({"a/b": None, "gpqa": GPQA}, ["/a~1b"]),
        ([NAMED, 5], ["/1"]),
        ([{"score": 1}], ["/0/dataset_name"]),
        ([{"dataset_name": " ", "score": 1}], ["/0/dataset_name"]),
        ([{"dataset_name": 5, "score": 1}], ["/0/dataset_name"]),
        ([NAMED, NAMED], ["/1/dataset_name"]),
        ([{"dataset_name": "gpqa"}], ["/0"]),
        ({"accuracy_scores": [{}]}, ["/accuracy_scores/0/dataset_name", "/accuracy_scores/0"]),
        ([{**NAMED, "unit_samples": 1, "num_samples": 2}], ["/0/unit_samples"]),
        ([{**NAMED, "unit_samples": "2", "num_samples": 2}], ["/0/unit_samples"]),
        ([{**NAMED, "unit_samples": None, "num_samples": 2}], ["/0/unit_samples"]),
        ({name: {"dataset_type": "performance"} for name in "ab"}, [""]),
    ],
)
def test_what_cannot_be_read(document, pointers) -> None:
    found = read(document)

    assert found["entries"] is None
    assert [problem["pointer"] for problem in found["problems"]] == pointers
    assert all(problem["message"] for problem in found["problems"])


def test_what_was_wrapped_is_not_unwrapped_again() -> None:
    assert read({"accuracy_scores": {"gpqa": GPQA}}, wrapper=None)["entries"] == {
        "accuracy_scores": {"gpqa": GPQA}
    }


@pytest.mark.parametrize(
    ("entries", "dataset"),
    [
        (None, None),
        ({}, None),
        ({"suite": {"dataset_type": "performance"}}, "suite"),
        ({"performance": {}}, "performance"),
        ({"performance": {}, "suite": {"dataset_type": "performance"}}, "suite"),
        ({"performance": {"dataset_type": "accuracy"}}, None),
        ({"performance": {"dataset_type": None}}, None),
        ({"Performance": {}}, None),
        ({"suite": {"dataset_type": "Performance"}}, None),
    ],
)
def test_inline_dataset(entries, dataset) -> None:
    assert inline_dataset(entries, type_field="dataset_type", inline_type="performance") == dataset
