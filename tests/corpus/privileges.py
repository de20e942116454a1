"""A function run in a thread for which file modes count.

Root reads closed files all the same, so a case with a closed file would mean something else for root.
Linux keeps capabilities per thread: the thread gives up those two that ignore modes, and ends with the call.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from collections.abc import Callable
from typing import Any, TypeVar

_Result = TypeVar("_Result")

_CAPABILITY_VERSION_3 = 0x20080522
_DAC_OVERRIDE, _DAC_READ_SEARCH = 1, 2


def without_override(function: Callable[[], _Result]) -> _Result:
    """What *function* returns or raises where closed files are closed."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        return function()
    outcome: dict[str, Any] = {}

    def run() -> None:
        try:
            give_up_override()
            outcome["result"] = function()
        except BaseException as error:  # handed to the caller, below
            outcome["error"] = error

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if "error" in outcome:
        raise outcome["error"]
    return outcome["result"]  # type: ignore[no-any-return]


def give_up_override() -> None:
    """Let file modes count for this thread, and for the threads it starts, from now on."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        return
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)  # 0: this thread
    data = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable; twice 32 bits, the low half first
    if libc.capget(header, data) != 0:
        raise OSError(ctypes.get_errno(), "capget")
    for index in range(3):
        data[index] &= ~(1 << _DAC_OVERRIDE | 1 << _DAC_READ_SEARCH) & 0xFFFFFFFF
    if libc.capset(header, data) != 0:
        raise OSError(ctypes.get_errno(), "capset")
