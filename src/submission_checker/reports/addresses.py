"""Where a finding is, for formats that other programs resolve."""

from __future__ import annotations

import os
from urllib.parse import quote

from submission_checker.engine.model import CheckResult, Report
from submission_checker.reports.digest import ROOT, place_of
from submission_checker.reports.options import Options
from submission_checker.reports.strings import shortened

PATH_LIMIT = 4096
"""Characters of an address; no file system of today knows a longer path."""


def file_of(report: Report, result: CheckResult, options: Options) -> str:
    """Return the path of what a result is about, with slashes, seen from `options.base` if it lies below.

    Without a base, or outside of it, the path starts with the submission's, as the user named it.
    """
    root = os.fspath(report.submission_path)
    if options.base is not None:
        relative = os.path.relpath(root, options.base)
        root = root if (relative + os.sep).startswith(os.pardir + os.sep) else relative
    location = result.location or place_of(result)
    path = root.replace(os.sep, "/") if location == ROOT else f"{root.replace(os.sep, '/')}/{location}"
    return shortened(path.removeprefix("./"), PATH_LIMIT) or ROOT


def uri_of(path: str) -> str:
    """Return a path as a URI reference: relative stays relative, and any byte may stand in a name.

    >>> uri_of("results/a b/r8"), uri_of("/tmp/x"), uri_of("a:b/c")
    ('results/a%20b/r8', 'file:///tmp/x', 'a%3Ab/c')
    """
    quoted = quote(os.fsencode(path) if _encodable(path) else path.encode("utf-8", "surrogatepass"))
    return f"file://{quoted}" if path.startswith("/") else quoted


def _encodable(path: str) -> bool:
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return False
    return True
