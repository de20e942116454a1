"""One canonical layout for rule files, so that a review shows what changed in meaning.

Key order is that of the rule's schema; quotes are used where they are needed; a value stands on one
line where it fits. Comments stay with what they stand at. PyYAML reads (its scanner knows what is a
comment and what is text); the writing is done here, because no library moves a comment along when
keys change their order.
"""

from __future__ import annotations

import bisect
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import yaml

from submission_checker.bench.meanings import Meaning, Shaped, UndescribedError
from submission_checker.engine import source
from submission_checker.engine.errors import Mistake, RulesetError

WIDTH = 120
"""Columns of a line."""
_BLOCK_KEYS = frozenset({"extract", "let", "checks", "examples", "notes", "mutants", "allow"})
"""Keys of a rule whose content always stands on lines of its own."""

Place: TypeAlias = "tuple[str | int, ...]"


@dataclass(slots=True)
class _Comments:
    """The comments of a file, by what they stand at."""

    head: list[str] = field(default_factory=list)
    """Before everything."""
    before: dict[Place, list[str]] = field(default_factory=dict)
    beside: dict[Place, list[str]] = field(default_factory=dict)
    tail: list[str] = field(default_factory=list)
    """After everything."""

    def inside(self, place: Place) -> bool:
        """Tell whether something inside of *place* has a comment."""
        places = (*self.before, *self.beside)
        return any(len(p) > len(place) and p[: len(place)] == place for p in places)


def format_rule(text: str, schema: Mapping[str, Any], name: str = "rule.yaml") -> str:
    """Return a rule file's text in its canonical layout.

    Args:
        text: The file's text.
        schema: The JSON Schema of rule files, which gives the order of keys.
        name: What to call the file in errors.

    Raises:
        RulesetError: where the text is no plain YAML, or no rule.
    """
    value = source.loads(text, source.Marks(name))
    if not isinstance(value, dict) or "id" not in value:
        raise RulesetError([Mistake(name, 1, 1, "not a rule: no id")])
    try:
        written = _format(text, schema)
        kept = _same(value, source.loads(written, source.Marks(name))) and _format(written, schema) == written
    except (yaml.YAMLError, RulesetError):
        kept = False
    if not kept:
        raise RulesetError([Mistake(name, 1, 1, "cannot be laid out without changing it; it was left alone")])
    return written


def _format(text: str, schema: Mapping[str, Any]) -> str:
    node = yaml.compose(text, Loader=yaml.BaseLoader)
    entries: list[tuple[int, Place, int]] = []
    _collect(node, (), entries)
    comments = _comments(text, entries)
    writer = _Writer(comments)
    lines = [*comments.head, *writer.mapping(node, (), 0, Shaped("rule", [schema], schema)), *comments.tail]
    return "\n".join(lines) + "\n"


def _same(before: Any, after: Any) -> bool:
    """Tell whether two rules say the same; the order of names in `let` and the like is part of it."""
    ordered = ("params", "extract", "let")
    return bool(before == after) and all(
        list(before.get(key) or ()) == list(after.get(key) or ()) for key in ordered
    )


def _collect(node: Any, place: Place, entries: list[tuple[int, Place, int]]) -> None:
    """Collect where entries begin: index in the text, place, line."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            entries.append((key.start_mark.index, (*place, key.value), key.start_mark.line))
            _collect(value, (*place, key.value), entries)
    elif isinstance(node, yaml.SequenceNode):
        for number, item in enumerate(node.value):
            entries.append((item.start_mark.index, (*place, number), item.start_mark.line))
            _collect(item, (*place, number), entries)


def _comments(text: str, entries: list[tuple[int, Place, int]]) -> _Comments:
    """Attach each comment to the entry that it stands before or beside."""
    found = _Comments()
    # At one index the outermost entry comes first.
    entries = sorted(entries, key=lambda entry: (entry[0], len(entry[1])))
    starts = [start for start, _, _ in entries]
    for index, comment in _scan(text):
        line = text.count("\n", 0, index)
        own_line = not text[text.rfind("\n", 0, index) + 1 : index].strip()
        after = bisect.bisect_left(starts, index)
        if own_line and after == 0:
            found.head.append(comment)
        elif own_line and after == len(entries):
            found.tail.append(comment)
        elif own_line:
            found.before.setdefault(entries[after][1], []).append(comment)
        else:
            here = [entry for entry in entries[:after] if entry[2] == line] or entries[after - 1 : after]
            found.beside.setdefault(here[0][1], []).append(comment)
    return found


def _scan(text: str) -> Iterator[tuple[int, str]]:
    """Yield each comment with its index: what stands between the tokens and begins with #."""
    end = 0
    for token in yaml.scan(text, Loader=yaml.BaseLoader):
        yield from _between(text, end, token.start_mark.index)
        end = max(end, token.end_mark.index)
        if isinstance(token, yaml.ScalarToken) and token.style in ("|", ">"):
            # What follows the indicator of a block of text belongs to no token.
            first_line = text[token.start_mark.index :].split("\n", 1)[0]
            begins = first_line.find(" #")
            if begins >= 0:
                yield token.start_mark.index + begins + 1, first_line[begins + 1 :].rstrip()
    yield from _between(text, end, len(text))


def _between(text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    for match in re.finditer(r"#[^\n]*", text[start:end]):
        yield start + match.start(), match.group().rstrip()


class _Writer:
    """Writes nodes in their canonical layout."""

    def __init__(self, comments: _Comments):
        self.comments = comments

    def mapping(self, node: Any, place: Place, indent: int, known: Meaning) -> Iterator[str]:
        """Write a mapping, an entry a line."""
        for key, value in _in_order(node, known):
            inner = (*place, key)
            yield from self._before(inner, indent)
            yield from self._entry(f"{' ' * indent}{_key(key)}:", value, inner, indent + 2, _of(known, key))

    def sequence(self, node: Any, place: Place, indent: int, known: Meaning) -> Iterator[str]:
        """Write a list, an item a line."""
        for number, item in enumerate(node.value):
            inner = (*place, number)
            yield from self._before(inner, indent)
            if isinstance(item, yaml.MappingNode) and self._stands_in_lines(item, inner, indent + 2):
                beside = self._beside(inner)
                lines = list(self.mapping(item, inner, indent + 2, known.item()))
                dash = f"{' ' * indent}- "
                if beside or lines[0].lstrip().startswith("#"):
                    # A comment cannot stand between the dash and the first key.
                    yield from (f"{' ' * indent}{comment}" for comment in [beside.strip()] if comment)
                    first = next(n for n, line in enumerate(lines) if not line.lstrip().startswith("#"))
                    yield from (line[2:] for line in lines[:first])
                    lines = lines[first:]
                yield dash + lines[0][indent + 2 :]
                yield from lines[1:]
            else:
                yield from self._entry(f"{' ' * indent}-", item, inner, indent + 2, known.item())

    def _entry(self, begin: str, node: Any, place: Place, indent: int, known: Meaning) -> Iterator[str]:
        beside = self._beside(place)
        if isinstance(node, yaml.ScalarNode):
            yield from _scalar_lines(begin, node, indent, beside)
            return
        if not self._stands_in_lines(node, place, len(begin) + 1):
            yield f"{begin} {_flow(node, known)}{beside}"
            return
        if isinstance(node, yaml.SequenceNode) and self._is_row(node, place):
            yield from _filled(f"{begin} [", [_flow(item, None) for item in node.value], indent, f"]{beside}")
            return
        yield begin + beside
        write = self.mapping if isinstance(node, yaml.MappingNode) else self.sequence
        yield from write(node, place, indent, known)

    def _stands_in_lines(self, node: Any, place: Place, column: int) -> bool:
        """Tell whether a mapping or a list is written over several lines, at a column."""
        if not node.value:
            return False
        if place[0] in _BLOCK_KEYS and len(place) <= _BLOCK_DEPTH[str(place[0])]:
            return True
        return self.comments.inside(place) or column + len(_flow(node, None)) > WIDTH

    def _is_row(self, node: Any, place: Place) -> bool:
        """Tell whether a list is one of words or numbers, which fill lines one after the other."""
        small = all(isinstance(item, yaml.ScalarNode) or not item.value for item in node.value)
        block = place[0] in _BLOCK_KEYS and len(place) <= _BLOCK_DEPTH[str(place[0])]
        return small and not block and not self.comments.inside(place)

    def _before(self, place: Place, indent: int) -> Iterator[str]:
        for comment in self.comments.before.get(place, ()):
            yield f"{' ' * indent}{comment}"

    def _beside(self, place: Place) -> str:
        return "".join(f" {comment}" for comment in self.comments.beside.get(place, ()))


def _filled(begin: str, items: list[str], indent: int, end: str) -> Iterator[str]:
    """Write the items of a list one after the other, over as many lines as are needed."""
    line = begin
    for number, item in enumerate(items):
        last = number == len(items) - 1
        written = item + (end if last else ",")
        if len(line) + 1 + len(written) > WIDTH and line.strip():
            yield line
            line = " " * indent + written
        else:
            line += written if line == begin else f" {written}"
    yield line


_BLOCK_DEPTH = {
    "extract": 1, "let": 1, "checks": 2, "examples": 3, "notes": 1, "mutants": 2, "allow": 2,
}  # fmt: skip
"""How many levels of such a key stand on lines of their own."""


def _in_order(node: Any, known: Meaning) -> list[tuple[str, Any]]:
    """Return the entries of a mapping, those that the schema names in the schema's order."""
    entries = [(key.value, value) for key, value in node.value]
    order = [name for branch in getattr(known, "branches", ()) for name in branch.get("properties", {})]
    if not order:
        return entries
    return sorted(entries, key=lambda entry: order.index(entry[0]) if entry[0] in order else len(order))


def _of(known: Meaning, key: str) -> Meaning:
    try:
        return known.entry(key)
    except UndescribedError:
        return Meaning()


def _flow(node: Any, known: Meaning | None) -> str:
    """Write a node on one line."""
    if isinstance(node, yaml.ScalarNode):
        return _scalar(node, in_flow=True)
    if isinstance(node, yaml.SequenceNode):
        inner = None if known is None else known.item()
        return f"[{', '.join(_flow(item, inner) for item in node.value)}]"
    entries = [(key.value, value) for key, value in node.value] if known is None else _in_order(node, known)
    written = [
        f"{_key(key)}: {_flow(value, None if known is None else _of(known, key))}" for key, value in entries
    ]
    return f"{{{', '.join(written)}}}"


def _key(text: str) -> str:
    return text if _is_plain(text, in_flow=True) else _quoted(text)


def _scalar(node: Any, *, in_flow: bool) -> str:
    text: str = node.value
    if not node.style and not isinstance(source.scalar(text), str):
        # A number keeps the spelling that the editor chose.
        return text or "null"
    return text if _is_plain(text, in_flow=in_flow) else _quoted(text)


def _scalar_lines(begin: str, node: Any, indent: int, beside: str) -> Iterator[str]:
    """Write a scalar after its key: on one line, or as a folded or literal text."""
    text: str = node.value
    line = f"{begin} {_scalar(node, in_flow=False)}{beside}"
    is_text = bool(node.style) or isinstance(source.scalar(text), str)
    body = text.removesuffix("\n")
    chomp = "" if text.endswith("\n") else "-"
    if is_text and "\n" in body and _can_be_literal(body):
        yield f"{begin} |{chomp}{beside}"
        yield from (f"{' ' * indent}{part}" if part else "" for part in body.split("\n"))
    elif is_text and (len(line) > WIDTH or chomp == "") and _can_be_folded(body):
        yield f"{begin} >{chomp}{beside}"
        yield from _folded(body, indent)
    else:
        yield line


def _can_be_literal(body: str) -> bool:
    lines = body.split("\n")
    return all(line == line.rstrip() and "\t" not in line for line in lines) and not (
        lines[0].startswith(" ") or not lines[0] or not lines[-1]
    )


def _can_be_folded(body: str) -> bool:
    return bool(body) and "\n" not in body and "  " not in body and body == body.strip() and "\t" not in body


def _folded(body: str, indent: int) -> Iterator[str]:
    line = " " * indent
    for word in body.split(" "):
        if line.strip() and len(line) + 1 + len(word) > WIDTH:
            yield line
            line = " " * indent
        line += f" {word}" if line.strip() else word
    yield line


_FIRST = set("-?:,[]{}#&*!|>'\"%@`=<~")
_YAML_1_1: Any = yaml.resolver.Resolver()


def _is_plain(text: str, *, in_flow: bool) -> bool:
    """Tell whether a text needs no quotes, whatever reads the file."""
    if not text or text != text.strip() or text[0] in _FIRST or not text.isprintable():
        return False
    if ": " in text or " #" in text or text.endswith(":") or "{" in text or "}" in text:
        return False
    if in_flow and any(character in text for character in ",[]:?"):
        return False
    if re.fullmatch(r"[-+0-9._:]+", text):
        return False  # a number of a clause or a date, which some reader may take for a number
    tag = _YAML_1_1.resolve(yaml.ScalarNode, text, (True, False))
    return tag == "tag:yaml.org,2002:str" and isinstance(source.scalar(text), str)


def _quoted(text: str) -> str:
    """Write a text in double quotes; in single ones where it has double ones or backslashes."""
    if ('"' in text or "\\" in text) and "'" not in text and text.isprintable():
        return f"'{text}'"
    return json.dumps(text, ensure_ascii=False)
