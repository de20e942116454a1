"""Policy is data: no word of a ruleset, of its tables or of its documents stands in the program.

Only `functions/` may name what it computes. What else has to is listed here, each with the reason.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "submission_checker"
POLICIES = ("2026-10", "2026-11")

ALLOWED: dict[tuple[str, ...], tuple[str, ...]] = {
    # The arguments and options that the documented interface of the checker has.
    ("api.py", "archive/worker.py", "cli/batch.py", "cli/check.py", "cli/common.py", "cli/rules/corpus.py"): (
        "approved-drafters",
        "approved_drafters",
        "seed-sets",
        "seed_sets",
    ),
    # This command is about one quantity; its numbers come from the ruleset's table.
    ("cli/regions.py",): ("c_max", "c_min", "margin_factor", "concurrency"),
    # What `--help` shows must be something that can be typed and answers.
    ("cli/rules/",): ("min-query-count", "point-count", "point-duration"),
    ("cli/rules/query.py",): ("concurrency", "disclosure", "percentiles", "tpot"),
    # Names of variables.
    ("documents/", "rulebook/"): ("at_least", "at_most"),
    # A file of ours.
    ("cli/docs/", "documents/conversion.py", "rulebook/"): ("README.md",),
}
"""Files, or folders with a slash at their end, to the words that they may hold."""

SINGLE = {
    "accelerator", "concurrency", "dedicated", "disclosure", "Drifting", "elected", "percentiles", "Plateau",
    "rouge1", "tpot", "ttft", "warmup", "windowable",
}  # fmt: skip
"""Words without a mark in them that cannot be meant otherwise; the rest of such words are English, too."""


def words_of(value: Any) -> Iterator[str]:
    """Yield every key and text in a value."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield str(key)
            yield from words_of(item)
    elif isinstance(value, list):
        for item in value:
            yield from words_of(item)
    elif isinstance(value, str):
        yield value


def properties(schema: Any) -> Iterator[str]:
    """Yield the names of the fields that a schema knows, and the words that they may have for values."""
    if isinstance(schema, dict):
        for key, item in schema.items():
            if key == "properties":
                yield from item
            elif key in ("enum", "required"):
                yield from (word for word in item if isinstance(word, str))
            elif key == "const" and isinstance(item, str):
                yield item
            yield from properties(item)
    elif isinstance(schema, list):
        for item in schema:
            yield from properties(item)


def read(file: Path) -> Any:
    text = file.read_text("utf-8")
    return json.loads(text) if file.suffix == ".json" else yaml.safe_load(text)


def vocabulary() -> set[str]:
    """Words of the policy that cannot be meant otherwise."""
    found: set[str] = set()
    for policy in POLICIES:
        rules, schemas = ROOT / "rules" / policy, ROOT / "schemas" / policy
        found |= {rule.stem for rule in rules.glob("*/*.yaml") if rule.parent.name != "tables"}
        for table in rules.glob("tables/*.yaml"):
            found.update(words_of(read(table)))
        for schema in schemas.glob("*.json"):
            found.update(properties(read(schema)))
        layout = read(rules / "layout.yaml")
        for name, entry in {**layout.get("documents", {}), **layout.get("places", {})}.items():
            found |= {name, str(entry.get("file", "")), str(entry.get("path", ""))}
        for facts in read(rules / "facts.yaml").values():
            found.update(facts)
    found |= {word.replace("_", "-") for word in found}  # as an option has it
    return {word for word in found if is_telling(word) or word in SINGLE}


def is_telling(word: str) -> bool:
    """Tell whether a word is made of several parts: `seed_set`, `point-count`, `point.yaml`."""
    return bool(re.fullmatch(r"[\w./:-]{4,}", word)) and re.search(r"\w[_./:-]+\w", word) is not None


def files() -> list[Path]:
    """List the files of the program, but for the named quantities."""
    return sorted(
        file
        for file in SOURCE.rglob("*")
        if file.is_file() and file.suffix in (".py", ".j2", ".css", ".js", ".md", ".txt")
        if "functions" not in file.relative_to(SOURCE).parts[:1] and "bundled" not in file.parts
    )


@cache
def found_in(file: Path) -> set[str]:
    """Return the words of the policy in a file, and the numbers of clauses."""
    text = file.read_text("utf-8")
    words = vocabulary_pattern().findall(text)
    clauses = [number for number in re.findall(r"§\d[\d.]*\d", text) if number[1:] in clause_numbers()]
    return {*words, *clauses}


@lru_cache
def vocabulary_pattern() -> re.Pattern[str]:
    longest_first = sorted(vocabulary(), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?<!\w-)(?:{'|'.join(map(re.escape, longest_first))})(?![\w-])")


@lru_cache
def clause_numbers() -> set[str]:
    return {
        str(number)
        for policy in POLICIES
        for number in read(ROOT / "rules" / policy / "clauses.yaml")["sections"]
    }


def allowed_in(file: Path) -> set[str]:
    name = file.relative_to(SOURCE).as_posix()
    return {
        word
        for places, words in ALLOWED.items()
        if any(name == place or (place.endswith("/") and name.startswith(place)) for place in places)
        for word in words
    }


def test_there_are_words_to_look_for() -> None:
    words = vocabulary()
    assert words >= SINGLE
    assert {
        "point-count",
        "point.yaml",
        "system_desc.json",
        "steady_state",
        "llama3_1-8b",
        "tps_per_user",
    } <= words
    assert len(words) > 400 and len(files()) > 80
    assert {"4.1", "5.5"} <= clause_numbers()


@pytest.mark.parametrize("file", files(), ids=lambda file: file.relative_to(SOURCE).as_posix())
def test_no_word_of_the_policy_is_in_the_program(file: Path) -> None:
    assert found_in(file) - allowed_in(file) == set()


@pytest.mark.parametrize(("places", "words"), ALLOWED.items(), ids=lambda value: ",".join(value))
def test_every_exception_is_needed(places: tuple[str, ...], words: tuple[str, ...]) -> None:
    found = {file.relative_to(SOURCE).as_posix(): found_in(file) & set(words) for file in files()}
    assert set().union(*(words for name, words in found.items() if name.startswith(places))) == set(words)
    for place in places:
        assert any(words for name, words in found.items() if name.startswith(place)), place
