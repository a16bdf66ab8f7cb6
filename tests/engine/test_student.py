"""The in-process student: what it does with code that misbehaves, and what of it may reach the check."""

import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_wire import json_values

from course.errors import ToolError
from course.models import ToolCall
from course.transcript import canonical_bytes
from grader.engine import student as student_module
from grader.engine.expect import Failure, expect, expect_raises
from grader.engine.judge import judge, run_case
from grader.engine.side import StudentSide
from grader.engine.student import InProcessStudent, Remote, Stopped, Student
from grader.engine.wire import Json
from grader.engine.world import World
from tools import exercise, judged, result


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(student_module, "CALL_SECONDS", 0.2)
    monkeypatch.setattr(student_module, "AGAIN_SECONDS", 0.1)


def returns_one(student: Student, world: World) -> None:
    expect(student.f()).equals(1)


def calls_a_tool(student: Student, world: World) -> None:
    tool = world.tool()
    expect(student.f(tool, {"n": 1})).equals(1)
    expect(world.ledger.calls(tool)).equals(1)


# ---------------------------------------------------------------------------------------------- code that ends badly
def endless() -> None:
    while True:
        pass


def endless_and_deaf() -> int:
    try:
        while True:
            pass
    except BaseException:
        return 1


def endless_after_a_swallowed_stop() -> None:
    try:
        while True:
            pass
    except BaseException:
        while True:
            pass


def endless_text() -> None:
    class Patient(Exception):
        def __str__(self) -> str:  # noqa: PLE0307
            while True:
                pass

    raise Patient


def recursion() -> None:
    recursion()


def leaves() -> None:
    sys.exit("enough")


def interrupted() -> None:
    raise KeyboardInterrupt


def out_of_memory() -> None:
    raise MemoryError


@pytest.mark.parametrize(
    ("function", "status", "reason"),
    [
        (endless, "timed_out", "did not return within 0.2 s"),
        (endless_and_deaf, "timed_out", "did not return within 0.2 s"),
        (endless_after_a_swallowed_stop, "timed_out", "did not return within 0.2 s"),
        (endless_text, "timed_out", "did not return within 0.2 s"),
        (recursion, "crashed", "ended with RecursionError: maximum recursion depth exceeded"),
        (leaves, "crashed", "ended with SystemExit: enough"),
        (interrupted, "crashed", "ended with KeyboardInterrupt"),
        (out_of_memory, "out_of_memory", "asked for more memory than there is"),
    ],
)
def test_code_that_ends_badly_has_a_status_and_a_reason(function: Callable[[], Any], status: str, reason: str) -> None:
    found = result(function, returns_one)
    assert (found.status, found.points) == (status, 0)
    assert found.reason.startswith(reason)


def test_the_cases_after_one_that_timed_out_are_judged_and_get_less_time() -> None:
    asked: list[int] = []

    def f() -> int:
        asked.append(1)
        if len(asked) < 3:
            endless()
        return 1

    def second(student: Student, world: World) -> None:
        returns_one(student, world)

    def third(student: Student, world: World) -> None:
        returns_one(student, world)

    verdict = judged(f, returns_one, second, third)
    assert [case.status for case in verdict.cases] == ["timed_out", "timed_out", "passed"]
    assert [case.reason for case in verdict.cases] == [
        "did not return within 0.2 s", "did not return within 0.1 s", "",
    ]  # fmt: skip


def test_an_exception_of_the_students_own_class_is_named_with_its_lines_alone() -> None:
    class Wrong(ValueError):
        pass

    def f() -> None:
        raise Wrong("because")

    found = result(f, returns_one)
    assert found.status == "failed" and found.finding is not None
    assert found.finding.got == "Wrong: because"
    assert found.finding.traceback == (f'line {f.__code__.co_firstlineno + 1}, in f: raise Wrong("because")',)


def test_a_check_that_expects_an_exception_gets_it_by_its_nearest_known_class() -> None:
    class Wrong(KeyError):
        pass

    def f(kind: str) -> None:
        raise {"own": Wrong("x"), "tool": ToolError("tool", "gone"), "group": ExceptionGroup("g", [ValueError()])}[kind]

    def case(student: Student, world: World) -> None:
        for name, kind in (("own", KeyError), ("tool", ToolError), ("group", ExceptionGroup)):
            with expect_raises(kind):
                student.f(name)

    assert result(f, case).status == "passed"


def test_an_exception_group_is_the_students_failure_and_says_so() -> None:
    def f() -> None:
        raise ExceptionGroup("several", [ValueError("one")])

    found = result(f, returns_one)
    assert found.finding is not None
    assert found.finding.got == "ExceptionGroup: several (1 sub-exception)"


@pytest.mark.parametrize("size", [3_000_000, 60])
def test_a_huge_or_bottomless_return_value_is_the_students_failure(size: int) -> None:
    def f() -> Any:
        value: Any = "x" * size
        for _ in range(size if size < 100 else 0):
            value = [value, value]
        return value

    found = result(f, returns_one)
    assert found.status == "failed" and found.finding is not None
    assert "cannot be looked at" in found.finding.got


def test_a_long_text_of_an_exception_is_cut() -> None:
    def f() -> None:
        raise ValueError("x" * 1_000_000)

    found = result(f, returns_one)
    assert found.finding is not None and len(found.finding.got) < 5000


# ------------------------------------------------------------------------------------------------------ calls of tools
def call_late(tool: Any, thing: object) -> None:
    time.sleep(0.05)
    with suppress(BaseException):
        tool(thing=thing)


def test_a_call_in_time_counts_and_a_call_from_a_thread_that_outlives_the_function_is_late() -> None:
    def f(tool: Any, args: Any) -> int:
        tool(**args)
        threading.Thread(target=call_late, args=(tool, 2)).start()
        return 1

    found = result(f, calls_a_tool)
    assert found.status == "failed" and found.finding is not None
    assert found.finding.expected == "no tool call after the function had returned"
    assert found.finding.got == "1 of them"
    assert [line.rpartition(" -> ")[2] for line in found.finding.happened][1:] == ["called after the loop had returned"]


def test_a_call_from_a_thread_that_is_waited_for_is_in_time() -> None:
    def f(tool: Any, args: Any) -> int:
        thread = threading.Thread(target=tool, kwargs=args)
        thread.start()
        thread.join()
        return 1

    assert result(f, calls_a_tool).status == "passed"


def test_a_tool_that_was_kept_from_an_earlier_case_counts_for_nothing_in_a_later_one() -> None:
    kept: list[Any] = []

    def f(*args: Any) -> int:
        kept.extend(args[:1])
        kept[0](n=1)
        return 1

    def later(student: Student, world: World) -> None:
        expect(student.f()).equals(1)
        expect(world.ledger.calls()).equals(0)

    assert [case.status for case in judged(f, calls_a_tool, later).cases] == ["passed", "passed"]


def test_an_endless_loop_of_calls_ends_at_the_limit_of_calls() -> None:
    def f(tool: Any, args: Any) -> None:
        while True:
            tool(**args)

    found = result(f, calls_a_tool)
    assert (found.status, found.reason) == ("timed_out", "made more than 200 tool calls in one case")


def test_the_limit_of_calls_holds_against_code_that_swallows_it() -> None:
    def f(tool: Any, args: Any) -> int:
        for _ in range(500):
            try:
                tool(**args)
            except BaseException:
                continue
        return 1

    assert result(f, calls_a_tool).status == "timed_out"


def test_an_object_passed_to_a_tool_stays_with_the_student() -> None:
    class Own:
        pass

    def f(tool: Any, args: Any) -> int:
        tool(thing=Own(), call=len)
        return 1

    def case(student: Student, world: World) -> None:
        tool = world.tool(lambda **given: sorted(given))
        expect(student.f(tool, {})).equals(1)
        assert all(isinstance(one, Remote) for one in world.ledger.entries[0].args.values())

    assert result(f, case).status == "passed"


def test_an_object_passed_to_a_tool_too_late_is_late_and_no_defect_of_the_check() -> None:
    def f(tool: Any, args: Any) -> int:
        tool(**args)
        threading.Thread(target=call_late, args=(tool, object())).start()
        return 1

    assert result(f, calls_a_tool).status == "failed"


def test_what_a_tool_raises_reaches_the_student_as_its_own_tool_error() -> None:
    class Own(Exception):
        pass

    seen: list[type] = []

    def f(tool: Any, args: Any) -> int:
        try:
            tool(**args)
        except Own as error:
            seen.append(type(error))
        return 1

    def case(student: Student, world: World) -> None:
        tool = world.tool(after=0, error="gone")
        expect(student.f(tool, {"n": 1})).equals(1)

    assert result(f, case, ToolError=Own).status == "passed"
    assert seen == [Own]


def test_what_a_tool_is_given_is_a_copy() -> None:
    def f(tool: Any, args: Any) -> int:
        tool(**args)
        args["n"] = 2
        return 1

    def case(student: Student, world: World) -> None:
        args = {"n": 1}
        tool = world.tool()
        student.f(tool, args)
        assert args == {"n": 1}
        expect(world.ledger.arguments(tool)).equals([{"n": 1}])

    assert result(f, case).status == "passed"


# ------------------------------------------------------------------------------------------------------ held objects
def test_a_check_builds_an_object_and_looks_at_it_from_outside() -> None:
    class Box:
        kind = "box"

        def __init__(self, content: list[int]) -> None:
            self.content = content

        def add(self, one: int) -> "Box":
            return Box([*self.content, one])

    def case(student: Student, world: World) -> None:
        held = student.hold([1])
        box = student.f.kept(held)
        expect(box.attribute("content")).equals([1])
        expect(box.attribute("kind")).equals("box")
        held.method("append", 2)
        expect(box.attribute("content")).equals([1, 2], because="it is the same list")
        expect(box.kept_method("add", 3).attribute("content")).equals([1, 2, 3])
        expect(held.item(0).copy()).equals(1)

    assert result(Box, case).status == "passed"


def test_a_record_of_the_course_that_is_held_stays_what_it_is_although_it_would_cross_by_copy() -> None:
    def case(student: Student, world: World) -> None:
        held = student.hold(ToolCall("look", {"n": 1}))
        expect(student.f(held)).equals(1)
        expect(held.attribute("args")).equals({"n": 1, "seen": True}, because="it is the same object")
        expect(held.attribute("name")).equals("look")

    def f(call: ToolCall) -> int:
        call.args["seen"] = True
        return 1

    assert result(f, case).status == "passed"


def test_what_is_not_provided_is_a_mistake_of_the_check() -> None:
    with pytest.raises(AttributeError, match="this exercise provides f; it has no 'g'"):
        _ = InProcessStudent({"f": len}, ("f",)).g


def test_a_name_that_stands_for_nothing_is_missing() -> None:
    assert InProcessStudent({"g": 1}, ("f", "g")).missing == ["f"]
    assert InProcessStudent({}, ("f", "g"), (1, 2)).missing == []


# ------------------------------------------------------------------------------------------------------ forged replies
class Forger(Student):
    """A student's side that says what it likes."""

    def __init__(self, reply: dict[str, Any]) -> None:
        super().__init__(("f",))
        self.reply = reply

    def request(self, message: Json) -> Json:
        return {"run": message["run"], "threads": 0, **self.reply}


def holds(student: Student, world: World) -> None:
    held = student.hold([1])
    held.method("append", 2)
    expect(held.copy()).equals([1, 2])


def keeps(student: Student, world: World) -> None:
    expect(student.f.kept().copy()).equals(1)


REPLIES: list[dict[str, Any]] = [
    {}, {"value": {"$": "error"}}, {"raised": 5}, {"raised": {"lineage": 5, "text": "x"}},
    {"raised": {"lineage": [], "text": 5}}, {"raised": {"lineage": [], "text": "x", "traceback": 5}},
    {"raised": {"lineage": [[]], "text": "x"}}, {"refused": {"x": "y" * 100_000}}, {"value": [1], "threads": "many"},
    {"raised": {"lineage": ["E" * 10**5], "text": "x" * 10**5, "args": [], "traceback": ["y" * 10**5] * 99}},
    {"value": {"$": "ref", "owner": "check", "id": 1, "type": "x", "callable": True}},
    {"value": {"$": "ref", "owner": "student", "id": 1, "type": "x" * 10**5, "callable": True}},
    {"value": {"$": "decimal", "v": "sNaN"}}, {"timed_out": None},
    {"raised": {"lineage": ["MemoryError"], "text": "\ud800", "args": []}},
    {"raised": {"lineage": ["SystemExit"], "text": "\ud800", "args": []}},
    {"raised": {"lineage": ["ValueError"], "text": "\ud800", "args": [], "traceback": ["\ud800"]}},
]  # fmt: skip


@pytest.mark.parametrize("reply", REPLIES, ids=[ascii(reply)[:60] for reply in REPLIES])
def test_a_forged_reply_earns_nothing_and_never_looks_like_a_defect_of_the_check(reply: dict[str, Any]) -> None:
    made = exercise(returns_one, holds, keeps)
    for case in made.cases:
        found, gone = run_case(made, case, Forger(reply), "seed")
        assert (found.status in ("failed", "timed_out", "crashed", "out_of_memory"), gone) == (True, None), found
        assert found.points == 0
        # A gradebook must be able to take it, and must not grow without bounds.
        assert len(canonical_bytes([found.reason, found.finding and vars(found.finding)["got"]])) < 6000


@given(st.dictionaries(st.sampled_from(["value", "raised", "refused", "timed_out", "threads"]), json_values))
@settings(derandomize=True, max_examples=150, deadline=None)
def test_no_reply_whatever_crashes_a_check(reply: dict[str, Any]) -> None:
    made = exercise(returns_one, holds)
    for case in made.cases:
        found, _ = run_case(made, case, Forger(reply), "seed")
        assert found.status != "not_judged", found.reason


@given(json_values, json_values, st.integers(-1, 3))
@settings(derandomize=True, max_examples=150, deadline=None)
def test_no_call_whatever_crashes_a_check(args: Any, kwargs: Any, number: int) -> None:
    student = Forger({"value": 1})
    world = World("seed")
    student.enter(world)
    student.f(world.tool())
    run = world.open(1)
    for message in ({"run": run, "id": number}, {"run": "old", "id": number}):
        answer = student.serve({**message, "args": args, "kwargs": kwargs})
        assert answer.keys() & {"value", "raised", "limit"}


def test_a_tool_that_was_never_handed_over_cannot_be_called() -> None:
    student = Forger({"value": 1})
    world = World("seed")
    student.enter(world)
    tool = world.tool()
    answer = student.serve({"run": world.open(1), "id": 7, "args": [], "kwargs": {}})
    assert answer["raised"]["lineage"][0] == "TypeError"
    assert world.ledger.calls(tool).plain == 0


# ------------------------------------------------------------------------------------------------------ the side alone
def test_a_request_for_what_was_never_handed_out_is_refused() -> None:
    side = StudentSide({}, lambda message: message)
    request = {"run": "1", "op": "call", "target": {"id": 9}, "method": None, "args": [], "kwargs": {}}
    assert "no object was handed over" in side.handle({**request, "keep": False, "seconds": 1})["refused"]


def test_an_offer_binds_once() -> None:
    side = StudentSide({"f": "by name"}, lambda message: message)
    side.offered = ("handed over",)
    bind = {"run": "", "op": "bind", "names": ["f"], "keep": False, "seconds": 1}
    side.handle(bind)
    assert side.bound == {"f": "handed over"}
    side.handle(bind)
    assert side.bound == {"f": "by name"}


def test_stopped_and_failure_say_what_they_hold() -> None:
    stopped, failure = Stopped("timed_out", "too slow"), Failure("a", "b")
    assert (str(stopped), stopped.status) == ("too slow", "timed_out")
    assert str(failure) == "expected a; got b"


@pytest.fixture
def threads_before() -> Iterator[None]:
    before = threading.active_count()
    yield
    assert threading.active_count() == before


def test_a_call_on_another_thread_is_stopped_too(threads_before: None) -> None:
    found: list[str] = []
    thread = threading.Thread(target=lambda: found.append(result(endless, returns_one).status))
    thread.start()
    thread.join()
    assert found == ["timed_out"]


def test_the_files_of_a_check_are_gone_when_its_verdict_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def look(student: Student, world: World) -> None:
        expect(student.size(student.file("a.txt", b"abc"))).equals(3)
        assert len(list(tmp_path.iterdir())) == 1

    student = InProcessStudent({}, ("size",), (lambda path: Path(path).stat().st_size,))
    for _ in range(2):  # and another judgment of the same student has files again
        assert judge(exercise(look, provides=("size",)), student).passed
        assert list(tmp_path.iterdir()) == []
