"""Markdown that reads the same on GitHub and in the site: escaping, tables, code, links between pages."""

from __future__ import annotations

import html
import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import yaml

_CODE = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_SPECIAL = re.compile(r"[\\*<>\[\]]|(?<!\w)_|_(?!\w)|&(?=\w+;|#)")
_BELOW = "/checkout/docs"
_ESCAPED = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}


def text(written: str) -> str:
    """Escape prose; what stands between backticks stays code.

    >>> text("<c> in `<x>` is snake_case")
    '&lt;c&gt; in `<x>` is snake_case'
    """
    parts, end = [], 0
    for match in _CODE.finditer(written):
        parts += [_escape(written[end : match.start()]), match[0]]
        end = match.end()
    parts.append(_escape(written[end:]))
    # A line break would end a cell of a table or begin a list.
    return " ".join("".join(parts).split())


def text_kept(prose: str) -> str:
    """Escape prose without code in it, blanks and all."""
    return _escape(prose)


def _escape(prose: str) -> str:
    return _SPECIAL.sub(lambda found: _ESCAPED.get(found[0], f"\\{found[0]}"), prose)


def code(written: str) -> str:
    """Write a value as code in a line.

    >>> code("a `b`"), code("x")
    ('`` a `b` ``', '`x`')
    """
    written = " ".join(written.split())
    if not written:
        return ""
    longest = max((len(run) for run in re.findall("`+", written)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if longest else ""
    return f"{fence}{pad}{written}{pad}{fence}"


def block(content: str, language: str = "") -> str:
    """Write a block of code."""
    longest = max((len(run) for run in re.findall("`{3,}", content)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{content.rstrip()}\n{fence}"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Lay out rows of Markdown as a table; nothing for no rows."""
    written = [_row(row) for row in rows]
    return "\n".join([_row(header), "|" + "---|" * len(header), *written]) if written else ""


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(_cell(cell) for cell in cells) + " |"


def _cell(cell: str) -> str:
    """Keep bars from ending the cell; in code only HTML can say them on every side."""
    parts, end = [], 0
    for match in _CODE.finditer(cell):
        inner = match[2].strip() if len(match[1]) > 1 else match[2]
        kept = match[0] if "|" not in inner else f"<code>{html.escape(inner).replace('|', '&#124;')}</code>"
        parts += [cell[end : match.start()].replace("|", "&#124;"), kept]
        end = match.end()
    parts.append(cell[end:].replace("|", "&#124;"))
    return "".join(parts)


def bullets(items: Iterable[str]) -> str:
    """Write a list; an item may have several blocks."""
    return "\n".join("- " + item.replace("\n", "\n    ") for item in items)


def link(label: str, page: str, here: str) -> str:
    """Link to a page by its path below the documentation's folder.

    Args:
        label: Markdown to click on.
        page: The page, maybe with `#anchor`.
        here: The page that the link stands on.

    >>> link("b", "x/b.md#c", "x/y/a.md")
    '[b](../b.md#c)'
    """
    return f"[{label}]({target(page, here)})"


def target(page: str, here: str) -> str:
    """Return how a page is reached from another."""
    path, _, anchor = page.partition("#")
    if path == here and anchor:
        return f"#{anchor}"
    # Below a folder of their own, so that `..` has something to lead out of wherever this runs.
    relative = posixpath.relpath(f"{_BELOW}/{path}", posixpath.dirname(f"{_BELOW}/{here}")).replace(
        " ", "%20"
    )
    return f"{relative}#{anchor}" if anchor else relative


def anchor(name: str) -> str:
    """Return a mark in the text that links can lead to."""
    return f'<a id="{name}"></a>'


def page(blocks: Iterable[str]) -> str:
    """Join the blocks of a page, empty ones left out; the first is the line that says where it comes from."""
    head, *rest = [block for block in blocks if block]
    return f"{head}\n" + "\n\n".join(rest) + "\n"


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines as blocks."""

    def ignore_aliases(self, data: Any) -> bool:
        """Write equal values each time."""
        return True


_PLAIN = re.compile(r"\d{4}-\d\d(-\d\d)?")


def _write_text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="|" if "\n" in value else None)


_Dumper.add_representer(str, _write_text)


def as_yaml(value: Any, *, flow: bool | None = None) -> str:
    """Write a value as YAML.

    Args:
        value: Mappings, lists and scalars.
        flow: True for one line, None for the innermost collections in a line.
    """
    width = 10_000 if flow else 96
    written: str = yaml.dump(
        plain(value),
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=flow,
        width=width,
    )
    return written.removesuffix("\n...\n").rstrip("\n")


def plain(value: Any) -> Any:
    """Return a value with nothing but the kinds that YAML and JSON have."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
