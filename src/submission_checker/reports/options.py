"""What a caller may ask of a renderer."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to write a report; a renderer ignores what does not concern its format."""

    colour: bool = False
    """Whether ANSI colours may be used. The caller decides: terminal, `NO_COLOR`, a flag."""
    width: int = 80
    """Columns of a line of text."""
    quiet: bool = False
    """Findings and the verdict only."""
    verbose: bool = False
    """Also what passed, and what was not checked and why."""
    strict: bool = False
    """Whether warnings fail the check, for the wording of the verdict."""
    base: Path | None = None
    """Folder that addresses of files start from, such as a repository's; None: as the user named them."""
    limit: int = 100
    """How many findings a person gets to see before the rest is only counted; 0 for all."""
    command: str = "submission-checker"
    """How the reader calls this program, for the commands that the text suggests."""
