"""The examples inside a rule: subjects made of what they give, judged like any other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from submission_checker.engine import kinds
from submission_checker.engine.errors import EvaluationError
from submission_checker.engine.judge import Judge, Judgement
from submission_checker.engine.layout import Scope, Source
from submission_checker.engine.model import CheckResult, Verdict
from submission_checker.engine.rules import Rule
from submission_checker.engine.ruleset import Ruleset
from submission_checker.engine.subjects import ByFile, Run, Subject

KINDS = ("passed", "broken", "not_checked")
_PROBLEMS = ("problems", "read_problems", "schema_problems")
_PROBLEM = {"kind": "schema", "message": "", "pointer": "", "line": None, "column": None}
"""What an example need not say of a problem."""


@dataclass(frozen=True, slots=True)
class Example:
    """One example of a rule."""

    rule: str
    kind: str
    """What it is an example of: `passed`, `broken` or `not_checked`."""
    number: int
    given: Mapping[str, Any]
    message: str | None
    severity: str | None
    at: str | None = None
    """Where the result points: a path, after `#` the pointer; or `nowhere`."""

    @property
    def id(self) -> str:
        """A name for it: rule, kind and number."""
        return f"{self.rule}-{self.kind}-{self.number}"


def examples(rule: Rule) -> Iterator[Example]:
    """Yield a rule's examples in the order of the file."""
    for kind in KINDS:
        for number, entry in enumerate(rule.raw.get("examples", {}).get(kind) or ()):
            told = (entry.get(key) for key in ("message", "severity", "at"))
            yield Example(rule.id, kind, number, entry.get("given") or {}, *told)


class _ExampleRun(Run):
    """A run over no folder: an example's subjects know what it gives, and nothing else exists."""

    def place(self, text: Any) -> dict[str, Any]:
        """Tell what stands at a path, by the `places` that an example gives."""
        given = self.places.get(str(text))
        found = {"path": text, "kind": "absent", **(given or {})}
        return {**found, "exists": found["kind"] != "absent"}

    places: Mapping[str, Any]


def _need(value: Any, kind: type, message: str) -> None:
    if value is not None and not isinstance(value, kind):
        raise EvaluationError(f"{message}, not {kinds.show(value)}")


def _check_shape(given: Any, scopes: list[str]) -> None:
    """See that what an example gives is shaped so that a subject can be made of it."""
    if not isinstance(given, dict):
        raise EvaluationError(f"what an example gives must be a mapping, not {kinds.show(given)}")
    for key in ("files", "raw", "places", *scopes):
        _need(given.get(key), dict, f"{key} in an example must be a mapping")
    for name, state in (given.get("files") or {}).items():
        _need(state, dict, f"files.{name} in an example must be a mapping")
        for key in _PROBLEMS:
            _need((state or {}).get(key), list, f"files.{name}.{key} in an example must be a list")
            for problem in (state or {}).get(key) or ():
                _need(problem, dict, f"a problem of files.{name} in an example must be a mapping")


class _ExampleSubject(Subject):
    """A subject whose documents and files are those of an example."""

    __slots__ = ("_given",)

    def __init__(self, run: Run, scope: Scope, parent: Subject | None, given: Mapping[str, Any]):
        _check_shape(given, run.ruleset.layout.chain(scope.name))
        name = str(given.get("name", scope.name))
        path = "/".join(part for part in (parent.path if parent else "", name if parent else "") if part)
        groups = scope.pattern.groupindex if scope.pattern is not None else {}
        absent = dict.fromkeys(key for key in groups if key not in given)
        super().__init__(run, scope, parent, name, str(given.get("path", path)), absent)
        layout = run.ruleset.layout
        many = {child.many: child for child in layout.children(scope.name)}
        self._given = given
        for key, value in given.items():
            if key in many:
                _need(value, list, f"{key} in an example must be a list of what each of them is given")
                made = [_ExampleSubject(run, many[key], self, entry or {}) for entry in value]
                self._values[key] = made
            elif key not in ("files", "raw", "places", *layout.chain(scope.name)):
                self._values[key] = value
        self._values["files"] = _GivenStates(self)
        self._values["raw"] = _GivenRaw(self)

    def _find(self, key: str) -> Any:
        entry = self.run.index[self.scope.name].get(key)
        if entry is not None and entry[0] == "document":
            return [] if entry[1].glob else None
        if entry is not None and entry[0] == "children":
            return []
        return super()._find(key)

    def given(self, section: str) -> Mapping[str, Any]:
        """Return what the example says in `files`, `raw` or `places`."""
        return self._given.get(section) or {}


class _GivenStates(ByFile):
    """File states as an example gives them; a document that it gives exists and has no problem."""

    __slots__ = ()

    def _about(self, name: str, source: Source, owner: Subject) -> dict[str, Any]:
        assert isinstance(owner, _ExampleSubject)
        known = owner.given("files").get(name) or {}
        there = bool(
            known.get("exists", owner.get(name) is not None or known.get("kind", "absent") != "absent")
        )
        path = "/".join(part for part in (owner.path, source.path) if part)
        state = {
            "path": path,
            "name": source.path,
            "exists": there,
            "kind": "file" if there else "absent",
            "readable": there and not known.get("problems"),
            **{entry: [] for entry in (*_PROBLEMS, "folders", "files", "matches")},
            **known,
        }
        for entry in _PROBLEMS:
            state[entry] = [{"path": path, **_PROBLEM, **given} for given in state[entry]]
        return state


class _GivenRaw(ByFile):
    """Documents as written: as an example gives them in `raw`, else what it gives of the document."""

    __slots__ = ()

    def _about(self, name: str, source: Source, owner: Subject) -> Any:
        assert isinstance(owner, _ExampleSubject)
        raw = owner.given("raw")
        return raw[name] if name in raw else owner.get(name)


def subject_of(ruleset: Ruleset, rule: Rule, given: Mapping[str, Any]) -> Subject:
    """Make the subject that an example describes.

    Args:
        ruleset: The rule's ruleset.
        rule: The rule.
        given: Documents, facts, attributes, tables, lists of the subjects below, `files`, `raw`,
            `places`, and under the names of the scopes around it what those know.
    """
    run = _ExampleRun(ruleset, Path("submission"))
    run.places = given.get("places") or {}
    subject: Subject | None = None
    for name in reversed(ruleset.layout.chain(rule.info.scope)):
        own = given if name == rule.info.scope else given.get(name) or {}
        subject = _ExampleSubject(run, ruleset.layout.scopes[name], subject, own)
    assert subject is not None
    return subject


def judge(ruleset: Ruleset, rule: Rule, example: Example) -> Judgement:
    """Judge a rule on the subject of one of its examples; gates play no part."""
    subject = subject_of(ruleset, rule, example.given)
    return Judge(ruleset, subject.run, keep_going=True).judge(rule, subject)


def shortcomings(ruleset: Ruleset, rule: Rule, example: Example) -> list[str]:
    """Return in which ways an example does not come out as it says; empty if it does."""
    try:
        judgement = judge(ruleset, rule, example)
    except EvaluationError as error:
        return [error.message]
    return shortfalls(example, judgement)


def shortfalls(example: Example, judgement: Judgement) -> list[str]:
    """Return in which ways a judgement is not what an example says; empty if it is."""
    results = judgement.results
    failed = [result.message for result in results if result.verdict is Verdict.ERROR]
    if failed:
        return failed
    broken = [result for result in results if result.verdict is Verdict.BROKEN]
    wrong = {
        "passed": f"is broken: {broken[0].message}"
        if broken
        else ""
        if results
        else judgement.reason and f"is not checked: {judgement.reason}",
        "broken": "" if broken else "is not broken",
        "not_checked": "" if not results and judgement.reason else "is checked",
    }[example.kind]
    if wrong:
        return [wrong]
    found = broken if example.kind == "broken" else results
    missed = []
    if example.message is not None and example.message not in [result.message for result in found]:
        missed.append(f"says {[result.message for result in found]!r}, not {example.message!r}")
    if example.severity is not None and example.severity not in [result.severity.value for result in found]:
        missed.append(f"has severity {[result.severity.value for result in found]!r}, not {example.severity}")
    if example.at is not None and example.at not in [_place(result) for result in found]:
        missed.append(f"points at {[_place(result) for result in found]!r}, not {example.at!r}")
    return missed


def _place(result: CheckResult) -> str:
    """Write where a result points, as examples do."""
    pointer = f"#{result.pointer}" if result.pointer else ""
    return f"{result.location}{pointer}" if result.location else "nowhere"
