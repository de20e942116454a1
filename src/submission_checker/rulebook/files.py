"""Generated pages on the disk: written, and held against what they would be now."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from submission_checker.rulebook.book import COMMAND, REFERENCE

SHOWN = 12
"""Lines of a difference that are shown."""


@dataclass(frozen=True, slots=True)
class Drift:
    """A page that is not what it would be now."""

    path: str
    what: str
    """`missing`, `not generated any more`, or `different`."""
    lines: tuple[str, ...] = ()
    """The first lines of the difference."""


def write(pages: Mapping[str, str], folder: Path) -> tuple[list[str], list[str]]:
    """Write pages that are different, and remove generated ones that are no pages any more.

    Args:
        pages: Path below the folder to text.
        folder: The documentation's folder.

    Returns:
        Paths of the written and of the removed files.

    Raises:
        OSError: where a file cannot be written.
    """
    written = []
    for path, text in pages.items():
        file = folder / path
        if not file.is_file() or file.read_bytes() != text.encode("utf-8"):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode("utf-8"))
            written.append(path)
    removed = list(_left_over(pages, folder))
    for path in removed:
        file = folder / path
        file.unlink()
        if not any(file.parent.iterdir()):
            file.parent.rmdir()
    return written, removed


def drift(pages: Mapping[str, str], folder: Path) -> list[Drift]:
    """Find the pages that are not what they would be now, without writing anything."""
    found = []
    for path, text in pages.items():
        file = folder / path
        if not file.is_file():
            found.append(Drift(path, "missing"))
            continue
        old = file.read_bytes().decode("utf-8", "replace")
        if old != text:
            lines = difflib.unified_diff(
                old.splitlines(), text.splitlines(), "as it is", "as it would be", "", "", 1, ""
            )
            found.append(Drift(path, "different", tuple(lines)[:SHOWN]))
    return found + [Drift(path, "not generated any more") for path in _left_over(pages, folder)]


def _left_over(pages: Mapping[str, str], folder: Path) -> Iterator[str]:
    """Yield generated files that are no pages; what people put there is left alone."""
    for file in sorted((folder / REFERENCE).rglob("*")):
        path = file.relative_to(folder).as_posix()
        if file.is_file() and path not in pages:
            with file.open(encoding="utf-8", errors="replace") as opened:
                if COMMAND in opened.readline():
                    yield path
