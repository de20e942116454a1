"""Which folders of an archive are submissions."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

MAX_FOLDERS = 1_000_000
"""Folders that are looked at."""

HERE = "."


@dataclass(slots=True)
class Found:
    """What lies below a folder."""

    submissions: list[str] = field(default_factory=list)
    """Their folders, relative to the archive's, with slashes; `.` for the archive's own."""
    unlisted: list[str] = field(default_factory=list)
    """What could not be looked at, and why."""


def find(root: Path, marker: str | None) -> Found:
    """Find the submissions at a folder and below it.

    What lies inside a submission is not searched, links to folders are not followed.

    Args:
        root: Where to look.
        marker: Folder whose presence makes its parent a submission; None makes *root* the only one.
    """
    found = Found()
    if marker is None:
        found.submissions.append(HERE)
        return found
    waiting, budget = [""], MAX_FOLDERS
    while waiting:
        location = waiting.pop()
        budget -= 1
        if budget < 0:
            found.unlisted.append(f"{location}: too many folders to search")
            break
        folder = root / location
        try:
            if (folder / marker).is_dir():
                found.submissions.append(location or HERE)
                continue
            with os.scandir(folder) as entries:
                names = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
        except OSError as error:
            found.unlisted.append(f"{location or HERE}: {error.strerror or error}")
            continue
        waiting += [f"{location}/{name}" if location else name for name in names]
    found.submissions.sort(key=lambda location: location.split("/"))
    found.unlisted.sort()
    return found
