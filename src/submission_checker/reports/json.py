"""The report as JSON, for programs: what `schemas/report.schema.json` describes."""

from __future__ import annotations

import json
from typing import Any

from submission_checker.engine.model import Report
from submission_checker.reports.options import Options
from submission_checker.reports.strings import escape_json_text, shortened

STRING_LIMIT = 20_000
"""Characters of a string; what a submission can inflate is repeated in every finding about it."""


def render(report: Report, options: Options) -> str:
    """Return the report as JSON text, indented, with one line end at its end."""
    document = json.dumps(_bounded(report.model_dump()), indent=2, ensure_ascii=False)
    return escape_json_text(document) + "\n"


def _bounded(value: Any) -> Any:
    if isinstance(value, str):
        return shortened(value, STRING_LIMIT)
    if isinstance(value, dict):
        return {key: _bounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_bounded(item) for item in value]
    return value
