"""`python -m submission_checker`: the same program as the `submission-checker` command."""

from __future__ import annotations

from submission_checker.cli import main

if __name__ == "__main__":
    main()
