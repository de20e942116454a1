"""Submissions of a wanted size, grown from the compliant sample.

    python benchmarks/trees.py 4x3x32 DIR     4 systems, 3 models a system, 32 points a model

Every tree is sound: it keeps the sample's eight points, and the further ones are copies of its point at 512
at other concurrencies of the same region.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

SAMPLE = Path(__file__).resolve().parents[1] / "fixtures" / "submissions" / "compliant"
SYSTEM, MODEL = "lakeside_l8", "llama3_1-8b"

# Another model than the sample's needs another accuracy result, and may bring another dataset.
ACCURACY: dict[str, Any] = {
    MODEL: None,
    "gpt-oss-120b": {"main": {"num_samples": 13185, "score": {"exact_match": 84.1}}},
    "deepseek-r1": {"main": {"num_samples": 13164, "score": {"exact_match": 82.0}}},
}
COPIED, LAST = 512, 1000  # further points are copies of this one, below this concurrency


@dataclass(frozen=True, slots=True)
class Size:
    """How many systems, models a system and points a model."""

    systems: int
    models: int
    points: int

    @classmethod
    def parse(cls, text: str) -> Size:
        """Read `4x3x32`.

        Raises:
            ValueError: The text has another form, or asks for less than the sample or more than is sound.
        """
        systems, models, points = (int(part) for part in text.split("x"))
        if systems < 1 or not 1 <= models <= len(ACCURACY) or not 8 <= points <= 32:
            raise ValueError(f"{text}: at least 1 system, 1 to {len(ACCURACY)} models, 8 to 32 points")
        return cls(systems, models, points)

    def __str__(self) -> str:
        return f"{self.systems}x{self.models}x{self.points}"


def write(size: Size, root: Path) -> Path:
    """Write a submission of that size to *root*, which does not exist yet, and return it."""
    for shared in ("src", "docs"):
        shutil.copytree(SAMPLE / shared, root / shared)
    for number in range(size.systems):
        system = root / "results" / f"{SYSTEM}_{number}"
        system.mkdir(parents=True)
        shutil.copy(SAMPLE / "results" / SYSTEM / "system_power.json", system)
        for model in list(ACCURACY)[: size.models]:
            _write_curve(system / model, model, size.points)
    return root


def _write_curve(curve: Path, model: str, points: int) -> None:
    shutil.copytree(SAMPLE / "results" / SYSTEM / MODEL, curve)
    for concurrency in range(LAST, LAST - 10 * (points - 8), -10):
        shutil.copytree(curve / f"r{COPIED}", curve / f"r{concurrency}")
        _change_point(curve / f"r{concurrency}" / "point.yaml", {"concurrency": concurrency})
    if model != MODEL:
        for path in curve.glob("r*/point.yaml"):
            _change_point(path, {"model_name": model})
        for path in curve.glob("r*/accuracy_results.json"):
            path.write_text(json.dumps(ACCURACY[model], indent=2), encoding="utf-8")


def _change_point(path: Path, values: dict[str, Any]) -> None:
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    path.write_text(yaml.safe_dump({**document, **values}, sort_keys=False), encoding="utf-8")


def main() -> int:
    """Write one tree."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("size", type=Size.parse)
    parser.add_argument("folder", type=Path)
    arguments = parser.parse_args()
    write(arguments.size, arguments.folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
