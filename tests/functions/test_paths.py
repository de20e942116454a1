from __future__ import annotations

import pytest

from submission_checker.functions import model_name_hint, shared_path


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("src", "src"),
        (" src ", "src"),
        ("\u00a0src", "src"),
        ("src//trtllm/", "src/trtllm"),
        ("./src/./trtllm", "src/trtllm"),
        ("src\\trtllm", "src/trtllm"),
        ("src/~", "src/~"),
        ("...", "..."),
        ("src/..hidden", "src/..hidden"),
        ("C:\\src", "C:/src"),
    ],
)
def test_paths_below_the_root(text, path) -> None:
    assert shared_path(text) == {"ok": True, "path": path, "reason": None}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ("  ", "empty"),
        ("/src", "absolute"),
        (" \\ ", "absolute"),
        ("~", "home"),
        ("~me/src", "home"),
        ("..", "parent"),
        ("src/../../x", "parent"),
        ("src\\..\\x", "parent"),
        (".", "root"),
        ("././", "root"),
        (None, "not_text"),
        (7, "not_text"),
        (["src"], "not_text"),
    ],
)
def test_paths_that_are_refused(text, reason) -> None:
    assert shared_path(text) == {"ok": False, "path": None, "reason": reason}


@pytest.mark.parametrize(
    ("name", "canonical"),
    [
        ("llama3.1-8b", "llama3_1-8b"),
        ("a/b/ llama3.1-8b ", "llama3_1-8b"),
        ("__x..y__", "x_y"),
        ("-a-", "-a-"),
        ("größe 1", "größe_1"),
        ("x" * 70, "x" * 64),
    ],
)
def test_how_a_name_is_brought_into_the_spelling_of_the_list(name, canonical) -> None:
    assert model_name_hint(name, known=[canonical], longest=64) == canonical


def test_of_a_name_without_a_letter_nothing_is_left() -> None:
    assert model_name_hint("a/", known=["", "a"], longest=64) == ""


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("meta-llama/llama3.1-8b", "llama3_1-8b"),
        ("Qwen/qwen3.6-35b-a3b", "qwen3_6-35b-a3b"),
        ("Llama3.1-8B", None),
        ("llama3", None),
        ("", None),
    ],
)
def test_model_name_hint(tables, name, hint) -> None:
    known, longest = list(tables.models["models"]), tables.models["hint_length"]
    assert model_name_hint(name, known=known, longest=longest) == hint
