"""Documentation pages made of rulesets: what is checked, by which clause, with which consequence."""

from __future__ import annotations

from submission_checker.rulebook.book import Book, Deviation
from submission_checker.rulebook.building import Material, build
from submission_checker.rulebook.files import Drift, drift, write
from submission_checker.rulebook.pages.commands import Command

__all__ = ["Book", "Command", "Deviation", "Drift", "Material", "build", "drift", "write"]
