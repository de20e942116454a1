"""Time and memory of a check: ours, the reference checker's, and the floor under both.

    python benchmarks/compare.py                                     ours and the floor
    python benchmarks/compare.py --reference-python VENV/bin/python  the reference as well

The floor is reading and parsing the same files with `json` and libyaml and nothing else.
Runs are interleaved (ours, the reference, the floor, ours again, …), so that a busy machine slows all of
them; what is printed is the median.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import trees

HERE = Path(__file__).resolve().parent
SMALLEST = trees.Size(1, 1, 8)


@dataclass(frozen=True, slots=True)
class Run:
    """One measured process: seconds by the clock and of processor time, peak memory in MiB."""

    wall_s: float
    cpu_s: float
    peak_mib: float


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: medians over the rounds, None where a contestant did not run."""

    what: str
    ours: Run
    floor: Run
    reference: Run | None


def run(command: Sequence[str], feed: str = "") -> Run:
    """Run *command* to its end.

    Its own account of the time, a JSON object with `seconds` on standard output, replaces the clock's.

    Raises:
        RuntimeError: The command ended with something else than 0.
    """
    with tempfile.TemporaryFile("w+") as given, tempfile.TemporaryFile("w+") as out:
        given.write(feed)
        given.seek(0)
        begin = time.perf_counter()
        process = subprocess.Popen(command, stdin=given, stdout=out, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        said = out.read()
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}:\n{said[-2000:]}")
    with contextlib.suppress(ValueError, TypeError, KeyError):
        wall = float(json.loads(said)["seconds"])
    unit = 1 if sys.platform == "darwin" else 1024
    return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit / 2**20)


def median(runs: Sequence[Run]) -> Run:
    """Take the median of each figure by itself."""
    return Run(
        wall_s=statistics.median(r.wall_s for r in runs),
        cpu_s=statistics.median(r.cpu_s for r in runs),
        peak_mib=statistics.median(r.peak_mib for r in runs),
    )


def measure(what: str, contestants: dict[str, Callable[[], Run]], rounds: int) -> Row:
    """Let the contestants take turns; the first turn of each warms the disk cache and is not counted."""
    runs: dict[str, list[Run]] = {name: [] for name in contestants}
    for turn in range(rounds + 1):
        for name, contestant in contestants.items():
            measured = contestant()
            if turn:
                runs[name].append(measured)
        print(f"{what}: round {turn} of {rounds}", file=sys.stderr)
    medians = {name: median(of) for name, of in runs.items()}
    return Row(what, medians["ours"], medians["floor"], medians.get("reference"))


def command_row(tree: Path, what: str, options: argparse.Namespace) -> Row:
    """Measure the whole command, start to exit, on one tree."""
    ours = [sys.executable, "-m", "submission_checker", "check", str(tree), "--ruleset", options.ruleset]
    contestants = {
        "ours": lambda: run(ours),
        "floor": lambda: run([sys.executable, str(HERE / "work.py"), "floor"], f"{tree}\n"),
    }
    if options.reference_python:
        reference = options.reference_python.with_name("endpoints-submission-cli")
        contestants["reference"] = lambda: run([str(reference), "check-submission", str(tree)])
    return measure(what, contestants, options.rounds)


def process_row(folders: list[Path], what: str, options: argparse.Namespace, rounds: int) -> Row:
    """Measure many checks in one process, imports aside."""
    feed = "".join(f"{folder}\n" for folder in folders)
    work = str(HERE / "work.py")
    contestants = {
        "ours": lambda: run([sys.executable, work, "check", "--ruleset", options.ruleset], feed),
        "floor": lambda: run([sys.executable, work, "floor"], feed),
    }
    if options.reference_python:
        reference = str(options.reference_python)
        contestants["reference"] = lambda: run([reference, work, "check"], feed)
    return measure(what, contestants, rounds)


def table(rows: Sequence[Row]) -> str:
    """Lay the rows out for reading, as Markdown."""
    lines = [
        "| | ours | reference | ours / reference | floor | ours / floor | peak | ours / reference |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        ours, floor, other = row.ours, row.floor, row.reference
        cells = [
            row.what,
            f"{ours.wall_s:.3f} s",
            f"{other.wall_s:.3f} s" if other else "–",
            f"{ours.wall_s / other.wall_s:.2f}" if other else "–",
            f"{floor.wall_s:.3f} s",
            f"{ours.wall_s / floor.wall_s:.1f}",
            f"{ours.peak_mib:.0f} MiB",
            f"{ours.peak_mib / other.peak_mib:.2f}" if other else "–",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


@contextlib.contextmanager
def folder_for(options: argparse.Namespace) -> Iterator[Path]:
    """Give a folder for the trees: the one asked for, which is kept, or one that is removed."""
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
        yield options.keep
    else:
        with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
            yield Path(folder)


def compile_ours() -> None:
    """Leave compiled bytecode beside the package, as an installation does.

    An editable install in an environment that forbids writing bytecode would else be compiled anew by every
    command, which the reference, installed by pip, is not.
    """
    found = subprocess.run(
        [sys.executable, "-c", "import submission_checker; print(submission_checker.__path__[0])"],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    subprocess.run([sys.executable, "-m", "compileall", "-q", found.stdout.strip()], check=True)


def compare(options: argparse.Namespace) -> list[Row]:
    """Write the trees and measure everything that is asked for."""
    compile_ours()
    rows = []
    with folder_for(options) as folder:
        for size in options.sizes:
            tree = folder / str(size)
            if not tree.exists():
                trees.write(size, tree)
            rows.append(command_row(tree, f"command, {size}", options))
            if size != SMALLEST:  # one small check is mostly the loading of the ruleset; many follow
                rows.append(process_row([tree], f"in process, {size}", options, options.rounds))
        if options.trees:
            small = trees.write(SMALLEST, folder / "copied")
            many = [folder / "many" / f"{number:04}" for number in range(options.trees)]
            for copy in many:
                shutil.copytree(small, copy, dirs_exist_ok=True)
            rows.append(process_row(many, f"in process, {options.trees} of {SMALLEST}", options, 3))
    return rows


def main() -> int:
    """Compare, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--reference-python", type=Path, help="python of the reference checker's environment")
    parser.add_argument("--ruleset", default="2026-10", help="ours to use (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=5, help="counted runs of each (default: %(default)s)")
    parser.add_argument("--trees", type=int, default=500, help="many small trees in one process; 0 for none")
    parser.add_argument(
        "--sizes",
        type=trees.Size.parse,
        nargs="+",
        default=[SMALLEST, trees.Size(4, 3, 32)],
        help="systems x models x points (default: 1x1x8 4x3x32)",
    )
    parser.add_argument("--keep", type=Path, help="put the trees here and keep them")
    parser.add_argument("--json", type=Path, help="write the figures here as well")
    options = parser.parse_args()
    rows = compare(options)
    print(table(rows))
    if options.json:
        options.json.write_text(json.dumps([asdict(row) for row in rows], indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
