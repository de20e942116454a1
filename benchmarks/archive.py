"""Time and memory of `batch` over growing parts of an archive.

    python benchmarks/archive.py DIR --counts 100,300,1000 --jobs 2

DIR holds submissions, one a folder. Parts are made of links, so that nothing is copied.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from submission_checker.archive.find import find

# Run in a process of its own, so that the figures of its children are those of one batch.
MEASURE = """
import json, resource, subprocess, sys, time
start = time.perf_counter()
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
seconds = time.perf_counter() - start
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, code]))
"""


def part_of(archive: Path, names: list[str], folder: Path) -> Path:
    """Make a folder with these submissions of an archive."""
    folder.mkdir()
    for number, name in enumerate(names):
        # The submission itself is a folder; what is in it are links.
        place = folder / f"{number:06}"
        place.mkdir()
        for child in (archive / name).iterdir():
            os.link(child, place / child.name) if child.is_file() else _copy(child, place / child.name)
    return folder


def _copy(source: Path, target: Path) -> None:
    subprocess.run(["cp", "-al", str(source), str(target)], check=True)


def main() -> int:
    """Measure and print a table in Markdown."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("archive", type=Path)
    parser.add_argument("--counts", default="100,300,1000")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    names = find(arguments.archive, "results").submissions
    print("| submissions | seconds | ms each | CPU seconds | largest process [MB] |\n|--:|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory(dir=arguments.archive.parent) as scratch:
        for wanted in map(int, arguments.counts.split(",")):
            part = part_of(arguments.archive, names[:wanted], Path(scratch) / str(wanted))
            command = [sys.executable, "-m", "submission_checker", "batch", str(part), "--jobs"]
            command += [str(arguments.jobs), "-o", f"{scratch}/{wanted}.jsonl"]
            done = subprocess.run(
                [sys.executable, "-c", MEASURE, *command], check=True, capture_output=True, text=True
            )
            seconds, cpu, peak, _ = json.loads(done.stdout)
            count = min(wanted, len(names))
            print(
                f"| {count} | {seconds:.1f} | {1000 * seconds / count:.0f} | {cpu:.1f} | {peak:.0f} |",
                flush=True,
            )
            time.sleep(1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
