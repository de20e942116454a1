"""A page for each clause, and the coverage of the policy: clauses, rows, rules, questions for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from submission_checker.rulebook import markdown as md
from submission_checker.rulebook.book import Book, first_line, page_of_function
from submission_checker.rulebook.pages import functions, pictures
from submission_checker.rulebook.pages.rules import row_anchor, rule_table, severity

DECIDED = {
    "automated": "automated",
    "partly": "partly",
    "manual": "manual",
    "not_checkable": "not checkable",
}
_MEANS = {
    "automated": "a program decides it from the files of a submission",
    "partly": "a program decides what the files show of it; the rest is left to people",
    "manual": "people decide it; no rule does",
    "not_checkable": "nothing in the files of a submission shows it",
}


def pages(book: Book) -> Iterator[tuple[str, str]]:
    """Yield the pages of the clauses of a ruleset, and the coverage."""
    if not book.sections:
        return
    yield book.index("clauses"), _index(book)
    yield book.coverage, _coverage(book)
    for number in book.sections:
        yield book.page_of_clause(number), _clause(book, number)


def in_order(numbers: Sequence[str]) -> list[str]:
    """Sort clauses as a table of contents has them: numbers by their parts, what has a letter after them.

    >>> in_order(["SR 7", "10", "5.7.2", "B", "5.10", "5.7"])
    ['5.7', '5.7.2', '5.10', '10', 'B', 'SR 7']
    """
    return sorted(numbers, key=_order)


def _order(number: str) -> tuple[Any, ...]:
    *document, last = number.split(" ")
    parts = [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in last.split(".")]
    return (document, parts)


def _index(book: Book) -> str:
    here = book.index("clauses")
    blocks = [
        first_line(f"rules/{_file(book)}"),
        "# Clauses",
        f"The clauses that {book.titled(here)} cites. "
        "Titles are those of the policy, and what a clause asks is its own text; "
        f"{md.link('the coverage', book.coverage, here)} counts them.",
    ]
    for key, policy in (book.policies or {"": {}}).items():
        chosen = [
            number for number, entry in book.sections.items() if entry.get("document", "") == key or not key
        ]
        rows = [
            (
                book.clause(number, here, title=True), decided(book.sections[number].get("decided")),
                book.rule_list(book.rules_of_clause(number), here),
            )
            for number in in_order(chosen)
        ]  # fmt: skip
        if rows:
            blocks += [
                f"## {md.text(policy.get('title', 'Policy'))}",
                md.table(("Clause", "Decided", "Rules"), rows),
            ]
    return md.page(blocks)


def decided(key: str | None) -> str:
    """Say by whom something is decided."""
    return DECIDED.get(key or "", key or "")


def _file(book: Book) -> str:
    folder = next(folder for folder in book.ruleset.chain if (folder / "clauses.yaml").is_file())
    return f"{folder.name}/clauses.yaml"


def _clause(book: Book, number: str) -> str:
    here = book.page_of_clause(number)
    entry = book.sections[number]
    rules = book.rules_of_clause(number)
    blocks = [
        first_line(f"rules/{_file(book)}"),
        f"# §{number} {md.text(entry['title'])}",
        " · ".join(
            [
                book.named(here),
                md.link("Clauses", book.index("clauses"), here),
                *(book.clause(other, here, title=True) for other in _around(book, number)),
            ]
        ),
        _facts(book, number, here),
        "## Rules",
        rule_table(book, rules, here) or "No rule cites this clause.",
        *_rows(book, number, here),
        *_questions(book, number, here),
        *_below(book, number, here),
        *_pictures(book, number, here),
        *_fields(book, number, here),
        *_functions(book, number, here),
    ]
    return md.page(blocks)


def _around(book: Book, number: str) -> list[str]:
    parts = number.split(".")
    outer = [".".join(parts[:count]) for count in range(1, len(parts))]
    return [other for other in outer if other in book.sections]


def _facts(book: Book, number: str, here: str) -> str:
    entry = book.sections[number]
    policy = book.policies.get(entry.get("document", ""), {})
    rows = []
    if policy:
        source = f" ({md.text(policy['source'])})" if "source" in policy else ""
        rows.append(("Document", f"{md.text(policy['title'])}, {md.code(policy['file'])}{source}"))
    if "decided" in entry:
        rows.append(("Decided", f"**{decided(entry['decided'])}**: {_MEANS.get(entry['decided'], '')}"))
    only = [rule for rule in entry.get("rules", []) if rule in book.rules]
    if only:
        rows.append(("Served without a row", book.rule_list(only, here)))
    return md.table(("", ""), rows)


def _rows(book: Book, number: str, here: str) -> list[str]:
    names = [name for name, row in book.rows.items() if number in row.get("clauses", ())]
    return ["## Rows of the table of checks", row_table(book, names, here)] if names else []


def row_table(book: Book, names: Sequence[str], here: str, *, marks: bool = False) -> str:
    """List rows of the table of checks: what each asks, what the policy does, who decides, which rules."""
    rows = []
    for name in names:
        row = book.rows[name]
        label = f"{md.anchor(row_anchor(name))}{md.text(name)}" if marks else md.link(
            md.text(name), f"{book.coverage}#{row_anchor(name)}", here
        )  # fmt: skip
        rules = [f"{book.rule(rule, here)}{_mark(book, rule)}" for rule in row.get("rules", ())]
        rows.append(
            (
                label, book.prose(row.get("asks", ""), here), book.clause_list(row.get("clauses", ()), here),
                md.code(row.get("action", "")), decided(row.get("decided")), ", ".join(rules),
            )
        )  # fmt: skip
    return md.table(("Row", "Asks", "Clauses", "Policy", "Decided", "Rules"), rows)


def _mark(book: Book, rule: str) -> str:
    if rule not in book.rules:
        return " (not in this ruleset)"
    differs = book.differs(rule)
    return f" ({differs})" if differs else ""


def _questions(book: Book, number: str, here: str) -> list[str]:
    asked = [entry["asks"] for entry in book.manual.values() if number in entry.get("clauses", ())]
    return ["## Left to reviewers", md.bullets(book.prose(text, here) for text in asked)] if asked else []


def _below(book: Book, number: str, here: str) -> list[str]:
    inner = in_order([other for other in book.sections if other.startswith(f"{number}.")])
    if not inner:
        return []
    rows = [
        (book.clause(other, here, title=True), book.rule_list(book.rules_of_clause(other), here))
        for other in inner
    ]
    return ["## Clauses below", md.table(("Clause", "Rules"), rows)]


def _pictures(book: Book, number: str, here: str) -> list[str]:
    drawn = pictures.of_clause(book, number, here)
    return ["## Pictures", *drawn] if drawn else []


def _fields(book: Book, number: str, here: str) -> list[str]:
    found = [
        f"{book.field(document, field.path, here)}: {book.prose(field.description, here)}"
        for document, fields in book.fields.items()
        for field in fields.values()
        if field.clause == number and not field.deprecated
    ]
    return ["## Fields", md.bullets(found)] if found else []


def _functions(book: Book, number: str, here: str) -> list[str]:
    found = [
        f"{md.link(md.code(name), page_of_function(name), here)}: {book.prose(doc.summary, here)}"
        for name, doc in functions.documented(book).items()
        if number in [key for _, key in functions.clauses_of(book, doc)]
    ]
    return ["## Functions", md.bullets(found)] if found else []


# The coverage.


def _coverage(book: Book) -> str:
    here = book.coverage
    differing = [rule for rule in book.rules if book.differs(rule)]
    blocks = [
        first_line(f"rules/{_file(book)} and rules/{book.id}/"),
        "# Coverage",
        f"{book.named(here)} · What of the policy is checked, what is not, and "
        "what follows. Both ways: from what the policy asks to the rules, and back.",
        "## Counted",
        _counted(book),
        *_rows_section(book, here),
        "## From clause to rules",
        _clauses_to_rules(book, here),
        "## From rule to clauses",
        _legend(book, differing),
        _rules_to_clauses(book, here),
        *_manual(book, here),
        *_unchecked(book, here),
    ]
    return md.page(blocks)


def _counted(book: Book) -> str:
    rows = []
    for label, entries in (("Clauses", book.sections), ("Rows of the table of checks", book.rows)):
        if entries:
            count = Counter(entry.get("decided") for entry in entries.values())
            rows.append((label, str(len(entries)), *(str(count[key]) for key in DECIDED)))
    if book.manual:
        rows.append(("Questions for reviewers", str(len(book.manual)), "0", "0", str(len(book.manual)), "0"))
    severities = Counter(rule.info.severity for rule in book.rules.values())
    actions = Counter(rule.info.action for rule in book.rules.values() if rule.info.action)
    said = ", ".join(f"{number} {name}" for name, number in sorted(severities.items()))
    policy = ", ".join(f"{number} {md.code(name)}" for name, number in actions.items())
    meaning = "; ".join(f"*{DECIDED[key]}*: {words}" for key, words in _MEANS.items())
    return "\n\n".join(
        [
            md.table(("", "All", *DECIDED.values()), rows),
            meaning[0].upper() + meaning[1:] + ".",
            f"{len(book.rules)} rules. What the checker does: {said}. What the policy does: "
            f"{policy or 'not said'}.",
        ]
    )


def _rows_section(book: Book, here: str) -> list[str]:
    if not book.rows:
        return []
    return ["## Rows of the table of checks", row_table(book, list(book.rows), here, marks=True)]


def _legend(book: Book, differing: Sequence[str]) -> str:
    if not differing:
        return ""
    count = Counter(book.differs(rule) for rule in differing)
    parts = []
    if count["stricter"]:
        parts.append(
            f"{count['stricter']} rules are *stricter* than the policy: the checker fails where the policy "
            "does not reject"
        )
    if count["milder"]:
        parts.append(f"{count['milder']} are *milder*: the checker only warns where the policy rejects")
    return ". ".join(parts) + "."


def _clauses_to_rules(book: Book, here: str) -> str:
    rows = [
        (
            book.clause(number, here, title=True), decided(book.sections[number].get("decided")),
            ", ".join(f"{book.rule(rule, here)}{_mark(book, rule)}" for rule in book.rules_of_clause(number)),
        )
        for number in in_order(list(book.sections))
    ]  # fmt: skip
    return md.table(("Clause", "Decided", "Rules"), rows)


def _rules_to_clauses(book: Book, here: str) -> str:
    rows = []
    for name, rule in book.rules.items():
        row = (
            md.link(md.text(rule.info.row), f"{here}#{row_anchor(rule.info.row)}", here)
            if rule.info.row
            else ""
        )
        clauses = ", ".join(book.clause(number, here) for number in rule.info.clauses)
        rows.append(
            (book.rule(name, here), clauses, row, severity(book, name), md.code(rule.info.action or ""))
        )
    return md.table(("Rule", "Clauses", "Row", "Checker", "Policy"), rows)


def _manual(book: Book, here: str) -> list[str]:
    rows = [
        (book.prose(entry["asks"], here), book.clause_list(entry.get("clauses", ()), here))
        for entry in book.manual.values()
    ]
    return ["## Left to reviewers", md.table(("Question", "Clauses"), rows)] if rows else []


def _unchecked(book: Book, here: str) -> list[str]:
    def names(key: str) -> list[str]:
        return [number for number, entry in book.sections.items() if entry.get("decided") == key]

    groups: Mapping[str, list[str]] = {key: in_order(names(key)) for key in ("manual", "not_checkable")}
    blocks = []
    for key, numbers in groups.items():
        if numbers:
            listed = md.bullets(book.clause(number, here, title=True) for number in numbers)
            blocks += [f"**{DECIDED[key].capitalize()}**: {_MEANS[key]}.", listed]
    return ["## Not checked", *blocks] if blocks else []
