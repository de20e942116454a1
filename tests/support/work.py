"""Work for worker processes that goes wrong in every way; importable there."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


def make(settings: Any) -> Callable[[str], str]:
    """A worker that does what its task says, and answers with the task and its own process."""

    def work(task: str) -> str:
        what, _, rest = task.partition(" ")
        if what == "raise":
            raise ValueError(rest)
        if what == "exit":
            os._exit(int(rest))
        if what == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if what == "sleep":
            time.sleep(float(rest))
        if what == "touch":
            with Path(rest).open("a") as file:
                file.write("x")
        return f"{settings}: {task}"

    return work


def never_ready(_: Any) -> Callable[[str], str]:
    """A worker that ends before it begins."""
    os._exit(7)
