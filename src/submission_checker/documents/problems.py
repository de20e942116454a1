"""What reading a document yields: a value, what is wrong with it, and what is worth a remark."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Form = Literal["json", "yaml"]
"""How a document is written."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a document.

    `kind` is one of

    - `absent`: there is no such file;
    - `unreadable`: it cannot be read (a folder, a device, no permission);
    - `outside`: it is a link that leaves the root;
    - `too_large`, `too_deep`, `too_many`: it exceeds a limit (bytes or digits, nesting, values or aliases);
    - `encoding`: it is not UTF-8;
    - `syntax`: it is not JSON or YAML, or a value in it cannot be built;
    - `duplicate`: a key is given twice (a remark, not a problem);
    - `schema`: its content does not match the schema.
    """

    kind: str
    message: str
    pointer: str = ""
    """JSON pointer (RFC 6901) of the value in question; empty for the document as a whole."""
    line: int | None = None
    """Line in the file, the first is 1."""
    column: int | None = None
    """Column in characters, the first is 1."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a document we are willing to take in."""

    max_bytes: int = 64 * 1024 * 1024
    """Size of the file."""
    max_depth: int = 500
    """How deep objects and lists may nest."""
    max_nodes: int = 1_000_000
    """How many values it may hold, with every YAML alias counted as a copy of what it stands for."""
    max_aliases: int = 1000
    """How many YAML aliases it may use."""


DEFAULT = Limits()

MOST_REMARKS = 100
"""How many repeated keys of one document are told."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What `read` found. `value` is None both for a bad document and for an empty one: see `problems`."""

    value: Any
    problems: tuple[Problem, ...] = ()
    remarks: tuple[Problem, ...] = ()
    """Not wrong, but surely not meant: a key that is given twice (the last one counts)."""


class Refused(Exception):
    """A document cannot be used; carries the problem. Never leaves this package."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def escape(token: object) -> str:
    """Write one key or index as a part of a JSON pointer.

    >>> escape("a/b~c")
    'a~1b~0c'
    """
    text = str(token)
    if "~" in text or "/" in text:
        return text.replace("~", "~0").replace("/", "~1")
    return text


def unescape(token: str) -> str:
    """Read one part of a JSON pointer.

    >>> unescape("a~1b~0c")
    'a/b~c'
    """
    if "~" in token:
        return token.replace("~1", "/").replace("~0", "~")
    return token
