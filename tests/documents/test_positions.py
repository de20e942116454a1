"""Where values stand in their files."""

from __future__ import annotations

import json
import time

import pytest

from submission_checker.documents import Root, locate

YAML = """\
# first line
concurrency: 64
runtime_settings:
  runtime:
    model_seed: 7
  steps:
  - compile
  - {name: warm, 1: one}
a/b:   x
no: 5
020: octal
twice: 1
twice:
  deep: 2
base: &base {shared: 1}
copy: *base
text: |
  block
"""
JSON = """{
  "concurrency": 64,
\t"runtime_settings": {"runtime": {"model_seed": 7},
    "steps": ["compile", {"name": "warm, {[", "k\\u0065y": 1}]},
  "a/b":   "x",
  "twice": {"deep": 1, "other": 1},
  "twice": {"deep": 2}
}
"""


def places(tmp_path, text, form, pointers):
    file = tmp_path / "document"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return locate(file, form, pointers)


@pytest.mark.parametrize(
    ("pointer", "place"),
    [
        ("", (2, 1)),
        ("/concurrency", (2, 14)),
        ("/runtime_settings", (4, 3)),
        ("/runtime_settings/runtime/model_seed", (5, 17)),
        ("/runtime_settings/runtime/missing", (5, 5)),
        ("/runtime_settings/missing/deep/down", (4, 3)),
        ("/runtime_settings/steps/0", (7, 5)),
        ("/runtime_settings/steps/1/name", (8, 12)),
        ("/runtime_settings/steps/1/1", (8, 21)),
        ("/runtime_settings/steps/7", (7, 3)),
        ("/runtime_settings/steps/x", (7, 3)),
        ("/a~1b", (9, 8)),
        ("/no", (10, 5)),
        ("/False", (10, 5)),
        ("/16", (11, 6)),
        ("/twice/deep", (14, 9)),
        ("/copy/shared", (15, 22)),
        ("/text", (17, 7)),
        ("/nothing", (2, 1)),
    ],
)
def test_yaml(tmp_path, pointer, place):
    assert places(tmp_path, YAML, "yaml", [pointer]) == {pointer: place}


@pytest.mark.parametrize(
    ("pointer", "place"),
    [
        ("", (1, 1)),
        ("/concurrency", (2, 18)),
        ("/runtime_settings", (3, 22)),
        ("/runtime_settings/runtime/model_seed", (3, 49)),
        ("/runtime_settings/runtime/missing", (3, 34)),
        ("/runtime_settings/steps/0", (4, 15)),
        ("/runtime_settings/steps/1/name", (4, 35)),
        ("/runtime_settings/steps/1/key", (4, 59)),
        ("/runtime_settings/steps/7", (4, 14)),
        ("/runtime_settings/steps/x", (4, 14)),
        ("/a~1b", (5, 12)),
        ("/twice/deep", (7, 21)),
        ("/twice/other", (7, 12)),
        ("/nothing/at/all", (1, 1)),
    ],
)
def test_json(tmp_path, pointer, place):
    assert places(tmp_path, JSON, "json", [pointer]) == {pointer: place}


@pytest.mark.parametrize("form", ["json", "yaml"])
def test_many_at_once(tmp_path, form):
    text = '{"a": {"b": 1,\n "c": [1,\n2]}}'
    pointers = ["/a/c/1", "/a", "", "/a/b", "/a", "/a/x"]
    wanted = {"": (1, 1), "/a": (1, 7), "/a/b": (1, 13), "/a/c/1": (3, 1), "/a/x": (1, 7)}
    assert places(tmp_path, text, form, iter(pointers)) == wanted


@pytest.mark.parametrize("form", ["json", "yaml"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_line_ends(tmp_path, form, end):
    text = b'{"a": 1,' + end + b' "b": 2}'
    assert places(tmp_path, text, form, ["/b"]) == {"/b": (2, 7)}


@pytest.mark.parametrize("form", ["json", "yaml"])
def test_columns_count_characters(tmp_path, form):
    assert places(tmp_path, '{"é\U0001f600": {"b": 2}}', form, ["/é\U0001f600/b"]) == {
        "/é\U0001f600/b": (1, 14)
    }


def test_byte_order_mark(tmp_path):
    assert places(tmp_path, b'\xef\xbb\xbf{"a": 1}', "json", ["/a"]) == {"/a": (1, 7)}
    assert places(tmp_path, b"\xef\xbb\xbfa: 1\nb: 2\n", "yaml", ["/b"]) == {"/b": (2, 4)}


def test_scalar_documents(tmp_path):
    assert places(tmp_path, "  5", "json", ["", "/a"]) == {"": (1, 3), "/a": (1, 3)}
    assert places(tmp_path, "", "yaml", ["", "/a"]) == {"": (1, 1), "/a": (1, 1)}


@pytest.mark.parametrize("text", [b"", b"\xff", b'{"a"'])
def test_nothing_can_be_found_in_what_cannot_be_read(tmp_path, text):
    for form in ("json", "yaml"):
        assert "/a/b" not in places(tmp_path, text, form, ["/a/b"]) or text in (b"", b'{"a"')


def test_what_stands_before_broken_syntax_is_found(tmp_path):
    assert places(tmp_path, '{"a": 1, "b": }', "json", ["/a", "/b"])["/a"] == (1, 7)


def test_files_that_are_not_there(tmp_path):
    assert locate(tmp_path / "nothing", "json", ["/a"]) == {}
    (tmp_path / "in").mkdir()
    (tmp_path / "out.json").write_text('{"a": 1}')
    (tmp_path / "in" / "link.json").symlink_to("../out.json")
    assert locate(tmp_path / "in" / "link.json", "json", ["/a"], root=Root(tmp_path / "in")) == {}
    assert locate(tmp_path / "in" / "link.json", "json", ["/a"]) == {"/a": (1, 7)}


def test_a_megabyte_of_json_takes_no_time(tmp_path):
    text = json.dumps({"rows": [{"id": i, "text": "x" * 20} for i in range(20_000)], "last": 1}, indent=1)
    assert len(text) > 1_000_000
    started = time.perf_counter()
    found = places(tmp_path, text, "json", ["/last", "/rows/19999/id"])
    assert time.perf_counter() - started < 2
    assert found["/last"][0] == text.count("\n")
    assert found["/rows/19999/id"][0] == text.count("\n") - 5 + 1


def test_deep_nesting_is_no_crash(tmp_path):
    for text in ("[" * 100_000, '{"a":' * 100_000):
        for form in ("json", "yaml"):
            places(tmp_path, text, form, ["/0/0", "/a/a", "/0" * 5000])
