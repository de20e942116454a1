"""Whose verdict changes between two rulesets, and why."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from submission_checker.bench.difference import ADDED, REMOVED, Change, Difference, Uses
from submission_checker.engine import waivers
from submission_checker.engine.judge import Judge
from submission_checker.engine.model import CheckResult, Held, Report, Severity, Verdict
from submission_checker.engine.ruleset import Ruleset
from submission_checker.engine.subjects import Run, find_root

ERROR, WARNING, WAIVED, UNKNOWN = "error", "warning", "waived", "not evaluated"
PASSED, HELD, SILENT, NO_RULE = "passed", "held back", "nothing to say", "no such rule"
_MOST_REASONS = 5
_TOP = re.compile(r"[.\[]")
_FINDINGS = (UNKNOWN, ERROR, WARNING, WAIVED)


@dataclass(frozen=True, slots=True)
class Turned:
    """One judgement that comes out otherwise."""

    rule: str
    subject: str
    before: str
    after: str
    message: str
    """What the finding says, or said."""
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """One submission under both rulesets."""

    folder: Path
    before: str
    """`passed`, `failed` or `not completed`."""
    after: str
    turned: tuple[Turned, ...]
    """Judgements that are a finding under one ruleset and something else under the other."""
    quiet: int
    """Judgements that differ without being a finding under either."""
    reworded: int
    """Findings that stand, in other words or numbers."""


class Verdicts:
    """Compares submissions under two rulesets.

    Args:
        difference: What differs between them.
    """

    def __init__(self, difference: Difference):
        self._difference = difference
        self._changes = {(change.kind, change.name): change for change in difference.changes}
        self._uses = Uses(difference.before), Uses(difference.after)

    def compare(self, folder: Path) -> Compared:
        """Check a submission with both rulesets, and say what comes out otherwise and why."""
        old, new = _Check(self._difference.before, folder), _Check(self._difference.after, folder)
        turned, quiet, reworded = [], 0, 0
        for key in dict.fromkeys([*old.found, *new.found]):
            before, after = old.state(*key), new.state(*key)
            if before == after:
                reworded += before[0] in _FINDINGS and old.messages(*key) != new.messages(*key)
            elif before[0] not in _FINDINGS and after[0] not in _FINDINGS:
                quiet += 1
            else:
                turned.append(self._turned(*key, old, new))
        return Compared(folder, old.verdict, new.verdict, tuple(turned), quiet, reworded)

    def _turned(self, rule: str, subject: str, old: _Check, new: _Check) -> Turned:
        messages = (new if new.state(rule, subject)[0] in _FINDINGS else old).messages(rule, subject)
        return Turned(
            rule=rule,
            subject=subject,
            before=_in_words(old.state(rule, subject)),
            after=_in_words(new.state(rule, subject)),
            message=messages[0] if messages else "",
            why=tuple(self._why(rule, subject, old, new)),
        )

    def _why(self, rule: str, subject: str, old: _Check, new: _Check) -> Iterator[str]:
        """Yield what may have made the difference, the surest first."""
        own = self._changes.get(("rule", rule))
        if own is not None and own.what in (ADDED, REMOVED):
            yield f"the rule is {'new' if own.what == ADDED else 'gone'}"
            return
        for check, when in ((old, "before"), (new, "now")):
            causes = check.held_by(rule, subject)
            if causes:
                yield f"{when} held back by {' and '.join(causes)}"
        if WAIVED in (old.state(rule, subject)[0], new.state(rule, subject)[0]):
            yield "a waiver"
        if own is not None:
            parts = dict.fromkeys(
                d.part if d.group == "number" else _TOP.split(d.part)[0]
                for d in own.details
                if d.group in ("severity", "number", "condition")
            )
            if parts:
                yield f"the rule's {_listed(list(parts))} changed"
        beneath = list(self._beneath(rule))
        yield from beneath[:_MOST_REASONS]
        if len(beneath) > _MOST_REASONS:
            yield f"{len(beneath) - _MOST_REASONS} more things that it rests on changed"

    def _beneath(self, rule: str) -> Iterator[str]:
        """Yield the changes beneath a rule: of facts, tables and schemas that it rests on."""
        things = [thing for uses in self._uses for thing in sorted(uses.by_rule.get(rule, ()))]
        for thing in dict.fromkeys(things):
            change = self._changes.get(thing)
            if change is not None:
                yield f"the {change.kind} {change.name} {_verb(change)}"


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _verb(change: Change) -> str:
    return {ADDED: "is new", REMOVED: "is gone"}.get(change.what, "changed")


def _in_words(state: tuple[str, int]) -> str:
    word, number = state
    return f"{number} {word}s" if number > 1 and word in (ERROR, WARNING) else word


class _Check:
    """One submission under one ruleset: what each rule says of each subject."""

    def __init__(self, ruleset: Ruleset, folder: Path):
        run = Run(ruleset, find_root(ruleset.layout, folder))
        judge = Judge(ruleset, run, details=True)
        results, held = judge.judge_all()
        results = waivers.apply(ruleset.waivers, ruleset.find, results, held).results
        report = Report(submission_path=folder, results=results, held=held)
        self.verdict = {0: "passed", 1: "failed"}.get(report.exit_code(), "not completed")
        self._rules = ruleset.rules
        self._held: list[Held] = held
        self._silent: set[tuple[str, str]] = set()
        self.found: dict[tuple[str, str], list[CheckResult]] = {}
        for result in results:
            self.found.setdefault((result.rule, result.subject), []).append(result)
        for silent in judge.not_applicable:
            self.found.setdefault((silent.rule, silent.subject), [])
            if silent.reason:
                self._silent.add((silent.rule, silent.subject))

    def state(self, rule: str, subject: str) -> tuple[str, int]:
        """Return what a rule says of a subject: the worst of it, and how often it says that."""
        if rule not in self._rules:
            return NO_RULE, 1
        results = self.found.get((rule, subject))
        if results is None:
            return HELD, 1
        if not results:
            # A rule may hold without a word.
            return SILENT if (rule, subject) in self._silent else PASSED, 1
        counted = Counter(map(_word, results))
        worst = next(word for word in (*_FINDINGS, PASSED) if counted[word])
        return worst, counted[worst]

    def messages(self, rule: str, subject: str) -> list[str]:
        """Return what the findings of a rule at a subject say."""
        return [r.message for r in self.found.get((rule, subject), ()) if r.verdict is not Verdict.PASSED]

    def held_by(self, rule: str, subject: str) -> tuple[str, ...]:
        """Return the broken rules that hold a rule back at a subject."""
        for gate in self._held:
            if rule in gate.rules and _is_below(subject, gate.subject) and (rule, subject) not in self.found:
                return gate.because
        return ()


def _is_below(subject: str, stopped: str) -> bool:
    return stopped == "." or subject == stopped or subject.startswith(f"{stopped}/")


def _word(result: CheckResult) -> str:
    if result.verdict is Verdict.PASSED:
        return PASSED
    if result.verdict is Verdict.ERROR:
        return UNKNOWN
    if result.waiver is not None:
        return WAIVED
    return ERROR if result.severity is Severity.ERROR else WARNING


def totals(compared: list[Compared]) -> Mapping[str, int]:
    """Count how many judgements each rule turns, over all submissions."""
    return Counter(turned.rule for entry in compared for turned in entry.turned)
