"""Runs notebook cells through IPython's InteractiveShell, in one event loop that lives as long as the notebook.

The shell is built warm in the zygote and used in the forked child. Outputs leave it in notebook format.
"""

import ast
import asyncio
import base64
import builtins
import getpass
import io
import json
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.error import StdinNotImplementedError
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.text import SList
from traitlets import Type
from traitlets.config import Config

from grader.sandbox.compiler import Compiler

Output = dict[str, Any]
Emit = Callable[[Output], None]

LONGEST_TEXT = 1 << 18  # characters of one repr, one traceback line or one displayed value; the rest is cut here
_PIECE = 1 << 16  # characters of printed text in one message
_BUFFER = 1 << 13  # characters that wait for company before they are sent
_NO_INPUT = "nobody is at the keyboard while the notebook is graded: give the value in the cell instead"
_RUNS_CODE = frozenset({"time", "timeit", "prun", "capture", "run"})  # what they raise, the student's code raised
_INSTALLERS = frozenset({"pip", "conda", "mamba", "micromamba", "uv"})
_WARM_CELLS = (
    "import asyncio",
    "1 + 1",
    "await asyncio.sleep(0)",
    "1 / 0",
    "%pwd",
    "print(1)",
    "def f(x):\n    return x\nf('a')",
)
_WARM_ROUNDS = 20
_UNKNOWN_CELL_MAGIC = re.compile(r"\A(\s*)%%(\w+)[^\n]*")


@dataclass(frozen=True)
class CellEnd:
    """How one cell ended: `ename` and `evalue` name the exception when it is not ok."""

    ok: bool
    ename: str | None = None
    evalue: str | None = None


class Shell:
    """The cells of one notebook, one after the other, in one namespace and one event loop."""

    def __init__(self) -> None:
        self._ipython = _build()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._warm()

    @property
    def namespace(self) -> dict[str, Any]:
        """name -> object: the notebook's global variables."""
        found: dict[str, Any] = self._ipython.user_ns
        return found

    def compile_ahead(self, sources: Iterable[str]) -> None:
        """Make cells ready that are likely to run. Nothing of them runs now, and each is ready once."""
        for source in sources:
            try:
                self._ipython.compile.compile_ahead(source, self._ipython.transform_cell(source))
            except Exception:
                continue  # whoever runs it will see what is wrong with it

    def open_loop(self) -> None:
        """Make the event loop, in the child: an epoll set made before a fork would be shared by every child."""
        self._loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self._loop)

    def run(self, source: str, emit: Emit) -> CellEnd:
        """Run one cell and hand its outputs to `emit` as they come.

        An exception that lands outside the cell's own code, as an alarm may, ends the cell and becomes its error.
        """
        ipython = self._ipython
        ipython.begin(emit)
        task = self._running_loop().create_task(ipython.cell(source))
        stopped: BaseException | None = None
        while True:
            try:
                end: CellEnd = self._running_loop().run_until_complete(task)
                break
            except BaseException as error:
                stopped = stopped or error
                if task.done():
                    end = _ended_by(stopped)
                    break
                task.cancel()
        if stopped is not None:
            end = _ended_by(stopped)
            emit({"output_type": "error", "ename": end.ename, "evalue": end.evalue, "traceback": []})
        ipython.flush()
        return end

    def call(self, work: Callable[[], Any]) -> Any:
        """Run `work` between two cells, inside the running loop, as it would run in a cell."""

        async def inside() -> Any:
            return work()

        return self._running_loop().run_until_complete(inside())

    def _warm(self) -> None:
        """Walk every usual path until Python has specialised its code: later it would do so in each child's memory.

        No event loop is left behind, since a fork would share its descriptors.
        """
        before = sys.stdout, sys.stderr
        for _ in range(_WARM_ROUNDS):
            self.open_loop()
            for source in _WARM_CELLS:
                self.run(source, lambda output: None)
            self._running_loop().close()
        asyncio.set_event_loop(None)
        self._loop = None
        sys.stdout, sys.stderr = before
        self._ipython.reset(new_session=True)

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        if self._loop is None or self._loop.is_closed():
            self.open_loop()
        assert self._loop is not None
        return self._loop


def build_shell() -> Shell:
    """A warm shell without history, without threads and without an event loop: ready to be forked."""
    return Shell()


# ---------------------------------------------------------------------------------------------------------- outputs
class _Stream(io.TextIOBase):
    """sys.stdout or sys.stderr of the notebook. Closing it does nothing: the next cell prints all the same."""

    def __init__(self, name: str, descriptor: int, emit: Emit) -> None:
        self._name = name
        self._descriptor = descriptor
        self._emit = emit
        self._pieces: list[str] = []
        self._waiting = 0

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return "utf-8"

    @property
    def name(self) -> str:
        return f"<{self._name}>"

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._pieces.append(text)
        self._waiting += len(text)
        if self._waiting > _BUFFER:
            self.flush()
        return len(text)

    def flush(self) -> None:
        pieces, self._pieces, self._waiting = self._pieces, [], 0
        text = "".join(pieces)
        for start in range(0, len(text), _PIECE):
            self._emit({"output_type": "stream", "name": self._name, "text": text[start : start + _PIECE]})

    def fileno(self) -> int:
        return self._descriptor

    def isatty(self) -> bool:
        return False

    def close(self) -> None:
        self.flush()


class _Hook(DisplayHook):  # type: ignore[misc]
    """The value of a cell's last expression."""

    _pending: Output | None = None

    def quiet(self) -> bool:
        """Whether a semicolon ends the cell; IPython tokenizes all of it to find out."""
        return ";" in self.shell.history_manager.input_hist_parsed[-1] and bool(super().quiet())

    def start_displayhook(self) -> None:
        self.shell.flush()

    def write_output_prompt(self) -> None:
        pass

    def write_format_data(self, format_dict: Mapping[str, Any], md_dict: Mapping[str, Any] | None = None) -> None:
        self._pending = {
            "output_type": "execute_result",
            "execution_count": self.prompt_count,
            "data": _clipped(format_dict),
            "metadata": _clipped(md_dict or {}),
        }

    def finish_displayhook(self) -> None:
        pending, self._pending = self._pending, None
        if pending:
            self.shell.emit(pending)


class _Publisher(DisplayPublisher):  # type: ignore[misc]
    """What display() shows."""

    def publish(
        self,
        data: Mapping[str, Any],
        metadata: Mapping[str, Any] | None = None,
        source: object = None,
        *,
        transient: Mapping[str, Any] | None = None,
        update: bool = False,
        **_ignored: object,
    ) -> None:
        self.shell.flush()
        kind = "update_display_data" if update else "display_data"
        output = {"output_type": kind, "data": _clipped(data), "metadata": _clipped(metadata or {})}
        display_id = (transient or {}).get("display_id")
        if isinstance(display_id, str):
            output["transient"] = {"display_id": display_id}
        self.shell.emit(output)

    def clear_output(self, wait: bool = False) -> None:
        self.shell.flush()
        self.shell.emit({"output_type": "clear_output", "wait": bool(wait)})


def _clip(text: str) -> str:
    if len(text) <= LONGEST_TEXT:
        return text
    return f"{text[:LONGEST_TEXT]}… ({len(text) - LONGEST_TEXT} more characters)"


def _clipped(values: Mapping[Any, Any]) -> dict[str, Any]:
    """Display data that is sure to cross: text cut to size, bytes as base64, and what is not JSON as its repr."""
    shown: dict[str, Any] = {}
    for key, value in values.items():
        if isinstance(value, bytes):
            value = base64.b64encode(value).decode("ascii")
        if isinstance(value, str):
            shown[str(key)] = _clip(value)
            continue
        try:
            text = json.dumps(value, default=repr, allow_nan=False)
        except (ValueError, TypeError, RecursionError):
            text = json.dumps(_clip(repr(value)))
        shown[str(key)] = json.loads(text) if len(text) <= LONGEST_TEXT else _clip(text)
    return shown


def _said(error: BaseException) -> str:
    try:
        return _clip(str(error))
    except Exception:
        return "<an exception that cannot be printed>"


def _ended_by(error: BaseException) -> CellEnd:
    return CellEnd(False, type(error).__name__, _said(error))


# ------------------------------------------------------------------------------------------------------------ IPython
class _Notebook(InteractiveShell):  # type: ignore[misc]
    """IPython without a terminal: no history, no programs, and magics that fail without taking the cell along."""

    displayhook_class = Type(_Hook)
    display_pub_class = Type(_Publisher)
    compiler_class = Type(Compiler)

    def init_io(self) -> None:
        self._sink: Emit = lambda output: None
        self._streams = (_Stream("stdout", 1, self.emit), _Stream("stderr", 2, self.emit))

    def init_history(self) -> None:
        self.config.HistoryManager.enabled = False  # no database file and no writer thread
        super().init_history()

    def ask_exit(self) -> None:
        pass  # exit() and quit() leave a notebook running

    def enable_gui(self, gui: object = None) -> None:
        pass

    # -------------------------------------------------------------------------------------------- one cell
    def begin(self, emit: Emit) -> None:
        """Set the streams anew: the cell before may have replaced or closed them."""
        self._sink = emit
        sys.stdout, sys.stderr = self._streams

    async def cell(self, source: str) -> CellEnd:
        text, problem = self.compile.take(source), None
        if text is None:
            text = source = self._without_unknown_magic(source)
            if not self._is_plain_python(source):
                try:
                    text = self.transform_cell(source)
                except Exception:
                    problem = sys.exc_info()
        result = await self.run_cell_async(
            source, store_history=True, transformed_cell=text, preprocessing_exc_tuple=problem
        )
        self.events.trigger("post_execute")
        self.events.trigger("post_run_cell", result)
        error = result.error_before_exec or result.error_in_exec
        return CellEnd(True) if error is None else _ended_by(error)

    def transform_ast(self, node: ast.AST) -> ast.AST:
        if self.ast_transformers:
            self.compile.forget_codes()
        changed: ast.AST = super().transform_ast(node)
        return changed

    def emit(self, output: Output) -> None:
        self._sink(output)

    def flush(self) -> None:
        """Send what was printed so far, also through streams that the notebook put in place of ours."""
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except Exception:
                continue
        for ours in self._streams:
            ours.flush()

    def tell(self, message: str) -> None:
        """One line on the cell's standard error."""
        self._streams[1].write(f"{message}\n")

    def _showtraceback(self, etype: type[BaseException], evalue: BaseException, stb: list[str]) -> None:
        self.flush()
        name = getattr(etype, "__name__", "Exception")
        lines = [_clip(str(line)) for line in stb]
        self.emit({"output_type": "error", "ename": name, "evalue": _said(evalue), "traceback": lines})

    # -------------------------------------------------------------------------------------------- magics and programs
    def run_line_magic(self, magic_name: str, line: str, _stack_depth: int = 1) -> Any:
        if magic_name in _INSTALLERS:
            self.tell(f"%{magic_name} was not run: nothing is installed while the notebook is graded")
            return None
        try:
            return super().run_line_magic(magic_name, line, _stack_depth + 1)
        except Exception as error:
            if magic_name in _RUNS_CODE:
                raise
            self.tell(f"%{magic_name} did not work and was passed over: {type(error).__name__}: {_said(error)}")
            return None

    def run_cell_magic(self, magic_name: str, line: str, cell: str) -> Any:
        try:
            return super().run_cell_magic(magic_name, line, cell)
        except Exception as error:
            if magic_name in _RUNS_CODE:
                raise
            self.tell(f"%%{magic_name} did not work and was passed over: {type(error).__name__}: {_said(error)}")
            return None

    def _is_plain_python(self, source: str) -> bool:
        """Whether IPython's transformation changes nothing; it tokenizes in Python, which takes longer than most cells.

        What compiles holds no magic, no `!` and no `?`. Prompts are stripped even where they stand in a text, and a
        cell of one line may be a magic without its sign: `pwd`, or `ls -l`, which compiles.
        """
        if ">>>" in source or "In [" in source or len(source.splitlines()) < 2:
            return False
        try:
            self.compile.parse_ahead(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
        return True

    def _without_unknown_magic(self, source: str) -> str:
        found = _UNKNOWN_CELL_MAGIC.match(source)
        if not found or self.find_cell_magic(found[2]) is not None:
            return source
        self.tell(f"%%{found[2]} is not known here: the rest of the cell is run as Python")
        return found[1] + source[found.end() :]

    def system(self, command: str) -> None:
        self._no_program(command)
        self.user_ns["_exit_code"] = 1

    system_raw = system_piped = system

    def getoutput(self, command: str, split: bool = True, depth: int = 0) -> Any:
        self._no_program(command)
        return SList() if split else ""

    def _no_program(self, command: str) -> None:
        self.tell(f"!{command} was not run: no other program is started while the notebook is graded")


def _no_input(prompt: object = "", *_ignored: object, **_also: object) -> str:
    raise StdinNotImplementedError(f"input() cannot be answered: {_NO_INPUT}")


def _no_password(prompt: object = "", *_ignored: object, **_also: object) -> str:
    raise StdinNotImplementedError(f"getpass() cannot be answered: {_NO_INPUT}")


def _build() -> Any:
    builtins.input = _no_input
    getpass.getpass = _no_password
    config = Config()
    config.InteractiveShell.colors = "nocolor"
    config.InteractiveShell.xmode = "Plain"  # the others take a second for an endless recursion
    warnings.filterwarnings("ignore", "To exit: use", UserWarning)  # advice for a terminal
    return _Notebook.instance(config=config)
