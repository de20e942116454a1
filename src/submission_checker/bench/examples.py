"""Running the examples inside rules, to see whether they come out as they say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from submission_checker.engine import examples as engine
from submission_checker.engine.examples import Example
from submission_checker.engine.judge import Judge, Judgement
from submission_checker.engine.rules import Rule
from submission_checker.engine.ruleset import Ruleset
from submission_checker.engine.source import Marks


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came out of one example."""

    example: Example
    file: str
    line: int
    column: int
    shortcomings: tuple[str, ...]
    """In which ways it does not come out as it says; empty if it does."""


class Trial:
    """A rule's examples, their subjects made once: for judging the rule, and changed copies of it."""

    def __init__(self, ruleset: Ruleset, rule: Rule):
        self._ruleset = ruleset
        self._cases = [
            (example, engine.subject_of(ruleset, rule, example.given)) for example in engine.examples(rule)
        ]

    def judge(self, rule: Rule) -> list[tuple[Example, Judgement]]:
        """Judge a rule on every example."""
        return [
            (example, Judge(self._ruleset, subject.run, keep_going=True).judge(rule, subject))
            for example, subject in self._cases
        ]

    def holds(self, rule: Rule) -> bool:
        """Tell whether every example comes out as it says; stops at the first that does not."""
        for example, subject in self._cases:
            judgement = Judge(self._ruleset, subject.run, keep_going=True).judge(rule, subject)
            if engine.shortfalls(example, judgement):
                return False
        return True


def run(ruleset: Ruleset, marks: Mapping[str, Marks], rules: Iterable[Rule]) -> list[Outcome]:
    """Run the examples of some rules.

    Args:
        ruleset: Their ruleset, loaded with examples.
        marks: Where things stand in the rules' files, by rule.
        rules: The rules.
    """
    found = []
    for rule in rules:
        for example in engine.examples(rule):
            # A ruleset that is laid over another may have examples of its own for a rule of the other.
            place = marks[rule.id].mistake(("examples", example.kind, example.number), "")
            shortcomings = engine.shortcomings(ruleset, rule, example)
            found.append(
                Outcome(example, place.file, place.line or 1, place.column or 1, tuple(shortcomings))
            )
    return found
