"""How a rule is written down: messages, places, what was left to do."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from submission_checker.bench import trees
from submission_checker.bench.cases import Place, RuleCase
from submission_checker.bench.lint import Found, Lint
from submission_checker.bench.meanings import BOOLEAN
from submission_checker.engine.rules import Extract


def _messages(case: RuleCase) -> Iterator[Found]:
    single = "checks" not in case.rule.raw
    for index, check in enumerate(case.rule.checks):
        place: Place = ("broken",) if single else ("checks", index, "broken")
        if check.require is None or check.broken.template.names:
            continue
        if _leaves_open(case, trees.parse(check.require.source)):
            message = f"the message says no value, though `{check.require.source}` has some"
            yield Found(place, message)


def _leaves_open(case: RuleCase, node: ast.expr) -> bool:
    """Tell whether a reader does not know the values when all that is known is that it does not hold."""
    if isinstance(node, ast.BoolOp):
        return any(_leaves_open(case, value) for value in node.values)
    if isinstance(node, ast.UnaryOp):
        return _leaves_open(case, node.operand)
    if isinstance(node, ast.Call):
        return True
    if not isinstance(node, ast.Compare) or not trees.free_names(node):
        return False
    if len(node.ops) > 1:
        return True
    op, left, right = node.ops[0], node.left, node.comparators[0]
    if isinstance(op, ast.Is | ast.IsNot):
        return isinstance(op, ast.Is)
    meaning = case.meaning(left)
    if meaning.kinds == frozenset({BOOLEAN}):
        return False
    # A count that is not above 0 is 0.
    if meaning.least == 0 and isinstance(op, ast.Gt | ast.NotEq) and trees.write(right) == "0":
        return False
    return not (isinstance(op, ast.NotEq) and isinstance(right, ast.Constant))


MESSAGE_WITHOUT_VALUE = Lint(
    id="message-without-value",
    title="A message that says no value although the condition is about values",
    chapter="writing",
    why="""\
"Too few books" leaves the reader to look for the number; "3 books, at least 4 are needed" does not.
Put the values of the condition into the message: what was found, and what was asked.""",
    bad="""\
extract: {books: card.books}
when: books is not None
require: books >= 4
broken: too few books
""",
    good="""\
extract: {books: card.books}
when: books is not None
require: books >= 4
broken: "{books} books, at least 4 are needed"
""",
    rule=_messages,
)


def _place(case: RuleCase) -> Iterator[Found]:
    rule = case.rule
    if rule.at is not None or all(check.at is not None for check in rule.checks):
        return
    own = {name for name, source in case.ruleset.layout.by_scope[rule.info.scope].items() if source.form}
    for name, entry in rule.definitions.items():
        if not isinstance(entry, Extract) or entry.of is not None:
            continue
        read = [key for key in entry.path.first_keys if key in own]
        if read:
            key = "extract" if name in rule.raw.get("extract", {}) else "let"
            suggestion = entry.source if entry.path.keys else read[0]
            yield Found((key, name), f"the rule reads {read[0]}, but `at` is missing: `at: {suggestion}`?")
            return


NO_PLACE = Lint(
    id="no-place",
    title="A rule that reads a document and does not say where its findings point",
    chapter="writing",
    why="""\
With `at: document.key` a finding names file, line and column. Without it, it names a folder.""",
    bad="""\
extract: {books: card.books}
when: books is not None
require: books >= 4
broken: "{books} books, at least 4 are needed"
""",
    good="""\
extract: {books: card.books}
when: books is not None
require: books >= 4
broken: "{books} books, at least 4 are needed"
at: card.books
""",
    rule=_place,
)


def _todo(case: RuleCase) -> Iterator[Found]:
    def walk(value: Any, place: Place) -> Iterator[Found]:
        if isinstance(value, dict):
            for key, item in value.items():
                yield from walk(item, (*place, key))
        elif isinstance(value, list):
            for index, item in enumerate(value):
                yield from walk(item, (*place, index))
        elif isinstance(value, str) and re.search(r"\bTODO\b", value):
            yield Found(place, f"still to do: {' '.join(value.split())[:80]}")

    yield from walk(case.rule.raw, ())


TODO = Lint(
    id="todo",
    title="A text that still says TODO",
    chapter="writing",
    why="""\
`rules new` marks what only the editor can know. A rule with such a mark is not ready.""",
    bad="""\
require: name == 'poetry'
broken: "{name} is not poetry"
hint: "TODO: what to do about it"
""",
    good="""\
require: name == 'poetry'
broken: "{name} is not poetry"
hint: Call it poetry.
""",
    rule=_todo,
)

_MODELINE = re.compile(r"#\s*yaml-language-server:\s*\$schema=(\S+)")


def _schema_line(case: RuleCase) -> Iterator[Found]:
    if case.file is None:
        return
    first = case.file.read_text(encoding="utf-8-sig").split("\n", 1)[0]
    found = _MODELINE.fullmatch(first.strip())
    if found is None:
        yield Found((), "the first line does not name the schema: `# yaml-language-server: $schema=…`")
    elif "://" not in found[1] and not (case.file.parent / found[1]).is_file():
        yield Found((), f"the first line names a schema that is not there: {found[1]}")


NO_SCHEMA_LINE = Lint(
    id="no-schema-line",
    title="A rule file whose first line does not name its schema",
    chapter="writing",
    why="""\
With `# yaml-language-server: $schema=…rule.schema.json` in its first line, any editor with a YAML
language server completes keys, explains them and marks mistakes while you write.""",
    rule=_schema_line,
)

LINTS = (MESSAGE_WITHOUT_VALUE, NO_PLACE, TODO, NO_SCHEMA_LINE)
