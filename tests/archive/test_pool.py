"""Workers that die, hang and fail: every task has its outcome, and no other suffers."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from submission_checker.archive import pool
from submission_checker.archive.pool import Outcome
from tests.support import work


def outcomes(tasks: list[str], *, jobs: int = 2, timeout: float = 60.0) -> dict[str, Outcome]:
    found = list(pool.run(tasks, work.make, "set", jobs=jobs, timeout=timeout))
    assert sorted(outcome.task for outcome in found) == sorted(tasks), "each once"
    return {outcome.task: outcome for outcome in found}


@pytest.mark.parametrize("jobs", [1, 3])
def test_every_task_is_done(jobs: int) -> None:
    tasks = [f"do {number}" for number in range(20)]
    assert {task: outcome.value for task, outcome in outcomes(tasks, jobs=jobs).items()} == {
        task: f"set: {task}" for task in tasks
    }


@pytest.mark.parametrize(
    ("task", "failure"),
    [
        ("raise at noon", "ValueError: at noon"),
        ("exit 3", "the worker process ended (exit code 3)"),
        ("exit 0", "the worker process ended (exit code 0)"),
        ("kill", "the worker process ended (SIGKILL)"),
    ],
)
def test_a_failure_is_told_and_the_rest_goes_on(task: str, failure: str) -> None:
    found = outcomes(["do 1", task, "do 2", "do 3"], jobs=1)
    assert found[task] == Outcome(task, None, failure)
    assert all(found[f"do {number}"].value for number in (1, 2, 3))


def test_what_takes_too_long_is_given_up() -> None:
    begun = time.monotonic()
    found = outcomes(["sleep 300", "do 1", "do 2"], timeout=1.0)
    assert time.monotonic() - begun < 60
    assert found["sleep 300"].timed_out and found["sleep 300"].failure == "took too long"
    assert found["do 2"].value == "set: do 2"


def test_every_worker_may_die() -> None:
    tasks = [f"exit {number}" for number in range(6)]
    assert all(outcome.failure for outcome in outcomes(tasks).values())


def test_nothing_to_do_starts_nothing() -> None:
    assert outcomes([]) == {}


def test_a_worker_that_cannot_start_is_no_endless_story() -> None:
    with pytest.raises(pool.WorkerError, match=r"before it was ready \(exit code 7\)"):
        list(pool.run(["do 1"], work.never_ready, None, jobs=2, timeout=60.0))


def test_a_caller_may_stop(tmp_path: Path) -> None:
    results = pool.run(
        ["do 1", *(f"touch {tmp_path / str(number)}" for number in range(200))],
        work.make, None, jobs=1, timeout=60.0,
    )  # fmt: skip
    next(results)
    results.close()
    done = len(list(tmp_path.iterdir()))
    time.sleep(0.3)
    assert len(list(tmp_path.iterdir())) == done < 200
