"""Compliance of benchmark submissions, with every rule written as data."""
