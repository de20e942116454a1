"""Waiting for changes below folders: with watchfiles if it is installed, else by looking again and again."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

Stamp = tuple[int, int, int]

EVERY = 0.3
"""Seconds between two looks."""
SETTLED = 0.1
"""Seconds without a change after which a change is over."""
MAX_UNSETTLED = 20
"""Looks after which a change that does not end is told all the same."""


def changes(paths: Iterable[Path], ignored: Iterable[Path] = ()) -> Iterator[list[str]]:
    """Yield an empty list at once, then what changed, again and again, until the caller has enough.

    No change is lost between two of them, however long the caller takes.

    Args:
        paths: Folders and files to watch; they may be absent.
        ignored: Files whose changes do not count, such as those the caller writes.
    """
    watched = sorted({path.absolute() for path in paths})
    unseen = {os.path.realpath(path) for path in ignored}
    if all(path.is_dir() for path in watched):
        try:
            import watchfiles  # noqa: F401
        except ImportError:
            pass
        else:
            yield from _told(watched, unseen)
            return
    yield from _seen(watched, unseen)


def _told(paths: list[Path], unseen: set[str]) -> Iterator[list[str]]:
    """Let the system tell of changes."""
    import watchfiles

    started = False
    for found in watchfiles.watch(
        *paths,
        watch_filter=lambda _, path: os.path.realpath(path) not in unseen,
        debounce=400,
        step=int(SETTLED * 1000),
        rust_timeout=int(EVERY * 1000),
        yield_on_timeout=True,
        raise_interrupt=True,
    ):
        # The first word comes when the system watches: what changes from now on is not lost.
        if found or not started:
            yield sorted({path for _, path in found}) if started else []
            started = True


def _seen(paths: list[Path], unseen: set[str]) -> Iterator[list[str]]:
    """Look again and again."""
    known = _stamps(paths, unseen)
    yield []
    while True:
        begun = time.monotonic()
        now = _stamps(paths, unseen)
        if now == known:
            # A tree that takes long to look at is looked at less often.
            time.sleep(max(EVERY, 4 * (time.monotonic() - begun)))
            continue
        now = _settled(paths, unseen, now)
        differing = sorted(path for path in known.keys() | now.keys() if known.get(path) != now.get(path))
        known = now
        if differing:
            yield differing


def _settled(paths: list[Path], unseen: set[str], now: dict[str, Stamp]) -> dict[str, Stamp]:
    for _ in range(MAX_UNSETTLED):
        time.sleep(SETTLED)
        later = _stamps(paths, unseen)
        if later == now:
            break
        now = later
    return now


def _stamps(paths: list[Path], unseen: set[str]) -> dict[str, Stamp]:
    """Return what tells one state of each file from another; of folders only whether they are there."""
    names = {Path(path).name for path in unseen}
    found: dict[str, Stamp] = {}
    waiting = [os.fspath(path) for path in paths]
    while waiting:
        path = waiting.pop()
        try:
            state = Path(path).stat()
            if stat.S_ISDIR(state.st_mode):
                found[path] = (0, 0, 0)
                # Links to folders are not followed: they could lead round in circles.
                with os.scandir(path) as entries:
                    waiting += [e.path for e in entries if not (e.is_symlink() and e.is_dir())]
            elif Path(path).name not in names or os.path.realpath(path) not in unseen:
                found[path] = (state.st_mtime_ns, state.st_size, state.st_ino)
        except OSError:
            continue
    return found
