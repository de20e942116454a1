"""A folder as a mapping, the difference between two of them, and the way back.

A tree maps relative paths to what is there: bytes for a file, a `Link`, or None for an empty folder.
Folders that hold something are implied by the paths of what they hold.

A change is a small mapping that reads like a sentence, and a list of them is applied in order:

    {"edit": "a/b.json", "lines": [[3, 1, ["  \"x\": 2,"]]]}     at line 3 take 1 line away, put these there
    {"edit": "a/c.json", "from": "a/b.json", "lines": [...]}     the same, starting from another file
    {"write": "a/b.json", "text": "..."}                         a whole file
    {"delete": "a"}  {"move": ["a", "b"]}  {"copy": ["a", "b"]}  files, or folders with all they hold
    {"mkdir": "a"}   {"link": ["a", "target"]}  {"chmod": ["a", "000"]}

Texts stand for bytes: what is not UTF-8 is carried by surrogate escapes, so every file can be told this way.
A long text that repeats itself is a list of pieces, each a text or `[text, times]`.
"""

from __future__ import annotations

import difflib
import json
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple


class Link(NamedTuple):
    """A symbolic link, told by its target."""

    target: str


Entry = bytes | Link | None
Tree = dict[str, Entry]
Change = dict[str, Any]

_LONG = 400  # characters from which on a text is searched for repetitions
_TWINS = 3  # files of the same name that are tried as a start
_REPETITION = re.compile(r"(.{1,40}?)\1{20,}", re.DOTALL)


# ---------------------------------------------------------------- texts


def to_text(content: bytes) -> str:
    return content.decode("utf-8", "surrogateescape")


def to_bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def pack(text: str) -> str | list[Any]:
    """The text itself, or its pieces where it is long and repeats itself."""
    if len(text) < _LONG:
        return text
    pieces: list[Any] = []
    at = 0
    for found in _REPETITION.finditer(text):
        unit, whole = found.group(1), found.group(0)
        if len(whole) < _LONG // 4:
            continue
        if found.start() > at:
            pieces.append(text[at : found.start()])
        pieces.append([unit, len(whole) // len(unit)])
        at = found.end()
    if not pieces:
        return text
    return [*pieces, text[at:]] if at < len(text) else pieces


def unpack(packed: str | list[Any]) -> str:
    if isinstance(packed, str):
        return packed
    return "".join(piece if isinstance(piece, str) else piece[0] * piece[1] for piece in packed)


# ---------------------------------------------------------------- reading and writing folders


def read(folder: Path) -> Tree:
    """What is in *folder*, links not followed."""
    return dict(_entries(folder, ""))


def _entries(folder: Path, prefix: str) -> Iterator[tuple[str, Entry]]:
    with os.scandir(folder) as scan:
        entries = sorted(scan, key=lambda entry: entry.name)
    if not entries and prefix:
        yield prefix.rstrip("/"), None
    for entry in entries:
        path = prefix + entry.name
        if entry.is_symlink():
            yield path, Link(os.readlink(entry.path))  # noqa: PTH115 - the text itself, not a Path made of it
        elif entry.is_dir():
            yield from _entries(Path(entry.path), path + "/")
        else:
            yield path, Path(entry.path).read_bytes()


def write(tree: Tree, folder: Path) -> None:
    """Put *tree* into *folder*, which is made."""
    made = set()
    for path, entry in tree.items():
        target = folder / path
        home = target if entry is None else target.parent
        if home not in made:
            home.mkdir(parents=True, exist_ok=True)
            made.add(home)
        if isinstance(entry, bytes):
            target.write_bytes(entry)
        elif entry is not None:
            target.symlink_to(entry.target)


def transform(folder: Path, old: Tree, new: Tree) -> None:
    """Make *folder*, which holds *old*, hold *new*; what both have is not touched."""
    gone = [path for path in old if path not in new or new[path] != old[path]]
    for path in gone:
        if old[path] is None:
            (folder / path).rmdir()
        else:
            (folder / path).unlink()
    for path in sorted(_folders(old) - _folders(new), reverse=True):
        (folder / path).rmdir()
    write({path: entry for path, entry in new.items() if path not in old or old[path] != entry}, folder)


# ---------------------------------------------------------------- applying changes


def under(paths: Iterable[str], folder: str) -> list[str]:
    """Those of *paths* that are *folder* or inside it."""
    return [path for path in paths if path == folder or path.startswith(folder + "/")]


def apply(base: Tree, changes: Iterable[Change]) -> Tree:
    """The tree that *changes* make of *base*. Modes are not part of a tree: see `modes`."""
    tree = dict(base)
    for change in changes:
        if "edit" in change:
            start = str(change.get("from", change["edit"]))
            tree[change["edit"]] = _edited(tree[start], change["lines"])
        elif "write" in change:
            tree[change["write"]] = to_bytes(unpack(change["text"]))
        elif "delete" in change:
            for path in under(list(tree), change["delete"]):
                del tree[path]
        elif "move" in change or "copy" in change:
            old, new = change["move" if "move" in change else "copy"]
            for path in under(list(tree), old):
                tree[new + path[len(old) :]] = tree.pop(path) if "move" in change else tree[path]
        elif "mkdir" in change:
            tree[change["mkdir"]] = None
        elif "link" in change:
            path, target = change["link"]
            tree[path] = Link(target)
        elif "chmod" not in change:
            raise ValueError(f"unknown change: {change}")
    return tree


def modes(changes: Iterable[Change]) -> list[tuple[str, int]]:
    """The modes that *changes* set, in the order in which they are to be set."""
    return [(path, int(mode, 8)) for path, mode in (c["chmod"] for c in changes if "chmod" in c)]


def _edited(entry: Entry, edits: list[Any]) -> bytes:
    assert isinstance(entry, bytes), "only a file can be edited"
    lines = to_text(entry).split("\n")
    for at, removed, added in reversed(edits):
        lines[at : at + removed] = [unpack(line) for line in added]
    return to_bytes("\n".join(lines))


# ---------------------------------------------------------------- finding changes


def difference(base: Tree, other: Tree) -> list[Change]:
    """Changes that make *other* of *base*, told as briefly as is easy."""
    changes = list(_folder_changes(base, other))
    tree = apply(base, changes)
    for path in _topmost_gone(tree, other):
        changes.append({"delete": path})
    told: Tree = {}
    for path in sorted(other):
        entry = other[path]
        if path in tree and tree[path] == entry:
            continue
        if path not in tree:
            told[path] = entry
        if entry is None:
            changes.append({"mkdir": path})
        elif isinstance(entry, Link):
            changes.append({"link": [path, entry.target]})
        else:
            changes.append(_file_change(tree, told, path, entry))
    needed = _prefixes(other)
    changes.sort(key=lambda change: _rank(change, tree, needed))
    assert apply(base, changes) == other, "the changes do not lead to the tree"
    return changes


def _rank(change: Change, tree: Tree, needed: set[str]) -> int:
    """Folders first, then files that start from a file of *tree*; what only has to go, goes last."""
    if "move" in change or "copy" in change:
        return 0
    if change.get("from") in tree:
        return 1
    if "delete" in change:
        return 2 if change["delete"] in needed else 4
    return 3


def _prefixes(tree: Iterable[str]) -> set[str]:
    """Every path of *tree* and every folder above one."""
    found = set()
    for path in tree:
        found.add(path)
        while "/" in path:
            path = path.rsplit("/", 1)[0]
            found.add(path)
    return found


def _folders(tree: Iterable[str]) -> set[str]:
    return _prefixes(tree) - set(tree)


def _folder_changes(base: Tree, other: Tree) -> Iterator[Change]:
    """Folders of *other* that *base* holds under another name, mostly with the same files."""
    old_folders, kept = _folders(base), _prefixes(other)
    covered: list[str] = []
    for new in sorted(_folders(other) - _prefixes(base)):
        if any(new.startswith(folder + "/") for folder in covered):
            continue
        names = {path[len(new) :] for path in under(other, new)}
        for old in sorted(old_folders, key=lambda folder: (folder in kept, folder)):
            inside = under(base, old)
            same = sum(base[p] == other[new + p[len(old) :]] for p in inside if p[len(old) :] in names)
            if len(names) > 1 and {p[len(old) :] for p in inside} == names and same * 2 >= len(names):
                yield {"copy" if old in kept else "move": [old, new]}
                covered.append(new)
                old_folders.discard(old)
                break


def _topmost_gone(tree: Tree, other: Tree) -> list[str]:
    kept = _prefixes(other)
    gone: list[str] = []
    for path in sorted(_prefixes(tree) - kept | {p for p in tree if p in kept and p not in other}):
        if not any(path.startswith(folder + "/") for folder in gone):
            gone.append(path)
    return gone


def _file_change(tree: Tree, told: Tree, path: str, content: bytes) -> Change:
    """The briefest way to a file: an edit of itself, of another, of one told before, or all of it."""
    ways: list[Change] = [{"write": path, "text": pack(to_text(content))}]
    own = tree.get(path)
    starts = (
        {path: own}
        if isinstance(own, bytes)
        else {p: t[p] for t in (tree, told) for p in _twins(t, path, content)}
    )
    for start, old in starts.items():
        assert isinstance(old, bytes)
        edit: Change = {"edit": path, "lines": _line_edits(to_text(old), to_text(content))}
        if start != path:
            edit["from"] = start
        ways.append(edit)
    return min(ways, key=lambda change: len(json.dumps(change)))


def _twins(tree: Tree, path: str, content: bytes) -> list[str]:
    """A file with the very same content; or else a few with the same name in other folders."""
    name = path.rsplit("/", 1)[-1]
    others = {p: entry for p, entry in tree.items() if isinstance(entry, bytes) and p != path}
    same = sorted(p for p, entry in others.items() if entry == content)
    return same[:1] or sorted(p for p in others if p.rsplit("/", 1)[-1] == name)[-_TWINS:]


def _line_edits(old: str, new: str) -> list[list[Any]]:
    a, b = old.split("\n"), new.split("\n")
    matcher = difflib.SequenceMatcher(None, a, b, autojunk=False)
    return [
        [i1, i2 - i1, [pack(line) for line in b[j1:j2]]]
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
        if tag != "equal"
    ]
