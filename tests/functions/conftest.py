"""The tables of the shipped ruleset, for tests of the functions they feed."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

TABLES = Path(__file__).parents[2] / "rules" / "2026-10" / "tables"


@pytest.fixture(scope="session")
def tables() -> SimpleNamespace:
    read = {path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in TABLES.glob("*.yaml")}
    return SimpleNamespace(**read)
