"""Keep the samples in README.md true: what a command prints, and what a file says.

    python tools/readme.py            writes them anew
    python tools/readme.py --check    fails, with the difference, where one is out of date

A comment above a fenced block says what belongs into it; lines of the block that begin with `$ ` stay:

    <!-- prints: submission-checker check fixtures/submissions/compliant -->
    <!-- prints, first 20 lines: submission-checker check fixtures/submissions/non-compliant -->
    <!-- shows: rules/2026-10/regions/point-count.yaml -->
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
BLOCK = re.compile(
    r"^<!-- (prints|shows)(?:, first (\d+) lines)?: (.+?) -->\n```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL
)


def printed_by(command: str) -> str:
    """Run *command* of this environment, at the repository's root, and return what it prints."""
    program, *arguments = shlex.split(command)
    done = subprocess.run(
        [Path(sys.executable).with_name(program), *arguments],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "80", "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        text=True,
    )
    return done.stdout


def refresh(text: str) -> str:
    """Return *text* with every marked block filled anew."""

    def fill(block: re.Match[str]) -> str:
        kind, limit, source, language, old = block.groups()
        kept = [line for line in old.splitlines(keepends=True) if line.startswith("$ ")]
        text = printed_by(source) if kind == "prints" else (ROOT / source).read_text(encoding="utf-8")
        new = text.splitlines(keepends=True)
        if limit and len(new) > int(limit):
            new[int(limit) :] = ["…\n"]
        comment = block[0].partition("\n")[0]
        return "".join([f"{comment}\n```{language}\n", *kept, *new, "```"])

    return BLOCK.sub(fill, text)


def main() -> int:
    """Write or check README.md."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing; fail where something would")
    check = parser.parse_args().check
    old = README.read_text(encoding="utf-8")
    new = refresh(old)
    if not check:
        README.write_text(new, encoding="utf-8")
    elif new != old:
        lines = difflib.unified_diff(
            old.splitlines(), new.splitlines(), "README.md", "as it is now", lineterm=""
        )
        print(*lines, "README.md is out of date; `make generate` writes it anew", sep="\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
