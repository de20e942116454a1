"""The line under a finding: where its value is, and that no file can hurt."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from submission_checker.engine.model import CheckResult
from submission_checker.reports.source import FILE_LIMIT, Sources


def underlined(root: Path, content: str | bytes, line: int, column: int, width: int = 60) -> tuple[str, str]:
    data = content if isinstance(content, bytes) else content.encode()
    (root / "file.json").write_bytes(data)
    snippet = Sources(root).snippet(
        CheckResult("r", "m", location="file.json", line=line, column=column), width
    )
    assert snippet is not None
    assert len(snippet.text) <= width + 2 + 8 * snippet.text.count("\\")
    return snippet.text, snippet.text[snippet.start : snippet.start + snippet.length]


@pytest.mark.parametrize(
    ("content", "line", "column", "value"),
    [
        ('{"days": 35, "x": 1}', 1, 10, "35"),
        ('{"days": 35}', 1, 10, "35"),
        ('{"days": "a, b", "x": 1}', 1, 10, '"a, b"'),
        (r'{"days": "a\"b", "x": 1}', 1, 10, r'"a\"b"'),
        ('{"days": {"a": 1}}', 1, 10, "{"),
        ("days: 35 # too long\n", 1, 7, "35"),
        ("days: two weeks and a bit\n", 1, 7, "two weeks and a bit"),
        ("days: 'it''s'\n", 1, 7, "'it''s'"),
        ("a:\n  days: 35\r\n", 2, 9, "35"),
        ("days: 35", 1, 1, "days"),
        ("loan:\n  days: 35\n", 2, 3, "days"),
        ("days:\n  - 35\n", 2, 3, "-"),
        ("url: http://x.example/a:b\n", 1, 6, "http://x.example/a:b"),
        ('{"days": "unfinished', 1, 10, '"unfinished'),
        ("\ufeff" + '{"days": 35}', 1, 10, "35"),
    ],
)
def test_the_value_is_underlined(tmp_path: Path, content: str, line: int, column: int, value: str) -> None:
    assert underlined(tmp_path, content, line, column)[1] == value


def test_a_long_line_is_trimmed_around_the_column(tmp_path: Path) -> None:
    content = '{"a": "' + "x" * 5000 + '", "days": 35, "b": "' + "y" * 5000 + '"}'
    text, value = underlined(tmp_path, content, 1, content.index("35") + 1)
    assert value == "35"
    assert text.startswith("…") and text.endswith("…")


def test_a_long_value_is_cut(tmp_path: Path) -> None:
    text, value = underlined(tmp_path, '{"a": "' + "x" * 100_000 + '"}', 1, 7)
    assert value.startswith('"xxx') and text.endswith("…")


def test_controls_are_shown_and_the_underline_still_fits(tmp_path: Path) -> None:
    text, value = underlined(tmp_path, '{"a\x1b[31m\u202e": "v\x9bw"}', 1, 13)
    assert text == r'{"a\x1b[31m\u202e": "v\x9bw"}'
    assert value == r'"v\x9bw"'


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    assert underlined(tmp_path, b'{"a": "\xff\xfe"}', 1, 7)[1] == '"\ufffd\ufffd"'


@pytest.mark.parametrize(("line", "column"), [(None, 1), (1, None), (0, 1), (1, 0), (9, 1), (1, 99), (2, 1)])
def test_a_place_that_is_not_there(tmp_path: Path, line: int | None, column: int | None) -> None:
    (tmp_path / "file.json").write_text("{}\n")
    result = CheckResult("r", "m", location="file.json", line=line, column=column)
    assert Sources(tmp_path).snippet(result, 60) is None


def test_no_file_outside_and_no_pipe_is_read(tmp_path: Path) -> None:
    root = tmp_path / "town"
    root.mkdir()
    (tmp_path / "secret").write_text("secret")
    (root / "link").symlink_to(tmp_path / "secret")
    (root / "loop").symlink_to(root / "loop")
    os.mkfifo(root / "pipe")
    for location in (
        "../secret",
        str(tmp_path / "secret"),
        "link",
        "loop",
        "pipe",
        "none",
        "",
        "nul\0",
        "x" * 5000,
    ):
        result = CheckResult("r", "m", location=location, line=1, column=1)
        assert Sources(root).snippet(result, 60) is None


def test_a_huge_file_is_read_in_part(tmp_path: Path) -> None:
    with (tmp_path / "file.json").open("wb") as file:
        file.write(b"first\n")
        file.truncate(FILE_LIMIT * 200)
    sources = Sources(tmp_path)
    first = sources.snippet(CheckResult("r", "m", location="file.json", line=1, column=1), 60)
    assert first is not None and first.text == "first"


@pytest.mark.parametrize(
    "value",
    [
        " " * 200_000 + "x",
        "x" + " " * 200_000 + "x",
        '"' + "x, " * 100_000 + '"',
        '"' + "\\" * 200_000,
        "'" * 199_999,
        "a:b" * 70_000,
        "x " * 100_000,
    ],
    ids=lambda value: value[:4],
)
def test_a_long_line_takes_no_time(tmp_path: Path, value: str) -> None:
    started = time.process_time()
    for column in (5, 6, 1000, 150_000):
        (tmp_path / "file.json").write_text(f"a: {value}\n", "utf-8")
        result = CheckResult("r", "m", location="file.json", line=1, column=column)
        assert Sources(tmp_path).snippet(result, 60) is not None
    assert time.process_time() - started < 1


def test_a_quoted_value_is_underlined_up_to_the_end_of_what_is_shown(tmp_path: Path) -> None:
    _, value = underlined(tmp_path, '{"days": "' + "a, b" * 1000 + '", "x": 1}', 1, 10)
    assert value.startswith('"a, ba, b') and len(value) > 40
