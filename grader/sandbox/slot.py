"""The supervisor's side of the wall: a slot, its zygote, and the one child that runs a notebook at a time.

Everything that comes from a child is a claim by a stranger: it is decoded strictly, counted and capped, and a child
that breaks a rule is killed through its pidfd. One thread, no fork of the supervisor.
"""

# ruff: noqa: PTH115

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn, Self

import msgspec

from grader.engine.student import Gone
from grader.sandbox import walls
from grader.sandbox.folder import Folder
from grader.sandbox.messages import Message, Outputs, Refused, decode
from grader.sandbox.tree import build_tree

_FIRST_UID = 60001  # as root, slot n runs as the uid _FIRST_UID + n, which owns nothing on the machine
_START_SECONDS = 60.0
_ANSWER_SECONDS = 20.0  # for the zygote to fork, or to clean up after a child
_BYE_SECONDS = 0.5
_CHUNK = 1 << 18
_PACKET = 1 << 16
_UNREAD_MIB = 8  # of messages that a child may leave unread
_OUT_OF_MEMORY = 77  # grader.sandbox.child.OUT_OF_MEMORY; this side does not import what runs inside
_TAIL = 600  # characters of a zygote's standard error in an error message
_MIB = 1 << 20


class SlotError(RuntimeError):
    """A slot cannot be started; the text says why."""


@dataclass(frozen=True)
class Limits:
    """What one notebook may use. A wall-clock limit is not here: it is the deadline of each `Child.receive`."""

    cpu_seconds: int = 120
    memory_mib: int = 1024
    tasks: int = 64
    file_mib: int = 16
    open_files: int = 64
    scratch_mib: int = 64
    output_mib: int = 16
    cell_output_kib: int = 1024
    message_mib: int = 8


@dataclass(frozen=True)
class Exit:
    """How a child ended, as its zygote saw it.

    code: exit code, or minus the signal; None when the slot went with it. peak_mib: the largest resident memory.
    swept: processes that it left behind and that were killed.
    """

    code: int | None
    cpu_seconds: float
    peak_mib: float
    swept: int


class Slot:
    """A sandbox for notebooks of one session, warm after the first `spawn`.

    withheld: modules of `course` that are not there, as dotted names. layers: what stands around a child.
    number: of the slot on this machine; as root each number has a uid of its own.
    given: sources of cells that most of the notebooks hold, which are then compiled once for all of them.
    """

    def __init__(
        self,
        withheld: Collection[str] = (),
        layers: walls.Layers | None = None,
        number: int = 0,
        limits: Limits | None = None,
        given: Sequence[str] = (),
    ) -> None:
        self.withheld = sorted(withheld)
        self.given = list(given)
        self.layers = layers or walls.Layers()
        self.number = number
        self.limits = limits or Limits()
        self._folder: Folder | None = None
        self._zygote: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._child: Child | None = None

    def spawn(self) -> "Child":
        """A fresh child with every layer closed around it. Ends the child before it.

        Raises SlotError with one sentence when the slot cannot be started.
        """
        if self._child is not None:
            self._child.end()
        if self._zygote is not None and self._zygote.poll() is not None:
            self.stop()  # what is left of it inside may still answer, and be gone before its child has run a cell
        for attempt in (1, 2):
            if self._zygote is None:
                self._start()
            try:
                self._child = self._fork()
                self._child.await_up(time.monotonic() + _ANSWER_SECONDS)
                return self._child
            except (OSError, EOFError) as error:  # the zygote has died since: killed from outside, or out of memory
                self.stop()
                if attempt == 2:
                    raise SlotError(f"slot {self.number} cannot fork a child: {error}") from error
        raise AssertionError("the second attempt returns or raises")

    def stop(self) -> None:
        """End the zygote and everything inside the slot; the next `spawn` starts anew."""
        if self._control is not None:
            self._control.close()
        if self._zygote is not None:
            self._zygote.kill()
            self._zygote.wait()
        self._control = self._zygote = None
        if self._folder is not None:
            self._folder.remove()
        self._folder = None

    def close(self) -> None:
        """End the child and the zygote and remove the slot's folder."""
        if self._child is not None:
            self._child.end()
        self.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    # ------------------------------------------------------------------------------------------------ the zygote
    def _start(self) -> None:
        if not sys.platform.startswith("linux"):
            raise SlotError(
                f"a slot needs Linux and this is {sys.platform}: grade on a Linux machine or in a container"
            )
        self._folder = Folder()
        tree, scratch = self._folder.tree, self._folder.scratch
        build_tree(tree, self.withheld)
        near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with (self._folder.path / "stderr").open("wb") as stderr:
            self._zygote = subprocess.Popen(
                self._command(tree, far.fileno()),
                pass_fds=[far.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=stderr,
                stderr=stderr,
                cwd=scratch,
                env=_environment(str(scratch)),
                start_new_session=True,
            )
        far.close()
        self._control = near
        near.settimeout(_START_SECONDS)
        try:
            near.send(msgspec.json.encode(self._config(tree, scratch)))
            if not near.recv(_PACKET):
                self._fail_to_start("it ended")
        except TimeoutError:
            self._fail_to_start(f"it was not ready after {_START_SECONDS:g} s")
        except OSError as error:
            self._fail_to_start(str(error))
        near.settimeout(_ANSWER_SECONDS)

    def _fail_to_start(self, why: str) -> NoReturn:
        assert self._folder is not None
        if self._zygote is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._zygote.wait(1.0)  # so that its last words are in the file
        said = (self._folder.path / "stderr").read_text(encoding="utf-8", errors="replace").strip()[-_TAIL:]
        self.stop()
        raise SlotError(f"slot {self.number} did not start: {why}" + (f"; it said: {said}" if said else ""))

    def _command(self, tree: Path, control: int) -> list[str]:
        inside = Path(walls.SLOT) if self.layers.bwrap else tree
        python = [sys.executable, "-s", "-P", "-B", str(inside / "grader" / "sandbox" / "zygote.py"), str(control)]
        if not self.layers.bwrap:
            return python
        env = _environment(walls.SCRATCH)
        return walls.bwrap_command(walls.bwrap_path(), tree, self.limits.scratch_mib, python, env)

    def _config(self, tree: Path, scratch: Path) -> dict[str, Any]:
        where = walls.SCRATCH if self.layers.bwrap else str(scratch)
        code = walls.SLOT if self.layers.bwrap else str(tree)
        readable, listable = walls.readable_paths()
        own_uid = self.layers.bwrap and os.getuid() == 0
        return {
            "withheld": self.withheld,
            "given": self.given,
            "layers": asdict(self.layers),
            "limits": {
                "cpu_seconds": self.limits.cpu_seconds,
                "memory_mib": self.limits.memory_mib,
                "file_mib": self.limits.file_mib,
                "open_files": self.limits.open_files,
                "tasks": self.limits.tasks if own_uid or (self.layers.bwrap and _tasks_per_namespace()) else None,
            },
            "paths": {
                "readable": [*readable, code],
                "listable": listable,
                "writable": [where, os.devnull],
                "minimum": walls.LANDLOCK_WITH_BWRAP if self.layers.bwrap else walls.LANDLOCK_ALONE,
            },
            "uid": _FIRST_UID + self.number if own_uid else None,
            "path": [code, *walls.import_path()],
            "scratch": where,
            "supervisor_pid_namespace": os.readlink("/proc/self/ns/pid"),
        }

    def _fork(self) -> "Child":
        assert self._control is not None
        near, far = socket.socketpair()
        read, write = os.pipe()
        handles: list[int] = []
        try:
            socket.send_fds(self._control, [b"child"], [far.fileno(), write])
            _, handles, _, _ = socket.recv_fds(self._control, _PACKET, 1)
            if len(handles) != 1:
                raise EOFError("its zygote has ended")
            return Child(self, near, read, handles[0])
        except BaseException:
            near.close()
            for fd in (read, *handles):
                os.close(fd)
            raise
        finally:
            far.close()
            os.close(write)

    def _report(self, seconds: float) -> Exit | None:
        """The zygote's report on the child that ended, None when none came in time; EOFError when the zygote died."""
        if self._control is None:
            raise EOFError
        self._control.settimeout(seconds)
        try:
            packet = self._control.recv(_PACKET)
        except TimeoutError:
            return None
        finally:
            self._control.settimeout(_ANSWER_SECONDS)
        if not packet:
            raise EOFError
        return msgspec.json.decode(packet, type=Exit)


class Child:
    """One notebook's process. Its first message is "up"; from then on the two sides speak in turn."""

    def __init__(self, slot: Slot, connection: socket.socket, raw: int, handle: int) -> None:
        self.outputs: list[tuple[int, dict[str, Any]]] = []  # (cell, output in notebook format)
        self._collector = Outputs(self.outputs, slot.limits.cell_output_kib << 10)
        self.memory_mib = slot.limits.memory_mib
        self._slot = slot
        self._connection = connection
        self._raw = raw
        self._handle = handle
        connection.setblocking(False)
        os.set_blocking(raw, False)
        self._poll = select.poll()
        for fd in (connection.fileno(), raw, handle):
            self._poll.register(fd, select.POLLIN)
        self._ahead: Message | None = None
        self._incoming = bytearray()
        self._searched = 0
        self._outgoing = b""
        self._waits_to_send = False
        self._cell = 0
        self._written = 0
        self._dead = self._at_end = False
        self._cause: tuple[str, str] | None = None  # why this side killed it
        self._gone: Gone | None = None
        self._exit: Exit | None = None

    # ------------------------------------------------------------------------------------------------ messages
    def send(self, message: Mapping[str, Any]) -> None:
        """Send one message. A child that does not read is killed; the next `receive` says so."""
        if message["t"] == "cell":
            self._cell = message["i"]
        self._outgoing += _encode(message) + b"\n"
        if len(self._outgoing) > _UNREAD_MIB * _MIB:
            self._kill("crashed", f"left more than {_UNREAD_MIB} MiB of messages unread")
        self._flush()

    def receive(self, deadline: float, late: str = "") -> Message:
        """The child's next message but for outputs, which are collected in `outputs`.

        deadline: on the clock of `time.monotonic()`; a child that has not answered by then is killed.
        late: the reason then given, where it must not depend on how long the calls before took.
        Raises Gone(status, reason) when the child has ended, for whatever reason, and again on every later call.
        """
        begun = time.monotonic()
        while True:
            message, self._ahead = self._ahead or self._next(), None
            if message is not None:
                return message
            if self._gone is None and ((self._dead and self._at_end) or self._cause):
                self._gone = self._why()
            if self._gone is not None:
                raise self._gone
            left = deadline - time.monotonic()
            if left <= 0:
                self._kill("timed_out", late or f"did not answer within {deadline - begun:.1f} s")
            else:
                self._wait(left)

    def end(self) -> Exit:
        """Say bye, or kill; wait for the zygote's report and free everything. May be called again."""
        if self._exit is None:
            self._exit = self._finish()
            self._connection.close()
            os.close(self._raw)
            os.close(self._handle)
        return self._exit

    def await_up(self, deadline: float) -> None:
        """Wait until the child stands confined. Raises SlotError when it could not close its walls, EOFError when its
        zygote died.

        The "up" that it says then is left for the first `receive`.
        """
        try:
            self._ahead = self.receive(deadline)
        except Gone as gone:
            if self.end().code is None:
                raise EOFError(gone.reason) from gone
            said = "".join(o["text"] for _, o in self.outputs if o["output_type"] == "stream").strip()[-_TAIL:]
            raise SlotError(
                f"a child of slot {self._slot.number} could not be confined: {gone.reason}; {said}"
            ) from gone

    # ------------------------------------------------------------------------------------------------ reading
    def _next(self) -> Message | None:
        """The next complete message of what has arrived, if there is one; collects the outputs on the way."""
        while self._cause is None:
            end = self._incoming.find(b"\n", self._searched)
            if end < 0:
                self._searched = len(self._incoming)
                if self._searched > self._slot.limits.message_mib * _MIB:
                    self._kill("crashed", f"sent a message of more than {self._slot.limits.message_mib} MiB")
                return None
            line = bytes(self._incoming[:end])
            del self._incoming[: end + 1]
            self._searched = 0
            try:
                message = decode(line)
            except Refused as refused:
                self._kill("crashed", f"sent what is not a message: {refused}")
                return None
            if message["t"] == "out":
                self._count(len(line))
                self._collector.add(message["i"], message["o"])
                continue
            if message["t"] == "cell":
                self._read_raw()  # what the cell wrote to the descriptors belongs to it
            return message
        return None

    def _wait(self, seconds: float) -> None:
        for fd, event in self._poll.poll(max(1.0, 1000 * seconds)):
            if fd == self._raw:
                self._read_raw()
            elif fd == self._handle:
                self._dead = True
                self._poll.unregister(fd)
            else:
                if event & select.POLLOUT:
                    self._flush()
                if event & ~select.POLLOUT:
                    self._read_connection()
        if self._dead:
            self._read_connection()
            self._read_raw()

    def _read_connection(self) -> None:
        """Read what is there; with the process dead, an empty socket is at its end, whoever else may hold it."""
        try:
            data = self._connection.recv(_CHUNK)
        except BlockingIOError:
            self._at_end = self._dead
            return
        except OSError:
            data = b""
        self._incoming += data
        if data or self._at_end:
            return
        self._at_end = True
        with contextlib.suppress(KeyError):
            self._poll.unregister(self._connection.fileno())
        if not self._dead and not _ends_soon(self._handle):
            self._kill("crashed", "closed its connection to the grader")
        self._dead = True

    def _read_raw(self) -> None:
        try:
            data = os.read(self._raw, _CHUNK)
        except BlockingIOError:
            return
        if not data:
            with contextlib.suppress(KeyError):
                self._poll.unregister(self._raw)
            return
        text = data.decode("utf-8", "replace")
        self._count(len(data))
        self._collector.add(self._cell, {"output_type": "stream", "name": "stdout", "text": text})

    def _count(self, size: int) -> None:
        self._written += size
        if self._written > self._slot.limits.output_mib * _MIB:
            self._kill("output_limit", f"wrote more than {self._slot.limits.output_mib} MiB of output")

    def _flush(self) -> None:
        if self._outgoing:
            with contextlib.suppress(BlockingIOError, OSError):  # a broken pipe shows as the end of the input
                sent = self._connection.send(self._outgoing)
                self._outgoing = self._outgoing[sent:]
        waits = bool(self._outgoing)
        if waits != self._waits_to_send and not self._at_end and self._exit is None:
            self._waits_to_send = waits
            self._poll.modify(self._connection.fileno(), select.POLLIN | (select.POLLOUT if waits else 0))

    # ------------------------------------------------------------------------------------------------ ending
    def _kill(self, status: str, reason: str) -> None:
        self._cause = self._cause or (status, reason)
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._handle, signal.SIGKILL)

    def _finish(self) -> Exit:
        try:
            if self._cause is None and not self._dead:
                self.send({"t": "bye"})
                report = self._slot._report(_BYE_SECONDS)
                if report is not None:
                    return report
                self._kill("timed_out", f"did not end within {_BYE_SECONDS:g} s")
            report = self._slot._report(_ANSWER_SECONDS)
            if report is not None:
                return report
        except (EOFError, OSError):
            pass  # the zygote died with its child
        self._slot.stop()
        return Exit(None, 0.0, 0.0, 0)

    def _why(self) -> Gone:
        """The status and the sentence for an end that this side saw."""
        done = self.end()
        limits = self._slot.limits
        if self._cause is not None:
            return Gone(*self._cause)
        if done.code is None:
            return Gone("crashed", "ended, and its slot with it")
        full = done.peak_mib > 0.8 * limits.memory_mib
        if done.code == _OUT_OF_MEMORY or (done.code == -signal.SIGKILL and full):
            return Gone("out_of_memory", f"needed more than {limits.memory_mib} MiB of memory")
        spent = done.cpu_seconds > 0.8 * limits.cpu_seconds  # the two clocks of the kernel differ by some ticks
        if done.code == -signal.SIGXCPU or (done.code == -signal.SIGKILL and spent):
            return Gone("timed_out", f"used {limits.cpu_seconds} of {limits.cpu_seconds} s of processor time")
        if done.code < 0:
            name = (signal.strsignal(-done.code) or "unknown").lower()
            return Gone("crashed", f"killed by signal {-done.code} ({name})")
        return Gone("crashed", f"ended itself with exit code {done.code}")


def _encode(message: Mapping[str, Any]) -> bytes:
    try:
        return msgspec.json.encode(message)
    except UnicodeEncodeError:  # half a surrogate pair in a cell, which only the standard library's encoder escapes
        return json.dumps(message).encode("ascii")


def _environment(scratch: str) -> dict[str, str]:
    """All that the inside sees of the environment; the fixed hash seed keeps the order of a set in a regrade."""
    return {
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "HOME": scratch,
        "TMPDIR": scratch,
        "IPYTHONDIR": f"{scratch}/.ipython",
        "MALLOC_ARENA_MAX": "2",
        "PYTHONHASHSEED": "0",
    }


def _tasks_per_namespace() -> bool:
    """Since Linux 5.14 the limit on tasks counts inside a user namespace; before, all of the user's processes."""
    major, minor = os.uname().release.split(".")[:2]
    return (int(major), int("".join(c for c in minor if c.isdigit()))) >= (5, 14)


def _ends_soon(handle: int) -> bool:
    waiting = select.poll()
    waiting.register(handle, select.POLLIN)
    return bool(waiting.poll(200))
