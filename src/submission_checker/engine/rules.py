"""A rule, a fact and a gate as the engine holds them: parsed from YAML, compiled on first use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol, TypeAlias

from submission_checker.engine.expressions import Expression, Names, Template
from submission_checker.engine.extraction import Path
from submission_checker.engine.model import RuleInfo, Severity

Functions = Mapping[str, Callable[..., Any]]


class Compute:
    """A named value by expression."""

    def __init__(self, source: str, functions: Functions):
        self.source = source
        self._functions = functions

    @cached_property
    def expression(self) -> Expression:
        """The compiled expression.

        Raises:
            ExpressionError: where it is not part of the language.
        """
        return Expression(self.source, self._functions)

    def names(self) -> tuple[str, ...]:
        """Return the names that the value depends on."""
        return self.expression.names

    def evaluate(self, names: Names) -> Any:
        """Return the value for the given names."""
        return self.expression.evaluate(names)

    def decide(self, names: Names) -> bool:
        """Return the value, which must be exactly true or false."""
        return self.expression.decide(names)

    def value(self, names: Names, subject: Looked) -> Any:
        """Return the value for a subject and its names."""
        return self.expression.evaluate(names)


class Extract:
    """A named value by JMESPath, over the subject or over another named value."""

    def __init__(self, source: str, of: str | None = None):
        self.source = source
        self.of = of

    @cached_property
    def path(self) -> Path:
        """The compiled path.

        Raises:
            ExpressionError: where it is no JMESPath.
        """
        return Path(self.source)

    def names(self) -> tuple[str, ...]:
        """Return the names that the value depends on (subject entries are no names)."""
        return () if self.of is None else (self.of,)

    def value(self, names: Names, subject: Looked) -> Any:
        """Return the value for a subject and its names."""
        return self.path.search(subject if self.of is None else names[self.of])


class Locate:
    """A named value that tells what stands at a path below the submission's root."""

    def __init__(self, source: str, functions: Functions):
        self.text = Compute(source, functions)
        self.source = source

    def names(self) -> tuple[str, ...]:
        """Return the names that the value depends on."""
        return self.text.names()

    def value(self, names: Names, subject: Looked) -> Any:
        """Return the value for a subject and its names."""
        return subject.place(self.text.evaluate(names))


@dataclass(frozen=True, slots=True)
class Constant:
    """A parameter's value."""

    constant: Any

    def names(self) -> tuple[str, ...]:
        """Return the names that the value depends on: none."""
        return ()

    def value(self, names: Names, subject: Looked) -> Any:
        """Return the value for a subject and its names."""
        return self.constant


class Looked(Protocol):
    """What a definition looks at: a subject."""

    def place(self, text: Any) -> dict[str, Any]:
        """Tell what stands at a path below the root."""


Definition: TypeAlias = Compute | Extract | Locate | Constant


def definition(raw: Any, functions: Functions) -> Definition:
    """Make a definition of `let:` or `facts.yaml`: a text is an expression, a mapping says which kind."""
    if isinstance(raw, Mapping):
        if "path" in raw:
            return Extract(raw["path"], raw.get("of"))
        if "place" in raw:
            return Locate(raw["place"], functions)
        return Compute(raw["expr"], functions)
    return Compute(raw, functions)


class Message:
    """A message, compiled on first use."""

    def __init__(self, source: str):
        self.source = source

    @cached_property
    def template(self) -> Template:
        """The compiled message."""
        return Template(self.source)


@dataclass(frozen=True, slots=True, kw_only=True)
class At:
    """Where findings point: a document of the subject and a pointer into it, or what expressions say."""

    document: str | None = None
    keys: tuple[str, ...] = ()
    """The way to the value inside the document."""
    file: Compute | None = None
    """Gives a path below the root, or null for no place."""
    pointer: Compute | None = None
    place: Compute | None = None
    """Gives a mapping with `path` and maybe `pointer`, `line`, `column`, such as a problem of a file."""
    nowhere: bool = False

    def expressions(self) -> Iterator[Compute]:
        """Yield the expressions that the place depends on."""
        for part in (self.file, self.pointer, self.place):
            if part is not None:
                yield part


def at(raw: Any, functions: Functions) -> At:
    """Make a place of `at:`: `document.key.key`, `nowhere`, or a mapping of expressions."""
    if isinstance(raw, Mapping):
        parts = {key: _compute(raw.get(key), functions) for key in ("file", "pointer", "place")}
        return At(
            document=raw.get("document"), file=parts["file"], pointer=parts["pointer"], place=parts["place"]
        )
    if raw == "nowhere":
        return At(nowhere=True)
    keys = Path(raw).keys
    if keys is None:
        return At(document=str(raw))
    return At(document=keys[0], keys=keys[1:])


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that must hold, and what to say of it."""

    when: Compute | None
    require: Compute | None
    """None: the check reports whenever it applies."""
    severity: Severity
    broken: Message
    passed: Message | None
    at: At | None
    last: bool
    """Whether the checks after it are skipped once it applied."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForEach:
    """One judgement for each item of a list."""

    name: str
    items: Compute
    distinct: bool


@dataclass(slots=True, kw_only=True)
class Rule:
    """One requirement of the policy."""

    info: RuleInfo
    where: Compute | None
    for_each: ForEach | None
    definitions: dict[str, Definition]
    """Parameters, extracted names and `let`, in the order of the file."""
    when: Compute | None
    checks: list[Check]
    passed: Message | None
    report_all: bool
    at: At | None
    raw: dict[str, Any] = field(repr=False)
    """The rule as written, overlays applied."""
    constants: dict[str, Any] = field(default_factory=dict)
    """The parameters' values."""

    @property
    def id(self) -> str:
        """The rule's id."""
        return self.info.id

    @property
    def aliases(self) -> list[str]:
        """Names that the same check has elsewhere or had before."""
        return list(self.raw.get("aliases", []))

    def expressions(self) -> Iterator[tuple[tuple[str | int, ...], Compute]]:
        """Yield every expression with the place of it in the file."""
        for key in ("where", "when"):
            part = getattr(self, key)
            if part is not None:
                yield (key,), part
        if self.for_each is not None:
            yield ("for_each", "in"), self.for_each.items
        for name, entry in self.definitions.items():
            if isinstance(entry, Compute):
                yield ("let", name), entry
            elif isinstance(entry, Locate):
                yield ("let", name), entry.text
        single = "checks" not in self.raw
        for index, check in enumerate(self.checks):
            where: tuple[str | int, ...] = () if single else ("checks", index)
            if check.when is not None:
                yield (*where, "when"), check.when
            if check.require is not None:
                yield (*where, "require"), check.require
            if check.at is not None:
                yield from (((*where, "at"), part) for part in check.at.expressions())
        if self.at is not None:
            yield from ((("at",), part) for part in self.at.expressions())

    def messages(self) -> Iterator[tuple[tuple[str | int, ...], Message]]:
        """Yield every message with the place of it in the file."""
        single = "checks" not in self.raw
        for index, check in enumerate(self.checks):
            where: tuple[str | int, ...] = () if single else ("checks", index)
            yield (*where, "broken"), check.broken
            if check.passed is not None:
                yield (*where, "passed"), check.passed
        if self.passed is not None:
            yield ("passed",), self.passed

    def paths(self) -> Iterator[tuple[tuple[str | int, ...], Extract]]:
        """Yield every JMESPath with the place of it in the file."""
        extracted = self.raw.get("extract", {})
        for name, entry in self.definitions.items():
            if isinstance(entry, Extract):
                yield ("extract" if name in extracted else "let", name), entry


def rule(raw: dict[str, Any], *, family: str, source: str, functions: Functions) -> Rule:
    """Make a rule of the content of a rule file (valid by its schema)."""
    severity = Severity(raw.get("severity", "error"))
    info = RuleInfo(
        id=raw["id"],
        title=raw.get("title", ""),
        family=family,
        scope=raw["scope"],
        severity=severity.value,
        action=raw.get("action"),
        clauses=tuple(str(clause) for clause in raw.get("clauses", ())),
        row=raw.get("row"),
        hint=_flat(raw.get("hint")),
        why=_flat(raw.get("why")),
        source=source,
    )
    each = raw.get("for_each")
    single = {key: raw[key] for key in ("require", "broken") if key in raw}
    # Without any check there is only what `passed` states.
    written = raw.get("checks") or ([single] if single else [])
    return Rule(
        info=info,
        where=_compute(raw.get("where"), functions),
        for_each=ForEach(
            name=each["each"], items=Compute(each["in"], functions), distinct=each.get("distinct", False)
        )
        if each
        else None,
        definitions=_definitions(raw, functions),
        when=_compute(raw.get("when"), functions),
        checks=[_check(entry, severity, functions) for entry in written],
        passed=Message(raw["passed"]) if raw.get("passed") else None,
        report_all=raw.get("report") == "all",
        at=at(raw["at"], functions) if "at" in raw else None,
        raw=raw,
        constants=dict(raw.get("params", {})),
    )


def _definitions(raw: Mapping[str, Any], functions: Functions) -> dict[str, Definition]:
    """Make the names of a rule, in the order in which they may use each other."""
    found: dict[str, Definition] = {name: Constant(value) for name, value in raw.get("params", {}).items()}
    found |= {name: Extract(path) for name, path in raw.get("extract", {}).items()}
    found |= {name: definition(entry, functions) for name, entry in raw.get("let", {}).items()}
    return found


def _flat(text: str | None) -> str | None:
    return None if text is None else " ".join(text.split())


def _compute(source: Any, functions: Functions) -> Compute | None:
    if source is None:
        return None
    # `when: true` is YAML's boolean; the language writes True.
    return Compute(str(source) if isinstance(source, bool) else source, functions)


def _check(raw: Mapping[str, Any], severity: Severity, functions: Functions) -> Check:
    return Check(
        when=_compute(raw.get("when"), functions),
        require=_compute(raw.get("require"), functions),
        severity=Severity(raw["severity"]) if "severity" in raw else severity,
        broken=Message(raw.get("broken", "")),
        passed=Message(raw["passed"]) if raw.get("passed") else None,
        at=at(raw["at"], functions) if "at" in raw else None,
        last=raw.get("last", False),
    )


@dataclass(slots=True, kw_only=True)
class Gate:
    """What a broken rule hides: the rules below a subject that would only repeat it."""

    after: tuple[str, ...]
    """Rules; one of them broken closes the gate."""
    stops: str
    """The scope whose subjects, and all below, are held back."""
    when: Compute | None
    """Asked of the stopped subject besides."""
    rules: frozenset[str]
    """Ids of the rules that it holds back."""
    on_warning: bool = False
    """Whether a warning closes it too; otherwise only an error does."""
    because: str = ""


@dataclass(slots=True, kw_only=True)
class Fact:
    """A shared definition."""

    name: str
    scope: str
    definition: Definition
    doc: str = ""
