"""Reading a document: from a path to a value, or to the problem that prevents it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from submission_checker.documents.files import Root, StrPath, fetch
from submission_checker.documents.problems import DEFAULT, Form, Limits, Problem, Reading, Refused


def _json(data: bytes, limits: Limits) -> tuple[Any, tuple[Problem, ...]]:
    from submission_checker.documents.json_reader import parse_json

    return parse_json(data, limits)


def _yaml(data: bytes, limits: Limits) -> tuple[Any, tuple[Problem, ...]]:
    from submission_checker.documents.yaml_reader import parse_yaml

    return parse_yaml(data, limits)


_PARSERS: Final[dict[str, Callable[[bytes, Limits], tuple[Any, tuple[Problem, ...]]]]] = {
    "json": _json,
    "yaml": _yaml,
}


def read(
    path: StrPath, form: Form, *, root: Root | StrPath | None = None, limits: Limits = DEFAULT
) -> Reading:
    """Read the document at *path*.

    Whatever the file holds, this returns: a bad file is a problem in the reading.
    The top level may be of any kind; that is for the document's schema to judge.

    Args:
        path: The file.
        form: `json` (NaN and Infinity allowed) or `yaml` (YAML 1.1, one document, safe types only).
        root: The folder that links may not lead out of; None follows any link.
            Pass one `Root` to many readings to resolve it once.
        limits: How large, deep and full it may be.

    Returns:
        The value and remarks, or the problems. An empty YAML file is a value of None without a problem.
    """
    try:
        data = fetch(path, root, limits)
    except Refused as refused:
        return Reading(None, (refused.problem,))
    return parse(data, form, limits=limits)


def parse(data: bytes, form: Form, *, limits: Limits = DEFAULT) -> Reading:
    """Read a document from *data*, the bytes of its file, as `read` does.

    Args:
        data: UTF-8 text.
        form: `json` or `yaml`.
        limits: How deep and full it may be.
    """
    try:
        value, remarks = _PARSERS[form](data, limits)
    except Refused as refused:
        return Reading(None, (refused.problem,))
    return Reading(value, (), remarks)
