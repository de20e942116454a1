"""What an archive says of the rules: how often each applied, broke and passed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from submission_checker.archive.records import Record

_BROKEN = ("error", "warning", "note", "waived")


@dataclass(slots=True)
class RuleCoverage:
    """Judgements of one rule, and the submissions in which it was broken."""

    rule: str
    passed: int = 0
    broken: int = 0
    held: int = 0
    not_evaluated: int = 0
    not_applicable: int = 0
    broken_in: int = 0

    @property
    def applied(self) -> int:
        """How often it had something to say."""
        return self.passed + self.broken + self.not_evaluated


def coverage(records: Iterable[Record], rules: Iterable[str]) -> list[RuleCoverage]:
    """Count over records, for every rule in force and every other one that they name.

    Args:
        records: What a batch wrote.
        rules: Ids of the rules, in their order.
    """
    counted = {rule: RuleCoverage(rule) for rule in rules}
    for record in records:
        for rule, kinds in record["rules"].items():
            entry = counted.setdefault(rule, RuleCoverage(rule))
            broken = sum(kinds.get(kind, 0) for kind in _BROKEN)
            entry.passed += kinds.get("passed", 0)
            entry.broken += broken
            entry.held += kinds.get("held", 0)
            entry.not_evaluated += kinds.get("not_evaluated", 0)
            entry.not_applicable += kinds.get("not_applicable", 0)
            entry.broken_in += broken > 0
    return list(counted.values())
