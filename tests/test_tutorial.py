"""Every snippet of `docs/writing-rules.md`, in order: files are written, commands run, their output compared.

A block with a title is a file. A `console` block has commands behind `$ ` (`> ` goes on with one) and what
each prints; `…` stands for any text in a line, and alone for any number of lines. A `diff` block adds lines
to a file.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TUTORIAL = ROOT / "docs" / "writing-rules.md"
_BLOCK = re.compile(
    r'^```(?P<kind>\w*)(?: title="(?P<title>[^"]+)")?\n(?P<text>.*?)^```$', re.MULTILINE | re.DOTALL
)
ANYTHING = "…"


@dataclass(frozen=True)
class Block:
    """A fenced block of the page."""

    kind: str
    title: str | None
    text: str
    line: int


@dataclass(frozen=True)
class Command:
    """A command of a `console` block, and what it is to print."""

    text: str
    expected: list[str]
    line: int


def blocks(page: str) -> list[Block]:
    found = _BLOCK.finditer(page)
    return [Block(m["kind"], m["title"], m["text"], page.count("\n", 0, m.start()) + 2) for m in found]


def commands(block: Block) -> Iterator[Command]:
    text, expected, begun = "", [], 0
    for number, line in enumerate(block.text.splitlines()):
        if line.startswith("$ "):
            if text:
                yield Command(text, expected, begun)
            text, expected, begun = line[2:], [], block.line + number
        elif line.startswith("> ") and not expected:
            text += "\n" + line[2:]
        else:
            expected.append(line)
    yield Command(text, expected, begun)


def agrees(expected: list[str], printed: list[str]) -> bool:
    """Tell whether what was printed is what the page shows."""
    if not expected:
        return not printed
    if expected[0].strip() == ANYTHING:
        return any(agrees(expected[1:], printed[number:]) for number in range(len(printed) + 1))
    return bool(printed) and _is_like(expected[0], printed[0]) and agrees(expected[1:], printed[1:])


def _is_like(expected: str, printed: str) -> bool:
    pattern = ".*".join(map(re.escape, expected.rstrip().split(ANYTHING)))
    return re.fullmatch(pattern, printed.rstrip()) is not None


class Checkout:
    """A copy of the project, as far as the page needs one."""

    def __init__(self, folder: Path):
        self.folder = folder
        for name in ("schemas", "fixtures"):
            (folder / name).symlink_to(ROOT / name)
        shutil.copytree(ROOT / "rules", folder / "rules")
        ignored = shutil.ignore_patterns("__pycache__", "bundled")
        shutil.copytree(ROOT / "src", folder / "src", ignore=ignored)
        shutil.copytree(ROOT / "tests" / "functions", folder / "tests" / "functions", ignore=ignored)
        binaries = folder / ".bin"
        binaries.mkdir()
        for name, module in (("submission-checker", "submission_checker"), ("pytest", "pytest")):
            script = binaries / name
            script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m {module} "$@"\n')
            script.chmod(0o755)
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("MLPERF_", "GITHUB_"))}
        self.environment = {
            **kept,
            "PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(folder / "src"),
            "PYTHONWARNINGS": "error",
            "PYTHONDONTWRITEBYTECODE": "1",
            "COLUMNS": "80",
            "LC_ALL": "C.UTF-8",
        }

    def write(self, block: Block) -> None:
        file = self.folder / str(block.title)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(block.text, encoding="utf-8")

    def patch(self, block: Block) -> None:
        """Add the lines with `+` behind the lines before them."""
        file = self.folder / str(block.title)
        text = file.read_text(encoding="utf-8")
        after, added = "", False
        for line in block.text.splitlines(keepends=True):
            if line.startswith("+"):
                assert text.count(after) == 1, f"line {block.line}: {after!r} is not once in {block.title}"
                text = text.replace(after, after + line[1:])
                after, added = after + line[1:], True
            else:
                after, added = ("" if added else after) + line[1:], False
        file.write_text(text, encoding="utf-8")

    def run(self, command: Command) -> list[str]:
        done = subprocess.run(
            ["bash", "-c", command.text],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=120,
        )
        printed = done.stdout.replace(f"{self.folder}/", "").splitlines()
        while printed and not printed[-1].strip():
            printed.pop()
        return printed


@pytest.mark.slow
def test_every_snippet(tmp_path: Path) -> None:
    checkout = Checkout(tmp_path)
    wrong = []
    for block in blocks(TUTORIAL.read_text(encoding="utf-8")):
        if block.kind == "console":
            for command in commands(block):
                printed = checkout.run(command)
                expected = list(command.expected)
                while expected and not expected[-1].strip():
                    expected.pop()
                if not agrees(expected, printed):
                    shown = "\n".join(printed)
                    wrong.append(f"docs/writing-rules.md:{command.line}: $ {command.text}\n{shown}")
        elif block.kind == "diff":
            checkout.patch(block)
        else:
            checkout.write(block)
    assert not wrong, "\n\n".join(wrong)


def test_every_block_can_be_run() -> None:
    for block in blocks(TUTORIAL.read_text(encoding="utf-8")):
        where = f"docs/writing-rules.md:{block.line}"
        if block.kind == "console":
            assert block.title is None, where
            assert all(command.text for command in commands(block)), where
        else:
            assert block.title is not None, f"{where}: a snippet without a title is run by no test"
            assert block.kind in ("yaml", "json", "python", "diff"), where


@pytest.mark.parametrize(
    ("expected", "printed", "same"),
    [
        ([], [], True),
        ([], ["a"], False),
        (["a"], [], False),
        (["a", "b"], ["a", "b"], True),
        (["a", ANYTHING], ["a", "b", "c"], True),
        ([ANYTHING, "c"], ["a", "b", "c"], True),
        (["a", ANYTHING, "c"], ["a", "c"], True),
        (["a", ANYTHING, "d"], ["a", "b", "c"], False),
        (["a … c"], ["a b c"], True),
        (["a … c"], ["a b d"], False),
        (["a.c"], ["abc"], False),
    ],
)
def test_output_is_compared(expected: list[str], printed: list[str], same: bool) -> None:
    assert agrees(expected, printed) is same
