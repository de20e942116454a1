"""The JSON Schemas of a ruleset's documents: where they are, and how one is a difference to another."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from submission_checker.engine.layers import merge


def _schema_folders(chain: tuple[Path, ...], schemas: Path | None) -> list[Path]:
    beside = [] if schemas is None else [schemas]
    return [folder for layer in chain for folder in (layer / "schemas", *(s / layer.name for s in beside))]


def schema_file(name: str, chain: tuple[Path, ...], schemas: Path | None) -> Path | None:
    """Return where the schema of that name is: in the first folder of the chain that has one."""
    candidates = (folder / f"{name}.schema.json" for folder in _schema_folders(chain, schemas))
    return next((candidate for candidate in candidates if candidate.is_file()), None)


def schema_content(name: str, chain: tuple[Path, ...], schemas: Path | None) -> dict[str, Any]:
    """Read a schema; one that says `x-extends: true` is a difference to the next one of its name."""
    content: dict[str, Any] = {}
    differences: list[dict[str, Any]] = []
    for folder in _schema_folders(chain, schemas):
        file = folder / f"{name}.schema.json"
        if file.is_file():
            content = json.loads(file.read_text(encoding="utf-8"))
            if not content.pop("x-extends", False):
                break
            differences.append(content)
            content = {}
    for difference in reversed(differences):
        content = merge(content, difference)
    return content


def schema_names(chain: tuple[Path, ...], schemas: Path | None) -> list[str]:
    """Return the names of all schemas in reach."""
    files = (file for folder in _schema_folders(chain, schemas) for file in folder.glob("*.schema.json"))
    return sorted({file.name.removesuffix(".schema.json") for file in files})
