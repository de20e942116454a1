"""What the pages say, on a toy ruleset about another domain."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from markdown_it import MarkdownIt

from submission_checker.rulebook.pages.clauses import in_order

RULES = "reference/library/rules"


def section(page: str, title: str) -> str:
    """The part of a page below a heading."""
    return page.split(f"\n## {title}\n")[1].split("\n## ")[0].strip()


def test_a_rule_page_says_what_it_asks_and_what_follows(library: Mapping[str, str]) -> None:
    page = library[f"{RULES}/few-shelves.md"]

    assert page.splitlines()[:2] == [
        "<!-- Generated from rules/library/books/few-shelves.yaml by `submission-checker docs build`; "
        "change that, not this. -->",
        "# few-shelves",
    ]
    assert "| Clauses | [§2.1 Shelves](../clauses/2.1.md) |" in page
    assert "| If it is broken | **error**: the check fails (exit code 1) |" in page
    assert "| What the policy does | `fine`, pay a fine: The branch pays a fine. |" in page
    assert "| Looks at each | branch, `branches/*/` |" in page
    asked = "For every branch, the number of `shelves` must be at least `minimum` (2)."
    assert section(page, "What it asks") == asked
    assert "| `minimum` | `2` | parameter of the rule |" in section(page, "Limits")


def test_examples_come_with_the_message_that_a_user_sees(library: Mapping[str, str]) -> None:
    broken = section(library[f"{RULES}/few-shelves.md"], "Breaks")

    assert broken == ("```yaml\nshelves: [{}]\n```\n\n> **error:** `1 shelves, at least 2 are needed`")


def test_the_condition_is_the_file_s_own_text_where_no_overlay_changes_it(library: Mapping[str, str]) -> None:
    plain = section(library[f"{RULES}/few-shelves.md"], "Condition, as written")
    changed = section(library["reference/library-strict/rules/few-shelves.md"], "Condition, as written")

    assert "let:\n  count: len(shelves)\nrequire: count >= minimum" in plain
    assert "params: {minimum: 3}" in changed


def test_gates_are_told_on_both_sides(library: Mapping[str, str]) -> None:
    held = section(library[f"{RULES}/books-known.md"], "Is not checked")
    holding = section(library[f"{RULES}/few-shelves.md"], "Holds back")

    assert "- while [`few-shelves`](few-shelves.md) is broken on the branch, if `closed`" in held
    assert "[`books-known`](books-known.md)" in holding


def test_a_field_that_no_rule_reads_is_marked(library: Mapping[str, str]) -> None:
    fields = section(library["reference/library/documents/card.md"], "Fields")
    rows = dict(re.findall(r"^\| <a id=\"field-(\w+)\"></a>.*\| (.*?) \|$", fields, re.MULTILINE))

    assert rows["weight_kg"] == "—"
    assert rows["subject"].startswith("[`books-known`](../rules/books-known.md)")


def test_an_overlay_s_changes_are_listed(library: Mapping[str, str]) -> None:
    page = library["reference/library-strict/changes.md"]

    assert "- [`readers-named`](../library/rules/readers-named.md)" in section(page, "Removed rules")
    assert "| `severity` | `error` | `warning` |" in section(page, "Changed rules")
    assert "| `limit.poetry` | `4` | `3` |" in section(page, "Tables")


def test_every_page_says_in_its_first_line_where_it_comes_from(library: Mapping[str, str]) -> None:
    for path, text in library.items():
        assert re.match(r"(<!-- |# )Generated from .+ by `submission-checker docs build`", text), path


def test_no_page_has_a_word_of_the_shipped_policy(library: Mapping[str, str]) -> None:
    """What the pages of a ruleset say comes from the ruleset."""
    for path, text in library.items():
        if path.startswith("reference/library"):
            assert not re.search(r"mlperf|mlcommons|concurrency|endpoint|accuracy", text, re.IGNORECASE), path


def test_links_between_pages_lead_somewhere(library: Mapping[str, str]) -> None:
    assert broken_links(library) == []


def broken_links(pages: Mapping[str, str]) -> list[str]:
    """Links of pages whose page or mark is not there."""
    import posixpath

    marks = {path: marks_of(text) for path, text in pages.items()}
    found = []
    for path, text in pages.items():
        for target in links_of(text) if path.endswith(".md") else ():
            page, _, mark = target.partition("#")
            where = posixpath.normpath(posixpath.join(posixpath.dirname(path), page)) if page else path
            if where.startswith(".."):
                continue
            if where not in pages or (mark and mark not in marks[where]):
                found.append(f"{path}: {target}")
    return found


def links_of(text: str) -> list[str]:
    """Targets of the links and pictures of a Markdown page."""
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    inner = [child for token in tokens for child in token.children or ()]
    targets = [token.attrGet("href") or token.attrGet("src") for token in inner]
    return [str(target) for target in targets if target and "://" not in str(target)]


def marks_of(text: str) -> set[str]:
    """Marks that links can lead to: those written, and those that headings have on GitHub."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    slugs = {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}
    return slugs | set(re.findall(r'<a id="([^"]+)"', text))


@pytest.mark.parametrize(
    ("given", "sorted_as"),
    [
        (["5.10", "5.9", "5"], ["5", "5.9", "5.10"]),
        (["B", "10", "9.1"], ["9.1", "10", "B"]),
        (["SR 4.2", "4.6", "SR 10"], ["4.6", "SR 4.2", "SR 10"]),
    ],
)
def test_clauses_come_as_in_a_table_of_contents(given: list[str], sorted_as: list[str]) -> None:
    assert in_order(given) == sorted_as
