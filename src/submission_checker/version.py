"""The program's own name and version; `pyproject.toml` reads the version from here."""

from __future__ import annotations

NAME = "endpoints-submission-rules"
__version__ = "0.1.0"
