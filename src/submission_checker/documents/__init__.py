"""Documents: reading them safely, converting and validating them, and finding places in them."""

from __future__ import annotations

from submission_checker.documents.conversion import SchemaProblem
from submission_checker.documents.files import Root
from submission_checker.documents.positions import locate
from submission_checker.documents.problems import DEFAULT, Form, Limits, Problem, Reading
from submission_checker.documents.reading import parse, read
from submission_checker.documents.schema import DocumentSchema

__all__ = [
    "DEFAULT",
    "DocumentSchema",
    "Form",
    "Limits",
    "Problem",
    "Reading",
    "Root",
    "SchemaProblem",
    "locate",
    "parse",
    "read",
]
