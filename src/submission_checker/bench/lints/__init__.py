"""The lints, by id, in the order of the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from submission_checker.bench.lint import Lint
from submission_checker.bench.lints import (
    conditions,
    examples,
    fields,
    loading,
    names,
    policy,
    writing,
)

LINTS: Mapping[str, Lint] = MappingProxyType(
    {
        lint.id: lint
        for chapter in (loading, fields, conditions, names, policy, examples, writing)
        for lint in chapter.LINTS
    }
)
