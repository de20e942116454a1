"""Worker processes that survive what they work on: a task may crash its worker, hang, or use it up."""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing import connection
from typing import Any

Work = Callable[[str], Any]
"""Does one task; what it returns travels between processes."""

START_LIMIT = 120.0
"""Seconds that a worker may take to get ready."""


class WorkerError(RuntimeError):
    """No worker could be started."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a task: a value, or a failure in words."""

    task: str
    value: Any = None
    failure: str = ""
    timed_out: bool = False


def run(
    tasks: Iterable[str], make: Callable[[Any], Work], settings: Any, *, jobs: int, timeout: float
) -> Iterator[Outcome]:
    """Do every task once, and yield the outcomes as they come.

    A worker that dies or takes too long is replaced; its task alone is lost.

    Args:
        tasks: What to do.
        make: Gives a worker its way to work; an importable function, called once in each worker.
        settings: What *make* is told.
        jobs: Number of workers.
        timeout: Seconds that one task may take.

    Raises:
        WorkerError: where a worker dies or hangs before it is ready.
    """
    waiting = deque(tasks)
    workers: list[_Worker] = []
    try:
        while waiting or any(worker.task is not None for worker in workers):
            while len(workers) < min(jobs, len(waiting) + len(workers)):
                workers.append(_Worker(make, settings))
            for worker in workers:
                if worker.ready and worker.task is None and waiting:
                    worker.give(waiting.popleft(), timeout)
            _wait(workers)
            for worker in list(workers):
                outcome = worker.outcome()
                if outcome is not None:
                    yield outcome
                if worker.over:
                    workers.remove(worker)
    finally:
        for worker in workers:
            worker.stop()


def _wait(workers: list[_Worker]) -> None:
    """Wait until a worker has something to say or has used up its time."""
    deadlines = [worker.deadline for worker in workers if worker.deadline is not None]
    # A worker without a task says nothing; one that is not ready does.
    listened = [worker.ours for worker in workers if worker.deadline is not None]
    if deadlines:
        connection.wait(listened, max(0.0, min(deadlines) - time.monotonic()))


class _Worker:
    """One process, and what it is at."""

    def __init__(self, make: Callable[[Any], Work], settings: Any):
        # A new interpreter: nothing of this one's state, threads or open files gets into it.
        context = multiprocessing.get_context("spawn")
        self.ours, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, make, settings), daemon=True)
        self.process.start()
        theirs.close()
        self.ready = False
        self.over = False
        self.task: str | None = None
        self.deadline: float | None = time.monotonic() + START_LIMIT

    def give(self, task: str, timeout: float) -> None:
        """Hand a task to the worker."""
        self.task, self.deadline = task, time.monotonic() + timeout
        try:
            self.ours.send(task)
        except OSError:
            return  # It died while idle; `outcome` will notice.

    def outcome(self) -> Outcome | None:
        """Return what became of the worker's task, if that is known by now."""
        if self.deadline is None:
            return None
        if self.ours.poll():
            try:
                value, failure = self.ours.recv()
            except (EOFError, OSError):
                return self._ended()
            if not self.ready:
                self.ready, self.deadline = True, None
                return None
            return self._outcome(value, failure)
        if time.monotonic() >= self.deadline:
            return self._expired()
        return None

    def _outcome(self, value: Any, failure: str) -> Outcome:
        outcome = Outcome(self.task or "", value, failure)
        self.task = self.deadline = None
        return outcome

    def _ended(self) -> Outcome:
        self.process.join()
        code = self.process.exitcode or 0
        reason = _signal_name(-code) if code < 0 else f"exit code {code}"
        if self.task is None:
            raise WorkerError(f"a worker ended before it was ready ({reason})")
        self.over = True
        return self._outcome(None, f"the worker process ended ({reason})")

    def _expired(self) -> Outcome:
        self.stop()
        if self.task is None:
            raise WorkerError(f"a worker was not ready after {START_LIMIT:g} s")
        self.over = True
        outcome = self._outcome(None, "took too long")
        return Outcome(outcome.task, None, outcome.failure, timed_out=True)

    def stop(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.join()
        self.ours.close()


def _serve(theirs: connection.Connection, make: Callable[[Any], Work], settings: Any) -> None:
    """Work off tasks until there is nobody left to give any."""
    # Ctrl-C reaches the whole group; the parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    work = make(settings)
    try:
        theirs.send((None, ""))
        while True:
            task = theirs.recv()
            try:
                answer = (work(task), "")
            except Exception as error:  # whatever it is, the other tasks go on
                answer = (None, f"{type(error).__name__}: {error}")
            theirs.send(answer)
    except (EOFError, OSError):
        return


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
