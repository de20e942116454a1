"""`rules query`: what a path finds, where, and absent told apart from null."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.conftest import LIBRARY


@pytest.fixture
def library(tmp_path: Path) -> Path:
    root = tmp_path / "library"
    for name, text in {
        "house.yaml": "closed: null\nopen:\n  - monday\n",
        "branches/north/Sign.txt": "North",
        "branches/north/s1/card.yaml": "subject: poetry\nbooks: 10\n",
        "branches/north/s1/loans.json": '{"days": 4,\n "out": [{"reader": "Ann"}, {"reader": null}, {}]}',
        "branches/north/s2/card.yaml": 'subject: history\nbooks: "30"\n',
        "branches/south/s1/card.yaml": "subject: [\n",
    }.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return root


@pytest.fixture
def ask(rules, library):
    def run(*arguments: str):
        return rules("query", library, *arguments, "--rules", LIBRARY, "--format", "json").json

    return run


def told(answer):
    """Each subject's state, value, and places as `file:line:column`, or the note."""
    return {
        entry["subject"]: (entry["state"], entry.get("value"), [place(p) for p in entry["places"]])
        for entry in answer["answers"]
    }


def place(entry):
    numbers = f":{entry['line']}:{entry['column']}" if entry["line"] else f" {entry['note']}"
    return f"{entry['file']}{numbers}"


N1, N2, S1 = "branches/north/s1", "branches/north/s2", "branches/south/s1"


class TestFinding:
    def test_a_value_with_its_place(self, ask):
        answer = ask("card.books")

        assert answer["scope"] == "shelf"
        assert told(answer) == {
            N1: ("value", 10, [f"{N1}/card.yaml:2:8"]),
            N2: ("value", 30, [f"{N2}/card.yaml:2:8"]),
            S1: ("absent", None, [f"{S1}/card.yaml {note_of_last(answer)}"]),
        }
        assert note_of_last(answer).startswith("cannot be used: is not YAML")

    def test_as_written(self, ask):
        assert told(ask("raw.card.books", "--subject", "s2"))[N2][1] == "30"

    def test_absent_is_not_null(self, ask):
        assert told(ask("house.closed")) == {".": ("null", None, ["house.yaml:1:9"])}
        assert told(ask("house.shut")) == {".": ("absent", None, ["house.yaml no such entry"])}
        assert told(ask("house.closd"))["."][2] == ["house.yaml no such entry; did you mean closed?"]
        assert told(ask("loans.days", "--subject", "s2"))[N2] == (
            "absent", None, [f"{N2}/loans.json no such file"],
        )  # fmt: skip

    def test_each_item_of_a_projection(self, ask):
        assert told(ask("loans.out[].reader", "--subject", N1))[N1] == (
            "value", ["Ann"],
            [f"{N1}/loans.json:2:21", f"{N1}/loans.json:2:40", f"{N1}/loans.json no such entry"],
        )  # fmt: skip

    def test_an_item_of_a_list(self, ask):
        assert told(ask("house.open[0]"))["."] == ("value", "monday", ["house.yaml:3:5"])
        assert told(ask("house.open[1]"))["."] == ("absent", None, ["house.yaml no such entry"])

    def test_a_fact_leads_to_its_document(self, ask):
        assert told(ask("filed[].count"))["branches/north"] == (
            "value", [10, 30],
            [f"{N1}/card.yaml:2:8", f"{N2}/card.yaml:2:8"],
        )  # fmt: skip

    def test_folders_and_files(self, ask):
        assert told(ask("branches[].name"))["."][1] == ["north", "south"]
        assert told(ask("files.sign.exists"))["branches/north"] == (
            "value", True, ["branches/north/Sign.txt exists"],
        )  # fmt: skip
        assert told(ask("number", "--subject", "**/s2"))[N2][1] == 2

    def test_a_table(self, ask):
        assert told(ask("subjects.limit.poetry", "--scope", "library"))["."][:2] == ("value", 4)


def note_of_last(answer) -> str:
    [place] = answer["answers"][-1]["places"]
    return place["note"]


class TestAsking:
    @pytest.mark.parametrize(
        ("expression", "scope"),
        [
            ("house", "library"),
            ("branches[].shelves[].card", "library"),
            ("shelves[0].card", "branch"),
            ("files.card.exists", "shelf"),
            ("raw.card", "shelf"),
            ("raw.card[0]", "shelf"),
            ("[card, house]", "shelf"),
            ("name", "library"),
        ],
    )
    def test_the_outermost_scope_that_knows_the_names(self, ask, expression, scope):
        assert ask(expression)["scope"] == scope

    def test_another_scope(self, ask):
        assert [entry["value"] for entry in ask("name", "--scope", "shelf")["answers"]] == ["s1", "s2", "s1"]

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["cart.books"], "nothing named cart in this ruleset; did you mean card?"),
            (["card", "--scope", "branch"], "nothing named card in a branch"),
            (["files.cards"], "nothing named cards in this ruleset; did you mean card?"),
            (["card", "--scope", "shelve"], "no scope 'shelve'; did you mean shelf?"),
            (["card["], "not a JMESPath"),
            (["up(card)"], "a path has no function up()"),
            ([""], "expected a JMESPath"),
        ],
    )
    def test_called_wrongly(self, rules, library, arguments, message):
        answer = rules("query", library, *arguments, "--rules", LIBRARY)

        assert (answer.code, answer.out) == (2, "")
        assert message in answer.err

    def test_text(self, rules, library):
        answer = rules("query", library, "card.subject", "--rules", LIBRARY, "--subject", "s1")

        assert answer.code == 0
        assert answer.out.startswith(
            f'{N1}: "poetry"\n  {N1}/card.yaml:1:10\n{S1}: absent\n  {S1}/card.yaml (cannot be used: '
        )

    def test_exit_codes(self, rules, library):
        assert rules("query", library, "house.shut", "--rules", LIBRARY).code == 1
        assert rules("query", library, "card", "--subject", "s9", "--rules", LIBRARY).code == 1
        wrong = rules("query", library, "length(card.books)", "--rules", LIBRARY)
        assert wrong.code == 3
        assert f"{N1}: no answer: In function length()" in wrong.out

    def test_hostile_names_do_not_reach_the_terminal(self, rules, library):
        (library / "house.yaml").write_text('closed: "\\e[31mred\\e[0m"\n')

        answer = rules("query", library, "house.closed", "--rules", LIBRARY)

        assert "\x1b" not in answer.out

    def test_a_shipped_ruleset(self, rules):
        sample = Path(__file__).parents[2] / "fixtures" / "submissions" / "compliant"
        answer = rules("query", sample, 'summary.tpot.percentiles."90"', "--subject", "r16")

        assert answer.out.split("\n")[1].startswith(
            "  results/lakeside_l8/llama3_1-8b/r16/result_summary.json:"
        )
