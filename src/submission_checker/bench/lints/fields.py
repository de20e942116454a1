"""Fields, words and kinds that no submission can have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from submission_checker.bench.cases import Place, RuleCase, RulesetCase
from submission_checker.bench.inference import Subject
from submission_checker.bench.lint import Found, Lint, LookAtRule, LookAtRuleset
from submission_checker.bench.meanings import UNKNOWN, Listed, Meaning, UndescribedError
from submission_checker.engine.errors import did_you_mean


def _doubts(lint: str) -> tuple[LookAtRule, LookAtRuleset]:
    """Return what reports the doubts of one lint, in rules and in facts."""

    def of_rule(case: RuleCase) -> Iterator[Found]:
        return (Found(place, doubt.message) for place, doubt in case.doubts if doubt.lint == lint)

    def of_facts(case: RulesetCase) -> Iterator[Found]:
        for place, doubt in case.fact_doubts:
            if doubt.lint == lint and place in case.marks["facts"].places:
                yield Found(place, doubt.message, "facts")

    return of_rule, of_facts


def _fields_and_places(case: RuleCase) -> Iterator[Found]:
    yield from _IN_EXPRESSIONS[0](case)
    places: list[tuple[Place, Any]] = [(("at",), case.rule.at)]
    places += [(("checks", index, "at"), check.at) for index, check in enumerate(case.rule.checks)]
    for place, at in places:
        if at is None or at.document is None or not at.keys:
            continue
        found: Meaning = case.known.subject(case.rule.info.scope).entry(at.document)
        try:
            for key in at.keys:
                found = found.entry(key)
        except UndescribedError as error:
            yield Found(place, f"{error} in `{'.'.join((at.document, *at.keys))}`")


_IN_EXPRESSIONS = _doubts("unknown-field")

UNKNOWN_FIELD = Lint(
    id="unknown-field",
    title="A field that the document's schema, a table or the layout does not describe",
    chapter="fields",
    why="""\
A field that nothing describes is null in every submission: a rule over it can never fire, and stays
green for years. Paths, `at`, entries in expressions and in messages are held against the schemas of
documents, the content of tables and the names of subjects. If the field is right, describe it in the
schema first.""",
    bad="""\
extract: {books: card.boks}
when: books is not None
require: books > 0
broken: "{books} books"
""",
    good="""\
extract: {books: card.books}
when: books is not None
require: books > 0
broken: "{books} books"
""",
    rule=_fields_and_places,
    ruleset=_IN_EXPRESSIONS[1],
)

_WORDS = _doubts("unknown-word")

UNKNOWN_WORD = Lint(
    id="unknown-word",
    title="A comparison with a word that the value can never be",
    chapter="fields",
    why="""\
Where a schema lists the words of a field, or the engine does (`files.X.kind`), a comparison with
another word is always false, often because of a letter's case.""",
    bad="""\
require: files.card.kind == 'File'
broken: "the card is {files.card.kind}"
""",
    good="""\
require: files.card.kind == 'file'
broken: "the card is {files.card.kind}"
""",
    rule=_WORDS[0],
    ruleset=_WORDS[1],
)

_KINDS = _doubts("never-equal")

NEVER_EQUAL = Lint(
    id="never-equal",
    title="Two values are compared that can never be equal, since they are of different kinds",
    chapter="fields",
    why="""\
Kinds come before values: the number 4 and the text '4' are not equal, and neither are 1 and true.
A comparison of the two is always false.""",
    bad="""\
extract: {books: card.books}
require: books == '4'
broken: "{books} books"
""",
    good="""\
extract: {books: card.books}
require: books == 4
broken: "{books} books"
""",
    rule=_KINDS[0],
    ruleset=_KINDS[1],
)


_BAD_PATTERNS = _doubts("bad-pattern")

BAD_PATTERN = Lint(
    id="bad-pattern",
    title="A regular expression of a parameter or a table that is malformed or could take for ever",
    chapter="fields",
    why="""\
A pattern that repeats what can itself match in several ways takes longer than anyone waits, on a text
that a submitter chooses. One that is written in the expression does not load at all; one that comes
from a parameter or a table is found here.""",
    bad="""\
params: {pattern: "([a-z]+)*"}
require: matches(pattern, name)
broken: "{name} is not written as {pattern}"
""",
    good="""\
params: {pattern: "[a-z]+"}
require: matches(pattern, name)
broken: "{name} is not written as {pattern}"
""",
    rule=_BAD_PATTERNS[0],
    ruleset=_BAD_PATTERNS[1],
)


def _given(case: RuleCase) -> Iterator[Found]:
    subject = case.known.subject(case.rule.info.scope)
    for kind, entries in case.rule.raw.get("examples", {}).items():
        for number, entry in enumerate(entries or ()):
            yield from _names(case, subject, entry.get("given"), ("examples", kind, number, "given"))


def _names(case: RuleCase, subject: Subject, given: Any, place: Place) -> Iterator[Found]:
    if not isinstance(given, Mapping):
        return
    layout = case.ruleset.layout
    around = layout.chain(subject.scope)
    many = {child.many: child.name for child in layout.children(subject.scope)}
    known = {*subject.names(paths=True), "files", "raw", "places"}
    for name, value in given.items():
        here = (*place, name)
        if name not in known:
            yield Found(
                here, f"a {subject.scope} has no {name}{did_you_mean(name, known)}; the example gives it"
            )
        elif name in around:
            yield from _names(case, case.known.subject(name), value, here)
        elif name in many and isinstance(value, list):
            for index, item in enumerate(value):
                yield from _names(case, case.known.subject(many[name]), item, (*here, index))
        elif name == "files" and isinstance(value, Mapping):
            yield from _states(subject, value, here)
        elif name == "raw" and isinstance(value, Mapping):
            for document, content in value.items():
                yield from _fields(subject.entry("raw"), {document: content}, here)
        elif name in layout.documents:
            yield from _fields(subject, {name: value}, place)


def _states(subject: Subject, states: Mapping[str, Any], place: Place) -> Iterator[Found]:
    try:
        yield from _fields(subject.entry("files"), states, place)
    except UndescribedError:  # pragma: no cover - `files` is there for every subject
        return


def _fields(of: Meaning, value: Any, place: Place) -> Iterator[Found]:
    """Yield the fields of a value that nothing describes; only one with a near name is surely a slip."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _fields(of.item(), item, (*place, index))
    elif isinstance(value, Mapping) and not isinstance(of, Listed):
        for key, item in value.items():
            try:
                inner = of.entry(str(key))
            except UndescribedError as error:
                if "did you mean" in str(error):
                    yield Found((*place, key), f"{error}; the example gives it")
                inner = UNKNOWN
            if inner is not UNKNOWN:
                yield from _fields(inner, item, (*place, key))


UNKNOWN_GIVEN = Lint(
    id="unknown-given",
    title="An example gives something that the subject does not know, or a field nearly spelled right",
    chapter="fields",
    why="""\
What an example gives under a wrong name is absent for the rule, so the example shows something else
than it says. A field that no schema describes may be meant; one that is nearly spelled like a
described field is reported.""",
    bad="""\
extract: {books: card.books}
require: books == 4
broken: "{books} books"
examples:
  broken: [{given: {card: {boks: 4}}, message: null books}]
""",
    good="""\
extract: {books: card.books}
require: books == 4
broken: "{books} books"
examples:
  passed: [{given: {card: {books: 4}}}]
""",
    rule=_given,
)

LINTS = (UNKNOWN_FIELD, UNKNOWN_WORD, NEVER_EQUAL, BAD_PATTERN, UNKNOWN_GIVEN)
