"""Strings that came from a submission, made harmless and short; and small matters of wording."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable

MESSAGE_LIMIT = 600
NAME_LIMIT = 160

# Controls, format characters (bidirectional overrides, zero width, tags), surrogates, line separators:
# whatever a terminal obeys or a reader cannot see. Ranges instead of a category test, for speed.
_BEYOND_ASCII = (
    "\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U000110bd\U000110cd\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_INVISIBLE = re.compile(f"[\x00-\x1f{_BEYOND_ASCII}]")
_INVISIBLE_IN_JSON = re.compile(f"[{_BEYOND_ASCII}]")
_SHORT_ESCAPES = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}
_DIGITS = re.compile(r"(\d+)")


def visible(text: str, limit: int = MESSAGE_LIMIT) -> str:
    r"""Return a text that is safe to print: invisible characters as escapes, a long text without its middle.

    Args:
        text: Anything, also from a hostile file.
        limit: Characters to keep.

    >>> visible("red \x1b[31m and reversed \u202e")
    'red \\x1b[31m and reversed \\u202e'
    """
    return _INVISIBLE.sub(_escape, shortened(text, limit))


def shortened(text: str, limit: int) -> str:
    """Return a text with its middle left out when it is longer than `limit` characters.

    >>> shortened("x" * 100, 20)
    'xxxxxxxxxxxxxxx … (80 characters left out) … xxxxx'
    """
    if len(text) <= limit:
        return text
    tail = limit // 4
    return f"{text[: limit - tail]} … ({len(text) - limit} characters left out) … {text[len(text) - tail :]}"


def escape_json_text(document: str) -> str:
    r"""Write what a terminal would obey, inside a finished JSON document, as JSON's own escapes.

    The meaning stays the same: outside of strings JSON has no such character, and the controls of ASCII
    are escaped already.

    >>> escape_json_text('["\x9b31m"]')
    '["\\u009b31m"]'
    """
    return _INVISIBLE_IN_JSON.sub(_escape_for_json, document)


def columns_of(text: str) -> int:
    """Return how many columns of a terminal a text takes.

    >>> columns_of("ab"), columns_of("漢字")
    (2, 4)
    """
    if text.isascii():
        return len(text)
    return sum(_columns_of_character(character) for character in text)


def count(number: int, noun: str, plural: str | None = None) -> str:
    """Return a number with its noun.

    >>> count(1, "error"), count(2, "error"), count(0, "error")
    ('1 error', '2 errors', '0 errors')
    """
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def clause_list(clauses: Iterable[str]) -> str:
    """Return clause numbers as a reader of the policy writes them.

    >>> clause_list(["1.2", "3.4"])
    '§1.2, §3.4'
    """
    return ", ".join(clause if clause.startswith("§") else f"§{clause}" for clause in clauses)


def natural_key(text: str) -> list[tuple[int, int, str]]:
    """Return a sort key under which `r8` comes before `r16`.

    >>> sorted(["r16", "r8", "a"], key=natural_key)
    ['a', 'r8', 'r16']
    """
    # A run of digits longer than any real number is compared as text: int() refuses very long ones.
    return [
        (0, int(part), "") if part.isdecimal() and len(part) < 20 else (1, 0, part)
        for part in _DIGITS.split(text)
        if part
    ]


def enumeration(items: list[str], shown: int, cut: Callable[[int], str] = "and {} more".format) -> str:
    """Return a list in words, cut with a count.

    >>> enumeration(["r1", "r2", "r3"], 2)
    'r1, r2 and 1 more'
    """
    text = ", ".join(items[:shown])
    return text if len(items) <= shown else f"{text} {cut(len(items) - shown)}"


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    short = _SHORT_ESCAPES.get(character)
    if short is not None:
        return short
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _escape_for_json(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"


def _columns_of_character(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
