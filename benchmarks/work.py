"""What is timed in one process: checking many submissions, or only reading and parsing their files.

    python benchmarks/work.py check [--ruleset NAME] < LIST     LIST: one folder a line
    python benchmarks/work.py floor < LIST

Prints one JSON object: the seconds that the work itself took, imports aside, and how much was done.
Runs under the Python of either checker, so it needs nothing but what both bring.
"""

from __future__ import annotations

import inspect
import json
import sys
import time
from pathlib import Path


def floor(folders: list[Path]) -> int:
    """Read and parse every JSON and YAML file below *folders*; return how many there were."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    count = 0
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix == ".json":
                json.loads(path.read_bytes())
            elif path.suffix == ".yaml":
                yaml.load(path.read_bytes(), Loader=loader)
            else:
                continue
            count += 1
    return count


def check(folders: list[Path], ruleset: str | None) -> int:
    """Check every folder through the documented API; return how many errors and warnings there were."""
    from submission_checker import SubmissionChecker

    options = {}
    if ruleset and "ruleset" in inspect.signature(SubmissionChecker).parameters:
        options["ruleset"] = ruleset
    found = 0
    for folder in folders:
        report = SubmissionChecker(folder, **options).run()
        found += len(report.errors) + len(report.warnings)
    return found


def main() -> None:
    """Do the work that is asked for."""
    folders = [Path(line) for line in sys.stdin.read().splitlines()]
    if sys.argv[1] == "floor":
        import yaml  # noqa: F401 - imported before the clock starts

        begin = time.perf_counter()
        done = floor(folders)
    else:
        import submission_checker  # noqa: F401 - imported before the clock starts

        begin = time.perf_counter()
        done = check(folders, sys.argv[3] if len(sys.argv) > 3 else None)
    print(json.dumps({"seconds": time.perf_counter() - begin, "done": done}))


if __name__ == "__main__":
    main()
