"""Ways to spoil a submission, drawn from a seeded generator: the same seed spoils in the same way."""

from __future__ import annotations

import json
import math
import os
import shutil
import socket
import stat
from collections.abc import Callable, Iterator
from datetime import date, datetime, timezone
from pathlib import Path
from random import Random
from typing import Any

import yaml

Way = Callable[[Path, Random], str]
"""Spoils something below a folder, and says what it did."""


def _nested(depth: int, make: Callable[[Any], Any]) -> Any:
    value: Any = None
    for _ in range(depth):
        value = make(value)
    return value


VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 16, 32, 33, 1024, 0.5, -0.0, 0.1 + 0.2, 1e-300, 5e-324, 1e308,
    2**31, 2**53 + 1, 2**64, 10**30, -(10**30), 10**400, 10**4299, math.nan, math.inf, -math.inf,
    "", " ", "0", "1", "-1", "1e3", "1e999", "nan", "-inf", "0x10", "1_000", "٣", "yes", "null", "None", "~",
    ".", "..", "/", "//", "~root", "../..", "src/../..", "results", "src/vllm\0", "a\nb", "\x1b[31m",
    "\u202e", "\ufeff", "\ud800", "é" * 300, "x" * 20_000, "9" * 5000,
    "{x}", "{x.y}", "{0}", "%s", "$ref", "A", "B",
    "2026-11-C0", "2026-11-C0 ", "2026-13-C9", "0000-00-C0", "9999-12-C1", "١٢٣٤-٠١-C0",
    "sha256:", "llama3_1-8b",
    [], [None], [[]], [1, "a", None, {}], ["a"] * 50, [math.nan], [10**400], list(range(300)),
    {}, {"": ""}, {"a": {"b": []}}, {"$ref": "#"}, {"total": None}, {"90": {"90": {}}}, {"x" * 300: 1},
    date(2026, 11, 1), datetime(1, 1, 1, tzinfo=timezone.utc), b"\xff\x00", {1: 2}, {None: None}, {"a", "b"},
    _nested(30, lambda inner: [inner]), _nested(30, lambda inner: {"a": inner}),
    _nested(480, lambda inner: [inner]),
)  # fmt: skip
"""What a value is replaced by; kinds that JSON does not have become text there."""

NAMES = (
    b"a\nb", b"\x1b[31mred", b"\xff\xfe", b"x" * 255, b"r" + b"9" * 254, b" ", b"-rf", b"{name}",
    b"%41", b".hidden",
    b"r\xd9\xa3", b"r016", b"r0", b"r16\n", b"r-1", "r\uff11\uff16".encode(), "\u202etxt.exe".encode(),
    b"'\"<script>",
)  # fmt: skip
"""Other names for files and folders."""
STARTS = (b"\xef\xbb\xbf", b"\xff\xfe", b"%YAML 9.9\n---\n", b"%TAG ! x\n", b"\n" * 1000, b" " * 10_000)
"""What a file may begin with."""
INSERTS = (
    b"\0", b"\xff", b"\t", b"#", b"? ", b"&a *a ", b"<<: *x\n", b"!!python/object:os.system {}",
    b"\n---\n", b"1e99999",
    b"- " * 3000, b"[" * 3000, b'{"a":' * 3000,
)  # fmt: skip
"""What may stand somewhere in a file."""


KINDS = (
    "remove", "rename", "copy", "close", "empty", "folder", "pipe", "socket", "loop", "outside",
    "device", "dangling",
)  # fmt: skip
"""What may become of a file or a folder."""


def documents(root: Path) -> list[Path]:
    """List the files that hold a document."""
    return sorted(path for path in root.rglob("*.*") if path.suffix in (".json", ".yaml") and _is_plain(path))


def _is_plain(path: Path) -> bool:
    """Whether opening a file neither blocks nor goes on for ever."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def _load(file: Path) -> Any:
    text = file.read_text("utf-8")
    return json.loads(text) if file.suffix == ".json" else yaml.safe_load(text)


def _dump(file: Path, value: Any) -> None:
    try:
        text = json.dumps(_plain(value)) if file.suffix == ".json" else yaml.safe_dump(value, sort_keys=False)
    except RecursionError:  # PyYAML's; JSON is YAML too
        text = json.dumps(_plain(value))
    file.write_text(text, "utf-8", errors="surrogatepass")


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, set)):
        return [_plain(item) for item in value]
    return value if value is None or isinstance(value, (str, int, float)) else str(value)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every container with every key of it, the outermost first."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield value, key
        yield from _places(item)


def _document(root: Path, random: Random) -> tuple[Path, Any, Any, Any]:
    """Choose a file that is still a document, and a place in it."""
    files = documents(root)
    random.shuffle(files)
    for file in files:
        try:
            value = _load(file)
            places = list(_places(value))
        except (OSError, ValueError, yaml.YAMLError, RecursionError):
            continue
        if places:
            container, key = random.choice(places)
            return file, value, container, key
    raise LookupError("no document is left")


def replace_value(root: Path, random: Random) -> str:
    """Put another value, of any kind, in the place of one."""
    file, value, container, key = _document(root, random)
    container[key] = new = random.choice(VALUES)
    _dump(file, value)
    return f"{file.name}: {key} = {new!r:.40}"


def replace_everywhere(root: Path, random: Random) -> str:
    """Put one value in the place of a key's in every file of a name: many rules look at all points."""
    file, _, _, key = _document(root, random)
    new = random.choice(VALUES)
    for other in (path for path in documents(root) if path.name == file.name):
        try:
            value = _load(other)
        except (OSError, ValueError, yaml.YAMLError):
            continue
        for container, found in list(_places(value)):
            if found == key:
                container[found] = new
        _dump(other, value)
    return f"every {file.name}: {key} = {new!r:.40}"


def replace_document(root: Path, random: Random) -> str:
    """Put one value in the place of a whole document."""
    file = random.choice(documents(root))
    new = random.choice(VALUES)
    if file.is_file():
        _dump(file, new)
    return f"{file.name} = {new!r:.40}"


def drop_key(root: Path, random: Random) -> str:
    """Leave out a key or an item."""
    file, value, container, key = _document(root, random)
    del container[key]
    _dump(file, value)
    return f"{file.name}: no {key}"


def swap_values(root: Path, random: Random) -> str:
    """Exchange two values of a document."""
    file, value, container, key = _document(root, random)
    other, its_key = random.choice(list(_places(value)))
    container[key], other[its_key] = other[its_key], container[key]
    try:
        _dump(file, value)
    except (ValueError, RecursionError):  # a value was put inside itself
        return f"{file.name}: not swapped"
    return f"{file.name}: {key} and {its_key} swapped"


def scale_number(root: Path, random: Random) -> str:
    """Change a number a little, or a lot."""
    file, value, container, key = _document(root, random)
    old = container[key]
    if isinstance(old, bool) or not isinstance(old, (int, float)):
        return replace_value(root, random)
    others = [-old, old * 2, old + 1, old - 1, old / 1000, old * 10**9, float(old), str(old)]
    container[key] = new = random.choice(others)
    _dump(file, value)
    return f"{file.name}: {key} = {new!r:.40}"


def spoil_bytes(root: Path, random: Random) -> str:
    """Change a file's bytes without regard to its form."""
    file = random.choice(documents(root))
    if not file.is_file():
        return "nothing"
    data = bytearray(file.read_bytes())
    what = random.choice(["flip", "cut", "insert", "double", "replace", "prefix", "encode", "line ends"])
    at = random.randrange(len(data) + 1)
    if what == "flip":
        for _ in range(random.randint(1, 8)):
            if data:
                data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    elif what == "cut":
        del data[at:]
    elif what == "insert":
        data[at:at] = random.choice(INSERTS)
    elif what == "double":
        data *= 2
    elif what == "replace":
        data[:] = random.randbytes(random.randrange(200))
    elif what == "prefix":
        data[:0] = random.choice(STARTS)
    elif what == "encode":
        encoding = random.choice(["utf-16", "utf-32", "utf-7", "latin-1"])
        data[:] = data.decode("utf-8", "replace").encode(encoding, "replace")
    else:
        data[:] = data.replace(b"\n", random.choice([b"\r\n", b"\r", b"\x85", b""]))
    file.write_bytes(data)
    return f"{file.name}: {what}"


def spoil_tree(root: Path, random: Random) -> str:
    """Remove, rename or replace something below the root."""
    places = sorted(path for path in root.rglob("*") if not path.is_symlink())
    place = random.choice(places)
    what = random.choice(KINDS)
    if what == "rename":
        other = place.with_name(os.fsdecode(random.choice(NAMES)))
        if not os.path.lexists(other):
            place.rename(other)
        return f"{place.name}: renamed"
    if what == "copy":
        other = place.with_name(os.fsdecode(random.choice(NAMES)))
        if place.is_dir() and not os.path.lexists(other):
            shutil.copytree(place, other, symlinks=True, ignore=_special)
        return f"{place.name}: copied"
    if what == "close":
        place.chmod(0)
        return f"{place.name}: closed"
    shutil.rmtree(place) if place.is_dir() else place.unlink()
    if what == "empty":
        place.touch()
    elif what == "folder":
        place.mkdir()
    elif what == "pipe":
        os.mkfifo(place)
    elif what == "socket":
        _bind(place)
    elif what == "loop":
        place.symlink_to(random.choice([place.name, "..", "../..", "."]))
    elif what == "outside":
        place.symlink_to(random.choice(["/", "/etc/passwd", "/proc/self", "/dev"]))
    elif what == "device":
        place.symlink_to(random.choice(["/dev/zero", "/dev/stdin", "/dev/full"]))
    elif what == "dangling":
        place.symlink_to("nowhere")
    return f"{place.name}: {what}"


def _bind(place: Path) -> None:
    """Make a socket; its address may be no longer than some hundred characters, so from beside it."""
    with socket.socket(socket.AF_UNIX) as end:
        before = Path.cwd()
        os.chdir(place.parent)
        try:
            end.bind(place.name)
        finally:
            os.chdir(before)


def _special(folder: str, names: list[str]) -> list[str]:
    """Name what cannot be copied."""
    return [name for name in names if not Path(folder, name).is_dir() and not Path(folder, name).is_file()]


WAYS: dict[Way, int] = {
    replace_value: 3,
    replace_everywhere: 2,
    replace_document: 1,
    drop_key: 2,
    swap_values: 1,
    scale_number: 2,
    spoil_bytes: 2,
    spoil_tree: 2,
}
"""Each way, and how often it is chosen."""


def spoil(root: Path, random: Random) -> list[str]:
    """Spoil a submission in one to six ways; return what was done."""
    done = []
    for _ in range(random.randint(1, 6)):
        try:
            done.append(random.choices(list(WAYS), list(WAYS.values()))[0](root, random))
        except (LookupError, OSError) as error:  # what one way left behind may leave the next nothing to do
            done.append(f"nothing ({type(error).__name__})")
    return done
