"""Our verdicts are the reference's, case by case, on the fixed corpus (see `tests/corpus`).

`CONFORMANCE_RULES=point-count,tps-utilization pytest tests/test_conformance.py` looks at these rules only.
`python -m tests.corpus.show OPERATOR` shows a case.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from submission_checker import resources
from tests.corpus import store
from tests.corpus.run import Bench
from tests.corpus.store import Case
from tests.corpus.verdicts import Deviation, differences, excusing, load_deviations, told

CHUNK = 25
SHOWN = 12  # lines of one case that a failure prints

ONLY_RULES = set(filter(None, os.environ.get("CONFORMANCE_RULES", "").split(",")))
DEVIATIONS = load_deviations()
SHIPPED = {path.parent.name for path in resources.rulesets().glob("*/ruleset.yaml")}
CHUNKS = [
    pytest.param(
        policy,
        start,
        id=f"{policy}-{start:04}",
        marks=[] if policy in SHIPPED else pytest.mark.skip(reason=f"no ruleset {policy} yet"),
    )
    for policy in store.POLICIES
    for start in range(0, len(store.cases(policy)), CHUNK)
]


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("MLPERF_ENDPOINTS_")]:
        monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(tmp_path_factory.mktemp("corpus"))


def complaints(case: Case, bench: Bench) -> Iterator[str]:
    """How our verdict on *case* differs from the recorded one, but for what is meant."""
    try:
        report, rows = bench.check(case)
    except Exception as error:  # any exception is a finding of this test
        yield f"raised {type(error).__name__}: {error}"
        return
    if case.crash:
        if not report.errors:
            yield f"no error is reported, where the reference raised {case.crash}"
        return
    yield from told(
        difference
        for difference in differences(case.rows, rows)
        if not ONLY_RULES or difference.rule in ONLY_RULES
        if excusing(difference, case.operators, DEVIATIONS) is None
    )


@pytest.mark.parametrize(("policy", "start"), CHUNKS)
def test_verdicts_are_the_references(policy: str, start: int, bench: Bench) -> None:
    cases = store.cases(policy)[start : start + CHUNK]
    lines = []
    for case in cases:
        found = list(complaints(case, bench))
        if found:
            lines += [case.name, *(f"    {line}" for line in found[:SHOWN])]
            lines += [f"    and {len(found) - SHOWN} more"] if len(found) > SHOWN else []
    if lines:
        pytest.fail("\n".join(["our verdicts are others than the reference's:", *lines]), pytrace=False)


@pytest.mark.parametrize("policy", store.POLICIES)
def test_every_rule_is_seen_broken_and_passed(policy: str) -> None:
    lists = store.rule_lists(policy)
    rows = {row[:2] for case in store.cases(policy) for row in case.rows}
    broken = {rule for rule, severity in rows if severity != "info"}
    passed = {rule for rule, severity in rows if severity == "info"}
    assert broken == lists["rules"] - lists["never_broken"]
    assert passed == lists["rules"] - lists["never_passed"]


@pytest.mark.parametrize("deviation", DEVIATIONS, ids=[",".join(entry.rules) for entry in DEVIATIONS])
def test_every_listed_deviation_is_needed(deviation: Deviation, bench: Bench) -> None:
    cases = [
        case for policy in store.POLICIES for case in store.cases(policy) if deviation.covers(case.operators)
    ]
    for case in cases:
        _, rows = bench.check(case)
        found = [] if case.crash else differences(case.rows, rows)
        if any(excusing(difference, case.operators, [deviation]) for difference in found):
            return
    pytest.fail(f"excuses nothing in {len(cases)} cases with such operators: {deviation}")
