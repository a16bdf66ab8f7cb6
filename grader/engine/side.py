"""The student's side of a check: answers requests by running the student's objects, in the student's own process.

In a notebook this stands in the same process as the check; in the sandbox it stands in the confined child, and what
it says is believed no further than any student is.
"""

import threading
import traceback
from collections.abc import Callable, Mapping
from typing import Any

from grader.engine.limits import CallLimit, TimeLimit, time_limit
from grader.engine.wire import End, Json, Kept, Reference, Stays, WireError

_SETTLE_SECONDS = 0.25
_MISSING = object()
_enumerate = threading.enumerate
_join = threading.Thread.join
_walk_tb = traceback.walk_tb


class CheckTool(Stays):
    """A check's tool or model as the student holds it: calling it asks the check, whose ledger counts the call."""

    def __init__(self, reference: Reference, side: "StudentSide") -> None:
        self.reference = reference
        self._side = side
        self.__name__ = self.__qualname__ = reference.type_name

    def __call__(self, *args: object, **kwargs: object) -> Any:
        return self._side.call_out(self.reference, args, kwargs)

    def __repr__(self) -> str:
        return f"<tool {self.__name__}>"


class StudentSide:
    """Runs requests on the objects of one student.

    namespace: name -> object, all of the student's names.
    call: carries a tool call to the check and returns its answer, both in encoded form.
    """

    def __init__(self, namespace: Mapping[str, object], call: Callable[[Json], Json]) -> None:
        self.offered: tuple[object, ...] = ()  # what a check in a cell was given, until it is bound to names
        self._everything = namespace
        self.bound: dict[str, object] = {}
        self._call = call
        self._end = End("student", lambda reference: CheckTool(reference, self), self._error_class)
        self._run = ""

    def encode(self, value: object) -> Json:
        """`value` as a reference or a copy, for a message that this side begins."""
        return self._end.encode(value)

    def handle(self, request: Json) -> Json:
        """Answer one request: {"run", "value" | "raised" | "timed_out" | "refused", "threads"}."""
        run = request["run"]
        self._run = run
        before = set(_enumerate())
        reply = self._answer(request)
        return {"run": run, "threads": sum(t not in before and t.is_alive() for t in _enumerate()), **reply}

    def call_out(self, reference: Reference, args: tuple[object, ...], kwargs: dict[str, object]) -> Any:
        """Ask the check to run one of its callables; raises what the callable raised."""
        message = {"run": self._run, "id": reference.id, "args": self._end.encode(list(args))}
        answer = self._call({**message, "kwargs": self._end.encode(kwargs)})
        if "raised" in answer:
            raise self._end.decode_error(answer["raised"])
        if "limit" in answer:
            raise CallLimit(answer["limit"])
        return self._end.decode(answer["value"])

    # ---------------------------------------------------------------- one request
    def _answer(self, request: Json) -> Json:
        reached: Callable[[], bool] = bool  # until there is a limit, none is reached
        try:
            work = self._prepare(request)
            with time_limit(request["seconds"]) as reached:
                value = work()
            if reached():
                return {"timed_out": request["seconds"]}
            if request["keep"]:
                return {"value": self._end.encode(Kept(value)) if _is_data(value) else self._end.encode(value)}
            return {"value": self._end.encode(value)}
        except TimeLimit:
            return {"timed_out": request["seconds"]}
        except WireError as error:
            return {"refused": f"the value cannot be looked at: {error}"}
        except BaseException as error:
            if reached():
                return {"timed_out": request["seconds"]}
            return {"raised": {**self._end.encode_error(error), "traceback": _own_traceback(error)}}

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
        target = self._target(request["target"])
        if request["op"] == "copy":
            return lambda: target
        name = request["method"]
        if request["op"] == "attribute":
            return lambda: getattr(target, name)
        args = self._end.decode(request["args"])
        kwargs = self._end.decode(request["kwargs"])
        if name is None:
            return lambda: target(*args, **kwargs)
        return lambda: getattr(target, name)(*args, **kwargs)

    def _target(self, target: Json) -> Any:
        if "id" in target:
            return self._end.own(target["id"])
        found = self.bound.get(target["name"], _MISSING)
        if found is _MISSING:
            raise NameError(f"name {target['name']!r} is not defined")
        return found

    def _bind(self, names: list[str]) -> list[str]:
        """Bind what an exercise provides to what was offered, or by name; returns the names that stand for nothing."""
        offered, self.offered = self.offered, ()
        if offered:
            self.bound = dict(zip(names, offered, strict=True))
        else:
            self.bound = {name: self._everything[name] for name in names if name in self._everything}
        return [name for name in names if name not in self.bound]

    def _error_class(self, name: str) -> type[BaseException] | None:
        if name.rpartition(".")[2] != "ToolError":
            return None
        own = self._everything.get("ToolError")
        if isinstance(own, type) and issubclass(own, BaseException):
            return own
        try:
            from course.errors import ToolError
        except ImportError:
            return None
        return ToolError


def _is_data(value: object) -> bool:
    return value is None or isinstance(value, bool | int | float | str | list | dict | tuple | set | frozenset | bytes)


def _own_traceback(error: BaseException) -> list[str]:
    """The frames of the student's own cells, innermost last, as `cell or file, line N, in name: source`."""
    lines = []
    try:
        for frame, number in _walk_tb(error.__traceback__):
            code = frame.f_code
            if "/grader/" in code.co_filename.replace("\\", "/"):
                continue
            lines.append(f"line {number}, in {code.co_name}")
    except BaseException:
        return []
    return lines[-6:]
