"""Regular expressions that cannot take for ever: what may be matched in many ways is refused."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterable
from importlib import import_module
from typing import Any

from submission_checker.engine.errors import EvaluationError

MAX_PATTERN = 200
"""Characters of a pattern."""
MAX_TEXT = 100_000
"""Characters of a text that is matched."""
MAX_STEPS = 5_000_000
"""Steps that one match may take, estimated."""

# Python's own parser of patterns; it moved.
_parser: Any = import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")
_REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
_MANY = 8
"""Repetitions from which on a repeated item counts as unbounded."""


class Pattern:
    """A regular expression, safe to use on any text.

    Args:
        source: The regular expression.

    Raises:
        EvaluationError: for one that is too long, malformed, or repeats what can match in several ways.
    """

    __slots__ = ("compiled", "longest", "source")

    def __init__(self, source: str):
        self.source = source
        if not isinstance(source, str):
            raise EvaluationError(f"a pattern must be a text, not {source!r:.60}")
        if len(source) > MAX_PATTERN:
            raise EvaluationError(f"a pattern may have {MAX_PATTERN} characters at the most")
        try:
            parsed = _parser.parse(source)
            self.compiled = re.compile(source)
        except (re.error, OverflowError, RecursionError) as error:
            raise EvaluationError(f"the pattern {source!r} is malformed: {error}") from None
        repeats = _unbounded(parsed, source, repeated=False)
        self.longest = _longest(repeats)
        """Characters of the longest text that is matched."""

    def matches(self, text: str) -> bool:
        """Tell whether the whole of a text matches.

        Raises:
            EvaluationError: for a text so long that the match could take too long.
        """
        if len(text) > self.longest:
            raise EvaluationError(
                f"a text of {len(text):,} characters is too long for the pattern {self.source!r}"
            )
        return self.compiled.fullmatch(text) is not None


def _longest(repeats: int) -> int:
    """Return how long a text may be: with n unbounded repeats a match takes length ** n / n! steps."""
    if repeats < 2:
        return MAX_TEXT
    return min(MAX_TEXT, int((MAX_STEPS * math.factorial(repeats)) ** (1 / repeats)))


def _unbounded(items: Iterable[Any], source: str, *, repeated: bool) -> int:
    """Count the unbounded repeats of a parsed pattern; refuse what multiplies the ways to match."""
    count = 0
    for operation, argument in items:
        name = str(operation)
        if name in _REPEATS:
            least, most, inner = argument
            if repeated and least != most:
                raise _refusal(source)
            count += _unbounded(inner, source, repeated=repeated or most > 1)
            count += least != most and int(most) >= _MANY
        elif name == "BRANCH":
            if repeated:
                raise _refusal(source)
            count += sum(_unbounded(branch, source, repeated=False) for branch in argument[1])
        elif name in ("GROUPREF", "GROUPREF_EXISTS"):
            raise EvaluationError(f"the pattern {source!r} refers back to a group")
        elif name in ("SUBPATTERN", "ASSERT", "ASSERT_NOT"):
            count += _unbounded(argument[-1], source, repeated=repeated)
        elif name == "ATOMIC_GROUP":
            count += _unbounded(argument, source, repeated=repeated)
    return count


def _refusal(source: str) -> EvaluationError:
    return EvaluationError(f"the pattern {source!r} repeats a group that can match in several ways")


_known: dict[str, Pattern] = {}


def safe_pattern(source: str) -> Pattern:
    """Return a pattern, compiled once; see `Pattern`."""
    found = _known.get(source) if isinstance(source, str) else None
    if found is None:
        found = Pattern(source)
        if len(_known) < 1_000:
            _known[source] = found
    return found
