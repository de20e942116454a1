"""A page for each named function, made of its docstring; one for all that the rule language has."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from itertools import groupby
from typing import Any

from submission_checker.bench import overview
from submission_checker.engine.language import LANGUAGE
from submission_checker.rulebook import markdown as md
from submission_checker.rulebook.book import FUNCTIONS, Book, first_line, page_of_function

INDEX = f"{FUNCTIONS}/README.md"
OF_LANGUAGE = f"{FUNCTIONS}/language.md"
_HEADINGS = ("Args", "Returns", "Raises", "Clause")
_CLAUSE = re.compile(r"^(?P<file>\S+)?\s*§(?P<number>[A-Z0-9.]+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Doc:
    """A docstring in its parts."""

    summary: str = ""
    paragraphs: tuple[str, ...] = ()
    arguments: Mapping[str, str] = field(default_factory=dict)
    returns: str = ""
    raises: Mapping[str, str] = field(default_factory=dict)
    clause: str = ""
    example: str = ""


@lru_cache(maxsize=1024)
def parse(function: Callable[..., Any]) -> Doc:
    """Take a function's docstring apart."""
    written = inspect.getdoc(function) or ""
    written, _, example = written.partition("\n>>> ")
    sections: dict[str, list[str]] = {"": []}
    current = ""
    for line in written.splitlines():
        if line.removesuffix(":") in _HEADINGS and line.endswith(":"):
            current = line.removesuffix(":")
            sections[current] = []
        else:
            sections[current].append(line)
    summary, *paragraphs = _paragraphs(sections[""]) or [""]
    return Doc(
        summary=summary,
        paragraphs=tuple(paragraphs),
        arguments=_entries(sections.get("Args", [])),
        returns=" ".join(" ".join(sections.get("Returns", [])).split()),
        raises=_entries(sections.get("Raises", [])),
        clause="\n".join(line.strip() for line in sections.get("Clause", []) if line.strip()),
        example=f">>> {example}".rstrip() if example else "",
    )


def _paragraphs(lines: Sequence[str]) -> list[str]:
    text = "\n".join(lines).strip()
    return [" ".join(part.split()) for part in re.split(r"\n\s*\n", text) if part.strip()]


def _entries(lines: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    name = ""
    for line in lines:
        start = re.match(r" {4}([\w*]+)(?: \([^)]*\))?: (.*)", line)
        if start:
            name = start[1].lstrip("*")
            found[name] = start[2]
        elif name and line.strip():
            found[name] += " " + line.strip()
    return found


def documented(book: Book) -> dict[str, Doc]:
    """Return the named functions that a ruleset knows besides those of the language, with what they do."""
    return {
        name: parse(function) for name, function in book.ruleset.functions.items() if name not in LANGUAGE
    }


def clauses_of(book: Book, doc: Doc) -> list[tuple[str, str]]:
    """Return the clauses of a function: how they are written, and their keys."""
    found = []
    for match in _CLAUSE.finditer(doc.clause):
        number = match["number"].rstrip(".")
        keys = [
            key
            for key, entry in book.sections.items()
            if key.split(" ")[-1] == number and _is_of(book, entry, match["file"])
        ]
        found += [(match[0], key) for key in keys[:1]]
    return found


def _is_of(book: Book, entry: Mapping[str, Any], file: str | None) -> bool:
    policy = book.policies.get(entry.get("document", ""), {})
    return file is None or not policy or policy.get("file") == file


def pages(books: Sequence[Book]) -> Iterator[tuple[str, str]]:
    """Yield the pages of the functions that some ruleset can use."""
    known: dict[str, Callable[..., Any]] = {}
    for book in books:
        known.update(book.ruleset.functions)
    named = {name: function for name, function in known.items() if name not in LANGUAGE}
    yield INDEX, _index(named)
    yield OF_LANGUAGE, _language()
    for name, function in named.items():
        yield page_of_function(name), _function(books, name, function)


def _family(function: Callable[..., Any]) -> str:
    return function.__module__


def _title(module: str) -> str:
    """Return what a module is about, by the first line of its docstring."""
    doc = inspect.getdoc(import_module(module)) or module
    return doc.splitlines()[0].rstrip(".")


def _index(named: Mapping[str, Callable[..., Any]]) -> str:
    blocks = [
        first_line("the docstrings of src/submission_checker/functions/"),
        "# Functions",
        "Named quantities that rules call: pure functions of what they are given. "
        f"{md.link('Functions of the rule language', OF_LANGUAGE, INDEX)} are on one page.",
    ]
    ordered = sorted(named.items(), key=lambda item: (_family(item[1]), item[0]))
    for module, members in groupby(ordered, key=lambda item: _family(item[1])):
        rows = [
            (md.link(md.code(name), page_of_function(name), INDEX), md.text(parse(function).summary))
            for name, function in members
        ]
        blocks += [f"## {md.text(_title(module))}", md.table(("Function", "Gives"), rows)]
    return md.page(blocks)


def _function(books: Sequence[Book], name: str, function: Callable[..., Any]) -> str:
    here = page_of_function(name)
    doc = parse(function)
    newest = books[0]
    blocks = [
        first_line(f"the docstring of {function.__module__}.{name}"),
        f"# {name}",
        f"{md.link('Functions', INDEX, here)} · {md.text(_title(_family(function)))}",
        md.text(doc.summary),
        md.block(_signature(name, function), "python"),
        *(md.text(paragraph) for paragraph in doc.paragraphs),
        *_arguments(doc),
        *(["## Gives", md.text(doc.returns)] if doc.returns else []),
        *_errors(doc),
        *(["## Example", md.block(doc.example, "pycon")] if doc.example else []),
        *_clauses(newest, doc, here),
        *_callers(books, name, here),
    ]
    return md.page(blocks)


def _signature(name: str, function: Callable[..., Any]) -> str:
    """Write how a function is called, with the kinds of its arguments."""
    parameters, star = [], False
    signature = inspect.signature(function)
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not star:
            parameters.append("*")
            star = True
        annotation = "" if parameter.annotation is parameter.empty else f": {_shown(parameter.annotation)}"
        default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
        parameters.append(f"{parameter.name}{annotation}{default}")
    returned = signature.return_annotation
    arrow = "" if returned is signature.empty else f" -> {_shown(returned)}"
    line = f"{name}({', '.join(parameters)}){arrow}"
    if len(line) <= 96:
        return line
    inner = "".join(f"    {parameter},\n" for parameter in parameters)
    return f"{name}(\n{inner}){arrow}"


def _shown(annotation: Any) -> str:
    return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))


def _arguments(doc: Doc) -> list[str]:
    rows = [(md.code(name), md.text(meaning)) for name, meaning in doc.arguments.items()]
    return ["## Arguments", md.table(("Argument", "Is"), rows)] if rows else []


def _errors(doc: Doc) -> list[str]:
    rows = [f"{md.code(name)}: {md.text(meaning)}" for name, meaning in doc.raises.items()]
    return ["## Cannot be evaluated", md.bullets(rows)] if rows else []


def _clauses(book: Book, doc: Doc, here: str) -> list[str]:
    if not doc.clause:
        return []
    said = [f"{book.clause(key, here, title=True)}" for _, key in clauses_of(book, doc)]
    return ["## Clause", md.bullets(said or [md.text(doc.clause)])]


def _callers(books: Sequence[Book], name: str, here: str) -> list[str]:
    blocks = []
    for book in books:
        rules = [rule for rule, used in book.usages.direct.items() if name in used.functions]
        facts = [
            md.link(md.code(fact), f"{book.root}/facts.md#{scope}.{fact}", here)
            for scope, entries in book.ruleset.facts.items()
            for fact in entries
            if name in book.usages.facts[scope, fact].functions
        ]
        through = [rule for rule in book.rules_that_call(name) if rule not in rules]
        said = []
        if rules:
            said.append(f"Rules: {book.rule_list(rules, here)}")
        if facts:
            said.append(f"Facts: {', '.join(facts)}")
        if through:
            said.append(f"Rules, through facts: {book.rule_list(through, here)}")
        if said:
            blocks += [f"### {book.id}", md.bullets(said)]
    return ["## Called by", *blocks] if blocks else []


def _language() -> str:
    blocks = [
        first_line("the docstrings of submission_checker.engine.language"),
        "# Functions of the rule language",
        f"{md.link('Functions', INDEX, OF_LANGUAGE)} · Every ruleset can use them.",
    ]
    for name, function in sorted(LANGUAGE.items()):
        doc = parse(function)
        blocks += [
            f"## {name}",
            md.code(overview.signature(name, function)),
            md.text(doc.summary),
            *(md.text(paragraph) for paragraph in doc.paragraphs),
            *([_list_of(doc)] if doc.arguments else []),
            *([md.text(f"Gives: {doc.returns}")] if doc.returns else []),
            *([md.block(_renamed(doc.example, function, name), "pycon")] if doc.example else []),
        ]
    return md.page(blocks)


def _renamed(example: str, function: Callable[..., Any], name: str) -> str:
    """Call a function in its example by the name that rules know."""
    return re.sub(rf"\b{re.escape(function.__name__)}\(", f"{name}(", example)


def _list_of(doc: Doc) -> str:
    return md.bullets(f"{md.code(name)}: {md.text(meaning)}" for name, meaning in doc.arguments.items())
