"""Two hundred broken rule files: each is refused or bounded, in words, with its file and line.

The first line of each file says what is expected: line, lint, and a part of the message.
"""

from __future__ import annotations

import re
import shutil
import time
from pathlib import Path

import pytest

from submission_checker.bench.lint import run
from submission_checker.bench.lints import LINTS
from tests.bench.conftest import RULESETS, survey

FILES = sorted((RULESETS / "broken").glob("*.yaml"))
EXPECTED = re.compile(rb"# expect: (\d+) ([a-z-]+): (.*)")


def expected(file: Path) -> tuple[int, str, str]:
    found = EXPECTED.match(file.read_bytes())
    assert found is not None, f"{file.name} does not say what is expected"
    return int(found[1]), found[2].decode(), found[3].decode().strip()


def test_there_are_enough():
    assert len(FILES) >= 100


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_refused_or_bounded(own, file):
    folder = own({})
    (folder / "books").mkdir()
    shutil.copy(file, folder / "books" / file.name)
    line, lint, message = expected(file)
    start = time.monotonic()

    found = [finding for finding in run(survey(folder), LINTS.values()) if finding.file.startswith("own/")]

    assert time.monotonic() - start < 20
    assert any(
        (finding.file, finding.line, finding.lint) == (f"own/books/{file.name}", line, lint)
        and message in finding.message
        for finding in found
    ), [str(finding) for finding in found]
    assert all(len(finding.message) < 5_000 for finding in found)


def test_all_at_once_by_the_command(rules, own):
    """One broken file does not hide another; nothing hangs, nothing shows Python's own words."""
    folder = own({})
    (folder / "books").mkdir()
    for file in FILES:
        shutil.copy(file, folder / "books" / file.name)

    answer = rules("lint", "--rules", folder)

    assert answer.code == 1
    for file in FILES:
        line, _, _ = expected(file)
        assert f"own/books/{file.name}:{line}:" in answer.out, file.name
    assert "Traceback" not in answer.out + answer.err


@pytest.mark.parametrize("verb", [["list"], ["show", "books-known"], ["test"]])
def test_other_verbs_refuse_the_ruleset(rules, own, verb):
    folder = own({})
    (folder / "books").mkdir()
    for file in FILES:
        shutil.copy(file, folder / "books" / file.name)

    answer = rules(*verb, "--rules", folder)

    assert answer.code == 3
    assert answer.err.startswith("The ruleset cannot be used:\n  own/books/")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("layout.yaml", "scopes: {shelf: {in: branch, at: '*/', match: '(a+)+'}}\n",
         "own/layout.yaml:1:47: not-linked: the pattern '(a+)+' repeats a group that can match in several ways"),
        ("layout.yaml", "scopes: {shelf: {in: branch, at: '*/', match: 'a', order: b}}\n",
         "own/layout.yaml:1:59: not-linked: the pattern has no group b"),
        ("layout.yaml", "scopes: {branch: {in: shelf, at: '*/'}}\n",
         "own/layout.yaml:1:23: not-linked: the scope branch is around itself"),
        ("layout.yaml", "scopes: {other: {}}\n",
         "own/layout.yaml:1:1: not-linked: there must be exactly one scope that is in no other"),
        ("layout.yaml", "documents: {card: {scope: shelff, file: x.yaml}}\n",
         "own/layout.yaml:1:27: not-linked: no scope named shelff; did you mean shelf?"),
        ("layout.yaml", "documents: {card: {scope: shelf, file: x.yaml, schema: crad}}\n",
         "own/layout.yaml:1:56: not-linked: no schema named crad; did you mean card?"),
        ("facts.yaml", "shelf:\n  twice: {expr: count +}\n", "own/facts.yaml:2:3: not-linked: not an expression"),
        ("facts.yaml", "shelfs:\n  twice: {expr: count + 1}\n", "own/facts.yaml:1:1: not-linked: no scope named shelfs"),
        ("facts.yaml", "shelf:\n  twice: {exrp: count + 1}\n", "own/facts.yaml:2:3: shape: "),
        ("tables/subjects.yaml", "known: [a\n", "own/tables/subjects.yaml:2:1: not-yaml: "),
        ("tables/subjects.yaml", "- a\n", "own/tables/subjects.yaml:1:1: not-linked: must be a mapping"),
        ("clauses.yaml", "sections: []\n", "own/clauses.yaml:1:1: shape: sections: must be a mapping, not []"),
    ],
)  # fmt: skip
def test_other_files(own, name, text, message):
    found = [str(finding) for finding in run(survey(own({name: text})), LINTS.values())]

    assert any(finding.startswith(message) for finding in found), found


def test_huge_file_is_not_read(rules, own):
    folder = own({"books/r.yaml": "# " + "x" * 5_000_000 + "\nid: r\n"})

    answer = rules("lint", "r", "--rules", folder)

    assert answer.code in (1, 2)
    assert (
        "own/books/r.yaml:1:1: not-yaml: larger than 4,000,000 bytes" in rules("lint", "--rules", folder).out
    )
