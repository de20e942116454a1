"""`rules lint`: each lint finds what its own page says, and nothing where nothing is wrong."""

from __future__ import annotations

import json
import re

import pytest

from submission_checker.bench.lint import run
from submission_checker.bench.lints import LINTS
from tests.bench.conftest import LIBRARY, SETTINGS, survey

MODELINE = "# yaml-language-server: $schema=https://example.org/rule.schema.json\n"
HEAD = {"id": "r", "title": "A rule", "clauses": '["2.1"]', "severity": "error", "scope": "shelf"}


def rule_text(body: str, **head: str) -> str:
    lines = {**HEAD, **head}
    return (
        MODELINE
        + "".join(
            f"{key}: {value}\n"
            for key, value in lines.items()
            if not re.search(rf"^{key}:", body, re.MULTILINE)
        )
        + body
    )


@pytest.fixture
def lint(own):
    """Return the findings in one rule of the test's own, as `lint: message`."""

    def look(body: str, *, family: str = "books", files: dict[str, str] | None = None, **head: str):
        folder = own({f"{family}/r.yaml": rule_text(body, **head), **(files or {})})
        found = run(survey(folder), LINTS.values())
        return [finding for finding in found if finding.file.startswith("own/")]

    return look


def ids(findings) -> set[str]:
    return {finding.lint for finding in findings}


def messages(findings, lint: str) -> list[str]:
    return [finding.message for finding in findings if finding.lint == lint]


class TestCatalogue:
    @pytest.mark.parametrize("id", [id for id, lint in LINTS.items() if lint.bad])
    def test_wrong_example_has_the_lint(self, lint, id):
        assert id in ids(lint(LINTS[id].bad))

    @pytest.mark.parametrize("id", [id for id, lint in LINTS.items() if lint.good])
    def test_right_example_has_it_not(self, lint, id):
        found = ids(lint(LINTS[id].good))

        assert id not in found
        assert not found & {"not-yaml", "shape", "not-linked"}

    def test_every_lint_is_explained(self):
        for lint in LINTS.values():
            assert re.fullmatch(r"[a-z]+(-[a-z]+)*", lint.id)
            assert lint.title[0].isupper() or lint.title.startswith("all()")
            assert not lint.title.endswith(".")
            assert len(lint.why) > 60

    def test_whole_examples_have_no_finding_at_all(self, lint):
        """The example of the examples' own lint is a rule as it should be."""
        assert ids(lint(LINTS["missing-example"].good + "at: card.books\n")) == set()


class TestFields:
    @pytest.mark.parametrize(
        ("body", "message"),
        [
            ("extract: {x: card.boks}\n", "the schema of card has no boks; did you mean books? in `card.boks`"),
            ("extract: {x: raw.card.boks}\n", "the schema of raw.card has no boks; did you mean books?"),
            ("extract: {x: 'branch.shelves[].card.boks'}\n", "the schema of card has no boks"),
            ("extract: {x: 'branch.shelves[?card.boks].name'}\n", "the schema of card has no boks"),
            ("extract: {x: branch.shelfs}\n", "a branch has no shelfs; did you mean shelves?"),
            ("extract: {x: card.books.of}\n", "card.books has no .of: its schema says that it is no mapping"),
            ("extract: {x: files.card.exist}\n", "files.card has no exist; did you mean exists?"),
            ("extract: {x: 'files.card.problems[0].mesage'}\n", "a problem has no mesage; did you mean message?"),
            ("extract: {x: 'notes[].valeu'}\n", "notes has no valeu; did you mean value?"),
            ("let: {x: subjects.knwon}\n", "subjects has no knwon; did you mean known?"),
            ("let: {x: subjects.limit.poem}\n", "subjects.limit has no poem"),
            ("let: {x: '[s.cout for s in branch.shelves]'}\n", "a shelf has no cout; did you mean count?"),
            ("let: {x: '[s.card for s in branch.shelves]'}\n", "an expression sees no document: bind what it needs of card"),
            ("let: {x: len(name).size}\n", "a number has no .size"),
            ("let: {p: {place: name}, x: p.knid}\n", "a place has no knid; did you mean kind?"),
            ("let: {x: name}\nat: card.boks\n", "the schema of card has no boks; did you mean books?"),
            ("let: {x: subjects}\npassed: 'of {x.knwon}'\n", "subjects has no knwon; did you mean known?"),
        ],
    )  # fmt: skip
    def test_unknown_field(self, lint, body, message):
        found = messages(lint(body + "require: x is not None\nbroken: '{x}'\n"), "unknown-field")

        assert len(found) == 1
        assert message in found[0]

    @pytest.mark.parametrize(
        "body",
        [
            "extract: {x: loans.out}\nlet: {y: '[loan.anything for loan in x]'}\n",
            "extract: {x: house.anything.at.all}\n",
            "extract: {x: 'notes[].value.anything'}\n",
            "let: {x: subjects.limit[name]}\n",
            "let: {x: branch.stock, y: library.closed_days, z: number}\n",
            "extract: {x: 'files.card.problems[].message', y: files.sign.kind}\n",
            "let: {x: 'items(subjects.limit)', y: '[entry.value for entry in x]'}\n",
        ],
    )
    def test_described_or_open_field(self, lint, body):
        found = lint(body + "require: x is not None\nbroken: '{x}'\n")

        assert messages(found, "unknown-field") == []
        assert messages(found, "not-linked") == []

    def test_in_facts(self, lint):
        found = lint("broken: x\n", files={"facts.yaml": "shelf:\n  s: {path: card.boks}\n"})

        assert [str(f) for f in found if f.lint == "unknown-field"] == [
            "own/facts.yaml:2:3: unknown-field: the schema of card has no boks; did you mean books? in `card.boks`"
        ]

    @pytest.mark.parametrize(
        ("require", "lint_id", "message"),
        [
            ("files.card.kind == 'File'", "unknown-word", "no such word: 'File'; did you mean file?"),
            (
                "files.card.kind in ['file', 'dir']",
                "unknown-word",
                "no such word: 'dir'; there are absent, file",
            ),
            ("'fle' != files.card.kind", "unknown-word", "no such word: 'fle'"),
            ("colour == 'Red'", "unknown-word", "no such word: 'Red'; did you mean red?"),
            ("colour in subjects.known", "unknown-word", "none of the words of subjects.known can occur"),
            ("books == '4'", "never-equal", "a number or null and a text are never equal, in `books == '4'`"),
            ("name == 4", "never-equal", "a text and a number are never equal"),
            ("number in ['1', '2']", "", ""),
            ("len(name) in ['1', '2']", "never-equal", "a number is never among a text"),
            ("books == count", "", ""),
        ],
    )
    def test_words_and_kinds(self, lint, require, lint_id, message):
        schema = '{"type": "object", "properties": {"books": {"type": "integer"}, "colour": {"enum": ["red", null]}}}'
        body = f"extract: {{books: card.books, colour: card.colour}}\nrequire: {json.dumps(require)}\nbroken: '{{books}} {{colour}}'\n"

        found = lint(body, files={"schemas/card.schema.json": schema})

        told = messages(found, "unknown-word") + messages(found, "never-equal")
        assert len(told) == (1 if lint_id else 0), told
        if lint_id:
            assert message in messages(found, lint_id)[0]

    def test_words_in_a_path(self, lint):
        body = "extract: {x: \"branch.shelves[?files.card.kind == 'Folder'].name\"}\nrequire: x == []\nbroken: '{x}'\n"

        assert "no such word: 'Folder'" in messages(lint(body), "unknown-word")[0]

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            ("{crad: {books: 4}}", "a shelf has no crad; did you mean card?; the example gives it"),
            (
                "{card: {boks: 4}}",
                "the schema of card has no boks; did you mean books?; the example gives it",
            ),
            ("{raw: {card: {boks: 4}}}", "the schema of raw.card has no boks"),
            ("{raw: {crad: {}}}", "raw has no crad; did you mean card?"),
            ("{files: {card: {exist: true}}}", "files.card has no exist; did you mean exists?"),
            ("{files: {crad: {}}}", "files has no crad; did you mean card?"),
            ("{branch: {stok: 4}}", "a branch has no stok; did you mean stock?"),
            ("{branch: {shelves: [{conut: 4}]}}", "a shelf has no conut; did you mean count?"),
        ],
    )
    def test_unknown_given(self, lint, given, message):
        body = f"require: name == 'a'\nbroken: '{{name}}'\nexamples: {{broken: [{{given: {given}}}]}}\n"

        [told] = messages(lint(body), "unknown-given")
        assert message in told

    def test_field_that_is_new_on_purpose(self, lint):
        given = (
            "{card: {something_else: 4}, places: {anywhere: {kind: file}}, number: 3, subjects: {known: []}}"
        )
        body = f"require: name == 'a'\nbroken: '{{name}}'\nexamples: {{broken: [{{given: {given}}}]}}\n"

        assert messages(lint(body), "unknown-given") == []


class TestConditions:
    @pytest.mark.parametrize(
        ("condition", "message"),
        [
            ("True", "`True` is always true"),
            ("1 > 2", "`1 > 2` is always false"),
            ("name == 'a' or 3 == 3", "`3 == 3` is always true"),
            ("len([1]) == 1", "`len([1]) == 1` is always true"),
            ("9 ** 9 ** 9 > 0", "never has an answer: the power has thousands of digits"),
            ("1 / 0 > 0", "never has an answer: division by zero"),
            ("days == days", "both sides of `days == days` are the same, so it is always true"),
            ("days < days", "so it is always false"),
            ("days == 1 or not days == 1", "is always true"),
            ("closed and not closed", "is always false"),
            ("closed or closed", "`closed` is there twice"),
            ("days > 5 and days < 3", "is always false as far as days goes"),
            ("days >= 3 or days < 3", "is always true as far as days goes"),
            ("days > most and days < 3", "is always false as far as days goes"),
            ("days < 3 or days == 3 or days > 3", "is always true as far as days goes"),
            ("len(name) >= 0", "is always true: the left side is never below 0"),
            ("len(name) < 0", "is always false: the left side is never below 0"),
            ("name is None", "is always false: the left side is a text"),
            ("[d for d in [days]] is not None", "is always true: the left side is a list"),
            ("any(3 < 2 for s in branch.shelves)", "`3 < 2` is always false"),
        ],
    )
    @pytest.mark.parametrize("key", ["require", "when", "where"])
    def test_constant(self, lint, condition, message, key):
        other = "" if key == "require" else "require: name == 'b'\n"
        body = f"params: {{most: 4}}\nextract: {{days: loans.days}}\n{key}: {json.dumps(condition)}\n{other}broken: '{{days}} {{most}}'\n"

        [told] = messages(lint(body), "constant-condition")
        assert message in told

    @pytest.mark.parametrize(
        "condition",
        [
            "days > 3 and days < 5", "days < 3 or days > 5", "days >= 3 and days <= 3", "days is None or days > 3",
            "len(name) > 0", "closed or not days == 3", "days > 3 or count > 3", "all(s.count > 3 for s in branch.shelves)",
            "subjects.limit[name] is not None", "days != 3 and days != 4",
        ],
    )  # fmt: skip
    def test_not_constant(self, lint, condition):
        body = f"extract: {{days: loans.days}}\nrequire: {condition}\nbroken: '{{days}}'\n"

        assert messages(lint(body), "constant-condition") == []

    @pytest.mark.parametrize(
        ("condition", "count"),
        [
            ("weight == 12.5", 1), ("weight != other", 1), ("books / 3 == 4", 1), ("books == 4", 0),
            ("weight == 0", 0), ("weight is None", 0), ("books * 0.5 == 4", 1), ("mean([books]) == books", 1),
            ("any(w == 0.1 for w in [weight])", 1),
        ],
    )  # fmt: skip
    def test_float_equality(self, lint, condition, count):
        body = (
            "extract: {weight: card.weight_kg, books: card.books, other: card.books}\n"
            f"require: {condition}\nbroken: '{{weight}} {{books}} {{other}}'\n"
        )

        assert len(messages(lint(body), "float-equality")) == count

    @pytest.mark.parametrize(
        ("condition", "count"),
        [
            ("all(is_mapping(o) for o in out)", 1),
            ("not any(is_text(o) for o in out)", 1),
            ("any(is_text(o) for o in out)", 0),
            ("not all(is_text(o) for o in out)", 0),
            ("len(out) > 0 and all(is_mapping(o) for o in out)", 0),
            ("all(o in subjects.known for o in ['a', name])", 0),
            ("all(name != s for s in subjects.known)", 0),
        ],
    )
    def test_over_nothing(self, lint, condition, count):
        body = f"extract: {{out: loans.out}}\nrequire: {condition}\nbroken: '{{out}}'\n"

        assert len(messages(lint(body), "over-nothing")) == count

    def test_example_over_nothing_says_that_it_is_meant(self, lint):
        body = (
            "extract: {out: loans.out}\nwhen: out is not None\nrequire: all(is_mapping(o) for o in out)\n"
            "broken: '{out}'\nexamples: {passed: [{given: {loans: {out: []}}}]}\n"
        )

        assert messages(lint(body), "over-nothing") == []

    @pytest.mark.parametrize(
        ("condition", "count"),
        [
            ("days != 13", 1),
            ("not days == 13", 1),
            ("days not in [13]", 1),
            ("13 != days", 1),
            ("days == 13", 0),
            ("days is not None and days != 13", 0),
            ("name != 'a'", 0),
            ("books != 13", 0),
        ],
    )
    def test_unguarded_absence(self, lint, condition, count):
        body = f"extract: {{days: loans.days, books: card.books}}\nrequire: {condition}\nbroken: '{{days}} {{books}}'\n"

        assert len(messages(lint(body), "unguarded-absence")) == count

    def test_example_of_absence_says_that_it_is_meant(self, lint):
        body = (
            "extract: {days: loans.days}\nrequire: days != 13\nbroken: '{days}'\n"
            "examples: {passed: [{given: {loans: {}}}]}\n"
        )

        assert messages(lint(body), "unguarded-absence") == []

    @pytest.mark.parametrize(
        ("checks", "count"),
        [
            ("[{broken: '{name}'}, {require: closed, broken: '{name}'}]", 1),
            ("[{require: closed, broken: '{name}', last: true}, {broken: '{name}'}]", 1),
            ("[{when: closed, broken: '{name}', last: true}, {broken: '{name}'}]", 0),
        ],
    )
    def test_unreachable_check(self, lint, checks, count):
        assert len(messages(lint(f"checks: {checks}\n"), "unreachable-check")) == count

    def test_everything_is_reached_where_all_is_reported(self, lint):
        body = "report: all\nchecks: [{broken: '{name}'}, {require: closed, broken: '{name}'}]\n"

        assert messages(lint(body), "unreachable-check") == []

    def test_duplicate_rule(self, lint):
        body = "extract: {topic: card.subject}\nwhen: topic is not None\nrequire: topic in subjects.known\nbroken: '{topic}'\n"

        [finding] = [f for f in lint(body) if f.lint == "duplicate-rule"]

        assert (finding.rule, finding.message) == ("r", "asks the same as books-known")

    def test_other_condition_is_no_duplicate(self, lint):
        body = "extract: {topic: raw.card.subject}\nwhen: topic is not None\nrequire: topic in subjects.known\nbroken: '{topic}'\n"

        assert messages(lint(body), "duplicate-rule") == []


class TestNames:
    def test_unused(self, lint):
        body = (
            "params: {least: 1, most: 2}\nextract: {days: loans.days, out: loans.out}\n"
            "let: {twice: days * 2, thrice: days * 3, first: {path: reader, of: out}}\n"
            "require: twice < most\nbroken: x\n"
        )

        assert messages(lint(body), "unused-name") == [
            "no expression and no message uses the parameter least",
            "no expression and no message uses the name thrice",
            "no expression and no message uses the name first",
        ]

    def test_item_that_nothing_uses(self, lint):
        body = "for_each: {each: shelf, in: branch.shelves}\nbroken: no\n"

        assert messages(lint(body.replace("shelf,", "one,")), "unused-name") == [
            "nothing uses one: every judgement is the same"
        ]

    def test_fact_table_and_document(self, lint):
        files = {
            "facts.yaml": "shelf:\n  used: {path: card.books}\n  idle: {path: card.books}\n",
            "tables/plan.yaml": "a: 1\nb: {c: 2, d: 3, e: {f: 4}}\n",
            "tables/spare.yaml": "a: 1\n",
            "layout.yaml": "documents: {extra: {scope: shelf, file: extra.json}, more: {scope: shelf, file: m.json}}\n",
        }
        body = "extract: {m: more}\nlet: {b: plan.b}\nrequire: used == b.c and m is None\nbroken: '{used} {b.d}'\n"

        found = lint(body, files=files)

        assert [str(f) for f in found if f.lint.startswith("unused")] == [
            "own/facts.yaml:3:3: unused-fact: no rule, fact or view uses the fact idle",
            "own/layout.yaml:1:13: unused-document: no rule or fact looks at extra",
            "own/tables/plan.yaml:1:4: unused-entry: nothing uses plan.a",
            "own/tables/plan.yaml:2:17: unused-entry: nothing uses plan.b.e",
            "own/tables/spare.yaml:1:1: unused-entry: nothing uses the table spare",
        ]


class TestPolicy:
    @pytest.mark.parametrize(
        ("head", "lint_id", "message"),
        [
            ({"clauses": '["2.2"]'}, "unknown-clause", "clauses.yaml has no clause 2.2; did you mean 2.1?"),
            ({"row": "Cards"}, "unknown-row", "clauses.yaml has no row 'Cards'"),
            ({"action": "fined"}, "unknown-action", "ruleset.yaml has no action fined; did you mean fine?"),
        ],
    )
    def test_unknown(self, lint, head, lint_id, message):
        assert message in messages(lint("require: closed\nbroken: '{name}'\n", **head), lint_id)[0]

    def test_unknown_family(self, lint):
        found = lint("require: closed\nbroken: '{name}'\n", family="boks")

        assert messages(found, "unknown-family") == ["ruleset.yaml has no family boks; did you mean books?"]


class TestExamples:
    EDGES = "require: books >= 4\nbroken: '{books}'\nextract: {books: card.books}\n"

    @pytest.mark.parametrize(
        ("body", "expected"),
        [
            ("require: closed\n", ["no example passes", "no example breaks the rule"]),
            ("require: closed\nwhen: closed\n",
             ["no example passes", "no example breaks the rule", "no example is left out (by `where`, `when` or `for_each`)"]),
            ("", ["no example breaks the rule"]),
            ("for_each: {each: x, in: '[name] + branch.shelves'}\nrequire: x != 'b'\n",
             ["no example passes", "no example breaks the rule"]),
        ],
    )  # fmt: skip
    def test_missing(self, lint, body, expected):
        assert messages(lint(body + "broken: '{name}'\n"), "missing-example") == sorted(expected)

    @pytest.mark.parametrize(
        ("books", "missing"),
        [
            ([3, 4, 5], None),
            ([4, 5], "below the limit"),
            ([3, 4], "above the limit"),
            ([3, 5], "on the limit"),
            ([9], "on the limit, none below the limit"),
        ],
    )
    def test_missing_edge(self, lint, books, missing):
        given = [(n, f"{{given: {{card: {{books: {n}}}}}}}") for n in books]
        passed = ", ".join(text for n, text in given if n >= 4)
        broken = ", ".join(text for n, text in given if n < 4)
        body = f"{self.EDGES}examples: {{passed: [{passed}], broken: [{broken}]}}\n"

        told = messages(lint(body), "missing-edge-example")

        assert told == ([f"no example is {missing} of `books >= 4` (4)"] if missing else [])

    def test_limit_on_the_left_in_a_chain_and_in_a_list(self, lint):
        body = (
            "params: {least: 1}\nextract: {books: card.books}\nlet: {most: subjects.limit.poetry}\n"
            "require: least <= books < most and all(b > 2 for b in [books])\nbroken: '{books}'\n"
            "examples: {broken: [{given: {card: {books: 1}}}]}\n"
        )

        assert messages(lint(body), "missing-edge-example") == [
            "no example is above the limit, none below the limit of `least <= books` (1)",
            "no example is on the limit, none above the limit of `b > 2` (2)",
            "no example is on the limit, none above the limit of `books < most` (4)",
        ]

    def test_nothing_is_below_an_empty_list(self, lint):
        body = (
            "require: len(branch.shelves) > 0\nbroken: '{name}'\n"
            "examples: {passed: [{given: {branch: {shelves: [{}]}}}], broken: [{given: {branch: {shelves: []}}}]}\n"
        )

        assert messages(lint(body), "missing-edge-example") == []

    def test_failing(self, lint):
        body = f"{self.EDGES}examples: {{passed: [{{given: {{card: {{books: 3}}}}}}]}}\n"

        [finding] = [f for f in lint(body) if f.lint == "failing-example"]

        assert (finding.message, finding.line) == ("the example is broken: 3", 10)


class TestWriting:
    @pytest.mark.parametrize(
        ("condition", "count"),
        [
            ("books >= 4", 1), ("books in [4, 5]", 1), ("len(out) == 0", 1), ("is_text(books)", 1),
            ("books is None", 1), ("3 < books < 5", 1),
            ("books is not None", 0), ("len(out) > 0", 0), ("out != []", 1), ("closed", 0), ("not closed", 0),
            ("files.card.kind != 'absent'", 0), ("files.card.exists == True", 0), ("files.card.kind == 'file'", 1),
        ],
    )  # fmt: skip
    def test_message_without_value(self, lint, condition, count):
        body = f"extract: {{books: card.books, out: loans.out}}\nrequire: {condition}\nbroken: no\npassed: '{{books}} {{out}}'\n"

        assert len(messages(lint(body), "message-without-value")) == count

    def test_place(self, lint):
        body = "extract: {books: card.books}\nrequire: books == 4\nbroken: '{books}'\n"

        assert messages(lint(body), "no-place") == [
            "the rule reads card, but `at` is missing: `at: card.books`?"
        ]
        assert messages(lint(body + "at: nowhere\n"), "no-place") == []

    @pytest.mark.parametrize(
        ("first", "message"),
        [
            ("", "the first line does not name the schema: `# yaml-language-server: $schema=…`"),
            (
                "# yaml-language-server: $schema=../nowhere.json\n",
                "names a schema that is not there: ../nowhere.json",
            ),
            ("# yaml-language-server: $schema=../ruleset.yaml\n", None),
        ],
    )
    def test_schema_line(self, own, first, message):
        text = rule_text("require: closed\nbroken: '{name}'\n").replace(MODELINE, first)

        found = run(survey(own({"books/r.yaml": text})), [LINTS["no-schema-line"]])

        told = messages([f for f in found if f.file.startswith("own/")], "no-schema-line")
        assert (message in told[0]) if message else told == []


class TestAllow:
    BODY = (
        "extract: {weight: card.weight_kg}\nrequire: weight == 12.5\nbroken: '{weight}'\nat: card.weight_kg\n"
    )

    def test_allowed_with_a_reason(self, lint):
        found = lint(self.BODY + "allow: [{lint: float-equality, reason: it is copied}]\n")

        assert [f.allowed for f in found if f.lint == "float-equality"] == ["it is copied"]
        assert "unused-allow" not in ids(found)

    def test_reason_is_needed(self, lint):
        assert ids(lint(self.BODY + "allow: [{lint: float-equality}]\n")) == {"shape"}

    def test_permission_that_permits_nothing(self, lint):
        [finding] = [
            f
            for f in lint(self.BODY + "allow: [{lint: float-equalty, reason: x}]\n")
            if f.lint == "unused-allow"
        ]

        assert finding.message == "nothing here has the lint float-equalty"


class TestCommand:
    def test_nothing_is_wrong(self, rules):
        answer = rules("lint", "books-known", "few-shelves", "--rules", LIBRARY)

        assert (answer.code, answer.out) == (0, "\nNothing is wrong.\n".lstrip())

    def test_findings(self, rules, own):
        folder = own({"books/r.yaml": rule_text("require: closed and closed\nbroken: '{name}'\n")})

        answer = rules("lint", "r", "--rules", folder)

        assert answer.code == 1
        assert "own/books/r.yaml:7:10: constant-condition: `closed` is there twice\n" in answer.out
        assert answer.out.endswith("3 findings\n")

    def test_mistakes_do_not_hide_other_rules(self, rules, own):
        folder = own(
            {
                "books/r.yaml": rule_text("require: closed and closed\nbroken: '{name}'\n"),
                "books/s.yaml": "id: s\n",
                "books/t.yaml": "id: [t\n",
                "books/u.yaml": rule_text("require: clsed\nbroken: no\n").replace("id: r", "id: u"),
            },
            SETTINGS + "gates: [{after: s, stops: shelf}]\n",
        )

        found = rules("lint", "--rules", folder, "--format", "json").json["findings"]

        own_files = [(f["file"], f["lint"]) for f in found if f["file"].startswith("own/")]
        assert set(own_files) == {
            ("own/books/r.yaml", "constant-condition"),
            ("own/books/r.yaml", "missing-example"),
            ("own/books/s.yaml", "shape"),
            ("own/books/t.yaml", "not-yaml"),
            ("own/books/u.yaml", "not-linked"),
        }

    def test_one_rule_as_json(self, rules, own):
        folder = own({"books/r.yaml": rule_text("require: clsed\nbroken: '{name}'\n")})

        answer = rules("lint", "r", "--rules", folder, "--format", "json")

        assert answer.code == 1
        assert answer.json == {
            "passed": False,
            "findings": [
                {
                    "lint": "not-linked",
                    "rule": None,
                    "file": "own/books/r.yaml",
                    "line": 7,
                    "column": 10,
                    "message": "no name clsed; did you mean closed? in `clsed`",
                    "allowed": None,
                }
            ],
        }

    def test_layout_that_cannot_be_used(self, rules, own):
        answer = rules("lint", "--rules", own({"layout.yaml": "scopes: {hall: {in: libary, at: '*/'}}\n"}))

        assert answer.code == 1
        assert "own/layout.yaml:1:21: not-linked: no scope named libary; did you mean library?" in answer.out

    def test_no_ruleset(self, rules, tmp_path):
        assert rules("lint", "--rules", tmp_path).code == 3

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["few-shelfs"], "no rule 'few-shelfs'; did you mean few-shelves?"),
            (["--explain", "float-equalty"], "no lint 'float-equalty'; did you mean float-equality?"),
        ],
    )
    def test_wrong_call(self, rules, arguments, message):
        answer = rules("lint", "--rules", LIBRARY, *arguments)

        assert answer.code == 2
        assert message in answer.err

    def test_explanation(self, rules):
        answer = rules("lint", "--explain", "float-equality")

        assert answer.code == 0
        assert answer.out.startswith("float-equality: Numbers with fractions are compared by == or !=\n")
        assert "\nWrong:\n\n  extract: {weight: card.weight_kg}\n" in answer.out
