"""Look at one case of the corpus.

    python -m tests.corpus.show NAME [--policy P]              its changes, its verdict, where ours differs
    python -m tests.corpus.show NAME [--policy P] --into DIR   write its files there, to be looked at

NAME is an operator, or a base for the valid submission. Among several cases the first is taken;
`--base BASE` names another.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from . import store
from .run import Bench
from .verdicts import differences, told


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("name")
    parser.add_argument("--policy", choices=store.POLICIES, default=store.POLICIES[0])
    parser.add_argument("--base")
    parser.add_argument("--into", type=Path, metavar="DIR")
    args = parser.parse_args()
    found = [
        case
        for case in store.cases(args.policy)
        if args.name in (case.operators or (case.base,)) and args.base in (None, case.base)
    ]
    if not found:
        names = {name for case in store.cases(args.policy) for name in (case.base, *case.operators)}
        similar = sorted(name for name in names if args.name in name)
        parser.error(
            f"no case of {args.policy} is named {args.name}; similar: {', '.join(similar) or 'none'}"
        )
    case = min(found, key=lambda case: len(case.operators))
    print(case.name)
    if args.into:
        request = case.materialise(args.into)
        case.close(args.into)
        print(f"written; ask for {request.path}")
        return 0
    for change in case.changes if case.operators else ():
        print(" ", json.dumps(change))
    with tempfile.TemporaryDirectory() as folder:
        report, ours = Bench(Path(folder)).check(case)
    if case.crash:
        print(f"the reference raised {case.crash}; ours:")
        for result in report.errors:
            print(" ", result.rule, result.path or "", result.message)
    broken = sorted(row for row in case.rows if row[1] != "info")
    print(
        f"the reference: {len(case.rows)} rows, not passed:"
        if broken
        else f"the reference: {len(case.rows)} rows, all passed"
    )
    for rule, severity, path in broken:
        print(f"  {severity:8} {rule} {path}")
    for line in () if case.crash else told(differences(case.rows, ours)):
        print("differs:", line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
