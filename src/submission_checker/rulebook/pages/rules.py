"""A page for each rule, and the list of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from submission_checker.bench.examples import Trial
from submission_checker.engine import source
from submission_checker.engine.examples import Example
from submission_checker.engine.judge import Judgement
from submission_checker.engine.model import Verdict
from submission_checker.engine.rules import Constant, Rule
from submission_checker.rulebook import markdown as md
from submission_checker.rulebook.book import Book, first_line, page_of_function
from submission_checker.rulebook.pages import tables

_WRITTEN = ("where", "for_each", "params", "extract", "let", "when", "require", "broken", "checks", "report",
            "passed", "at")  # fmt: skip
"""Keys of a rule that say what it asks, in the order in which they take effect."""
_WIDE = 90
"""Characters of a line of an example."""
_LONG = 5
"""Items of a list that are shown as the value of a limit."""
_SEVERITIES = {
    "error": "**error**: the check fails (exit code 1)",
    "warning": "**warning**: it is reported, and the check fails with `--strict` only",
}
_DIFFERS = {
    "stricter": "**Stricter than the policy**: the checker fails where the policy does not reject",
    "milder": "**Milder than the policy**: the checker only warns where the policy rejects",
}


def pages(book: Book) -> Iterator[tuple[str, str]]:
    """Yield the pages of the rules of a ruleset."""
    yield book.index("rules"), _index(book)
    for rule in book.rules.values():
        yield book.page_of_rule(rule.id), _Page(book, rule).text()


def _index(book: Book) -> str:
    here = book.index("rules")
    blocks = [
        first_line(f"rules/{book.id}/"),
        "# Rules",
        f"{len(book.rules)} rules of {book.titled(here)}, by what they look at, in the order of reports.",
    ]
    for family, members in groupby(book.rules.values(), key=lambda rule: rule.info.family):
        title = book.ruleset.info.families.get(family, family)
        blocks += [f"## {md.text(title)}", rule_table(book, [rule.id for rule in members], here)]
    return md.page(blocks)


def rule_table(book: Book, rules: Sequence[str], here: str) -> str:
    """List rules with what they ask and what follows."""
    rows = []
    for name in rules:
        info = book.rules[name].info
        rows.append(
            (
                book.rule(name, here), book.prose(info.title, here), severity(book, name),
                md.code(info.action or ""), book.clause_list(info.clauses, here),
            )
        )  # fmt: skip
    return md.table(("Rule", "Holds when", "Checker", "Policy", "Clauses"), rows)


def severity(book: Book, rule: str) -> str:
    """Say what the checker does where a rule is broken, and whether the policy does something else."""
    differs = book.differs(rule)
    return book.rules[rule].info.severity + (f" ({differs})" if differs else "")


class _Page:
    """The page of one rule."""

    def __init__(self, book: Book, rule: Rule):
        self.book = book
        self.rule = rule
        self.here = book.page_of_rule(rule.id)
        self.described = book.described_rules[rule.id]
        self.used = book.usages.rules[rule.id]
        self.outcomes = Trial(book.ruleset, rule).judge(rule)

    def text(self) -> str:
        """Return the page."""
        book, here, info = self.book, self.here, self.rule.info
        family = book.ruleset.info.families.get(info.family, info.family)
        blocks = [
            first_line(f"rules/{info.source}"),
            f"# {info.id}",
            " · ".join(
                [
                    book.named(here),
                    md.link("Rules", book.index("rules"), here),
                    md.text(family),
                ]
            ),
            f"**{book.prose(info.title, here)}**",
            self._facts(),
            *self._section("What it asks", [book.prose(self.described["sentence"], here)]),
            *self._section("How to fix it", [book.prose(info.hint or "", here)]),
            *self._section("Why it exists", [book.prose(info.why or "", here)]),
            *self._section("Worth knowing", [self._notes()]),
            *self._section("Condition, as written", [self._condition()]),
            *self._section("Limits", [self._limits()]),
            *self._section("Names in it", [self._names()]),
            *self._section("Passes", self._examples("passed")),
            *self._section("Breaks", self._examples("broken")),
            *self._section("Is not checked", self._not_checked()),
            *self._section("Holds back", [self._holds()]),
            *self._section("Functions", [self._functions()]),
            *self._section("Differences from the reference", [self._deviations()]),
        ]  # fmt: skip
        return md.page(blocks)

    def _section(self, title: str, blocks: Iterable[str]) -> list[str]:
        kept = [block for block in blocks if block]
        return [f"## {title}", *kept] if kept else []

    def _facts(self) -> str:
        book, here, info = self.book, self.here, self.rule.info
        scope = book.ruleset.layout.scopes[info.scope]
        looked = f"{info.scope.replace('_', ' ')}, {md.code(book.folder_of(info.scope))}"
        if scope.doc:
            looked += f": {book.prose(scope.doc, here)}"
        row = self.described["row"]
        rows = [
            ("Clauses", ", ".join(book.clause(number, here, title=True) for number in info.clauses)),
            ("Row of the checks", "" if row is None else self._row(row)),
            ("If it is broken", self._severity()),
            ("What the policy does", self._action()),
            ("Looks at each", looked),
            ("Reads", self._files()),
            ("Also called", ", ".join(md.code(alias) for alias in self.rule.aliases)),
            ("Written in", book.source(info.source, here)),
        ]
        return md.table(("", ""), [(label, value) for label, value in rows if value])

    def _row(self, row: Mapping[str, Any]) -> str:
        name = md.link(md.text(row["name"]), f"{self.book.coverage}#{row_anchor(row['name'])}", self.here)
        return f"{name}: {self.book.prose(row.get('asks', ''), self.here)}"

    def _severity(self) -> str:
        info = self.rule.info
        said = _SEVERITIES.get(info.severity, info.severity)
        others = {check.severity.value for check in self.rule.checks} - {info.severity}
        if others:
            said += f"; some of its checks say {' and '.join(sorted(others))}"
        return said

    def _action(self) -> str:
        info = self.rule.info
        if info.action is None:
            return ""
        action = self.book.actions.get(info.action, {})
        meaning = self.book.prose(action.get("doc", ""), self.here)
        said = f"{md.code(info.action)}, {md.text(action.get('label', ''))}: {meaning}"
        differs = self.book.differs(self.rule.id)
        return f"{said} {_DIFFERS[differs]}." if differs else said

    def _files(self) -> str:
        layout = self.book.ruleset.layout
        order = [*layout.documents, *layout.places]
        names = [name for name in order if name in self.used.documents]
        return ", ".join(self.book.document(name, self.here) for name in names)

    def _notes(self) -> str:
        return md.bullets(self.book.prose(note, self.here) for note in self.described["notes"])

    def _condition(self) -> str:
        raw = self.rule.raw
        written = _as_written(self.book, self.rule)
        return md.block(
            written or "\n".join(_dumped(key, raw[key]) for key in _WRITTEN if key in raw), "yaml"
        )

    def _limits(self) -> str:
        rows = [
            (md.code(name), md.code(md.as_yaml(entry.constant, flow=True)), "parameter of the rule")
            for name, entry in self.rule.definitions.items()
            if isinstance(entry, Constant)
        ]
        return md.table(("Limit", "Value", "Meaning"), [*rows, *self._entries()])

    def _entries(self) -> Iterator[tuple[str, str, str]]:
        """Yield the entries of tables that the rule rests on, directly or through facts."""
        for place in sorted(self.used.entries):
            label = md.code(".".join(place))
            anchored = tables.page_of_entry(self.book, place)
            entry = tables.entry(self.book, place)
            if entry is None:
                continue
            value, meaning = entry
            shown = "see there" if _is_long(value) else md.code(md.as_yaml(value, flow=True))
            yield md.link(label, anchored, self.here), shown, self.book.prose(meaning, self.here)

    def _names(self) -> str:
        rows = [*self._bound(), *self._shared()]
        return md.table(("Name", "Is", ""), rows)

    def _bound(self) -> Iterator[tuple[str, str, str]]:
        for entry in self.described["names"]:
            what = {"path": "", "expression": "", "place": "what stands at "}[entry["kind"]]
            of = f" of {md.code(entry['of'])}" if "of" in entry else ""
            source = self._path(entry["source"]) if entry["kind"] == "path" else md.code(entry["source"])
            yield (
                md.code(entry["name"]),
                f"{what}{source}{of}",
                self.book.prose(entry.get("doc", ""), self.here),
            )

    def _path(self, source: str) -> str:
        document, _, path = source.removeprefix("raw.").partition(".")
        linked = self.book.field(document, path, self.here)
        return linked if linked.startswith("[") and not source.startswith("raw.") else md.code(source)

    def _shared(self) -> Iterator[tuple[str, str, str]]:
        direct = self.book.usages.direct[self.rule.id]
        for scope, name in direct.facts:
            fact = self.book.ruleset.facts[scope][name]
            link = md.link(f"fact of the {scope}", f"{self.book.root}/facts.md#{scope}.{name}", self.here)
            yield md.code(name), link, self.book.prose(fact.doc, self.here)

    def _not_checked(self) -> Iterator[str]:
        yield from self._conditions_first()
        yield from self._examples("not_checked")
        yield self._held()

    # Examples.

    def _examples(self, kind: str) -> Iterator[str]:
        for example, judgement in self.outcomes:
            if example.kind == kind:
                yield from self._example(example, judgement)

    def _example(self, example: Example, judgement: Judgement) -> Iterator[str]:
        yield md.block(_given(example.given) if example.given else "# nothing is given", "yaml")
        yield "\n>\n".join(f"> {said}" for said in _said(example, judgement))

    def _conditions_first(self) -> Iterator[str]:
        raw = self.rule.raw
        for key, words in (("where", "It looks only at those for which"), ("when", "It says nothing unless")):
            if key in raw and not isinstance(raw[key], bool):
                yield f"{words} {md.code(str(raw[key]))}."

    def _held(self) -> str:
        said = []
        for gate in self.book.ruleset.gates:
            if self.rule.id in gate.rules:
                after = " or ".join(self.book.rule(rule, self.here) for rule in gate.after)
                at_least = " (a warning is enough)" if gate.on_warning else ""
                when = f", if {md.code(gate.when.source)}" if gate.when is not None else ""
                scope = gate.stops.replace("_", " ")
                said.append(f"while {after} is broken{at_least} on the {scope}{when}")
        return (
            f"Held back:\n\n{md.bullets(said)}\n\n`check --keep-going` checks it all the same."
            if said
            else ""
        )

    def _holds(self) -> str:
        said = []
        for gate in self.book.ruleset.gates:
            if self.rule.id in gate.after and gate.rules:
                scope = gate.stops.replace("_", " ")
                when = f" if {md.code(gate.when.source)}" if gate.when is not None else ""
                names = [rule for rule in self.book.rules if rule in gate.rules]
                because = f" {self.book.prose(gate.because, self.here)}" if gate.because else ""
                said.append(
                    f"On the {scope}{when}, not checked while it is broken ({len(names)}):{because} "
                    f"{self.book.rule_list(names, self.here)}"
                )
        return md.bullets(said)

    def _functions(self) -> str:
        items = []
        for function in self.described["functions"]:
            linked = md.link(md.code(function["signature"]), page_of_function(function["name"]), self.here)
            items.append(f"{linked}: {self.book.prose(function['does'], self.here)}")
        return md.bullets(items)

    def _deviations(self) -> str:
        return md.bullets(
            self.book.prose(found.why, self.here) for found in self.book.deviations_of(self.rule.id)
        )


def _as_written(book: Book, rule: Rule) -> str | None:
    """Return what the rule's file says of the condition; None where a later ruleset changed some of it."""
    file = next(
        (f for f in (layer.parent / rule.info.source for layer in book.ruleset.chain) if f.is_file()), None
    )
    if file is None:
        return None
    content, _ = source.load(file)
    if any(content.get(key) != rule.raw.get(key) for key in _WRITTEN):
        return None
    kept: list[str] = []
    comments: list[str] = []
    keeps = False
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            comments.append(line)
            continue
        if line[:1].strip():
            keeps = line.split(":")[0] in _WRITTEN
        kept += [*comments, line] if keeps else []
        comments = []
    return "\n".join(kept)


def _dumped(key: str, value: Any) -> str:
    """Write a part of a rule."""
    if isinstance(value, str):
        return (
            f"{key}: {md.as_yaml(value.strip(), flow=True)}"
            if "\n" not in value.strip()
            else f"{key}: >-\n  {value.strip()}"
        )
    return md.as_yaml({key: value})


def _said(example: Example, judgement: Judgement) -> Iterator[str]:
    """Yield what comes out of an example."""
    for result in judgement.results:
        kind = "passed" if result.verdict is Verdict.PASSED else result.severity.value
        yield f"**{kind}:** {md.code(result.message)}"
    if not judgement.results:
        yield "*not checked*" if example.kind == "not_checked" else "*nothing is reported*"


def _given(given: Mapping[str, Any]) -> str:
    """Write what an example gives, an entry a line where it is short."""
    lines = []
    for key, value in given.items():
        line = md.as_yaml({key: value}, flow=True)[1:-1]
        lines.append(line if len(line) <= _WIDE and "\n" not in line else md.as_yaml({key: value}))
    return "\n".join(lines)


def _is_long(value: Any) -> bool:
    if isinstance(value, Mapping):
        return True
    return isinstance(value, list) and (
        len(value) > _LONG or any(isinstance(v, Mapping | list) for v in value)
    )


def row_anchor(name: str) -> str:
    """Return the mark of a row of the table of checks."""
    return "row-" + "".join(c if c.isalnum() else "-" for c in name.lower())
