"""The student's side of a check: answers requests by running the student's objects, in the student's own process.

In a notebook this stands in the same process as the check; in the sandbox it stands in the confined child, and what
it says is believed no further than any student is.
"""

import _thread
import linecache
import shutil
import sys
import tempfile
import threading
import traceback
import weakref
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from grader.engine.depth import depth_limit
from grader.engine.limits import CallLimit, TimeLimit, time_limit
from grader.engine.wire import COURSE_ERRORS, FOLDER, End, Json, Kept, Reference, Stays, WireError, is_course_record

_SETTLE_SECONDS = 0.25
_MISSING = object()
_enumerate = threading.enumerate
_count_threads = _thread._count  # of those that were started; the main thread is none
_join = threading.Thread.join
_walk_tb = traceback.walk_tb
_getline = linecache.getline
_INSIDE = ("<listcomp>", "<dictcomp>", "<setcomp>")  # from Python 3.12 on these have no frames of their own
_LONGEST_SOURCE = 120  # characters of a line of source in a traceback
_LIBRARIES = ("<frozen ", str(Path(traceback.__file__).parent), str(Path(__file__).parents[2] / "course"))


class CheckTool(Stays):
    """A check's tool or model as the student holds it: calling it asks the check, whose ledger counts the call."""

    def __init__(self, reference: Reference, side: "StudentSide") -> None:
        self.reference = reference
        self._side = side
        self.__name__ = self.__qualname__ = reference.type_name

    def __call__(self, *args: object, **kwargs: object) -> Any:
        return self._side.call_out(self.reference, args, kwargs)

    def __copy__(self) -> "CheckTool":
        return self  # as a function is: student code may well copy a record that has one in it

    def __deepcopy__(self, _memo: object) -> "CheckTool":
        return self

    def __repr__(self) -> str:
        return f"<tool {self.__name__}>"


class StudentSide:
    """Runs requests on the objects of one student.

    namespace: name -> object, all of the student's names.
    call: carries a tool call to the check and returns its answer, both in encoded form.
    folder: where the files of a check are put; without it in a temporary folder, which `clear` removes.
    """

    def __init__(self, namespace: Mapping[str, object], call: Callable[[Json], Json], folder: str = "") -> None:
        self.offered: tuple[object, ...] = ()  # what a check in a cell was given, until it is bound to names
        self._everything = namespace
        self.bound: dict[str, object] = {}
        self._call = call
        self._own_results: dict[int, Any] = {}
        self._tools: dict[int, CheckTool] = {}  # the same tool is the same object, however often it is handed over
        self._end = End("student", self._tool, self._error_class)
        self._run = ""
        self._folder = folder
        self._remove: Callable[[], object] | None = None  # once there is a folder of its own
        self._files = 0

    def encode(self, value: object) -> Json:
        """`value` as a reference or a copy, for a message that this side begins."""
        return self._end.encode(value)

    def handle(self, request: Json) -> Json:
        """Answer one request: {"run", "value" | "raised" | "timed_out" | "refused", "threads"}."""
        run = request["run"]
        self._run = run
        before = set(_enumerate()) if _count_threads() else None
        reply = self._answer(request)
        return {"run": run, "threads": _begun_since(before), **reply}

    def clear(self) -> None:
        """Remove the temporary folder now: left to the garbage collector, it would cost the next student's time."""
        if self._remove is not None:
            self._remove()
            self._folder, self._remove = "", None

    def call_out(self, reference: Reference, args: tuple[object, ...], kwargs: dict[str, object]) -> Any:
        """Ask the check to run one of its callables; raises what the callable raised."""
        message = {"run": self._run, "id": reference.id, "args": self._end.encode(list(args))}
        answer = self._call({**message, "kwargs": self._end.encode(kwargs)})
        if "raised" in answer:
            raise self._end.decode_error(answer["raised"])
        if "limit" in answer:
            raise CallLimit(answer["limit"])
        for place, edited in self._end.decode(answer.get("edited", [])):
            _write_into(args[place] if isinstance(place, int) else kwargs[place], edited)
        value = self._end.decode(answer["value"])
        if not answer.get("its_own"):
            return value
        # The same object at every call, as a tool that hands out what it keeps would return it.
        return _write_into(self._own_results.setdefault(reference.id, value), value)

    def _tool(self, reference: Reference) -> CheckTool:
        return self._tools.setdefault(reference.id, CheckTool(reference, self))

    # ---------------------------------------------------------------- one request
    def _answer(self, request: Json) -> Json:
        reached: Callable[[], bool] = bool  # until there is a limit, none is reached
        try:
            work = self._prepare(request)
            with depth_limit(), time_limit(request["seconds"]) as reached:
                value, raised = self._run_work(work)
            if reached():
                return {"timed_out": request["seconds"]}
            if raised is not None:
                return {"raised": raised}
            if request["keep"]:
                return {"value": self._end.encode(Kept(value)) if _is_data(value) else self._end.encode(value)}
            return {"value": self._end.encode(value)}
        except TimeLimit:
            return {"timed_out": request["seconds"]}
        except WireError as error:
            return {"refused": f"the value cannot be looked at: {error}"}
        except BaseException as error:  # of the preparation: a name that is not defined, or an alarm that came late
            if reached():
                return {"timed_out": request["seconds"]}
            return {"raised": {**self._end.encode_error(error), "traceback": _own_traceback(error)}}

    def _run_work(self, work: Callable[[], object]) -> tuple[object, Json]:
        """(value, None) or (None, what it raised); reading an exception runs its `__str__`, which may never end."""
        try:
            return work(), None
        except TimeLimit:
            raise
        except BaseException as error:
            return None, {**self._end.encode_error(error), "traceback": _own_traceback(error)}

    def _prepare(self, request: Json) -> Callable[[], object]:
        """Decode the request first, so that the time limit and the traceback cover student code alone."""
        if request["op"] == "settle":
            return lambda: (
                [_join(t, _SETTLE_SECONDS) for t in _enumerate() if t is not threading.current_thread()] and 0
            )
        if request["op"] == "bind":
            return lambda: self._bind(request["names"])
        if request["op"] == "hold":
            value = self._end.decode(request["value"])
            return lambda: value
        if request["op"] == "file":
            return partial(self._write_file, request["name"], self._end.decode(request["content"]))
        target = self._target(request["target"])
        if request["op"] == "copy":
            return lambda: target
        name = request["method"]
        if request["op"] == "attribute":
            return lambda: getattr(target, name)
        args = self._end.decode(request["args"])
        kwargs = self._end.decode(request["kwargs"])
        if name is None:
            if not callable(target):
                kind = type(target).__name__
                raise TypeError(
                    f"this is no function but a value of type {kind}: hand over the function, not what it returned"
                )
            return lambda: target(*args, **kwargs)
        return lambda: getattr(target, name)(*args, **kwargs)

    def _target(self, target: Json) -> Any:
        if "id" in target:
            return self._end.own(target["id"])
        found = self.bound.get(target["name"], _MISSING)
        if found is _MISSING:
            raise NameError(f"name {target['name']!r} is not defined")
        return found

    def _write_file(self, name: str, content: bytes | None) -> str:
        """The path of a file in a folder of its own: the same folders in the same order for the same submission."""
        if not self._folder:
            self._folder = tempfile.mkdtemp(prefix="check-")
            self._remove = weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self._files += 1
        path = Path(self._folder, f"{FOLDER}{self._files}", name)
        path.parent.mkdir(exist_ok=True)
        if content is not None:
            path.write_bytes(content)
        return str(path)

    def _bind(self, names: list[str]) -> list[str]:
        """Bind what an exercise provides to what was offered, or by name; returns the names that stand for nothing."""
        offered, self.offered = self.offered, ()
        if offered:
            self.bound = dict(zip(names, offered, strict=True))
        else:
            self.bound = {name: self._everything[name] for name in names if name in self._everything}
        return [name for name in names if name not in self.bound]

    def _error_class(self, name: str) -> type[BaseException] | None:
        kind = name.rpartition(".")[2]
        if kind not in COURSE_ERRORS:
            return None
        own = self._everything.get(kind)
        if isinstance(own, type) and issubclass(own, BaseException):
            return own
        try:
            from course import errors
        except ImportError:
            return None
        return getattr(errors, kind)  # type: ignore[no-any-return]


def _begun_since(before: set[threading.Thread] | None) -> int:
    """How many threads run that are not among those `before`; None stands for the main thread alone."""
    if before is None and not _count_threads():
        return 0
    before = before or {threading.main_thread()}
    return sum(thread not in before and thread.is_alive() for thread in _enumerate())


def _is_data(value: object) -> bool:
    """Whether `value` would cross as a copy: plain data, a record of the course, and an exception (type and text)."""
    return (
        value is None
        or isinstance(value, bool | int | float | str | list | dict | tuple | set | frozenset | bytes | BaseException)
        or is_course_record(type(value))
    )


def _write_into(target: Any, content: Any) -> Any:
    """Make `target` hold `content`, keeping the lists and dicts in it the objects that they are; returns `target`."""
    if type(target) is dict and type(content) is dict and target is not content:
        for key in [key for key in target if key not in content]:
            del target[key]
        for key, item in content.items():
            target[key] = _write_into(target[key], item) if key in target else item
    elif type(target) is list and type(content) is list and target is not content:
        kept = [_write_into(one, other) for one, other in zip(target, content, strict=False)]
        target[:] = kept + content[len(kept) :]
    else:
        return content
    return target


def _own_traceback(error: BaseException) -> list[str]:
    """The frames of the student's own code, innermost last: `cell [3] line 2, in f: return plan[9]`."""
    try:
        frames: list[tuple[str, int, str]] = []
        for frame, number in _walk_tb(error.__traceback__):
            file, name = frame.f_code.co_filename, frame.f_code.co_name
            if "/grader/" in file.replace("\\", "/"):
                continue
            if name in _INSIDE and frames:
                name = frames.pop()[2]
            frames.append((file, number, name))
        # What a library does below the student's line is its own affair.
        own = [one for one in frames if not one[0].startswith(_LIBRARIES) and "site-packages" not in one[0]]
        return [_frame_text(*frame) for frame in (own or frames)[-6:]]
    except BaseException:
        return []


def _frame_text(file: str, number: int, name: str) -> str:
    source = _getline(file, number).strip()[:_LONGEST_SOURCE]
    return f"{_cell_name(file)}line {number}, in {name}{f': {source}' if source else ''}"


def _cell_name(file: str) -> str:
    """Which cell of a notebook a frame stands in, as the number beside the cell; nothing for a file."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    named = shell.compile.format_code_name(file) if shell is not None else None
    return f"cell {named[1].removeprefix('In')} " if named is not None else ""
