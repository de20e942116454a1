"""The files that ship with the program are found, or their absence is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from submission_checker import resources

CHECKOUT = Path(__file__).resolve().parent.parent


def test_checkout_uses_its_own_folders():
    """An editable install reads the rules and schemas that one edits."""
    assert resources.rulesets() == CHECKOUT / "rules"
    assert resources.schemas() == CHECKOUT / "schemas"


def test_bundled_copy_comes_first(monkeypatch, tmp_path):
    """A wheel's copy wins over a folder of the same name that happens to lie around it."""
    package = tmp_path / "site" / "lib" / "submission_checker"
    (package / "bundled" / "rules").mkdir(parents=True)
    (tmp_path / "site" / "rules").mkdir()
    monkeypatch.setattr(resources, "_PACKAGE", package)
    monkeypatch.setattr(resources, "_CHECKOUT", tmp_path / "site")

    assert resources.rulesets() == package / "bundled" / "rules"


def test_absence_names_both_places(monkeypatch, tmp_path):
    """An incomplete installation says what it misses and where it looked."""
    monkeypatch.setattr(resources, "_PACKAGE", tmp_path / "package")
    monkeypatch.setattr(resources, "_CHECKOUT", tmp_path)

    with pytest.raises(resources.ResourcesMissingError) as caught:
        resources.schemas()

    assert str(caught.value) == (
        "the folder schemas/ that ships with the program is missing: "
        f"looked for {tmp_path}/package/bundled/schemas and {tmp_path}/schemas"
    )
