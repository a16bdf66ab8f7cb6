"""How deep student code may go in Pyodide: a recursion there ends with RecursionError, and not with the kernel.

Python counts its own frames, and they are no danger. A recursion that goes through C (`repr`, `==`, `map`, the reader
of JSON) uses the stack of the browser's engine, which is small, which Python does not see, and whose end is the end of
the interpreter. What C code puts on the stack of WebAssembly grows with it, and of that Python can be given less.
"""

import sys
from contextlib import AbstractContextManager, nullcontext
from typing import Any

# Of WebAssembly's stack; Python keeps the last 16 KiB of it for the way out, so these are about 70 calls through C.
# Measured with Pyodide 314: a worker of Chromium carries 300 such calls and ends below 500, node with its usual stack
# 200, and node with half of that ends below 100.
BYTES = 48 * 1024


def depth_limit(most: int = BYTES) -> AbstractContextManager[object]:
    """The enclosed code may use `most` bytes of the stack; without effect where Python guards its stack itself."""
    return _Depth(most) if _api is not None else nullcontext()


def _functions_of_c() -> Any:
    """Python's functions in C that it takes, or None on a platform that has no need of them or a Python without."""
    platform: str = sys.platform
    if platform != "emscripten":
        return None
    import ctypes

    api: Any = ctypes.pythonapi
    try:
        api.PyThreadState_Get.restype = ctypes.c_void_p
        api.emscripten_stack_get_current.restype = ctypes.c_size_t
        api.PyUnstable_ThreadState_SetStackProtection.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]
        api.PyUnstable_ThreadState_ResetStackProtection.argtypes = [ctypes.c_void_p]
        api.PyUnstable_ThreadState_ResetStackProtection.restype = None
    except AttributeError:  # older than Python 3.14
        return None
    return api


_api = _functions_of_c()


class _Depth:
    """Counts from where it is entered; where one is entered inside another, the inner one ends both."""

    def __init__(self, most: int) -> None:
        self._most = most

    def __enter__(self) -> None:
        self._state = _api.PyThreadState_Get()
        lowest = _api.emscripten_stack_get_current() - self._most
        _api.PyUnstable_ThreadState_SetStackProtection(self._state, lowest, self._most)

    def __exit__(self, *_: object) -> None:
        _api.PyUnstable_ThreadState_ResetStackProtection(self._state)
