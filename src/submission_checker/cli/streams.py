"""Standard streams that are closed, full, or read by nobody any more."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path


def open_closed() -> None:
    """Give a stream that the caller closed somewhere to go: Python has none for it."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115  # for good


def flush() -> None:
    """Write what is left for standard output; a reader that went away is no mistake.

    Raises:
        OSError: where it cannot be written.
    """
    try:
        sys.stdout.flush()
    except OSError as error:
        # The interpreter must not try again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if error.errno != errno.EPIPE:
            raise
