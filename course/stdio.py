"""A wire to try a stdio server on, in this process: what reaches its stdout and stderr, and an answer that prints."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TextIO

_OUT, _ERR = 1, 2  # the descriptors of stdout and stderr


@dataclass
class Wire:
    """The standard streams of a server, as its client has them. Iterate over it for the client's lines, one by one.

    Between `open` and `close` the descriptors 1 and 2 of this process lead to two files, and `sys.stdout` and
    `sys.stderr` are new streams on them: what any code prints is caught, code in C included.

    requests: the lines that the client sends, without their line ends.
    """

    requests: list[str]

    def open(self) -> None:
        """Begin to catch what is printed."""
        global _held
        self._files = tempfile.TemporaryFile("a+b"), tempfile.TemporaryFile("a+b")  # noqa: SIM115
        self._asked: list[str] = []
        self._before = sys.stdout, sys.stderr
        for stream in self._before:
            stream.flush()
        self._descriptors = os.dup(_OUT), os.dup(_ERR)
        for file, number in zip(self._files, (_OUT, _ERR), strict=True):
            os.dup2(file.fileno(), number)
        self._streams = _stream(_OUT, buffering=-1), _stream(_ERR, buffering=1)
        sys.stdout, sys.stderr = self._streams
        _held = self._streams[0]

    def __iter__(self) -> Iterator[str]:
        for request in self.requests:
            self._asked.append(self._written(0))
            yield request

    def close(self, last: str = "") -> dict[str, Any]:
        """End it, and return what was caught: `stdout`, `stderr`, and `asked`, the stdout at each request.

        last: printed and written to descriptor 1 before the end, to see where that leads by now.
        """
        global _held
        trouble = ""
        try:
            if last:
                print(last, flush=True)
                os.write(_OUT, f"{last}\n".encode())
            for stream in self._streams:
                stream.flush()
        except (OSError, ValueError) as error:  # a stream or a descriptor that was closed
            trouble = f"{type(error).__name__}: {error}"
        finally:
            sys.stdout, sys.stderr = self._before
            for kept, number in zip(self._descriptors, (_OUT, _ERR), strict=True):
                os.dup2(kept, number)
                os.close(kept)
            _held = None
        caught = {"stdout": self._written(0), "stderr": self._written(1), "asked": self._asked, "trouble": trouble}
        for file in self._files:
            file.close()
        return caught

    def _written(self, which: int) -> str:
        file = self._files[which]
        file.seek(0)  # the files are open for appending, so a writer does not care where a reader stands
        return file.read().decode("utf-8", "backslashreplace")


def _stream(number: int, buffering: int) -> TextIO:
    return open(number, "w", buffering, "utf-8", "backslashreplace", "\n", closefd=False)


_held: TextIO | None = None  # the stdout of the open wire, as a library takes hold of it when it is imported


def _print_to_held(text: str) -> None:
    stream = _held or sys.stdout
    stream.write(f"{text}\n")  # and leaves it in the buffer


WAYS: Mapping[str, Callable[[str], object]] = {
    "print": print,
    "sys.stdout": lambda text: sys.stdout.write(f"{text}\n"),
    "held": _print_to_held,
    "descriptor": lambda text: os.write(_OUT, f"{text}\n".encode()),
    "stderr": lambda text: print(text, file=sys.stderr),
}


@dataclass
class Noisy:
    """An answer that prints before it answers, to try a server with.

    answer: request -> reply, or None for a request that has none.
    noise: way -> text. A way is one of `WAYS`: `print`; a write to `sys.stdout`; `held`, a stdout that was taken hold
        of before the server began, and is not flushed; `descriptor`, where code in C writes; and `stderr`.
    """

    answer: Callable[[str], str | None]
    noise: dict[str, str]

    def __call__(self, request: str) -> str | None:
        for way, text in self.noise.items():
            WAYS[way](text)
        return self.answer(request)
