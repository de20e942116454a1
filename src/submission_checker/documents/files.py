"""Getting the bytes of a file without trusting it: no device, no endless file, no way out of the root.

`os.path` instead of `pathlib`: this is on the hot path, and `Path` objects cost more than the system calls.
"""

# ruff: noqa: PTH110, PTH118, PTH120

from __future__ import annotations

import errno
import os
import stat

from submission_checker.documents.problems import Limits, Problem, Refused

StrPath = str | os.PathLike[str]

_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_NOFOLLOW: int = getattr(os, "O_NOFOLLOW", 0)
_ABSENT = frozenset({errno.ENOENT, errno.ENOTDIR})
_IS_LINK = frozenset({errno.ELOOP, getattr(errno, "EMLINK", errno.ELOOP)})


class Root:
    """The folder that documents may not lead out of, resolved once.

    Give one `Root` to all the readings of one check: it remembers which folders lie inside.

    Args:
        path: The folder.
    """

    def __init__(self, path: StrPath) -> None:
        self.path = os.path.realpath(path)
        self._prefix = os.path.join(self.path, "")
        self._folders: dict[str, bool] = {}

    def holds(self, path: str) -> bool:
        """Whether *path*, all links followed, lies inside the root."""
        real = os.path.realpath(path)
        return real == self.path or real.startswith(self._prefix)

    def holds_folder_of(self, path: str) -> bool:
        """Whether the folder that *path* is in lies inside the root."""
        folder = os.path.dirname(path)
        known = self._folders.get(folder)
        if known is None:
            known = self._folders[folder] = self.holds(folder or os.curdir)
        return known


def fetch(path: StrPath, root: Root | StrPath | None, limits: Limits) -> bytes:
    """Read the regular file at *path*.

    Args:
        path: The file.
        root: Where links may lead; None allows any.
        limits: `max_bytes` of it.

    Raises:
        Refused: There is no such file, or it cannot or must not be read.
    """
    name = os.fspath(path)
    try:
        descriptor = _open(name, root)
    except FileNotFoundError:
        raise Refused(Problem("absent", "there is no such file")) from None
    except OSError as error:
        if error.errno in _ABSENT:
            raise Refused(Problem("absent", "there is no such file")) from None
        raise Refused(Problem("unreadable", f"cannot be read: {_reason(error)}")) from None
    except ValueError:  # a null character in the name
        raise Refused(Problem("unreadable", "cannot be read: its name is not a valid file name")) from None
    try:
        return _read_all(descriptor, limits.max_bytes)
    except OSError as error:
        raise Refused(Problem("unreadable", f"cannot be read: {_reason(error)}")) from None
    finally:
        os.close(descriptor)


def _open(name: str, root: Root | StrPath | None) -> int:
    """Open *name* without blocking and without following a link out of *root*."""
    if root is None:
        return os.open(name, _FLAGS)
    if not isinstance(root, Root):
        root = Root(root)
    if not root.holds_folder_of(name):
        if not os.path.exists(name):
            raise FileNotFoundError
        raise Refused(Problem("outside", "its folder is a link that leads outside the submission"))
    if _NOFOLLOW:
        try:
            return os.open(name, _FLAGS | _NOFOLLOW)
        except OSError as error:
            if error.errno not in _IS_LINK:
                raise
    if not os.path.exists(name):  # a link to nothing, or to itself
        raise FileNotFoundError
    if not root.holds(name):
        raise Refused(Problem("outside", "is a link that leads outside the submission"))
    return os.open(os.path.realpath(name), _FLAGS | _NOFOLLOW)


def _read_all(descriptor: int, max_bytes: int) -> bytes:
    """Read a regular file of at most *max_bytes*, however large it says it is."""
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        what = "a folder" if stat.S_ISDIR(status.st_mode) else "not a regular file"
        raise Refused(Problem("unreadable", f"cannot be read: it is {what}"))
    if status.st_size > max_bytes:
        raise Refused(_too_large(max_bytes))
    data = os.read(descriptor, min(status.st_size, max_bytes) + 1)
    if len(data) == status.st_size and data:
        return data
    chunks = [data]
    total = len(data)
    while data and total <= max_bytes:  # the file is growing, or does not know its size
        data = os.read(descriptor, 1 << 20)
        chunks.append(data)
        total += len(data)
    if total > max_bytes:
        raise Refused(_too_large(max_bytes))
    return b"".join(chunks)


def _too_large(max_bytes: int) -> Problem:
    return Problem("too_large", f"is larger than {max_bytes} bytes and was not read")


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()


def decode(data: bytes) -> str:
    """Decode *data* as UTF-8.

    Raises:
        Refused: It is not UTF-8; the problem says where.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        line, column = line_and_column(before, len(before))
        message = f"is not UTF-8: byte 0x{data[error.start]:02x} at offset {error.start}"
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            message = "is not UTF-8: it starts with the mark of UTF-16"
        raise Refused(Problem("encoding", message, line=line, column=column)) from None


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    r"""Turn an offset into *text* into a line and a column, both from 1.

    >>> line_and_column("a\r\nbc", 4)
    (2, 2)
    """
    head = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    return head.count("\n") + 1, len(head) - head.rfind("\n")
