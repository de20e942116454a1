"""A document's schema: conversion, fast validation, and an explanation when it fails."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from submission_checker.documents.conversion import Doubts, compile_conversion
from submission_checker.documents.problems import Problem

_NOT_JSON = (ValueError, TypeError, OverflowError, RecursionError, SystemError)
"""What releases of the compiled validator raise for what JSON does not have, such as numbers as keys."""


class DocumentSchema:
    """A JSON Schema (2020-12, with our `x-` keywords) that documents are checked against.

    Args:
        schema: The schema as read from its file; it must not change afterwards.
        name: What to call it in errors.

    Raises:
        SchemaProblem: The schema misuses one of our keywords.
    """

    def __init__(self, schema: Mapping[str, Any], *, name: str) -> None:
        self.schema = schema
        self.name = name
        self._convert = compile_conversion(schema, name)

    def check(self, value: Any) -> tuple[Any, tuple[Problem, ...]]:
        """Convert *value* and validate the result.

        Args:
            value: A document; it is not changed.

        Returns:
            The converted document, and one problem for each violation (none: it is valid).
        """
        doubts: Doubts = []
        converted = value if self._convert is None else self._convert(value, doubts)
        if not doubts and self._accepts(converted):
            return converted, ()
        return converted, self._explain(converted)

    def _accepts(self, value: Any) -> bool:
        try:
            return self._is_valid(value)
        except _NOT_JSON:
            return False

    @cached_property
    def _is_valid(self) -> Callable[[Any], bool]:
        from jsonschema_rs import Draft202012Validator

        return Draft202012Validator(dict(self.schema)).is_valid

    @cached_property
    def _explain(self) -> Callable[[Any], tuple[Problem, ...]]:
        from submission_checker.documents.explanation import Explainer

        return Explainer(self.schema, self.name).explain
