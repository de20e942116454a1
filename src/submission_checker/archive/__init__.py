"""Many submissions: finds them below a folder, checks them in several processes, keeps a record of each."""

from __future__ import annotations
