"""Submissions spoiled at random: whatever a folder holds, a check gives a verdict, and gives it soon.

`python -m tests.fuzz --seconds 60 --seed 1` looks for trouble; `tests/test_hostile_input.py` keeps a short
run of it, and the cases that chance does not reach.
"""
