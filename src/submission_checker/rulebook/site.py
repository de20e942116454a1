"""The pages as a site, made by MkDocs with the checkout's `mkdocs.yml`."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path


class SiteError(Exception):
    """The site cannot be made."""


def make(folder: Path, site: Path) -> None:
    """Make the site of a documentation folder; the same pages give the same bytes.

    Args:
        folder: The documentation's folder; `mkdocs.yml` is beside it.
        site: Where the site goes; what is there is replaced.

    Raises:
        SiteError: MkDocs or its theme is not installed, there is no `mkdocs.yml`, or a page is broken.
    """
    config = folder.resolve().parent / "mkdocs.yml"
    if not config.is_file():
        raise SiteError(f"no {config.name} beside {folder}: a site is made of the checkout's pages only")
    if find_spec("mkdocs") is None or find_spec("material") is None:
        raise SiteError("MkDocs Material is not installed: pip install 'mkdocs-material>=9.6'")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict"]
    done = subprocess.run(
        [*command, "--config-file", str(config), "--site-dir", str(site.resolve())],
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1", "SOURCE_DATE_EPOCH": "0"},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise SiteError(f"MkDocs found mistakes:\n{done.stdout}{done.stderr}".rstrip())
