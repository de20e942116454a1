"""For each subject and each rule: does the requirement hold? Gates say what a broken rule hides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from submission_checker.documents import Form, locate
from submission_checker.engine import kinds
from submission_checker.engine.errors import EvaluationError, ExpressionError
from submission_checker.engine.model import CheckResult, Held, NotApplicable, Severity, Verdict, encodable
from submission_checker.engine.rules import At, Check, Gate, Message, Rule
from submission_checker.engine.subjects import Run, Subject

if TYPE_CHECKING:
    from submission_checker.engine.ruleset import Ruleset

MAX_ITEMS = 100_000
"""Judgements that one rule may make of one subject."""

Progress = Callable[[int, int], None]
"""Is told how many subjects were judged, and how many there are."""


class Frame(dict[str, Any]):
    """The names of one judgement, each given its value on first use."""

    __slots__ = ("rule", "subject")

    def __init__(self, rule: Rule, subject: Subject, **bound: Any):
        super().__init__(rule.constants, **bound)
        self.rule = rule
        self.subject = subject

    def __missing__(self, name: str) -> Any:
        entry = self.rule.definitions.get(name)
        value = self.subject.fact(name) if entry is None else entry.value(self, self.subject)
        self[name] = value
        return value


class Judgement:
    """What one rule says of one subject."""

    __slots__ = ("broken", "reason", "results", "warned")

    def __init__(self) -> None:
        self.results: list[CheckResult] = []
        self.broken = False
        """Whether a result of severity error says that the rule is broken (or could not be evaluated)."""
        self.warned = False
        """Whether a result of severity warning says that the rule is broken."""
        self.reason = ""
        """Why the rule had nothing to say, where it had not."""

    def add(self, result: CheckResult) -> None:
        """Keep a result."""
        self.results.append(result)
        if result.verdict is not Verdict.PASSED:
            self.broken = self.broken or result.severity is Severity.ERROR
            self.warned = self.warned or result.severity is Severity.WARNING


class Judge:
    """Judges the subjects of one run, each rule and subject once.

    Args:
        ruleset: The rules.
        run: The folder they are laid over.
        keep_going: Lift the gates.
        details: Keep which rules did not apply and why.
        progress: Called before each subject, and once at the end.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        run: Run,
        *,
        keep_going: bool = False,
        details: bool = False,
        progress: Progress | None = None,
    ):
        self.ruleset = ruleset
        self.run = run
        self.top = run.top()
        self.progress = progress
        self.details = details
        self.not_applicable: list[NotApplicable] = []
        self._judged: dict[tuple[str, int], Judgement] = {}
        self._closed: dict[tuple[int, int], bool] = {}
        self._caused: dict[tuple[int, int], tuple[str, ...]] = {}
        self._around: dict[int, list[Gate]] = {}
        self._gates = () if keep_going else tuple(ruleset.gates)
        self._spec_refs = {
            rule.id: ", ".join(f"§{c}" for c in rule.info.clauses) for rule in ruleset.rules.values()
        }

    def judge_all(self) -> tuple[list[CheckResult], list[Held]]:
        """Judge every rule on every subject; return the results, and what gates held back."""
        by_scope = self.ruleset.by_scope()
        results: list[CheckResult] = []
        held: dict[tuple[str, tuple[str, ...]], dict[str, int]] = {}
        for subject in self._subjects():
            closed = self._closed_around(subject)
            for rule in by_scope[subject.scope.name]:
                gate = next((gate for gate in closed if rule.id in gate.rules), None) if closed else None
                if gate is not None:
                    stopped = subject.at(gate.stops)
                    where = subject if stopped is None else stopped
                    counts = held.setdefault((where.location, self._causes_told(gate, where)), {})
                    counts[rule.id] = counts.get(rule.id, 0) + 1
                    continue
                judgement = self.judge(rule, subject)
                results.extend(judgement.results)
                if self.details and not judgement.results:
                    self.not_applicable.append(
                        NotApplicable(rule=rule.id, subject=subject.location, reason=judgement.reason)
                    )
        order = list(self.ruleset.rules)
        return self._with_lines(results), [
            Held(
                subject=location,
                because=because,
                rules=tuple(sorted(counts, key=order.index)),
                places=sum(counts.values()),
                counts=counts,
            )
            for (location, because), counts in held.items()
        ]

    def _subjects(self) -> Iterator[Subject]:
        """Yield every subject, each before those below it, and tell how far it is."""
        if self.progress is None:
            yield from self.top.walk()
            return
        subjects = list(self.top.walk())
        for number, subject in enumerate(subjects):
            self.progress(number, len(subjects))
            yield subject
        self.progress(len(subjects), len(subjects))

    def held_back(self, rule: Rule, subject: Subject) -> tuple[Subject, tuple[str, ...]] | None:
        """Return where a gate holds a rule back at a subject, and the broken rules that close it."""
        for gate in self._closed_around(subject):
            if rule.id in gate.rules:
                stopped = subject.at(gate.stops) or subject
                return stopped, self._causes(gate, stopped)
        return None

    def judge(self, rule: Rule, subject: Subject) -> Judgement:
        """Judge one rule on one subject, gates aside."""
        key = (rule.id, id(subject))
        judgement = self._judged.get(key)
        if judgement is None:
            judgement = self._judged[key] = Judgement()
            self._judge(rule, subject, judgement)
        return judgement

    def _judge(self, rule: Rule, subject: Subject, judgement: Judgement) -> None:
        frame = Frame(rule, subject)
        try:
            if rule.where is not None and not rule.where.decide(frame):
                judgement.reason = "`where` is false"
                return
            if rule.for_each is None:
                self._judge_one(rule, subject, frame, judgement)
                return
            items = _items(rule.for_each.items.evaluate(frame), rule.for_each.distinct)
        except (EvaluationError, ExpressionError) as error:
            judgement.add(self._failure(rule, subject, frame, error))
            return
        if not items:
            judgement.reason = f"no {rule.for_each.name} to judge"
        for item in items:
            frame = Frame(rule, subject, **{rule.for_each.name: item})
            try:
                self._judge_one(rule, subject, frame, judgement)
            except (EvaluationError, ExpressionError) as error:
                judgement.add(self._failure(rule, subject, frame, error))

    def _judge_one(self, rule: Rule, subject: Subject, frame: Frame, judgement: Judgement) -> None:
        if rule.when is not None and not rule.when.decide(frame):
            judgement.reason = "`when` is false"
            return
        applied, broke = not rule.checks, False
        for check in rule.checks:
            if check.when is not None and not check.when.decide(frame):
                continue
            applied = True
            if check.require is None or not check.require.decide(frame):
                broke = True
                judgement.add(self._result(rule, subject, frame, check.broken, check))
                if not rule.report_all:
                    return
            elif check.passed is not None:
                judgement.add(self._result(rule, subject, frame, check.passed, None))
            if check.last:
                return
        if not applied:
            judgement.reason = "no check applies"
        elif not broke and rule.passed is not None:
            judgement.add(self._result(rule, subject, frame, rule.passed, None))

    def _result(
        self, rule: Rule, subject: Subject, frame: Frame, message: Message, broken: Check | None
    ) -> CheckResult:
        """Make a result, complete; *broken* is the check that does not hold, None for a pass."""
        place = broken.at if broken is not None and broken.at is not None else rule.at
        location, pointer, line, column = self._place(place, subject, frame)
        return CheckResult(
            rule=rule.id,
            message=encodable(message.template.render(frame)),
            severity=Severity.INFO if broken is None else broken.severity,
            path=self.run.path(location) if location else None,
            spec_ref=self._spec_refs[rule.id],
            verdict=Verdict.PASSED if broken is None else Verdict.BROKEN,
            location=location,
            pointer=pointer,
            line=line,
            column=column,
            subject=subject.location,
            info=rule.info,
        )

    def _failure(self, rule: Rule, subject: Subject, frame: Frame, error: Exception) -> CheckResult:
        """Make the result that says a rule could not be evaluated, with the values that were known."""
        names = [*rule.raw.get("extract", {}), *rule.raw.get("let", {})]
        known = ", ".join(f"{name} = {kinds.show(frame[name])}" for name in names if name in frame)
        return CheckResult(
            rule=rule.id,
            message=encodable(
                f"this rule could not be evaluated: {error}" + (f" (with {known})" if known else "")
            ),
            severity=Severity.ERROR,
            path=self.run.path(subject.path),
            spec_ref=self._spec_refs[rule.id],
            verdict=Verdict.ERROR,
            location=subject.location,
            subject=subject.location,
            info=rule.info,
        )

    def _place(
        self, at: At | None, subject: Subject, frame: Frame
    ) -> tuple[str, str | None, int | None, int | None]:
        """Return location, pointer, line and column of a result."""
        if at is None:
            return subject.location, None, None, None
        if at.nowhere:
            return "", None, None, None
        pointer = None if at.pointer is None else at.pointer.evaluate(frame)
        if at.place is not None:
            return _from_mapping(at.place.evaluate(frame))
        if at.file is not None:
            location = at.file.evaluate(frame)
            return ("", None, None, None) if location is None else (str(location) or ".", pointer, None, None)
        state = subject.get("files").get(at.document)
        location = None if state is None else state.get("path")
        if location is None:
            return subject.location, None, None, None
        if pointer is None and at.keys:
            pointer = "".join("/" + key.replace("~", "~0").replace("/", "~1") for key in at.keys)
        return location, pointer, None, None

    def _closed_around(self, subject: Subject) -> list[Gate]:
        """Return the gates that are closed at a subject or around it, the outermost first."""
        closed = [] if subject.parent is None else list(self._closed_below(subject.parent))
        closed += [
            gate
            for gate in self._gates
            if gate.stops == subject.scope.name and self._is_closed(gate, subject)
        ]
        self._around[id(subject)] = closed
        return closed

    def _closed_below(self, subject: Subject) -> list[Gate]:
        found = self._around.get(id(subject))
        return self._closed_around(subject) if found is None else found

    def _is_held(self, rule: Rule, subject: Subject) -> bool:
        """Tell whether some gate holds a rule back at a subject."""
        for gate in self._gates:
            if rule.id in gate.rules:
                stopped = subject.at(gate.stops)
                if stopped is not None and self._is_closed(gate, stopped):
                    return True
        return False

    def _is_closed(self, gate: Gate, stopped: Subject) -> bool:
        key = (id(gate), id(stopped))
        closed = self._closed.get(key)
        if closed is None:
            # A rule behind its own gate would ask for ever; while asked, the gate is open.
            self._closed[key] = False
            closed = bool(self._causes(gate, stopped)) and (gate.when is None or gate.when.decide(stopped))
            self._closed[key] = closed
        return closed

    def _causes(self, gate: Gate, stopped: Subject) -> tuple[str, ...]:
        """Return which of a gate's rules are broken at a subject or around it."""
        return tuple(name for name in gate.after if self._closes(gate, self.ruleset.rules[name], stopped))

    def _causes_told(self, gate: Gate, stopped: Subject) -> tuple[str, ...]:
        """Return the same for a gate that is closed: asked for every rule and subject behind it."""
        key = (id(gate), id(stopped))
        causes = self._caused.get(key)
        if causes is None:
            causes = self._caused[key] = self._causes(gate, stopped)
        return causes

    def _closes(self, gate: Gate, rule: Rule, stopped: Subject) -> bool:
        subject = stopped.at(rule.info.scope)
        if subject is None or self._is_held(rule, subject):
            return False
        judgement = self.judge(rule, subject)
        return judgement.broken or (gate.on_warning and judgement.warned)

    def _with_lines(self, results: list[CheckResult]) -> list[CheckResult]:
        """Give every finding in a document its line and column: each such file is read once more."""
        wanted: dict[str, list[int]] = {}
        for number, result in enumerate(results):
            if result.verdict is not Verdict.PASSED and result.line is None and result.location:
                wanted.setdefault(result.location, []).append(number)
        for location, numbers in wanted.items():
            if self.run.kind(location) != "file":
                continue
            form: Form = "yaml" if location.endswith((".yaml", ".yml")) else "json"
            pointers = {results[number].pointer or "" for number in numbers}
            places = locate(self.run.absolute(location), form, pointers)
            for number in numbers:
                line, column = places.get(results[number].pointer or "", (1, 1))
                results[number] = replace(results[number], line=line, column=column)
        return results


def _items(value: Any, distinct: bool) -> list[Any]:
    """Return the items to judge."""
    if not isinstance(value, list | tuple):
        raise EvaluationError(f"for_each needs a list, found {kinds.show(value)}, {kinds.kind(value)}")
    found: list[Any] = list(value)
    if distinct:
        found = kinds.distinct_items(found)
    if len(found) > MAX_ITEMS:
        raise EvaluationError(f"more than {MAX_ITEMS:,} items to judge")
    return found


def _from_mapping(place: Any) -> tuple[str, str | None, int | None, int | None]:
    if not isinstance(place, Mapping) or place.get("path") is None:
        return "", None, None, None
    return place["path"], place.get("pointer"), place.get("line"), place.get("column")


def summary(results: Iterable[CheckResult]) -> dict[Verdict, int]:
    """Count results by verdict."""
    counts = dict.fromkeys(Verdict, 0)
    for result in results:
        counts[result.verdict] += 1
    return counts
