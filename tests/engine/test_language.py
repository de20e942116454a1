"""The rule language, as the tables in fixtures/language say; and what bounds it."""

from __future__ import annotations

import ast
import math
import time
from datetime import date
from pathlib import Path
from typing import Any, ClassVar

import pytest
import simpleeval

from submission_checker.engine import source
from submission_checker.engine.errors import EvaluationError, ExpressionError
from submission_checker.engine.expressions import Expression, Template
from submission_checker.engine.extraction import Path as JmesPath
from submission_checker.engine.language import LANGUAGE
from submission_checker.engine.patterns import safe_pattern

TABLES = Path(__file__).parents[2] / "fixtures" / "language"


def _cases() -> list[Any]:
    found = []
    for file in sorted(TABLES.glob("*.yaml")):
        for group in source.load(file)[0]:
            for number, case in enumerate(group["cases"]):
                found.append(pytest.param(group.get("given", {}), case, id=f"{file.stem}-{number}"))
    return found


@pytest.mark.parametrize(("given", "case"), _cases())
def test_table(given: dict[str, Any], case: dict[str, Any]) -> None:
    if "refused" in case:
        with pytest.raises(ExpressionError) as refused:
            Expression(case["expression"], LANGUAGE)
        assert case["refused"] in str(refused.value)
        return
    expression = Expression(case["expression"], LANGUAGE)
    if "error" in case:
        with pytest.raises(EvaluationError) as error:
            expression.evaluate(given)
        assert str(error.value) == case["error"]
        return
    value = expression.evaluate(given)
    assert value == case["result"]
    assert type(value) is type(case["result"])


@pytest.mark.parametrize(
    "expression",
    [case.values[1]["expression"] for case in _cases() if "result" in case.values[1]],
)
def test_interpreter_of_simpleeval_agrees(expression: str) -> None:
    """Where simpleeval has an answer for the same text, the compiled expression has the same."""
    given = next(c.values[0] for c in _cases() if c.values[1]["expression"] == expression)
    if "True" in expression:
        pytest.skip("kinds before values is where the language differs from Python on purpose")
    interpreter = simpleeval.EvalWithCompoundTypes(functions=dict(LANGUAGE), names=given)
    try:
        expected = interpreter.eval(expression)
    except (simpleeval.InvalidExpression, KeyError, AttributeError):
        pytest.skip("simpleeval gives no answer")
    assert Expression(expression, LANGUAGE).evaluate(given) == expected


@pytest.mark.parametrize(
    "expression",
    [
        "9 ** 9 ** 9",
        "2.0 ** 1e10",
        "'a' * 10 ** 9",
        "[0] * 10 ** 9",
        "[a for a in many for b in many for c in many]",
        "matches(bomb, text)",
        "matches('.*.*x', text)",
        "matches(5, text)",
        "9 ** 99999",
        "(10 ** 29999) * (10 ** 29999)",
        "(-8) ** 0.5",
        "round(5, -1000000000)",
        "bush == other_bush",
        "distinct([bush, other_bush])",
        "[a for a in many if a in long]",
    ],
)
def test_bounded(expression: str) -> None:
    """What would take for ever, or all the memory, is an evaluation error at once."""
    with pytest.raises(EvaluationError):
        Expression(expression, LANGUAGE).evaluate(
            {
                "many": list(range(1000)),
                "long": [-1] * 100_000,
                "text": "a" * 50_000,
                "bomb": "(a+)+b",
                "bush": bush(),
                "other_bush": bush(),
            }
        )


@pytest.mark.parametrize(
    "expression",
    [
        "text + text + text + text",
        "join([text, text, text])",
        "join(many, text)",
        "join(many + [text, text])",
    ],
)
def test_texts_that_nobody_reads_are_cut(expression: str) -> None:
    """A submission may hold texts of any length: too long a text is no reason to give no answer."""
    made = Expression(expression, LANGUAGE).evaluate({"many": list(range(1000)), "text": "a" * 60_000})
    assert len(made) == 100_000 and made.endswith("…")


def test_a_text_of_just_the_length_is_not_cut() -> None:
    given = {"text": "a" * 50_000, "rest": "b" * 49_998}
    made = Expression("join([text, rest])", LANGUAGE).evaluate(given)
    assert made == "a" * 50_000 + ", " + "b" * 49_998
    assert Expression("text + text", LANGUAGE).evaluate(given) == "a" * 100_000


@pytest.mark.parametrize("expression", ["many + [1]", "[item for item in many]", "5000 in many"])
def test_each_evaluation_has_its_own_budget(expression: str) -> None:
    compiled = Expression(expression, LANGUAGE)
    for _ in range(30):
        compiled.evaluate({"many": list(range(10_000))})


def test_ten_thousand_mappings_are_told_apart() -> None:
    twigs = [{"leaf": number // 2} for number in range(20_000)]
    assert Expression("distinct(twigs)", LANGUAGE).evaluate({"twigs": twigs}) == twigs[::2]


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ([1, True, 1.0, "1", None, None], [1, True, "1", None]),
        ([[1], [True], [1.0], (1,), [[]], [{}]], [[1], [True], [[]], [{}]]),
        ([{"a": 1}, {"a": True}, {"a": 1.0}, {"a": 1, "b": None}, [["a", 1]]],
         [{"a": 1}, {"a": True}, {"a": 1, "b": None}, [["a", 1]]]),
        ([{"a": 1, "b": 2}, {"b": 2, "a": 1}, {}, []], [{"a": 1, "b": 2}, {}, []]),
        ([{1, 2}, {2, 1}, b"x", b"x", date(2026, 1, 1), date(2026, 1, 1)], [{1, 2}, b"x", date(2026, 1, 1)]),
    ],
)  # fmt: skip
def test_distinct_keeps_the_first_of_equal_items(given: list[Any], kept: list[Any]) -> None:
    found = Expression("distinct(given)", LANGUAGE).evaluate({"given": given})
    assert [(type(item), item) for item in found] == [(type(item), item) for item in kept]


def test_nan_is_distinct_from_itself_at_every_level() -> None:
    assert len(Expression("distinct(n)", LANGUAGE).evaluate({"n": [math.nan] * 2 + [[math.nan]] * 2})) == 4


def bush(height: int = 40) -> Any:
    """A list that holds itself many times over: small in memory, endless when written out."""
    grown: Any = ["leaf"]
    for _ in range(height):
        grown = [grown, grown]
    return grown


@pytest.mark.parametrize("message", ["{bush}", "{mapping}"])
def test_message_of_a_value_without_end_is_short(message: str) -> None:
    names = {"bush": bush(), "mapping": {"a": bush()}}

    assert len(Template(message).render(names)) <= 300


def test_error_about_a_value_without_end_is_short() -> None:
    with pytest.raises(EvaluationError, match="cannot compute -") as refused:
        Expression("-bush", LANGUAGE).evaluate({"bush": bush()})
    assert len(refused.value.message) < 200


@pytest.mark.parametrize(
    "pattern",
    ["(a+)+b", "(a|a)*b", "([a-z]+)*b", "((a+)b?)+", "(a+){20}", "(a?){50}a{50}", "(a*)*", "(?:a{1,9}b)+",
     r"(a+)\1", "(?=(a+)+)b", "a" * 201, "(a", "a**", "(?P<x>a)(?P=x)"],
)  # fmt: skip
def test_pattern_is_refused_when_it_is_read(pattern: str) -> None:
    with pytest.raises(ExpressionError, match=r"the pattern|a pattern"):
        Expression(f"matches({pattern!r}, text)", LANGUAGE)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("[0-9]{4}-(0[1-9]|1[0-2])", "2026-10"),
        (r"r(?P<number>\d+)", "r64"),
        ("(a|b)?c*", "ac"),
        (r"v\d+(\.\d+)?", "v1.10"),
        ("(?:ab){3}", "ababab"),
        ("[a-z]+-[a-z]+-[a-z]+", "a-b-c"),
    ],
)
def test_pattern_is_used(pattern: str, text: str) -> None:
    assert Expression(f"matches({pattern!r}, text)", LANGUAGE).evaluate({"text": text}) is True


@pytest.mark.parametrize("pattern", [".*", ".*.*", ".*.*.*", ".*.*.*.*x", "a*a*a*a*a*a*a*a*b"])
def test_longest_text_takes_little_time(pattern: str) -> None:
    compiled = safe_pattern(pattern)
    start = time.monotonic()

    compiled.matches("a" * compiled.longest)

    assert time.monotonic() - start < 5


@pytest.mark.parametrize("message", ["{x:1000000000}", "{x:.1000000000f}", "{x:>999}", "{x:{y}}", "{x:2.f.}"])
def test_format_is_refused(message: str) -> None:
    with pytest.raises(ExpressionError):
        Template(message)


@pytest.mark.parametrize("source_text", ["x" * 3000, "+".join(["x"] * 300), "(" * 500 + "x" + ")" * 500])
def test_size_is_bounded(source_text: str) -> None:
    with pytest.raises(ExpressionError):
        Expression(source_text, LANGUAGE)


def test_names_and_functions_are_known() -> None:
    expression = Expression("len([p for p in points if p.x > limit]) > least", LANGUAGE)

    assert (expression.names, expression.called) == (("points", "limit", "least"), ("len",))


class TestMessages:
    def test_values_and_formats(self) -> None:
        message = Template("{a:.2f} of {b.c}, {list}, {none}, {yes} {{x}}")

        written = message.render({"a": 1 / 3, "b": {"c": "d"}, "list": [1, 2.5], "none": None, "yes": True})

        assert written == "0.33 of d, 1, 2.5, null, true {x}"

    def test_format_that_does_not_fit_is_left_out(self) -> None:
        assert Template("{a:.2f} {b:.2f}").render({"a": "text", "b": None}) == "text null"

    def test_long_values_are_cut(self) -> None:
        assert len(Template("{a}").render({"a": "x" * 10_000})) == 300

    @pytest.mark.parametrize("text", ["{a!r}", "{a[0]}", "{len(a)}", "{a:{b}}", "{", "{}", "{a + b}", "{0}"])
    def test_anything_else_between_braces_is_refused(self, text: str) -> None:
        with pytest.raises(ExpressionError):
            Template(text)

    def test_underscore_is_refused(self) -> None:
        with pytest.raises(ExpressionError):
            Template("{a.__class__}")


class TestPaths:
    DATA: ClassVar[dict[str, Any]] = {"a": {"90": {"b": 3}, "c-d": None}, "list": [{"v": 1}, {"v": None}, {}]}

    @pytest.mark.parametrize(
        ("path", "value"),
        [
            ('a."90".b', 3),
            ('a."c-d"', None),
            ("a.x.y", None),
            ("list[].v", [1]),
            ("list[0].v", 1),
            ("a.list", None),
        ],
    )
    def test_value(self, path: str, value: Any) -> None:
        assert JmesPath(path).search(self.DATA) == value
        assert JmesPath(path).trace(self.DATA)[0] == value

    def test_absent_is_told_from_null(self) -> None:
        _, trace = JmesPath("list[].v").trace(self.DATA)

        assert [key for _, key in trace.read] == ["list", "v", "v"]
        assert trace.absent == [({}, "v")]

    @pytest.mark.parametrize("path", ["", "a-b", "a[", "a b", "[?a ==]"])
    def test_malformed_is_refused(self, path: str) -> None:
        with pytest.raises(ExpressionError):
            JmesPath(path)

    def test_wrong_kind_is_an_evaluation_error(self) -> None:
        with pytest.raises(EvaluationError):
            JmesPath("length(a.x)").search(self.DATA)


@pytest.mark.parametrize("message", ["{number}", "{number:.2f}", "{numbers}", "{numbers:d}"])
def test_an_integer_that_python_does_not_write_is_paraphrased(message: str) -> None:
    number = 10**5000
    written = Template(message).render({"number": number, "numbers": [number]})
    assert written == "an integer of thousands of digits"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        pytest.param(10**5000, "an integer of", id="integer"),
        pytest.param([10**5000], "a list with", id="list"),
        pytest.param({"a": 10**5000}, "a mapping with", id="mapping"),
    ],
)
def test_an_error_about_such_an_integer_can_be_written(value: Any, shown: str) -> None:
    with pytest.raises(EvaluationError, match=f"cannot compute .*{shown}"):
        Expression("value - [1]", LANGUAGE).evaluate({"value": value})


def test_every_part_can_be_observed() -> None:
    seen = []
    expression = Expression(
        "len([x for x in xs if x > 1]) >= least",
        LANGUAGE,
        lambda part, value: seen.append((ast.unparse(part), value)),
    )

    assert expression.evaluate({"xs": [1, 2], "least": 1}) is True
    assert seen == [
        ("xs", [1, 2]), ("x", 1), ("x > 1", False), ("x", 2), ("x > 1", True), ("x", 2),
        ("[x for x in xs if x > 1]", [2]), ("len([x for x in xs if x > 1])", 1), ("least", 1),
        ("len([x for x in xs if x > 1]) >= least", True),
    ]  # fmt: skip
