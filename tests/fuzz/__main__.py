"""Look for trouble; every seed that makes some is printed, and gives the same again."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from itertools import count
from pathlib import Path

from tests.corpus.privileges import give_up_override
from tests.fuzz import trial


def main() -> int:
    """Run; return 1 where some submission made trouble."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="how long to look")
    parser.add_argument("--count", type=int, help="how many submissions to look at instead")
    parser.add_argument("--seed", default="1", help="where to begin")
    parser.add_argument("--only", help="check the submission of this seed alone, and keep it")
    parser.add_argument("--ruleset", choices=trial.SAMPLES, default="2026-10")
    arguments = parser.parse_args()
    give_up_override()
    if arguments.only:
        made = trial.make(Path(tempfile.mkdtemp()), arguments.only, arguments.ruleset)
        print(made.root, *made.ways, *trial.check(made, arguments.ruleset), sep="\n  ")
        return 0
    until, bad, slowest = time.monotonic() + arguments.seconds, 0, (0.0, "")
    for number in count():
        if number == arguments.count or (arguments.count is None and time.monotonic() > until):
            break
        seed = f"{arguments.seed}-{number}"
        folder = Path(tempfile.mkdtemp())
        made = trial.make(folder, seed, arguments.ruleset)
        started = time.process_time()
        wrong = trial.check(made, arguments.ruleset)
        slowest = max(slowest, (time.process_time() - started, seed))
        trial.remove(folder)
        if wrong:
            bad += 1
            print(seed, *made.ways, sep="\n  ")
            print(*(f"    {line}" for line in wrong), sep="\n", flush=True)
    print(f"{number} submissions, {bad} made trouble; the slowest took {slowest[0]:.2f} s ({slowest[1]})")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
