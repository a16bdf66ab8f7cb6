"""Tools that edit what they are given, or hand out what they keep: it happens to the student's own objects."""

from typing import Any

from grader.engine.student import InProcessStudent
from grader.engine.world import World


def in_case(function: Any) -> tuple[InProcessStudent, World]:
    student, world = InProcessStudent({"f": function}, ("f",)), World("seed")
    student.enter(world)
    return student, world


def test_what_a_tool_does_to_its_arguments_happens_to_the_objects_of_the_student() -> None:
    def take(queue: list[int], where: dict[str, Any]) -> int:
        where["seen"]["last"] = queue.pop(0)
        del where["old"]
        return where["seen"]["last"]

    def f(tools: dict[str, Any]) -> Any:
        queue, seen = [3, 4], {}
        where = {"seen": seen, "old": 1}
        result = next(iter(tools.values()))(queue=queue, where=where)
        return result, queue, where, where["seen"] is seen

    student, world = in_case(f)
    world.tool(take, edits_arguments=True)
    assert student.f(world.tools).plain == (3, [4], {"seen": {"last": 3}}, True)
    assert world.ledger.entries[0].args == {"queue": [3, 4], "where": {"seen": {}, "old": 1}}


def test_so_does_what_it_does_to_arguments_without_a_name() -> None:
    def f(tools: dict[str, Any]) -> list[dict[str, int]]:
        first = [{"a": 1}]
        next(iter(tools.values()))(first, 7)
        return first

    student, world = in_case(f)
    world.tool(lambda given, _other: [one.update(b=2) for one in given], edits_arguments=True)
    assert student.f(world.tools).plain == [{"a": 1, "b": 2}]


def test_without_the_word_the_arguments_stay_as_they_are() -> None:
    def f(tools: dict[str, Any]) -> list[int]:
        queue = [1]
        next(iter(tools.values()))(queue=queue)
        return queue

    student, world = in_case(f)
    world.tool(lambda queue: queue.clear())
    assert student.f(world.tools).plain == [1]


def test_a_tool_that_hands_out_its_own_gives_the_same_object_at_every_call() -> None:
    shelf: list[str] = []

    def look() -> list[str]:
        shelf.append("book")
        return shelf

    def f(tools: dict[str, Any]) -> Any:
        tool = next(iter(tools.values()))
        first = tool()
        before = list(first)
        second = tool()
        return first is second, before, first

    student, world = in_case(f)
    world.tool(look, hands_out_its_own=True)
    assert student.f(world.tools).plain == (True, ["book"], ["book", "book"])
    assert world.ledger.entries[0].result == ["book"]
