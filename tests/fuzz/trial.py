"""One check of a spoiled submission, and what is wrong with how it went."""

from __future__ import annotations

import json
import os
import shutil
import signal
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import FrameType

from submission_checker import SubmissionChecker
from submission_checker.api import load_ruleset
from submission_checker.reports import FORMATS, Options, render
from tests.fuzz.spoil import spoil
from tests.support.submissions import SUBMISSIONS

SAMPLES = {
    "2026-10": ("compliant", "compliant-agentic", "non-compliant"),
    "2026-11": ("compliant-2026-11", "compliant-agentic-2026-11"),
}
PATIENCE = 5.0
"""Seconds of the processor that a check may take."""
BLOCKED = 60.0
"""Seconds that it may take altogether, on a machine that has other things to do."""
DRAFTER = "{drafter: {model_id: a, target_checksum: b, configuration: {k: 3, nested: {a: [1, 2]}}}}"
TABLES = {
    "seed_sets": """
        cohort:
          cohort-id: 2026-10-C1
          seed_sets:
            - id: A
              cohorts: [2026-11-C0]
              scheduler_rng_seed: 10487924139932647040
              sample_index_rng_seed: 586478644936801402
              model_seed: 9315206023656308754
        """,
    "approved_drafters": """
        drafters:
          - {benchmark: llama3_1-8b, approved_cohort: 2026-10-C0, weight_checksum: "sha256:00"}
          - {benchmark: llama3_1-8b, approved_cohort: 2026-10-C1, target_checksum: b,
             configuration: {k: 3, nested: {a: [1, 2]}}}
        """,
}


class Hang(BaseException):
    """A check takes too long. No `Exception`: nothing in between may take it for an answer."""


@contextmanager
def patience(busy: float, waiting: float) -> Iterator[None]:
    """Raise `Hang` where the block keeps the processor busy for longer, or waits for longer."""

    def give_up(signum: int, frame: FrameType | None) -> None:
        raise Hang

    timers = ((signal.SIGPROF, signal.ITIMER_PROF, busy), (signal.SIGALRM, signal.ITIMER_REAL, waiting))
    before = [signal.signal(number, give_up) for number, _, _ in timers]
    for _, timer, seconds in timers:
        signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        for (number, timer, _), handler in zip(timers, before, strict=True):
            signal.setitimer(timer, 0)
            signal.signal(number, handler)


@dataclass(frozen=True)
class Trial:
    """A spoiled submission, the files that stand in for tables, and how all that was spoiled."""

    root: Path
    inputs: dict[str, Path]
    ways: list[str]


def make(folder: Path, seed: str, ruleset: str) -> Trial:
    """Write the submission of a seed, one that a ruleset is meant for; return it, and how it was spoiled."""
    random = Random(seed)
    root = folder / "submission"
    shutil.copytree(SUBMISSIONS / random.choice(SAMPLES[ruleset]), root)
    if random.random() < 0.3:
        for file in root.rglob("accuracy_results.json"):
            scores = json.loads(file.read_text("utf-8"))
            file.with_name("results.json").write_text(json.dumps({"accuracy_scores": scores}), "utf-8")
            file.unlink()
    inputs, ways = {}, []
    if random.random() < 0.3:
        for file in root.rglob("point.yaml"):
            with file.open("a", encoding="utf-8") as end:
                end.write(f"speculative_decoding: {DRAFTER}\n")
        tables = folder / "tables"
        tables.mkdir()
        inputs = {f"{name}_path": tables / f"{name}.yaml" for name in TABLES}
        for name, text in TABLES.items():
            inputs[f"{name}_path"].write_text(text, "utf-8")
        if random.random() < 0.7:
            ways += [f"tables: {way}" for way in spoil(tables, random)]
    return Trial(root, inputs, [*ways, *spoil(root, random)])


def remove(folder: Path) -> None:
    """Remove a folder, closed folders in it included."""
    for path, below, _ in os.walk(folder):
        for name in below:
            place = Path(path, name)
            if not place.is_symlink():
                place.chmod(0o755)
    shutil.rmtree(folder)


def check(trial: Trial, ruleset: str) -> list[str]:
    """Check a submission; return what is wrong with how it went, in a line each."""
    try:
        with patience(PATIENCE, BLOCKED):
            checker = SubmissionChecker(
                trial.root, ruleset=load_ruleset(ruleset), details=True, views=True, **trial.inputs
            )
            report = checker.run()
            written = {form: render(form, report, Options(verbose=True)) for form in FORMATS}
    except Hang:
        return [f"hangs: {traceback.format_exc(limit=-3)}"]
    except Exception:
        return [f"raises: {traceback.format_exc(limit=-4)}"]
    wrong = [f"no answer: {r.rule} at {r.location}: {r.message:.600}" for r in report.incomplete]
    if not report.results:
        wrong.append("nothing was checked")
    if report.exit_code() not in (0, 1):
        wrong.append(f"exit code {report.exit_code()}")
    for text in written.values():
        text.encode("utf-8", "backslashreplace")
    if json.loads(written["json"])["passed"] is not report.passed:
        wrong.append("the JSON has another verdict")
    return wrong
