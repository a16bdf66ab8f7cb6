"""What a check talks to: a student whose functions it calls, whose objects it builds, and whose values it holds.

The check never knows where the student's code runs. A transport is a subclass with one method, `request`; the one in
this file runs everything in this process.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from grader.engine.expect import Failure, Seen, portable, show
from grader.engine.side import StudentSide
from grader.engine.wire import COURSE_ERRORS, End, Json, Reference, Stays, WireError
from grader.engine.world import World

CALL_SECONDS = 2.0  # of wall clock for one call of a student's function, which normally takes a few milliseconds
AGAIN_SECONDS = 0.5  # for each further call, once one has not returned in time
_MAX_FRAMES = 6  # of a student's traceback
_LINE_OF_A_CALL = 80  # characters


class StudentError(Exception):
    """The student's code raised. `error` is the exception, of the nearest class that the check knows.

    lineage: the names of its own class and of that class's bases, nearest first; given: those of them that Python or
    the course defines.
    """

    def __init__(self, error: BaseException, lineage: list[str], text: str, traceback: list[str]) -> None:
        super().__init__(text)
        self.error = error
        self.lineage = [name.rpartition(".")[2] for name in lineage]
        self.given = [name for name in lineage if "." not in name]
        self.type_name = lineage[0].rpartition(".")[2] if lineage else "Exception"
        self.text = text
        self.traceback = traceback

    def __str__(self) -> str:
        return f"{self.type_name}: {self.text}" if self.text else self.type_name


class Gone(Exception):
    """The student's process ended or had to be ended: `status` says how, `reason` in one sentence why."""

    def __init__(self, status: str, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


class Stopped(Exception):
    """The student's code was stopped, and its process goes on. Fields as in `Gone`; `error` is what it ended with."""

    def __init__(self, status: str, reason: str, error: BaseException | None = None) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.error = error


class Remote(Stays):
    """A callable or an object that stays with the student."""

    def __init__(self, student: "Student", reference: Reference | None, label: str, target: Json = None) -> None:
        self._student = student
        self._label = label
        self._shown = ""  # of an object that the check made, how the check wrote it
        self._target = target if reference is None else {"id": reference.id}
        if reference is not None:
            self.reference = reference
            self.type_name = reference.type_name

    def __call__(self, *args: object, **kwargs: object) -> Seen:
        """Call it; returns a copy of what it returned. Raises `StudentError` where it raised."""
        return self._student.ask("call", self._label, self._target, None, args, kwargs)

    def kept(self, *args: object, **kwargs: object) -> "Remote":
        """Call it; what it returned stays with the student, to be looked at later or passed on."""
        return self._student.keep(self._label, self._target, None, args, kwargs)

    def method(self, name: str, *args: object, **kwargs: object) -> Seen:
        """Call one of its methods; returns a copy of what that returned."""
        return self._student.ask("call", f"{self._label}.{name}", self._target, name, args, kwargs)

    def kept_method(self, name: str, *args: object, **kwargs: object) -> "Remote":
        """Call one of its methods; what that returned stays with the student."""
        return self._student.keep(f"{self._label}.{name}", self._target, name, args, kwargs)

    def item(self, key: object) -> "Remote":
        """`object[key]`, left with the student."""
        return self._student.keep(f"{self._label}[{key!r}]", self._target, "__getitem__", (key,), {}, quiet=True)

    def attribute(self, name: str) -> Seen:
        """A copy of one of its attributes."""
        return self._student.ask("attribute", f"{self._label}.{name}", self._target, name, (), {})

    def kept_attribute(self, name: str) -> "Remote":
        """One of its attributes, left with the student."""
        label = f"{self._label}.{name}"
        return self._student.keep(label, self._target, "__getattribute__", (name,), {}, quiet=True)

    def text(self) -> Seen:
        """What `str` makes of it."""
        return self._student.keep(f"str({self._label})", self._target, "__str__", (), {}, quiet=True).copy()

    def lineage(self) -> list[str]:
        """Of a class: its name and those of its bases, nearest first, as an `except` clause goes through them."""
        names = []
        for kind in self._student.keep(f"{self._label}.mro()", self._target, "mro", (), {}, quiet=True).copy():
            if not isinstance(kind.plain, Remote):
                raise Failure("a class", show(kind.plain))
            names.append(str(kind.plain.attribute("__name__").plain))
        return names

    def shown_as(self, text: str) -> "Remote":
        """The same; messages show it as `text`."""
        self._shown = text
        return self

    def copy(self) -> Seen:
        """A copy of its present value."""
        return self._student.ask("copy", self._label, self._target, None, (), {})

    def __deepcopy__(self, _memo: object) -> "Remote":
        return self  # the ledger copies arguments; what stands for a student's object is that object, not data

    def __repr__(self) -> str:
        return self._shown or f"<{getattr(self, 'type_name', 'function')} {self._label}>"


class Student(ABC):
    """One student under one exercise. `student.run_loop(...)` calls what the exercise `provides` under that name."""

    def __init__(self, provides: tuple[str, ...]) -> None:
        self.provides = provides
        self.last_call: Callable[[], str] = str  # its text is only made where a finding shows it
        self.last_value: Any = None
        self.first_entry = 0  # where in the ledger the calls of the last call begin
        self._end = End("check", self._imported, _course_error)
        self._world: World | None = None
        self._run = 0
        self._seconds = CALL_SECONDS

    @abstractmethod
    def request(self, message: Json) -> Json:
        """Carry one request to the student's side and return its reply."""

    def bind(self) -> list[str]:
        """Fix what the exercise's names stand for from now on. Returns the names that stand for nothing."""
        reply = self.request(
            {"run": "", "op": "bind", "names": list(self.provides), "keep": False, "seconds": self._seconds}
        )
        missing = reply.get("value")
        return [name for name in self.provides if not isinstance(missing, list) or name in missing]

    def enter(self, world: World) -> None:
        """Begin a case in `world`."""
        self._world = world
        self.last_call, self.last_value, self.first_entry = str, None, 0

    def leave(self) -> None:
        """End the case: from here on every call of a tool is late."""
        if self._world is not None:
            self._world.close()

    def clear(self) -> None:  # noqa: B027  # a child's files go with its slot
        """The judgment is over: nothing of it is needed any more."""

    def __getattr__(self, name: str) -> Remote:
        if name.startswith("_") or name not in self.provides:
            raise AttributeError(f"this exercise provides {', '.join(self.provides)}; it has no {name!r}")
        return Remote(self, None, name, {"name": name})

    def hold(self, value: object) -> Remote:
        """Build `value` in the student's process and leave it there: a check can then change it from outside."""
        held = self._stays({"op": "hold", "value": self._end.encode(value)})
        held._label, held._shown = "the object that was handed over", show(value, 160)
        return held

    def file(self, name: str, content: bytes | None) -> Remote:
        """Write a file into a folder of its own where the student's code runs. Its path stays there, to be passed on.

        content: None for a path at which there is nothing.
        """
        path = self._stays({"op": "file", "name": name, "content": self._end.encode(content)})
        path._label = name
        path._shown = f"<{name}, {'which is not there' if content is None else 'in it ' + show(content, 160)}>"
        return path

    def _stays(self, message: Json) -> Remote:
        held = self._value({**message, "keep": True, "seconds": self._seconds})
        if not isinstance(held, Remote):
            raise Failure("an object that stays where it was made", show(held))
        return held

    # ---------------------------------------------------------------- used by Remote
    def ask(
        self, op: str, label: str, target: Json, method: str | None, args: tuple[object, ...], kwargs: dict[str, object]
    ) -> Seen:
        """One request whose answer is copied here."""
        if op == "call":
            self._note_call(label, args, kwargs)
        value = self._value(self._message(op, target, method, args, kwargs, keep=False))
        if op == "call":
            self.last_value = value
        return Seen(value, "the returned value" if op == "call" else label)

    def keep(
        self,
        label: str,
        target: Json,
        method: str | None,
        args: tuple[object, ...],
        kwargs: dict[str, object],
        *,
        quiet: bool = False,
    ) -> Remote:
        """One request whose answer stays with the student."""
        if not quiet:
            self._note_call(label, args, kwargs)
        value = self._value(self._message("call", target, method, args, kwargs, keep=True))
        if not isinstance(value, Remote):
            raise Failure("an object that stays where it was made", show(value))
        value._label = label if quiet else f"{label}(…)"
        return value

    def _note_call(self, label: str, args: tuple[object, ...], kwargs: dict[str, object]) -> None:
        assert self._world is not None
        self.last_call = partial(_call_text, label, args, kwargs)
        self.first_entry = len(self._world.ledger.entries)

    def _message(
        self, op: str, target: Json, method: str | None, args: tuple[object, ...], kwargs: dict[str, object], keep: bool
    ) -> Json:
        return {
            "op": op, "target": target, "method": method, "keep": keep, "seconds": self._seconds,
            "args": self._end.encode([_plain(a) for a in args]),
            "kwargs": self._end.encode({k: _plain(a) for k, a in kwargs.items()}),
        }  # fmt: skip

    def _value(self, message: Json) -> Any:
        world = self._world
        assert world is not None, "a student is asked outside of a case"
        self._run += 1
        run = world.open(self._run)
        try:
            reply = self.request({"run": run, **message})
        finally:
            world.close_window()
        if reply.get("threads"):
            self.request({"run": run, "op": "settle", "keep": False, "seconds": self._seconds})
        return self._read(reply)

    def _read(self, reply: Json) -> Any:
        world = self._world
        assert world is not None
        if world.over_limit:
            raise Stopped("timed_out", f"made more than {world.max_calls} tool calls in one case")
        if "timed_out" in reply:
            allowed, self._seconds = self._seconds, AGAIN_SECONDS
            raise Stopped("timed_out", f"did not return within {allowed:g} s")
        if "refused" in reply:
            raise Failure("a value of plain data", _line(reply["refused"]))
        try:
            if "raised" in reply:
                outcome = _as_outcome(self._end.decode_error(reply["raised"]), reply["raised"])
            else:
                return self._end.decode(reply["value"])
        except (WireError, KeyError, TypeError, ValueError, AttributeError) as problem:
            # Nothing that comes from there is trusted to have the right form.
            raise Failure("a value of plain data", _line(problem)) from None
        raise outcome

    # ---------------------------------------------------------------- the student's calls
    def serve(self, message: Json) -> Json:
        """Answer a tool call that came from the student's side, in encoded form."""
        world = self._world
        assert world is not None
        try:
            tool = self._end.own(message["id"])
            args, kwargs = self._end.decode(message["args"]), self._end.decode(message["kwargs"])
        except WireError as problem:
            return {"raised": self._end.encode_error(TypeError(f"arguments that cannot be sent: {problem}"))}
        limit = world.admit(message["run"], tool, args, kwargs)
        if limit is not None:
            return {"limit": limit}
        try:
            answer = {"value": self._end.encode(tool(*args, **kwargs))}
        except (Exception, KeyboardInterrupt, SystemExit) as error:  # an interrupt is part of some exercises
            return {"raised": self._end.encode_error(error)}
        if getattr(tool, "edits_arguments", False):
            answer["edited"] = self._end.encode([*enumerate(args), *kwargs.items()])
        if getattr(tool, "hands_out_its_own", False):
            answer["its_own"] = True
        return answer

    def _imported(self, reference: Reference) -> Remote:
        return Remote(self, reference, reference.type_name)


class InProcessStudent(Student):
    """A student whose code runs in this process: in a notebook, in a browser, in the tests of the checks.

    namespace: name -> object, all of the student's names.
    offered: what was handed to `check`, in the order of `provides`; without it the names are looked up.
    """

    def __init__(
        self, namespace: Mapping[str, object], provides: tuple[str, ...], offered: tuple[object, ...] = ()
    ) -> None:
        super().__init__(provides)
        self._side = StudentSide(namespace, self.serve)
        self._side.offered = offered
        self.missing = self.bind()
        self.given: Mapping[str, object] = self._side.bound

    def request(self, message: Json) -> Json:
        return self._side.handle(message)

    def clear(self) -> None:
        self._side.clear()


def _as_outcome(error: BaseException, raised: Json) -> Exception:
    """Some exceptions end more than a call: they are an outcome of the case, not an answer."""
    if isinstance(error, MemoryError):
        return Stopped("out_of_memory", "asked for more memory than there is", error)
    if isinstance(error, SystemExit | KeyboardInterrupt | GeneratorExit | RecursionError):
        ending = f"ended with {type(error).__name__}: {_line(raised['text'], 200)}"
        return Stopped("crashed", ending.rstrip(": "), error)
    traceback = [_line(line, 200) for line in raised.get("traceback", [])[-_MAX_FRAMES:]]
    return StudentError(error, [_line(name, 200) for name in raised["lineage"]], _line(raised["text"], 4000), traceback)


def _line(text: object, limit: int = 400) -> str:
    """What the student's side says, kept short enough for a gradebook and without half a surrogate pair in it."""
    return portable(str(text)[:limit]).encode("utf-8", "replace").decode("utf-8")


def _course_error(name: str) -> type[BaseException] | None:
    from course import errors

    kind = name.rpartition(".")[2]
    return getattr(errors, kind) if kind in COURSE_ERRORS else None


def _plain(value: object) -> object:
    return value.plain if isinstance(value, Seen) else value


def _call_text(label: str, args: tuple[object, ...], kwargs: dict[str, object]) -> str:
    """The call as one would write it: in one line where it fits, otherwise with a line for each argument."""
    shown = [show(_plain(a), 160) for a in args] + [f"{k}={show(_plain(v), 160)}" for k, v in kwargs.items()]
    line = f"{label}({', '.join(shown)})"
    if len(line) <= _LINE_OF_A_CALL or len(shown) < 2:
        return line
    return "\n    ".join([f"{label}(", *(f"{one}," for one in shown)]) + "\n)"
