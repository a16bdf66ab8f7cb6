"""The forked child: puts the walls around itself, then runs cells and answers requests over one socket.

One message is one line of JSON. Every message that the child sends, but "out", has exactly one answer, and sending and
receiving are one step under one lock: whichever thread asks gets its own answer.

    supervisor -> child                                   child -> supervisor
    {"t": "cell", "i", "source", "seconds"}               {"t": "up"}
    {"t": "request", ...}                                 {"t": "cell", "i", "ok", "ename", "evalue"}
    {"t": "result", ...}     answers a call               {"t": "check", "exercise", "objects"}
    {"t": "verdict", ...}    answers a check              {"t": "reply", ...} {"t": "call", ...}
    {"t": "bye"}                                          {"t": "out", "i", "o"}
"""

# ruff: noqa: SIM115

import _thread
import json
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Any, NoReturn

from grader.engine.limits import TimeLimit, raw_signals
from grader.engine.side import StudentSide
from grader.sandbox import confine
from grader.sandbox.shell import Shell

Message = dict[str, Any]


def _not_json(value: object) -> NoReturn:
    raise TypeError(f"a {type(value).__name__} cannot be sent")


OUT_OF_MEMORY = 77  # exit codes of a child that can go on no longer; anything else is the notebook's own
BROKEN = 70
_RING_AGAIN = 0.25  # seconds after which the alarm rings again in a cell that swallowed it
_ALARM = frozenset({signal.SIGALRM})
_BLOCK, _UNBLOCK = signal.SIG_BLOCK, signal.SIG_UNBLOCK

# Bound before any student code runs, since it may replace the names in the modules that they come from.
_exit = os._exit
_main_thread = threading.main_thread()
_current_thread = threading.current_thread
_mask = raw_signals.pthread_sigmask
_setitimer = signal.setitimer
_scan: Any = json.JSONDecoder().scan_once  # type: ignore[attr-defined]
_pieces: Any = json.encoder.c_make_encoder(  # type: ignore[attr-defined]
    None, _not_json, json.encoder.encode_basestring, None, ":", ",", False, False, False
)


class Channel:
    """The child's end of the socket, for any number of threads."""

    def __init__(self, connection: socket.socket) -> None:
        self._send = connection.sendall
        self._receive = connection.recv
        self._lock = threading.Lock()
        self._buffer = b""

    def send(self, message: Message) -> None:
        """Send a message that has no answer."""
        self._exchange(message, answered=False)

    def ask(self, message: Message) -> Message:
        """Send a message and return its answer."""
        answer: Message = self._exchange(message, answered=True)
        return answer

    def serve_until(self, kind: str, opening: Message, handler: Callable[[Message], Message]) -> Message:
        """Send `opening`, answer the requests that follow by `handler`, and return the first message of `kind`.

        The alarm of the cell that stands waiting is paused, and no lock is held while `handler` runs student code.
        """
        here = _current_thread() is _main_thread
        left, again = _setitimer(signal.ITIMER_REAL, 0) if here else (0.0, 0.0)
        try:
            message = self.ask(opening)
            while message["t"] != kind:
                message = self.ask({**handler(message), "t": "reply"})
            return message
        finally:
            if here and left:
                _setitimer(signal.ITIMER_REAL, left, again)

    def _exchange(self, message: Message, answered: bool) -> Any:
        """One step that no alarm may cut in two: a half-sent line would be the end of the child."""
        line = _encode(message)
        if _current_thread() is not _main_thread:  # an alarm is only ever raised in the main thread
            return self._step(line, answered)
        try:
            _mask(_BLOCK, _ALARM)
            return self._step(line, answered)
        finally:
            _mask(_UNBLOCK, _ALARM)

    def _step(self, line: bytes, answered: bool) -> Message | None:
        with self._lock:
            try:
                self._send(line)
                return self._read() if answered else None
            except OSError:
                _exit(BROKEN)  # the supervisor has gone or the notebook closed the socket

    def _read(self) -> Message:
        parts = [self._buffer]
        while b"\n" not in parts[-1]:
            data = self._receive(1 << 16)
            if not data:
                _exit(BROKEN)
            parts.append(data)
        line, _, self._buffer = b"".join(parts).partition(b"\n")
        message: Message = _scan(line.decode("utf-8"), 0)[0]
        return message


def _encode(message: Message) -> bytes:
    """One line; half a surrogate pair, which is text in Python and none in JSON, becomes a question mark."""
    return "".join(_pieces(message, 0)).encode("utf-8", "replace") + b"\n"


class Serving:
    """One notebook in its child."""

    def __init__(self, shell: Shell, channel: Channel, folder: str) -> None:
        self.channel = channel
        self.side = StudentSide(shell.namespace, self._call, folder)
        self._shell = shell

    def serve(self) -> NoReturn:
        """Answer the supervisor until it says bye."""
        message = self.channel.ask({"t": "up"})
        while message["t"] != "bye":
            message = self.channel.ask(self._cell(message) if message["t"] == "cell" else self._reply(message))
        _exit(0)

    def _call(self, call: Message) -> Message:
        return self.channel.ask({**call, "t": "call"})

    def _reply(self, request: Message) -> Message:
        return {**self._shell.call(lambda: self.side.handle(request)), "t": "reply"}

    def _cell(self, message: Message) -> Message:
        index, seconds = message["i"], message["seconds"]
        send = self.channel.send

        def emit(output: Message) -> None:
            send({"t": "out", "i": index, "o": output})

        armed = True

        def ring(_signal: int, _frame: FrameType | None) -> None:
            if armed:
                raise TimeLimit(f"the cell did not end within {seconds:g} s")

        signal.signal(signal.SIGALRM, ring)
        _setitimer(signal.ITIMER_REAL, seconds, _RING_AGAIN)
        try:
            end = self._shell.run(message["source"], emit)
        finally:
            armed = False
            _setitimer(signal.ITIMER_REAL, 0)
        return {"t": "cell", "i": index, "ok": end.ok, "ename": end.ename, "evalue": end.evalue}


current: Serving | None = None  # where `check` finds the channel and the side of the notebook that calls it


def main(shell: Shell, config: Mapping[str, Any], walls: "Walls", connection: int, pipe: int) -> NoReturn:
    """Confine this process and serve on the socket `connection`; `pipe` takes what is written to fd 1 and 2."""
    global current
    try:
        confine.die_with_parent(signal.SIGKILL)
        os.setsid()
        _descriptors(connection, pipe, walls.fileno())
        os.chdir(config["scratch"])
        sys.path.insert(0, "")  # as in Jupyter: a notebook may import a module that it wrote
        shell.open_loop()
        walls.close_around_me()
        channel = Channel(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, connection))
        current = Serving(shell, channel, config["scratch"])
        current.serve()
    except MemoryError:
        _exit(OUT_OF_MEMORY)
    finally:
        _exit(BROKEN)


class Walls:
    """The layers inside bubblewrap that were asked for, prepared in the zygote."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        layers = config["layers"]
        self._limits = config["limits"] if layers["rlimits"] else None
        self._paths = confine.PathRules(**config["paths"]) if layers["landlock"] else None
        self._calls = confine.CallRules() if layers["seccomp"] else None

    def fileno(self) -> int | None:
        """The descriptor that must stay open until the walls are closed."""
        return self._paths.fileno() if self._paths else None

    def close_around_me(self) -> None:
        """rlimits, Landlock, seccomp, in the order in which each still allows the next."""
        if self._limits is not None:
            confine.limit_resources(**self._limits)
        if self._paths is not None:
            self._paths.close_around_me()
        if self._calls is not None:
            self._calls.load()


def prepare() -> None:
    """What every child needs and the zygote can do once for all of them."""
    _plain_signals()
    _alarms_for_the_main_thread_only()
    sys.argv[:] = ["notebook"]
    # They hold numbers, and what the numbers stand for is each child's own.
    sys.stdin = open(0, encoding="utf-8", closefd=False)
    sys.__stdout__ = open(1, "w", encoding="utf-8", errors="replace", closefd=False)  # type: ignore[misc]
    sys.__stderr__ = open(2, "w", encoding="utf-8", errors="replace", closefd=False, buffering=1)  # type: ignore[misc]


def _plain_signals() -> None:
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a file that is too long is an OSError, as on a full disk


def _descriptors(connection: int, pipe: int, keep: int | None) -> None:
    """0: nothing to read, as in the zygote. 1 and 2: the capped pipe. Then the socket and `keep`; others are closed."""
    os.dup2(pipe, 1)
    os.dup2(pipe, 2)
    first = 3
    for fd in sorted({connection, connection if keep is None else keep}):
        os.closerange(first, fd)
        first = fd + 1
    os.closerange(first, os.sysconf("SC_OPEN_MAX"))


def _alarms_for_the_main_thread_only() -> None:
    """New threads inherit a mask that blocks SIGALRM, so that the mask of the main thread is all that counts."""
    for name in ("_start_new_thread", "_start_joinable_thread"):
        start = getattr(threading, name, None)
        if start is not None:
            setattr(threading, name, _without_alarm(start))
    _thread.start_new_thread = _without_alarm(_thread.start_new_thread)


def _without_alarm(start: Callable[..., Any]) -> Callable[..., Any]:
    def start_thread(*args: Any, **kwargs: Any) -> Any:
        before = _mask(_BLOCK, _ALARM)
        try:
            return start(*args, **kwargs)
        finally:
            _mask(signal.SIG_SETMASK, before)

    return start_thread
