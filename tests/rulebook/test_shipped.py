"""The pages of the shipped rulesets: every thing has its page, and the pages agree with the rules."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

import pytest
import yaml

from submission_checker.bench.lints import LINTS
from submission_checker.engine.language import LANGUAGE
from submission_checker.functions import BUILTINS
from submission_checker.rulebook import schemas
from submission_checker.rulebook.book import Book
from submission_checker.rulebook.building import Material, build

from .conftest import SHIPPED, survey
from .test_pages import broken_links, section

BOOKS = {name: Book(survey(name), lambda _: None) for name in SHIPPED}
DOCUMENTS = [(name, document) for name, book in BOOKS.items() for document in book.described]
MAIN = "2026-10"
LATEST = "2026-11"


@pytest.fixture(scope="module")
def pages() -> Mapping[str, str]:
    return build(Material(surveys=[survey(name) for name in SHIPPED], lints=LINTS))


@pytest.mark.parametrize("name", SHIPPED)
def test_every_part_of_a_ruleset_has_its_page(pages: Mapping[str, str], name: str) -> None:
    book = BOOKS[name]
    expected = {
        *map(book.page_of_rule, book.rules),
        *map(book.page_of_clause, book.sections),
        *map(book.page_of_table, book.ruleset.tables),
        *filter(None, map(book.page_of_document, book.described)),
        book.coverage,
    }

    assert expected <= set(pages)


def test_every_function_and_lint_has_its_entry(pages: Mapping[str, str]) -> None:
    assert {f"reference/functions/{name}.md" for name in BUILTINS} <= set(pages)
    for name in LANGUAGE:
        assert f"\n## {name}\n" in pages["reference/functions/language.md"]
    for name in LINTS:
        assert f"\n### {name}\n" in pages["reference/lints.md"]


def test_links_between_pages_lead_somewhere(pages: Mapping[str, str]) -> None:
    # The guides and the commands are not among these pages.
    broken = [link for link in broken_links(pages) if not link.endswith("commands.md")]

    assert broken == []


@pytest.mark.parametrize(("name", "document"), DOCUMENTS, ids=lambda value: value)
def test_the_least_document_of_a_page_is_valid(pages: Mapping[str, str], name: str, document: str) -> None:
    page = pages[f"reference/{name}/documents/{document}.md"]
    language, text = re.findall(r"```(\w+)\n(.*?)\n```", section(page, "The least that is valid"), re.DOTALL)[
        0
    ]
    value = json.loads(text) if language == "json" else yaml.safe_load(text)
    schema = BOOKS[name].described[document].schema

    _, problems = BOOKS[name].ruleset.schema(schema or "").check(value)

    assert problems == ()


@pytest.mark.parametrize(("name", "document"), DOCUMENTS, ids=lambda value: value)
def test_every_field_of_a_document_is_told(pages: Mapping[str, str], name: str, document: str) -> None:
    page = pages[f"reference/{name}/documents/{document}.md"]

    for path in _declared(BOOKS[name].schema(document)):
        assert re.search(rf"`(\S*[.\]])?{re.escape(path)}`", page), path


def _declared(schema: object) -> set[str]:
    """Names of all fields that a schema declares, wherever."""
    found: set[str] = set()
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key == "properties":
                found |= set(value)
            if key not in ("if", "then", "else", "allOf", "default", "examples", "x-aliases"):
                found |= _declared(value)
    elif isinstance(schema, list):
        for item in schema:
            found |= _declared(item)
    return found


@pytest.mark.parametrize(
    ("rule", "fields"),
    [
        ("min-query-count", {"disclosure.dataset", "summary.n_samples_completed"}),
        ("shared-path-resolution", {"disclosure.shared_src", "disclosure.shared_docs"}),
        (
            "region-placement",  # through facts
            {"disclosure.concurrency", "disclosure.region", "system_desc.max_supported_concurrency"},
        ),
    ],
)
def test_which_fields_a_rule_reads(rule: str, fields: set[str]) -> None:
    assert BOOKS[MAIN].usages.rules[rule].fields == fields


def test_a_field_that_only_a_function_knows_by_name_counts_as_read(pages: Mapping[str, str]) -> None:
    fields = section(pages[f"reference/{MAIN}/documents/descriptor.md"], "Fields")
    row = next(line for line in fields.splitlines() if "field-overhead_fraction" in line)

    assert "[`power-descriptor`]" in row


def test_a_rule_whose_severity_is_not_the_policy_s_is_marked(pages: Mapping[str, str]) -> None:
    page = pages[f"reference/{MAIN}/rules/min-query-count.md"]
    coverage = pages[f"reference/{MAIN}/coverage.md"]
    of_rules = section(coverage, "From rule to clauses")

    assert "**Stricter than the policy**" in page
    for name, rule in BOOKS[MAIN].rules.items():
        action = BOOKS[MAIN].actions[rule.info.action or ""]
        row = next(line for line in of_rules.splitlines() if line.startswith(f"| [`{name}`]"))
        assert ("(stricter)" in row or "(milder)" in row) is (action["severity"] != rule.info.severity), name


def test_the_coverage_counts_what_the_clauses_say(pages: Mapping[str, str]) -> None:
    counted = section(pages[f"reference/{MAIN}/coverage.md"], "Counted")
    book = BOOKS[MAIN]
    decided = [entry["decided"] for entry in book.sections.values()]
    numbers = [str(decided.count(key)) for key in ("automated", "partly", "manual", "not_checkable")]

    assert f"| Clauses | {len(decided)} | {' | '.join(numbers)} |" in counted


@pytest.mark.parametrize(
    ("rule", "trap"),
    [
        ("high-concurrency-coverage", "margin above C_max"),
        ("agentic-accuracy", "agentic"),
        ("streaming-config", "stream"),
    ],
)
def test_traps_are_told_on_the_rule_s_page(pages: Mapping[str, str], rule: str, trap: str) -> None:
    assert trap in section(pages[f"reference/{MAIN}/rules/{rule}.md"], "Worth knowing")


@pytest.mark.parametrize(("name", "document"), DOCUMENTS, ids=lambda value: value)
def test_the_least_document_has_nothing_that_could_be_left_out(name: str, document: str) -> None:
    book = BOOKS[name]
    schema = book.ruleset.schema(book.described[document].schema or "")
    least = schemas.least(book.schema(document))

    for key in list(least):
        without = {other: value for other, value in least.items() if other != key}
        assert schema.check(without)[1] != (), key
