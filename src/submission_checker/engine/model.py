"""What passes between the steps of a check: verdicts, results and the report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any


class Severity(str, Enum):
    """What a result means for the outcome of the check."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Verdict(str, Enum):
    """What a rule says of a subject."""

    PASSED = "passed"
    BROKEN = "broken"
    NOT_CHECKED = "not_checked"
    ERROR = "error"
    """The rule could not be evaluated: neither a pass nor a violation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleInfo:
    """What a reader of a result may want to know of its rule."""

    id: str
    title: str = ""
    family: str = ""
    scope: str = ""
    severity: str = "error"
    action: str | None = None
    """What the policy does with a submission that breaks the rule: a key of the ruleset's `actions`."""
    clauses: tuple[str, ...] = ()
    row: str | None = None
    hint: str | None = None
    why: str | None = None
    source: str = ""
    """The rule file, relative to the rulesets' folder."""
    page: str | None = None
    """Address of the rule's documentation, where the ruleset says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiver:
    """A decision of people to let findings of one rule stand, with its reason."""

    rule: str
    where: str
    reason: str
    approved_by: str
    expires: str


@dataclass(frozen=True, slots=True)
class CheckResult:
    """A rule's verdict on one subject, complete with its place and its clause."""

    rule: str
    message: str
    severity: Severity = Severity.ERROR
    path: Path | None = None
    spec_ref: str = ""
    verdict: Verdict = Verdict.BROKEN
    location: str = ""
    """`path` relative to the submission's root, `.` for the root itself, empty for no place."""
    pointer: str | None = None
    """JSON pointer into the document at `path`."""
    line: int | None = None
    column: int | None = None
    subject: str = ""
    """Folder of the subject, relative to the submission's root (`.` for the root)."""
    info: RuleInfo = field(default=RuleInfo(id=""), repr=False)
    waiver: Waiver | None = None

    @property
    def passed(self) -> bool:
        """Whether the result is no error (a warning does not fail a check)."""
        return self.severity is not Severity.ERROR

    @property
    def clauses(self) -> tuple[str, ...]:
        """Numbers of the policy clauses behind the rule."""
        return self.info.clauses

    @property
    def action(self) -> str | None:
        """The policy's own failure action."""
        return self.info.action

    @property
    def hint(self) -> str | None:
        """What to do about it."""
        return self.info.hint

    def model_dump(self) -> dict[str, Any]:
        """Return the result as plain data: the keys of the documented API first, then ours."""
        return _dump_result(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """Rules that a gate held back at one subject, and why."""

    subject: str
    because: tuple[str, ...]
    """Ids of the broken rules that close the gate."""
    rules: tuple[str, ...]
    """Ids of the rules that were not checked, in the ruleset's order."""
    places: int = 1
    """How many judgements that is (rules times the subjects below)."""
    counts: Mapping[str, int] = field(default_factory=dict, hash=False)
    """The same for each of the rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotApplicable:
    """A rule that had nothing to say about a subject (`when` or `where` was false)."""

    rule: str
    subject: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesetInfo:
    """Which rules were laid over the submission."""

    id: str
    title: str = ""
    policy: str = ""
    """Policy document and commit that the rules were written from."""
    rules: int = 0
    """How many rules were in force."""
    tailoring: tuple[str, ...] = ()
    """What a tailoring file changed, a sentence each."""
    families: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Titles of the families of rules, in the ruleset's order."""
    actions: Mapping[str, str] = field(default_factory=dict, hash=False)
    """What each failure action means, in words that follow "if it stands: "."""
    clauses: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Titles of the clauses that the rules serve."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """An axis of a chart."""

    label: str
    log: bool = False
    unit: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartPoint:
    """A point of a series; without `y` it is listed, not drawn."""

    x: float
    y: float | None
    label: str = ""
    subject: str = ""
    """Folder of the subject the point stands for; its findings colour the point."""
    mark: str = ""
    """What is special about the point, in a word or two; each mark gets its own shape and legend entry."""
    values: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Further values to show for the point, already formatted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """Points that belong together, drawn in the order of x."""

    label: str
    points: tuple[ChartPoint, ...]
    line: str = "straight"
    """`straight`; `after` or `before`: steps that keep a point's value to its right or left; `none`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """A named interval of the x axis, both ends included."""

    label: str
    start: float
    end: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A picture of the measurements under a check, for renderers that can draw."""

    title: str
    subject: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    bands: tuple[Band, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Measurements in rows, every cell already formatted."""

    title: str
    subject: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class Report:
    """The outcome of one check."""

    submission_path: Path
    results: list[CheckResult] = field(default_factory=list)
    held: list[Held] = field(default_factory=list)
    not_applicable: list[NotApplicable] = field(default_factory=list)
    ruleset: RulesetInfo = field(default=RulesetInfo(id=""))
    notes: list[str] = field(default_factory=list)
    """Things to tell the user that are no finding, such as which ruleset was chosen and why."""
    unused_waivers: tuple[int, ...] = ()
    """Numbers (from 0) of the tailoring's waivers that match no finding, where that is let pass."""
    rules: tuple[RuleInfo, ...] = ()
    """Every rule in force, in the ruleset's order: what was to be checked."""
    charts: list[Chart] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    checker: str = ""
    """Name and version of the program that wrote the report."""

    @property
    def errors(self) -> list[CheckResult]:
        """Results of severity error that nobody waived, in order."""
        return [r for r in self.results if r.severity is Severity.ERROR and r.waiver is None]

    @property
    def warnings(self) -> list[CheckResult]:
        """Results of severity warning that nobody waived, in order."""
        return [r for r in self.results if r.severity is Severity.WARNING and r.waiver is None]

    @property
    def waived(self) -> list[CheckResult]:
        """Findings that a waiver lets stand."""
        return [r for r in self.results if r.waiver is not None]

    @property
    def incomplete(self) -> list[CheckResult]:
        """Results that say a rule could not be evaluated."""
        return [r for r in self.results if r.verdict is Verdict.ERROR]

    @property
    def passed(self) -> bool:
        """Whether there is no error and something was checked at all."""
        return bool(self.results) and not self.errors

    def exit_code(self, *, strict: bool = False) -> int:
        """0 passed, 1 broken, 3 could not be completed."""
        if self.incomplete:
            return 3
        if self.passed and not (strict and self.warnings):
            return 0
        return 1

    def model_dump(self) -> dict[str, Any]:
        """Return the report as plain data: the keys of the documented API first, then ours."""
        return {
            "submission_path": str(self.submission_path),
            "results": [r.model_dump() for r in self.results],
            "errors": [r.model_dump() for r in self.errors],
            "warnings": [r.model_dump() for r in self.warnings],
            "passed": self.passed,
            "ruleset": {
                "id": self.ruleset.id,
                "title": self.ruleset.title,
                "policy": self.ruleset.policy,
                "rules": self.ruleset.rules,
                "tailoring": list(self.ruleset.tailoring),
            },
            "waived": [r.model_dump() for r in self.waived],
            "held": [
                {"subject": h.subject, "because": list(h.because), "rules": list(h.rules), "places": h.places}
                for h in self.held
            ],
            "notes": list(self.notes),
        }

    def model_dump_json(self, *, indent: int | None = None) -> str:
        """Return the report as JSON text.

        Args:
            indent: Spaces for each level; None writes one line.
        """
        import json

        separators = (",", ":") if indent is None else None
        text = json.dumps(self.model_dump(), indent=indent, ensure_ascii=False, separators=separators)
        return encodable(text)

    @classmethod
    def model_validate(cls, data: Mapping[str, Any]) -> Report:
        """Make a report of what `model_dump` gave, or of the reference checker's.

        Args:
            data: The report as plain data. What follows from the results is worked out anew.

        Raises:
            ValueError: where it is no report.
        """
        try:
            root = Path(data["submission_path"])
            ruleset = {**data.get("ruleset", {"id": ""})}
            held = [
                Held(**{**h, "because": tuple(h["because"]), "rules": tuple(h["rules"])})
                for h in data.get("held", ())
            ]
            return cls(
                submission_path=root,
                results=[_read_result(result, root) for result in data.get("results", ())],
                held=held,
                ruleset=RulesetInfo(**{**ruleset, "tailoring": tuple(ruleset.get("tailoring", ()))}),
                notes=list(data.get("notes", ())),
            )
        except (TypeError, KeyError, AttributeError, ValueError) as error:
            raise ValueError(f"this is no report of a check: {type(error).__name__} {error}") from None

    @classmethod
    def model_validate_json(cls, text: str | bytes) -> Report:
        """Read a report from JSON text, as `model_validate` does.

        Raises:
            ValueError: where it is no report, or no JSON.
        """
        import json

        return cls.model_validate(json.loads(text))


def encodable(text: str) -> str:
    r"""Write halves of characters as escapes: no encoding takes them, and a folder's name may hold any.

    >>> encodable("r\udcff")
    'r\\udcff'
    """
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def _read_result(data: Mapping[str, Any], root: Path) -> CheckResult:
    """Make a result of plain data; a report of the reference checker has the first keys only."""
    severity = Severity(data["severity"])
    path = None if data.get("path") is None else Path(data["path"])
    rule, waiver = data["rule"], data.get("waiver")
    inside = path is not None and path.is_relative_to(root)
    return CheckResult(
        rule=rule,
        message=data["message"],
        severity=severity,
        path=path,
        spec_ref=data.get("spec_ref", ""),
        verdict=Verdict(data.get("verdict", "passed" if severity is Severity.INFO else "broken")),
        location=data.get("location", str(path.relative_to(root)) if path is not None and inside else ""),
        pointer=data.get("pointer"),
        line=data.get("line"),
        column=data.get("column"),
        subject=data.get("subject", ""),
        info=RuleInfo(
            id=rule,
            title=data.get("title", ""),
            family=data.get("family", ""),
            action=data.get("action"),
            clauses=tuple(data.get("clauses", ())),
            hint=data.get("hint"),
        ),
        waiver=None if waiver is None else Waiver(rule=rule, **waiver),
    )


def _dump_result(result: CheckResult) -> dict[str, Any]:
    """One result as plain data."""
    waiver = result.waiver
    return {
        "rule": result.rule,
        "message": result.message,
        "severity": result.severity.value,
        "path": None if result.path is None else str(result.path),
        "spec_ref": result.spec_ref,
        "passed": result.passed,
        "verdict": result.verdict.value,
        "title": result.info.title,
        "clauses": list(result.clauses),
        "action": result.action,
        "family": result.info.family,
        "location": result.location,
        "pointer": result.pointer,
        "line": result.line,
        "column": result.column,
        "subject": result.subject,
        "hint": result.hint,
        "waiver": None
        if waiver is None
        else {
            "where": waiver.where,
            "reason": waiver.reason,
            "approved_by": waiver.approved_by,
            "expires": waiver.expires,
        },
    }
