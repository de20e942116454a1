"""`rules diff`: what changed between two rulesets, and whose verdict changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from submission_checker.bench.difference import compare
from tests.bench.conftest import LIBRARY, SETTINGS, survey

SAMPLES = Path(__file__).parents[2] / "fixtures" / "submissions"
RULE = (
    "id: {id}\ntitle: New\nclauses: ['1']\nseverity: warning\nscope: shelf\n"
    "require: count > 0\nbroken: none\n"
)


def changed(own, files=None, settings=""):
    """Each detail as a line: kind, name, part, before and after."""
    before = survey(LIBRARY)
    after = survey(own(files or {}, SETTINGS + settings))
    assert after.mistakes == [], after.mistakes
    return [
        " ".join([change.kind, change.name, change.what, *told])
        for change in compare(before.ruleset, after.ruleset).changes
        if not (change.kind == "setting" and change.name == "title")
        for told in [[d.part, str(d.before), str(d.after)] for d in change.details] or [[]]
    ]


def rule(name: str, family: str = "loans") -> str:
    return (LIBRARY / family / f"{name}.yaml").read_text(encoding="utf-8")


def short(*replacements: tuple[str, str]) -> dict[str, str]:
    text = rule("loans-short")
    for old, new in replacements:
        assert old in text
        text = text.replace(old, new)
    return {"loans/loans-short.yaml": text}


class TestChanges:
    def test_none(self, own):
        assert changed(own) == []

    @pytest.mark.parametrize(
        ("settings", "lines"),
        [
            ("override: {few-shelves: {params: {minimum: 3}}}",
             ["rule few-shelves changed params.minimum 2 3"]),
            ("override: {few-shelves: {severity: warning}}",
             ["rule few-shelves changed severity error warning"]),
            ("override: {few-shelves: {action: null}}", ["rule few-shelves changed action fine None"]),
            ("override: {few-shelves: {require: count > minimum}}",
             ["rule few-shelves changed require count >= minimum count > minimum"]),
            ("override: {few-shelves: {clauses: ['1', '2.1']}}",
             ["rule few-shelves changed clauses None 1"]),
            ("override: {few-shelves: {passed: fine}}",
             ["rule few-shelves changed passed {count} shelves fine"]),
            ("override: {few-shelves: {when: count > 0}}", ["rule few-shelves changed when None count > 0"]),
            ("remove: [books-known]", ["rule books-known removed"]),
            ("actions: {jail: {label: jail, doc: Jail.}}",
             ["setting actions changed actions.jail None {'label': 'jail', 'doc': 'Jail.'}"]),
            ("gates: [{after: branch-exists, stops: library}]",
             ["gate after card-valid, stops the shelf removed",
              "gate after few-shelves, stops the branch removed"]),
            ("gates: [{after: branch-exists, stops: library}, {after: card-valid, stops: shelf}, "
             "{after: few-shelves, stops: branch, when: closed, only: [books-known]}]",
             ["gate after card-valid, stops the shelf changed except ['family:loans'] None"]),
        ],
    )  # fmt: skip
    def test_in_settings(self, own, settings, lines):
        assert changed(own, settings=f"{settings}\n") == lines

    @pytest.mark.parametrize(
        ("files", "lines"),
        [
            ({"books/card-new.yaml": RULE.format(id="card-new")}, ["rule card-new added"]),
            ({"loans/few-shelves.yaml": rule("few-shelves", "books")},
             ["rule few-shelves changed family books loans"]),
            (short(("days <= limit", "days < limit")),
             ["rule loans-short changed checks[0].require days <= limit days < limit"]),
            (short(("    severity: warning\n    broken", "    broken")),
             ["rule loans-short changed checks[1].severity warning None"]),
            (short(("  not_checked:\n", "  not_checked:\n    - given: {}\n")),
             ["rule loans-short changed examples 6 7"]),
            (short(("days: 4}", "days: 3.5}"), ("4.0", "3.5")),
             ["rule loans-short changed examples 6 6"]),
            ({"tables/subjects.yaml": "known: [history, art]\nlimit: {history: 12}\n"},
             ["table subjects changed known poetry None", "table subjects changed known None art",
              "table subjects changed limit.history 10 12", "table subjects changed limit.poetry 4 None"]),
            ({"tables/rooms.yaml": "a: 1\n"}, ["table rooms added"]),
            ({"facts.yaml": 'shelf: {count: {expr: "1", doc: d}, extra: {expr: "2", doc: d}}\n'},
             ["fact count changed is card.books 1", "fact extra added"]),
            ({"layout.yaml": "documents:\n  loans: {scope: shelf, file: loans.yaml}\n"
              "  spine: {scope: shelf, file: spine.json}\n"},
             ["document loans changed path loans.json loans.yaml", "document loans changed form json yaml",
              "document spine added"]),
            ({"layout.yaml": "places: {sign: {scope: branch, ignore_case: false, path: Sign.txt}}\n"
              "scopes: {shelf: {match: 's(?P<number>[0-9])'}}\n"},
             ["scope shelf changed match s(?P<number>\\d+) s(?P<number>[0-9])",
              "place sign changed ignore_case True None"]),
            ({"schemas/card.schema.json": '{"x-extends": true, "required": ["subject"], "properties": '
              '{"books": {"maximum": 9}, "colour": {"enum": ["red"]}}}'},
             ["schema card changed books.required True None", "schema card changed books.maximum None 9",
              "schema card changed colour None {'enum': ['red']}"]),
            ({"clauses.yaml": 'sections: {"2.1": {title: Racks}, "3": {title: Attic}}\n'},
             ["clause 2.1 changed title Shelves Racks", "clause 3 added"]),
        ],
    )  # fmt: skip
    def test_in_files(self, own, files, lines):
        assert sorted(changed(own, files)) == sorted(lines)

    def test_rules_that_rest_on_it(self, own):
        before = survey(LIBRARY)
        tables = "known: []\nlimit: {}\n"
        facts = "branch: {stock: {expr: '1', doc: d}}\n"
        after = survey(own({"tables/subjects.yaml": tables, "facts.yaml": facts}))

        changes = compare(before.ruleset, after.ruleset).changes

        used = {change.name: change.used_by for change in changes if change.kind in ("table", "fact")}
        assert used == {"subjects": ("books-known", "loans-short"), "stock": ()}


@pytest.fixture
def town(tmp_path: Path) -> Path:
    for name, text in {
        "branches/north/s1/card.yaml": "subject: poetry\nbooks: 10\n",
        "branches/north/s1/loans.json": '{"days": 4.5}',
        "branches/north/s2/card.yaml": "subject: history\nbooks: 30\n",
    }.items():
        file = tmp_path / "town" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return tmp_path / "town"


def turned(answer):
    [entry] = answer.json["over"]
    found = [(t["rule"], t["subject"], t["before"], t["after"], t["why"]) for t in entry["turned"]]
    return entry["before"], entry["after"], found


class TestVerdicts:
    @pytest.mark.parametrize(
        ("files", "settings", "verdicts", "expected"),
        [
            ({}, "override: {few-shelves: {params: {minimum: 3}}}\n", ("failed", "failed"),
             [("few-shelves", "branches/north", "passed", "error", ["the rule's params.minimum changed"])]),
            ({}, "remove: [loans-short]\n", ("failed", "passed"),
             [("loans-short", "branches/north/s1", "error", "no such rule", ["the rule is gone"])]),
            ({"tables/subjects.yaml": "known: [poetry]\nlimit: {poetry: 5}\n"}, "", ("failed", "passed"),
             [("loans-short", "branches/north/s1", "error", "passed", ["the table subjects changed"]),
              ("books-known", "branches/north/s2", "passed", "warning", ["the table subjects changed"])]),
            ({"books/card-new.yaml": RULE.format(id="card-new").replace("> 0", "> 10")}, "",
             ("failed", "failed"),
             [("card-new", "branches/north/s1", "no such rule", "warning", ["the rule is new"])]),
            ({"schemas/card.schema.json": '{"x-extends": true, "properties": {"books": {"maximum": 9}}}'},
             "gates: []\n", ("failed", "failed"),
             [("card-valid", "branches/north/s1", "passed", "error", ["the schema card changed"]),
              ("card-valid", "branches/north/s2", "passed", "error", ["the schema card changed"]),
              ("loans-short", "branches/north/s1", "error", "not evaluated", [
                  "the schema card changed"])]),
            ({}, "gates: [{after: loans-short, stops: branch, only: [few-shelves]}]\n"
             "override: {few-shelves: {params: {minimum: 1}}}\n", ("failed", "failed"), []),
        ],
    )  # fmt: skip
    def test_what_turns_and_why(self, rules, own, town, files, settings, verdicts, expected):
        folder = own(files, SETTINGS + settings)

        answer = rules("diff", LIBRARY, folder, "--over", town, "--format", "json")

        assert answer.code == 0, answer.err
        before, after, found = turned(answer)
        after = "failed" if after == "not completed" else after
        assert (before, after) == verdicts
        assert sorted(found) == sorted(expected)

    def test_held_back(self, rules, own, town):
        gate = "gates: [{after: few-shelves, stops: branch, only: [loans-short]}]\n"
        folder = own({}, SETTINGS + gate + "override: {few-shelves: {params: {minimum: 3}}}\n")

        _, _, found = turned(rules("diff", LIBRARY, folder, "--over", town, "--format", "json"))

        assert (
            "loans-short",
            "branches/north/s1",
            "error",
            "held back",
            ["now held back by few-shelves"],
        ) in found

    def test_a_waiver(self, rules, town, tmp_path):
        waiver = "{rule: loans-short, where: '**', reason: so, approved_by: me, expires: 2026-12-31}"
        (tmp_path / "lab.yaml").write_text(f"waivers:\n  - {waiver}\n")
        call = ("diff", LIBRARY, f"{LIBRARY}+lab.yaml", "--over", town)

        answer = rules(*call, "--as-of", "2026-12-31")
        assert answer.code == 0, answer.err
        assert "town: failed → passed" in answer.out
        assert (
            "  loans-short: error → waived at branches/north/s1\n"
            "    - 4.5 days, at most 4\n"
            "    - because a waiver\n"
        ) in answer.out
        expired = rules(*call, "--as-of", "2027-01-01")
        assert expired.code == 3
        assert "lab.yaml:2:5: the waiver of loans-short expired" in expired.err


class TestNotes:
    def test_text(self, rules, own):
        folder = own(
            {
                "books/card-new.yaml": RULE.format(id="card-new"),
                "tables/subjects.yaml": "known: [history, poetry]\nlimit: {history: 10, poetry: 5}\n",
            },
            SETTINGS
            + "remove: [fees-readable]\noverride: {few-shelves: {params: {minimum: 3}, severity: warning}}\n",
        )

        answer = rules("diff", LIBRARY, folder)

        assert answer.code == 0
        assert (
            answer.out
            == """\
From library to own
  1 rule added, 1 rule removed, 1 rule changed, 1 table changed, 1 setting changed (7 rules before,
    7 now).

New rules
  card-new (warning, §1): New

Rules taken away
  fees-readable (warning, §1): The fees can be read

Changed rules
  few-shelves (warning, §2.1): A branch has at least two shelves
    - severity: error → warning
    - number minimum: 2 → 3

Tables
  subjects
    - limit.poetry: 4 → 5
    - rules that rest on it: books-known, loans-short

Settings
  title
    - title: A lending library → Own
"""
        )

    def test_markdown(self, rules, own):
        folder = own({}, SETTINGS + "override: {few-shelves: {require: count > minimum, hint: 'a `b`'}}\n")

        answer = rules("diff", LIBRARY, folder, "--format", "markdown")

        assert (
            "### Changed rules\n\n- `few-shelves` (error, §2.1): A branch has at least two shelves\n"
            in answer.out
        )
        assert "  - condition `require`: `count >= minimum` → `count > minimum`\n" in answer.out
        assert "  - wording `hint`: `` a `b` `` (new)\n" in answer.out

    def test_nothing(self, rules):
        assert rules("diff", LIBRARY, LIBRARY).out == (
            "From library to library\n  Nothing changed (7 rules before, 7 now).\n"
        )

    def test_json(self, rules, own):
        folder = own({}, SETTINGS + "override: {few-shelves: {params: {minimum: 3}}}\n")

        answer = rules("diff", LIBRARY, folder, "--format", "json").json

        assert (answer["before"]["id"], answer["after"]["id"], answer["over"]) == ("library", "own", [])
        [change] = [change for change in answer["changes"] if change["kind"] == "rule"]
        assert change["details"] == [
            {"part": "params.minimum", "what": "changed", "group": "number", "before": 2, "after": 3}
        ]

    @pytest.mark.parametrize(
        ("arguments", "code", "message"),
        [
            (("2026_10", "2026-10"), 3, "no ruleset named 2026_10; did you mean 2026-10?"),
            (("2026-10", "2026-10+nowhere.yaml"), 3, "nowhere.yaml: cannot be read"),
            (("2026-10",), 2, "Missing argument 'B'"),
            (("2026-10", "2026-10", "--over", "nowhere"), 2, "'nowhere' does not exist"),
        ],
    )
    def test_called_wrongly(self, rules, arguments, code, message):
        answer = rules("diff", *arguments)

        assert answer.code == code
        assert message in answer.err

    def test_shipped_rulesets(self, rules):
        answer = rules("diff", "2026-10", "2026-11", "--over", SAMPLES / "compliant")

        assert answer.code == 0, answer.err
        assert "config-file-present (error, §8.1)" in answer.out
        assert "compliant: passed → failed" in answer.out
        assert "because the rule is new" in answer.out
