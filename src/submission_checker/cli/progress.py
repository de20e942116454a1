"""A line on the terminal that says how far a long piece of work is."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import TextIO

from submission_checker.reports.strings import visible

DELAY = 1.0
"""Seconds before anything is shown: what is over sooner needs no line."""
EVERY = 0.1
"""Seconds between two versions of the line."""


class ProgressLine:
    """Shows how far a piece of work is, on a terminal only; as a context it removes its line at the end.

    Args:
        label: What is going on; anything a submission may name is made harmless.
        noun: What is counted, in the plural.
        stream: Where to show it.
        columns: Room for the line.
        delay: Seconds before it is shown.
        clock: Gives the time in seconds.
    """

    def __init__(
        self,
        label: str,
        noun: str,
        *,
        stream: TextIO | None = None,
        columns: int = 80,
        delay: float = DELAY,
        clock: Callable[[], float] = time.monotonic,
    ):
        self._label = visible(label, 60)
        self._noun = noun
        self._stream = sys.stderr if stream is None else stream
        self._columns = columns
        self._clock = clock
        self._next = clock() + delay
        self._shown = False
        self._active = self._stream.isatty() and os.environ.get("TERM") != "dumb"

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    def __call__(self, done: int, total: int, more: str = "") -> None:
        """Show how much is done, unless it was shown just now."""
        if not self._active or self._clock() < self._next:
            return
        share = f" ({100 * done // total} %)" if total else ""
        line = f"{self._label}: {done} of {total} {self._noun}{share}{more}"
        self._stream.write(f"\r{line[: self._columns - 1]}\x1b[K")
        self._stream.flush()
        self._shown = True
        self._next = self._clock() + EVERY

    def clear(self) -> None:
        """Take the line away."""
        if self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._shown = False
