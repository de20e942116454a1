"""Where the shipped rulesets and schemas are, in a wheel and in a checkout."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_CHECKOUT = _PACKAGE.parent.parent


class ResourcesMissingError(RuntimeError):
    """The files that travel with the program are in neither of their two places.

    Args:
        name: The folder that was looked for.
        looked_in: Every place where it could have been.
    """

    def __init__(self, name: str, looked_in: tuple[Path, ...]) -> None:
        super().__init__(name, looked_in)
        self.name = name
        self.looked_in = looked_in

    def __str__(self) -> str:
        places = " and ".join(str(place) for place in self.looked_in)
        return f"the folder {self.name}/ that ships with the program is missing: looked for {places}"


def rulesets() -> Path:
    """Name the folder that holds the shipped rulesets, one folder each.

    Raises:
        ResourcesMissingError: The installation is incomplete.
    """
    return _folder("rules")


def schemas() -> Path:
    """Name the folder that holds the JSON Schemas, of rulesets and of submissions.

    Raises:
        ResourcesMissingError: The installation is incomplete.
    """
    return _folder("schemas")


def _folder(name: str) -> Path:
    # A wheel carries its copy inside the package; an editable install has none and uses the checkout's.
    places = (_PACKAGE / "bundled" / name, _CHECKOUT / name)
    for place in places:
        if place.is_dir():
            return place
    raise ResourcesMissingError(name, places)
