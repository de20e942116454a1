"""`submission-checker regions`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from submission_checker.cli import common
from submission_checker.cli.output import FileTrouble
from submission_checker.functions.regions import region_bounds
from submission_checker.rulebook import bands

BAR_WIDTH = 72


@click.command()
@click.option("-M", "--max-concurrency", "c_max", type=int, required=True, metavar="C_MAX",
              help="Maximum supported concurrency, in requests in flight.")  # fmt: skip
@click.option("-m", "--min-concurrency", "c_min", type=int, metavar="C_MIN",
              help="Lowest concurrency of the curve. [default: the highest that C_min can be]")  # fmt: skip
@click.option("--svg", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path),
              help="Draw the regions into FILE too.")  # fmt: skip
@common.ruleset_option
def regions(c_max: int, c_min: int | None, svg: Path | None, ruleset: str | None) -> None:
    """Print the regions for a C_max and a C_min, and draw them.

    In a submission C_min is the lowest concurrency that was measured, up to the highest that the ruleset
    allows. The axis is logarithmic.

    \b
      submission-checker regions -M 1024 -m 16
      submission-checker regions -M 8192 --svg regions.svg
    """
    rules = common.load_ruleset(ruleset)
    table = rules.tables.get("regions")
    if table is None:
        raise click.BadParameter(
            f"the ruleset {rules.info.id} has no table of regions", param_hint="--ruleset"
        )
    limits = table["c_min"]
    lowest = limits["highest"] if c_min is None else c_min
    if not limits["lowest"] <= lowest <= limits["highest"]:
        raise click.BadParameter(
            f"C_min must be from {limits['lowest']} to {limits['highest']}, not {lowest}", param_hint="-m"
        )
    if c_max <= table["c_max"]["above"]:
        raise click.BadParameter(
            f"C_max must be above {table['c_max']['above']}, not {c_max}", param_hint="-M"
        )
    bounds = region_bounds(c_max, lowest, names=table["names"], margin_factor=table["margin_factor"])
    if bounds is None:
        raise click.BadParameter(f"{c_max} is beyond what can be computed", param_hint="-M")
    click.echo(f"Regions for C_max = {c_max} and C_min = {lowest} (both ends belong to a region)\n")
    _print(bounds)
    if svg is not None:
        _draw(svg, f"C_max = {c_max}, C_min = {lowest}", bounds)


def _print(bounds: bands.Bounds) -> None:
    plain = not (sys.stdout.encoding or "").lower().startswith("utf")
    widest = max(map(len, bounds))
    marks = bands.marks(bounds, ascii_only=plain)
    dash = "-" if plain else "–"
    for (name, span), mark in zip(bounds.items(), marks, strict=True):
        empty = "" if span["start"] <= span["end"] else "  (empty)"
        click.echo(f"  {mark} {name:<{widest}}  {span['start']:>7} {dash} {span['end']}{empty}")
    click.echo("")
    for line in bands.bar(bounds, min(BAR_WIDTH, common.width() - 2), ascii_only=plain):
        click.echo(f"  {line}")


def _draw(file: Path, title: str, bounds: bands.Bounds) -> None:
    try:
        file.write_text(bands.svg(title, bounds), encoding="utf-8")
    except OSError as error:
        raise FileTrouble(file, error) from None
