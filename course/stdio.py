"""A wire to try a stdio server on, in this process: what reaches its stdout and stderr, and an answer that prints."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from io import StringIO
from typing import Any, TextIO

_OUT, _ERR = 1, 2  # the descriptors of stdout and stderr
_write = os.write  # bound here, as code in C is: another function in the place of `os.write` is not asked


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
        self._heard: list[str] = []
        self._before = sys.stdout, sys.stderr
        for stream in self._before:
            stream.flush()
        self._descriptors = os.dup(_OUT), os.dup(_ERR)
        for file, number in zip(self._files, (_OUT, _ERR), strict=True):
            os.dup2(file.fileno(), number)
        self._streams = _stream(_OUT, buffering=-1), _stream(_ERR, buffering=1)
        sys.stdout, sys.stderr = self._streams
        _held = self._streams[0].write

    def __iter__(self) -> Iterator[str]:
        for request in self.requests:
            self._asked.append(self._written(0))
            self._heard.append(self._written(1))
            yield request

    def close(self, last: str = "") -> dict[str, Any]:
        """End it, and return what was caught: `stdout`, `stderr`, `asked`, `heard`, and `trouble`.

        last: written to both descriptors and printed to both streams before the end, to see where they lead by now.
        asked, heard: the stdout and the stderr at each request.
        trouble: what is wrong with the streams, in one sentence; "" where they are those of `open` and can be written
            to.
        """
        global _held
        trouble = ""
        try:
            if last:
                for stream, number in ((sys.stdout, _OUT), (sys.stderr, _ERR)):
                    _write(number, f"{last}\n".encode())  # first, so that of a closed one nothing stays in a buffer
                    print(last, file=stream, flush=True)
            for stream in self._streams:
                stream.flush()
            names = ("sys.stdout", "sys.stderr")
            for name, now, then in zip(names, (sys.stdout, sys.stderr), self._streams, strict=True):
                trouble = trouble or ("" if now is then else f"{name} is another object than before")
        except (OSError, ValueError) as error:  # a stream or a descriptor that was closed
            # Without its number, which is another one in a browser.
            trouble = f"{type(error).__name__}: {getattr(error, 'strerror', None) or error}"
        finally:
            sys.stdout, sys.stderr = self._before
            for kept, number in zip(self._descriptors, (_OUT, _ERR), strict=True):
                os.dup2(kept, number)
                os.close(kept)
            _held = None
        caught = {"stdout": self._written(0), "stderr": self._written(1), "asked": self._asked, "heard": self._heard}
        for file in self._files:
            file.close()
        return {**caught, "trouble": trouble}

    def _written(self, which: int) -> str:
        file = self._files[which]
        file.seek(0)  # the files are open for appending, so a writer does not care where a reader stands
        return file.read().decode("utf-8", "backslashreplace")


def _stream(number: int, buffering: int) -> TextIO:
    return open(number, "w", buffering, "utf-8", "backslashreplace", "\n", closefd=False)


# The `write` of the open wire's stdout, as a library takes hold of it when it is imported.
_held: Callable[[str], object] | None = None


def _print_to_held(text: str) -> None:
    (_held or sys.stdout.write)(f"{text}\n")  # and leaves it in the buffer


def _replace_stdout(text: str) -> None:
    sys.stdout = StringIO(text)  # and leaves it there, as a tool does that fails in between


WAYS: Mapping[str, Callable[[str], object]] = {
    "print": print,
    "sys.stdout": lambda text: sys.stdout.write(f"{text}\n"),
    "held": _print_to_held,
    "descriptor": lambda text: _write(_OUT, f"{text}\n".encode()),
    "stderr": lambda text: print(text, file=sys.stderr),
    "replaced": _replace_stdout,
}

Noise = Mapping[str, str]


@dataclass
class Noisy:
    """An answer that prints before it answers, to try a server with.

    answer: request -> reply, or None for a request that has none.
    noise: way -> text, or a function that gives such a mapping for a request. A way is one of `WAYS`: `print`; a write
        to `sys.stdout`; `held`, a stdout that was taken hold of before the server began, and is not flushed;
        `descriptor`, where code in C writes; `stderr`; and `replaced`, which prints nothing, but leaves another object
        in the place of `sys.stdout`.
    """

    answer: Callable[[str], str | None]
    noise: Noise | Callable[[str], Noise]

    def __call__(self, request: str) -> str | None:
        noise = self.noise(request) if callable(self.noise) else self.noise
        for way, text in noise.items():
            WAYS[way](text)
        return self.answer(request)

    def as_function(self) -> Callable[[str], str | None]:
        """The same as a plain function, which shows nothing of what it prints."""
        return lambda request: self(request)
