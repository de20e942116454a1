"""Write the fixed corpus anew, with the differential-testing kit and the reference that it installs.

    python -m tests.corpus.refresh --oracle KIT [--policy P]...     write fixtures/corpus/
    python -m tests.corpus.refresh --oracle KIT --add               add what new deviations need
    python -m tests.corpus.refresh --oracle KIT --verify            ask the reference again, write nothing

KIT is the folder with the kit's `corpus.py` and `oracle.py`. The same kit, reference, `bases.yaml` and
deviations give the same bytes. What happens, for each policy:

1. Each base is built from its pinned parameters. It must be free of errors.
2. Each of the kit's operators is put on a base that has what it needs; so are some groups of two to four.
3. The reference judges every such submission.
4. Cases are chosen until there are enough: every way to crash, then, taking turns among the rules and the
   families of operators, first what changes the verdict in a new way, then what differs in its operator only.
5. Cases of operators that a deviation names are added, on three bases each, if they are not there yet.
6. The chosen ones are told as differences from their base, and read back to be sure.
"""

from __future__ import annotations

import argparse
import copy
import importlib
import random
import shutil
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import yaml

from . import store, trees
from .store import Case, Rows
from .verdicts import load_deviations

WANTED = {"2026-10": 850, "2026-11": 700}  # cases with one operator, bases and crashes included
GROUPS = {"2026-10": 90, "2026-11": 60}  # cases with several operators
LONGEST = 6_000  # characters of a case's line; longer ones only where nothing else shows the same
BATCH = 300  # submissions on disk at a time
DEVIATING = 3  # bases for an operator that a deviation names
CROWD = 50  # operators of one family and rule for which it gets one case more a turn
RARE_SHARE = 30  # one operator in so many is put on a big base without need


@dataclass
class Candidate:
    """A case that may be chosen, with what choosing asks about."""

    case: Case
    rule: str  # whose turn it is
    at: str = ""  # where the reference crashed; to tell crashes apart, never stored
    needed: bool = False


class Kit:
    """The kit's modules, set to one policy."""

    def __init__(self, folder: Path, policy: str) -> None:
        sys.dont_write_bytecode = True  # the kit's folder is not ours
        for name in [
            n for n in sys.modules if n in {"corpus", "oracle", "base_2026_11", "operators_2026_11"}
        ]:
            del sys.modules[name]
        sys.path.insert(0, str(folder))
        try:
            self.corpus = _module("corpus")
            self.oracle = _module("oracle")
            self.corpus.POLICY = policy
            self.corpus.load_operators()
            if policy != "2026-10":
                _module("base_2026_11")
        finally:
            sys.path.remove(str(folder))
        self.policy = policy
        self.operators = list(self.corpus.OPS.values())
        self.bases: dict[str, dict[str, Any]] = yaml.safe_load(
            (store.FOLDER / "bases.yaml").read_text("utf-8")
        )[policy]
        self._built = {name: self._build(name) for name in self.bases}
        self.trees = {name: read_written(tree)[0] for name, tree in self._built.items()}

    def _build(self, base: str) -> Any:
        rng = random.Random(str(self.bases[base].get("seed", base)))
        return self.corpus.build_tree(rng, self.corpus.draw_params(rng, self.bases[base]["pins"]))

    def fitting(self, need: dict[str, Any] | None) -> list[str]:
        """Bases that have all that is needed, big ones only where no other has."""
        names = [
            name
            for name, base in self.bases.items()
            if all(base["pins"].get(key) == value for key, value in (need or {}).items())
        ]
        return [n for n in names if not self.bases[n].get("rare")] or names

    def mutate(self, base: str, operators: Iterable[Any]) -> Any:
        """A copy of *base* after *operators*; None where one of them does not apply or cannot be written."""
        tree = copy.deepcopy(self._built[base])
        for operator in operators:
            if tree.absent:
                return None
            rng = random.Random(f"{base}:{operator.name}")
            if not self.corpus.attempt(operator, tree, rng):
                return None
        return tree

    def case(self, base: str, operators: tuple[Any, ...]) -> Case | None:
        mutated = self.mutate(base, operators)
        if mutated is None:
            return None
        try:
            tree, modes = read_written(mutated)
        except (FileExistsError, NotADirectoryError, IsADirectoryError):
            return None  # one operator wants a folder where another put a file
        changes = trees.difference(self.trees[base], tree)
        changes += [{"chmod": [f"{store.SUBMISSION}/{path}", f"{mode:03o}"]} for path, mode in modes]
        names = tuple(operator.name for operator in operators)
        return Case(self.policy, base, names, changes, asked=mutated.ask_path)


def _module(name: str) -> Any:
    return importlib.import_module(name)


def read_written(mutated: Any) -> tuple[trees.Tree, list[tuple[str, int]]]:
    """The kit's tree as one of ours, by way of the disk, and its modes."""
    wanted, mutated.modes = mutated.modes, {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        mutated.write(folder / store.SUBMISSION, folder)
        modes = [
            (path, mode)
            for path, mode in sorted(wanted.items(), reverse=True)
            if (folder / store.SUBMISSION / path).exists()
        ]
        tree = trees.read(folder)
    mutated.modes = wanted
    return tree, modes


# ---------------------------------------------------------------- what may be chosen


def candidates(kit: Kit) -> Iterator[Candidate]:
    """The bases, every operator on a base, and groups of operators."""
    for base in kit.bases:
        yield Candidate(Case(kit.policy, base, (), trees.difference({}, kit.trees[base])), "", needed=True)
    for operator in kit.operators:
        for case in islice(placed(kit, operator), 1):
            yield Candidate(case, operator.rules[0])
    yield from islice(grouped(kit), GROUPS[kit.policy])


def deviating(kit: Kit) -> Iterator[Candidate]:
    """Every operator that a deviation names, on a few bases."""
    deviations = load_deviations()
    for operator in kit.operators:
        if any(entry.covers([operator.name]) for entry in deviations):
            for case in islice(placed(kit, operator), DEVIATING):
                yield Candidate(case, operator.rules[0])


def placed(kit: Kit, operator: Any) -> Iterator[Case]:
    """The operator alone on one base after another."""
    names = kit.fitting(operator.need)
    turn = zlib.crc32(operator.name.encode())
    names = names[turn % max(1, len(names)) :] + names[: turn % max(1, len(names))]
    rare = [name for name, base in kit.bases.items() if base.get("rare")]
    if not operator.need and rare and turn % RARE_SHARE == 0:
        names.insert(0, rare[turn // RARE_SHARE % len(rare)])
    for name in names:
        case = kit.case(name, (operator,))
        if case is not None:
            yield case


def grouped(kit: Kit) -> Iterator[Candidate]:
    """Groups of operators on one base, without end."""
    rng = random.Random(f"{kit.policy}:groups")
    common = [name for name, base in kit.bases.items() if not base.get("rare")]
    rules: dict[str, list[Any]] = {}
    for operator in kit.operators:
        rules.setdefault(operator.rules[0], []).append(operator)
    seen = set()
    while True:
        size, base = rng.choices((2, 3, 4), (60, 25, 15))[0], rng.choice(common)
        chosen = tuple(rng.choice(rules[rng.choice(list(rules))]) for _ in range(size))
        names = tuple(operator.name for operator in chosen)
        if len(set(names)) < size or names in seen or any(base not in kit.fitting(o.need) for o in chosen):
            continue
        seen.add(names)
        case = kit.case(base, chosen)
        if case is not None and len(store.line_of(case, frozenset())) < LONGEST:
            yield Candidate(case, chosen[0].rules[0], needed=True)


# ---------------------------------------------------------------- the reference


def judged(kit: Kit, found: Iterable[Candidate], jobs: int) -> Iterator[Candidate]:
    """The candidates with the reference's verdicts."""
    stream = iter(found)
    while batch := list(islice(stream, BATCH)):
        verdicts = ask(kit, [candidate.case for candidate in batch], jobs, kit.trees)
        for candidate, verdict in zip(batch, verdicts, strict=True):
            case = replace(candidate.case, crash=verdict.get("crash", ""), rows=rows_of(verdict))
            yield replace(candidate, case=case, at=verdict.get("at", ""))


def ask(
    kit: Kit, cases: list[Case], jobs: int, bases: Mapping[str, trees.Tree] | None = None
) -> list[dict[str, Any]]:
    """The reference's verdicts on *cases*, each written to disk as the tests write it."""
    python = kit.oracle.ensure_venv(kit.oracle.VERSIONS[kit.policy])
    folder = Path(tempfile.mkdtemp(prefix="corpus-"))
    try:
        requests = []
        for number, case in enumerate(cases):
            place = folder / str(number)
            request = case.materialise(place, bases)
            case.close(place)
            requests.append(
                {
                    "tree": str(number),
                    "path": path_text(case, place),
                    "seed_sets": request.seed_sets and str(request.seed_sets),
                    "approved_drafters": request.approved_drafters and str(request.approved_drafters),
                    "policy": case.policy,
                }
            )
        return list(kit.oracle.run_trees(python, requests, jobs))
    finally:
        for number, case in enumerate(cases):
            case.reopen(folder / str(number))
        shutil.rmtree(folder)


def path_text(case: Case, place: Path) -> str:
    return str(place / store.SUBMISSION) + (f"/{case.asked}" if case.asked else "")


def rows_of(verdict: dict[str, Any]) -> Rows:
    return frozenset((rule, severity, path) for rule, severity, path, *_ in verdict.get("results", ()))


# ---------------------------------------------------------------- choosing


def chosen(found: list[Candidate], wanted: int) -> list[Case]:
    """The cases to keep, *wanted* of them beside those with several operators."""
    valid = {c.case.base: c.case.rows for c in found if not c.case.operators}
    kept = [c.case for c in found if c.needed]
    wanted += sum(len(case.operators) > 1 for case in kept)
    seen: set[Any] = {signature(case, valid) for case in kept if len(case.operators) == 1}
    rest = [c for c in found if not c.needed]
    rest.sort(key=lambda c: zlib.crc32(c.case.name.encode()))
    for candidate in rest:
        kind = (candidate.case.crash, candidate.at, family(candidate.case.operators[0]))
        if candidate.case.crash and kind not in seen:
            seen.add(kind)
            kept.append(candidate.case)
    queues: dict[tuple[str, str], tuple[list[Case], list[Case]]] = {}
    for candidate in rest:
        case = candidate.case
        if case.crash:
            continue
        change = signature(case, valid)
        length = len(store.line_of(case, valid[case.base]))
        new = change not in seen
        if length > LONGEST and not new:
            continue
        seen.add(change)
        # what shows something new first; among those, and after them, in the order of the draw
        queue = queues.setdefault((candidate.rule, family(case.operators[0])), ([], []))
        queue[0 if new else 1].append(case)
    # a queue's turn is one case, and one more for every so many in it
    turns = {key: (1 + len(new + known) // CROWD, iter(new + known)) for key, (new, known) in queues.items()}
    while len(kept) < wanted and turns:
        for key, (size, queue_left) in sorted(turns.items(), key=lambda turn: turn[0]):
            taken = list(islice(queue_left, min(size, wanted - len(kept))))
            kept += taken
            if not taken:
                del turns[key]
    return kept


def family(operator: str) -> str:
    """What an operator's name begins with: `util` of `util/+0.1`, `file/point` of `file/point/bom`."""
    parts = operator.split("/")
    if parts[0] in {"n", "file", "field"}:  # operators of a later policy; of a file; of a field of a file
        return "/".join(parts[: 3 if parts[1] == "power" and len(parts) > 3 else 2])
    return parts[0]


def signature(case: Case, valid: dict[str, Rows]) -> Any:
    """What a case shows: the operator's family and the rules that report more or less than on the base."""
    before, after = valid[case.base], case.rows
    kind = family(case.operators[0]) if case.operators else ""
    lost = {(rule, severity) for rule, severity, _ in before - after}
    gained = {(rule, severity) for rule, severity, _ in after - before}
    return kind, frozenset(lost), frozenset(gained)


# ---------------------------------------------------------------- writing and verifying


def refresh(kit: Kit, jobs: int) -> None:
    """Choose the cases anew."""
    found = list(judged(kit, candidates(kit), jobs))
    for candidate in found:
        if not candidate.case.operators and any(row[1] == "error" for row in candidate.case.rows):
            sys.exit(f"base {candidate.case.base} has errors")
    save(kit, with_deviating(kit, chosen(found, WANTED[kit.policy]), jobs))


def add(kit: Kit, jobs: int) -> None:
    """Keep the stored cases, and add those of operators that a deviation names since."""
    if store.base_trees(kit.policy) != kit.trees:
        sys.exit(f"{kit.policy}: the bases are others than those stored; refresh all")
    save(kit, with_deviating(kit, list(store.cases(kit.policy)), jobs))


def with_deviating(kit: Kit, cases: list[Case], jobs: int) -> list[Case]:
    """*cases* and those that exercise the deviations, in the order of the file."""
    stored = {case.name for case in cases}
    more = [candidate.case for candidate in judged(kit, deviating(kit), jobs)]
    cases = cases + [case for case in more if case.name not in stored]
    return sorted(cases, key=lambda case: (bool(case.operators), case.operators, case.base))


def save(kit: Kit, cases: list[Case]) -> None:
    store.path_of(kit.policy).write_text(store.text_of(cases), encoding="ascii", newline="\n")
    store.cases.cache_clear()
    store.base_trees.cache_clear()
    if list(store.cases(kit.policy)) != cases:
        sys.exit(f"{kit.policy}: what was written reads back as something else")
    crashes = Counter(case.crash for case in cases if case.crash)
    print(f"{kit.policy}: {len(cases)} cases on {len(kit.bases)} bases, crashes {dict(crashes)}")


def verify(kit: Kit, jobs: int) -> bool:
    """Whether the reference says of every stored case what is recorded."""
    cases = list(store.cases(kit.policy))
    bad = 0
    for start in range(0, len(cases), BATCH):
        batch = cases[start : start + BATCH]
        for case, verdict in zip(batch, ask(kit, batch, jobs), strict=True):
            if (verdict.get("crash", ""), rows_of(verdict)) != (case.crash, case.rows):
                bad += 1
                print("differs:", case.name)
    print(f"{kit.policy}: {len(cases) - bad} of {len(cases)} cases as recorded")
    return bad == 0


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--oracle", type=Path, required=True, metavar="KIT")
    parser.add_argument("--policy", action="append", choices=store.POLICIES)
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--add", action="store_true", help="add what new deviations need, keep the rest")
    way.add_argument("--verify", action="store_true", help="ask the reference again and compare")
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    good = True
    for policy in args.policy or store.POLICIES:
        kit = Kit(args.oracle.resolve(), policy)
        if args.verify:
            good = verify(kit, args.jobs) and good
        elif args.add:
            add(kit, args.jobs)
        else:
            refresh(kit, args.jobs)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
