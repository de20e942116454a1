"""Compliance of benchmark submissions, with every rule written as data."""

from __future__ import annotations

from submission_checker.api import CheckResult, Report, Severity, SubmissionChecker

__all__ = ["CheckResult", "Report", "Severity", "SubmissionChecker"]
