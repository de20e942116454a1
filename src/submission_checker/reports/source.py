"""The line of a file that a finding is about, ready to be shown with its value underlined."""

from __future__ import annotations

import re
import stat
from dataclasses import dataclass
from pathlib import Path

from submission_checker.engine.model import CheckResult
from submission_checker.reports.strings import columns_of, visible

FILE_LIMIT = 8 * 1024 * 1024
"""Bytes of a file that are looked at; a finding further down is shown without its line."""

LONGEST = 2000
"""Characters of a value that are looked at: more than is ever shown, and few enough for any pattern."""

_LINE_END = re.compile(r"\r\n|\r|\n")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\']|\'\')*\'')
_KEY = re.compile(r"[^:#\"']+(?=:(?:\s|$))")
_SAYS_NOTHING = ("", "{", "[", "{}", "[]", "---")
_BARE = re.compile(r"[^,\]}]*?(?=\s*(?:[,\]}]|\s#|$))")


@dataclass(frozen=True, slots=True)
class Snippet:
    """One line of source, invisible characters escaped, cut where its value begins and ends."""

    line: int
    before: str
    value: str
    after: str

    @property
    def text(self) -> str:
        """The whole line."""
        return self.before + self.value + self.after

    @property
    def start(self) -> int:
        """Columns before the value."""
        return columns_of(self.before)

    @property
    def length(self) -> int:
        """Columns of the value, at least one."""
        return max(1, columns_of(self.value))


class Sources:
    """Reads the lines that findings are about, each file once, never outside of the submission's folder."""

    def __init__(self, root: Path) -> None:
        """Look for files under `root`."""
        self._root = root
        self._lines: dict[str, list[str]] = {}

    def snippet(self, result: CheckResult, width: int) -> Snippet | None:
        """Return the line a result points at, cut to `width` columns around its value, if there is one."""
        if result.line is None or result.column is None or result.line < 1 or result.column < 1:
            return None
        lines = self._lines_of(result.location)
        if result.line > len(lines):
            return None
        text = lines[result.line - 1]
        start = result.column - 1
        if start > len(text) or text.strip() in _SAYS_NOTHING:
            return None
        return _cut(result.line, text, start, _value_length(text, start), max(width, 20))

    def _lines_of(self, location: str) -> list[str]:
        known = self._lines.get(location)
        if known is None:
            known = self._lines[location] = self._read(location)
        return known

    def _read(self, location: str) -> list[str]:
        path = self._root / location
        try:
            inside = path.resolve().is_relative_to(self._root.resolve())
            # Opening a pipe or a device could wait for ever.
            if not inside or not stat.S_ISREG(path.stat().st_mode):
                return []
            with path.open("rb") as file:
                content = file.read(FILE_LIMIT)
        except (OSError, ValueError, RuntimeError):
            return []
        return _LINE_END.split(content.decode("utf-8-sig", errors="replace"))


def _value_length(text: str, start: int) -> int:
    """Count the characters of the value that starts here; of one with parts only the beginning."""
    rest = text[start : start + LONGEST]
    if rest[:1] in ("{", "[") or rest[:2] == "- ":
        return 1
    match = _QUOTED.match(rest)
    if match is None and len(rest) == LONGEST and rest[0] in "\"'":
        return LONGEST
    match = match or _BARE.match(rest)
    value = match.group() if match else rest.rstrip()
    # A mapping of YAML begins with its first key; that key's value is not what is meant.
    key = _KEY.match(value)
    return max(1, len(key.group() if key else value))


def _cut(line: int, text: str, start: int, length: int, width: int) -> Snippet:
    """Trim a line around its value; a long line keeps the value's beginning in sight."""
    lead = len(text) - len(text.lstrip())
    end = len(text.rstrip())
    first = lead if start >= lead else start
    if end - first > width:
        first = max(first, min(start - width // 3, end - width))
    last = min(end, first + width)
    length = max(1, min(length, last - start))
    before = ("…" if first > lead else "") + _harmless(text[first:start])
    value = _harmless(text[start : start + length])
    after = _harmless(text[start + length : last]) + ("…" if last < end else "")
    return Snippet(line, before, value, after)


def _harmless(text: str) -> str:
    return visible(text.replace("\t", " "), limit=10_000)
