"""Compliance of benchmark submissions, with every rule written as data."""

from __future__ import annotations

from submission_checker.api import CheckResult, Report, RulesetError, Severity, SubmissionChecker
from submission_checker.version import __version__

__all__ = ["CheckResult", "Report", "RulesetError", "Severity", "SubmissionChecker", "__version__"]
