"""What a check can ask of an exception, of a class, and of an object's parts: the words of sessions 3 and 4."""

from typing import Any

from course import errors as course_errors
from grader.engine.expect import expect, expect_raises
from grader.engine.student import Student
from grader.engine.world import World
from tests.engine.tools import result


class OwnError(ValueError):
    """A class that the check does not know."""


def wrapping(error: BaseException | None) -> Any:
    def f() -> None:
        raise OwnError("outside") from error

    return f


def test_the_cause_of_an_exception_crosses_with_its_class_and_text() -> None:
    def case(student: Student, world: World) -> None:
        with expect_raises(ValueError) as raised:
            student.f()
        expect(raised.text).equals("outside")
        expect(raised.cause).is_a(ConnectionRefusedError)
        expect(str(raised.cause.plain)).equals("nobody there")

    assert result(wrapping(ConnectionRefusedError("nobody there")), case).status == "passed"
    assert result(wrapping(None), case).status == "failed"


def test_the_very_exception_of_a_tool_is_told_from_a_copy_and_from_one_that_was_put_behind_another() -> None:
    def case(student: Student, world: World) -> None:
        for error in world.defects():
            with expect_raises(BaseException, named=type(error).__name__) as raised:
                student.f(world.tool(after=0, error=error))
            raised.is_the(error, because="it comes through")

    def through(tool: Any) -> None:
        try:
            tool()
        except BaseException as error:
            raise error

    def copied(tool: Any) -> None:
        try:
            tool()
        except BaseException as error:
            raise type(error)(*error.args) from None

    def behind_another(tool: Any) -> None:
        try:
            tool()
        except BaseException as error:
            raise error from ValueError("first")

    assert result(through, case).status == "passed"
    for function in (copied, behind_another):
        failed = result(function, case)
        assert failed.status == "failed"
        assert failed.finding is not None
        assert failed.finding.because == "it comes through"


def test_an_exception_may_have_to_be_of_one_class_and_say_one_text() -> None:
    def case(student: Student, world: World) -> None:
        with expect_raises(course_errors.ToolError) as raised:
            student.f()
        raised.is_exactly(course_errors.ToolError, "gone")

    def raising(error: BaseException) -> Any:
        def f() -> None:
            raise error

        return f

    assert result(raising(course_errors.ToolError("gone")), case).status == "passed"
    for other in (course_errors.UnavailableError("gone"), course_errors.ToolError("index", "gone")):
        assert result(raising(other), case).status == "failed"


def test_a_cause_may_have_to_be_the_very_exception_of_a_tool() -> None:
    def case(student: Student, world: World) -> None:
        error = TimeoutError("slow")
        with expect_raises(ValueError) as raised:
            student.f(world.tool(after=0, error=error))
        raised.comes_from(error)

    def true(tool: Any) -> None:
        try:
            tool()
        except TimeoutError as error:
            raise ValueError("no rate") from error

    def faked(tool: Any) -> None:
        raise ValueError("no rate") from TimeoutError("slow")

    assert result(true, case).status == "passed"
    assert result(faked, case).status == "failed"


def test_a_class_that_the_student_cannot_know_arrives_under_its_name_below_one_that_is_known() -> None:
    class LineDown(TimeoutError):
        pass

    seen: list[Any] = []

    def f(tool: Any) -> None:
        try:
            tool()
        except TimeoutError as error:
            seen.append(error)

    def case(student: Student, world: World) -> None:
        student.f(world.tool(after=0, error=LineDown("gone")))

    assert result(f, case).status == "passed"
    assert (type(seen[0]).__name__, str(seen[0]), type(seen[0]) is TimeoutError) == ("LineDown", "gone", False)


def test_a_long_chain_of_causes_is_cut_and_no_defect_of_the_check() -> None:
    chain: BaseException = ValueError("innermost")
    for n in range(50):
        outer = ValueError(str(n))
        outer.__cause__ = chain
        chain = outer

    def case(student: Student, world: World) -> None:
        with expect_raises(ValueError) as raised:
            student.f()
        depth, error = 0, raised.cause.plain
        while error is not None:
            depth, error = depth + 1, error.__cause__
        expect(depth).equals(3)

    assert result(wrapping(chain), case).status == "passed"


def test_a_cause_that_lies_about_itself_is_read_as_python_holds_it() -> None:
    class Liar(ValueError):
        __cause__ = property(lambda self: 1 / 0)  # type: ignore[assignment]

    def f() -> None:
        raise Liar("no cause")

    def case(student: Student, world: World) -> None:
        with expect_raises(ValueError) as raised:
            student.f()
        expect(raised.cause).is_none()

    assert result(f, case).status == "passed"


def test_an_exception_may_be_asked_for_by_the_name_of_a_class_of_the_students_own() -> None:
    def case(student: Student, world: World) -> None:
        with expect_raises(ValueError, named="OwnError"):
            student.f()

    def another() -> None:
        raise ValueError("outside")

    assert result(wrapping(None), case).status == "passed"
    failed = result(another, case)
    assert failed.finding is not None
    assert (failed.finding.expected, failed.finding.got) == ("OwnError to be raised", "ValueError: outside")


def test_an_exception_that_is_kept_stays_and_can_be_looked_at() -> None:
    def case(student: Student, world: World) -> None:
        made = student.f.kept("what happened")
        expect(made.text()).equals("what happened")
        expect(made.attribute("args")).equals(("what happened",))
        expect(student.f.lineage()).equals(["OwnError", "ValueError", "Exception", "BaseException", "object"])

    assert result(OwnError, case).status == "passed"


def test_what_is_no_class_has_no_lineage_and_that_is_the_students_failure() -> None:
    class Strange:
        def mro(self) -> list[int]:
            return [1, 2]

        def __call__(self) -> None: ...

    def case(student: Student, world: World) -> None:
        student.f.lineage()

    for function in (Strange(), lambda: None):
        assert result(function, case).status == "failed"


def test_an_attribute_can_stay_with_the_student_whatever_it_is() -> None:
    class Made:
        def __init__(self) -> None:
            self.part: Any = OwnError("inside")
            self.missing = None

    def case(student: Student, world: World) -> None:
        made = student.f.kept()
        expect(made.kept_attribute("part").text()).equals("inside")
        made.kept_attribute("missing").attribute("name")

    failed = result(Made, case)
    assert failed.status == "failed"
    assert failed.finding is not None
    assert "'NoneType' object has no attribute 'name'" in failed.finding.got


def test_a_held_object_is_shown_as_the_check_wrote_it() -> None:
    def case(student: Student, world: World) -> None:
        student.f(student.hold([1, "two"]))

    def f(value: object) -> None:
        raise ValueError("no")

    failed = result(f, case)
    assert failed.finding is not None
    assert failed.finding.call == "f([1, 'two'])"


def test_a_class_of_the_same_name_is_not_the_one_that_was_given() -> None:
    def case(student: Student, world: World) -> None:
        with expect_raises(course_errors.ToolError, given=True):
            student.f()

    class ToolError(Exception):
        """What a student may write to have a class of that name."""

    class OneKind(course_errors.ToolError):
        """A kind of the course's own."""

    def raises(error: Exception) -> Any:
        def f() -> None:
            raise error

        return f

    for right in (course_errors.ToolError("lookup", "gone"), OneKind("lookup", "gone")):
        assert result(raises(right), case).status == "passed"
    found = result(raises(ToolError("lookup: gone")), case)
    assert found.finding is not None and found.finding.got == "another class of that name: lookup: gone"
