"""What a check does by itself inside a GitHub workflow: annotations, and the summary of the job."""

from __future__ import annotations

import os
from pathlib import Path

import click

from submission_checker.engine.model import Report
from submission_checker.reports import Options, render
from submission_checker.reports.github import commands

SUMMARY_LIMIT = 1024 * 1024
"""Bytes that GitHub takes for the summary of one step."""


def runs_here() -> bool:
    """Tell whether this is a step of a GitHub workflow."""
    return os.environ.get("GITHUB_ACTIONS") == "true"


def base() -> Path:
    """Return the folder that addresses of files start from: the repository's, else the current one."""
    return Path(os.environ.get("GITHUB_WORKSPACE") or Path.cwd())


def annotate(report: Report, options: Options) -> None:
    """Print the findings on standard error, as commands to the workflow's runner."""
    for line in commands(report, options):
        click.echo(line.encode("utf-8", "backslashreplace"), err=True)


def summarise(report: Report, options: Options) -> None:
    """Append the report to the summary of the job, if there is one, as much of it as there is room for."""
    file = os.environ.get("GITHUB_STEP_SUMMARY")
    if not file:
        return
    try:
        with Path(file).open("ab") as summary:
            room = SUMMARY_LIMIT - summary.tell()
            text = _fitting(report, options, room)
            if text:
                summary.write(text)
    except OSError as error:
        click.echo(f"The job's summary cannot be written: {file}: {error.strerror or error}", err=True)


def _fitting(report: Report, options: Options, room: int) -> bytes:
    for limit in (options.limit, 100, 25, 5, 1):
        shorter = Options(strict=options.strict, base=options.base, limit=limit, command=options.command)
        text = (render("markdown", report, shorter) + "\n").encode("utf-8", "backslashreplace")
        if len(text) <= room:
            return text
    return b""
