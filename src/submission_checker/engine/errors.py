"""What can go wrong: in a ruleset (an exception at load time) or in an evaluation (a result)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return `; did you mean X?` where a known name is close to *name*, else nothing."""
    close = get_close_matches(name, list(known), n=1, cutoff=0.6)
    return f"; did you mean {close[0]}?" if close else ""


@dataclass(frozen=True, slots=True, order=True)
class Mistake:
    """One mistake in a ruleset, with the place of it."""

    file: str
    line: int | None
    column: int | None
    message: str
    kind: str = field(default="link", compare=False)
    """Where it was found: reading the file (`yaml`), holding it against its schema (`shape`), or later."""

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        return f"{place}: {self.message}" if place else self.message


class RulesetError(Exception):
    """A ruleset that cannot be used; holds every mistake that was found, not only the first."""

    def __init__(self, mistakes: Sequence[Mistake]):
        self.mistakes = tuple(mistakes)
        super().__init__("\n".join(str(m) for m in self.mistakes))


class ExpressionError(ValueError):
    """An expression, a path or a message that the language does not allow."""

    def __init__(self, message: str, source: str = "", offset: int = 0):
        self.message, self.source, self.offset = message, source, offset
        super().__init__(message)


class EvaluationError(Exception):
    """An expression that has no answer for the values it met: neither true nor false."""

    def __init__(self, message: str):
        self.message = message
        super().__init__(message)
