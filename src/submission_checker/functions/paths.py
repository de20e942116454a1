"""Paths and names that a submission declares, in the one spelling they are compared in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any


def shared_path(text: Any) -> dict[str, Any]:
    """Bring the path of a shared folder into the form that is looked up under the submission's root.

    Blanks around it are cut off, a backslash counts as a slash, and empty and `.` parts are left out.

    Args:
        text: Path as submitted.

    Returns:
        Whether it is `ok`; the `path`, relative and with slashes, or None; and if it is not ok the `reason`:
        `not_text`, `empty`, `absolute` (begins with a slash), `home` (begins with a tilde), `parent` (has a
        `..` part) or `root` (names nothing below the root).

    Clause:
        endpoints_rules.md §9.1

    >>> shared_path(" src/./vllm/ ")
    {'ok': True, 'path': 'src/vllm', 'reason': None}
    >>> shared_path("../src")["reason"]
    'parent'
    """
    if not isinstance(text, str):
        return _unusable("not_text")
    trimmed = text.strip().replace("\\", "/")
    parts = trimmed.split("/")
    if not trimmed:
        return _unusable("empty")
    if trimmed.startswith("/"):
        return _unusable("absolute")
    if trimmed.startswith("~"):
        return _unusable("home")
    if ".." in parts:
        return _unusable("parent")
    kept = [part for part in parts if part not in ("", ".")]
    if not kept:
        return _unusable("root")
    return {"ok": True, "path": "/".join(kept), "reason": None}


def model_name_hint(name: str, *, known: Sequence[str], longest: int) -> str | None:
    """Suggest the supported model that a name misspells.

    The organisation before the last slash and the blanks around the rest are cut off; characters that are
    neither letter, digit, `_` nor `-` become `_`, of which runs are drawn together and those at the ends cut
    off.

    Args:
        name: Name as submitted.
        known: Names of the supported models.
        longest: How many characters of that are looked at.

    Returns:
        The supported name that this spelling hits; None when it hits none.

    Clause:
        endpoints_rules.md §3.2

    >>> model_name_hint("llama3.1-8b", known=["llama3_1-8b"], longest=64)
    'llama3_1-8b'
    """
    canonical = _canonical(name, longest=longest)
    return canonical if canonical in known else None


def _unusable(reason: str) -> dict[str, Any]:
    return {"ok": False, "path": None, "reason": reason}


def _canonical(name: str, *, longest: int) -> str:
    last = name.rpartition("/")[2].strip()
    return re.sub(r"_+", "_", re.sub(r"[^\w-]", "_", last)).strip("_")[:longest]
