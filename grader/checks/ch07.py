"""Session 7, when tools fail: failures as data in the words of `spec/agentloop.md`, when to give up, retries, time."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from course.errors import ToolError, UnavailableError
from course.jsonable import why_not_json
from course.models import ToolCall
from course.schema import validate
from grader.engine.exercise import Session
from grader.engine.expect import Seen, expect, expect_raises
from grader.engine.student import Student
from grader.engine.world import Clock, CountedTool, Misprint, World

session = Session("ch07", "When tools fail", builds=("course.flaky", "course.retries"))

NO_RESULT = "a failure has an error and no result"
ONE_CALL = "one attempt is one call, whatever comes of it"


class Refused(ToolError):
    """A refusal of the check's own."""


class Away(UnavailableError):
    """An outage of the check's own."""


class Named:
    """A tool of the world that edits what it is given, under a name that its function does not have.

    does: what it answers or raises; `tool` is the `Tool`, `fn` the counted function.
    """

    def __init__(self, world: World, does: Callable[..., Any], idempotent: bool = False) -> None:
        def fn(**args: Any) -> Any:
            args["pages"].pop(0)
            return does(**args)

        self.fn = world.tool(fn, edits_arguments=True)
        self.tool = replace(world.contract(self.fn, idempotent), name=f"{self.fn.name.title()}_2")
        self.name = self.tool.name
        world.contracts[self.name] = self.tool


def _one_call(student: Student, world: World, name: str, args: Any, clock: Clock | None) -> Seen:
    """The outcome of one attempt, under a limit where there is a clock; the call must stay what it was."""
    call, limits = student.hold(ToolCall(name, args)), () if clock is None else ({name: 9}, clock)
    outcome = student.attempt(world.contracts, call, *limits)
    expect(call.attribute("args")).equals(
        args, because="a tool gets a copy: the call that was handed in is the caller's"
    )
    return outcome


def _attempts(student: Student, world: World, clock: Clock | None = None) -> None:
    """Every row of the table, with exceptions and results of all kinds; with a clock, each under a limit."""
    text = f"{world.words()}: größer ✓\n{'lang ' * 30}"
    kept = {"topic": world.word(), "pages": [7, 8, 9], "ratio": 2.0, "none": None}
    failures: list[tuple[BaseException, str, bool]] = [
        (ToolError(text), text, False),
        (Refused(text), text, False),
        (UnavailableError(text), text, True),
        (Away(text), text, True),
        (Misprint(text), f"raised Misprint: {text}", False),
        (KeyError(text), f"raised KeyError: {text!r}", False),
    ]
    for error, said, retryable in failures:
        broken = Named(world, world.outcomes(error, error))
        outcome = _one_call(student, world, broken.name, kept, clock)
        _is_failure(outcome, said.replace("raised", f"tool {broken.name!r} raised"), retryable)
        expect(world.ledger.arguments(broken.fn)).equals([kept], because=ONE_CALL)
    for stop in (KeyboardInterrupt(text), SystemExit(text)):
        stopped = Named(world, world.outcomes(stop, stop))
        with expect_raises(type(stop), because="it means the program, not the tool") as raised:
            _one_call(student, world, stopped.name, kept, clock)
        raised.is_the(stop, because="it leaves `attempt` as it is")
        expect(world.ledger.calls(stopped.fn)).equals(1, because=ONE_CALL)
    value = {"n": [1, float("nan")]}
    odd = Named(world, lambda **_: value)
    outcome = _one_call(student, world, odd.name, kept, clock)
    _is_failure(outcome, f"tool {odd.name!r} returned what JSON cannot hold: {why_not_json(value)}")
    expect(world.ledger.calls(odd.fn)).equals(1, because=ONE_CALL)
    results: list[Any] = [
        None, False, 0, "", [], {"ok": True, "result": 1}, {"ok": False, "error": text, "retryable": True},
        f"Error: {text}", "é" * 400, list(range(150)),
    ]  # fmt: skip
    steady = Named(world, world.outcomes(*results))
    for result in results:
        outcome = _one_call(student, world, steady.name, kept, clock)
        expect(outcome).equals({"ok": True, "result": result}, because="what it returned is the result, as it is")
    expect(world.ledger.arguments(steady.fn)).equals([kept] * len(results), because="the same call is made again")
    strict = world.contract(world.tool(), topic="string", page="integer", zone="string", area="number", size="integer")
    for args in ({"topic": 1, "page": True, "zone": None, "more": 1, "again": 2}, {}, None, [world.word()]):
        said = "; ".join(validate(args, strict.schema, f"$.{strict.name}"))
        _is_failure(_one_call(student, world, strict.name, args, clock), f"invalid arguments: {said}")
    missing, have = f"{world.name()}_none", ", ".join(sorted(world.contracts))
    outcome = _one_call(student, world, missing, {}, clock)
    _is_failure(outcome, f"no tool named {missing!r} (have: {have})")
    expect(len(world.ledger.steps())).equals(len(results) + 1, because="what cannot run is not called")


# ---------------------------------------------------------------------------------------------------------------- e1
e1 = session.exercise(
    "ch07-e1",
    "Failing on purpose",
    provides=["flaky"],
    hints=[
        "Where must the count live, so that each flaky tool has one of its own and keeps it between two calls?",
        "A function inside a function sees the variables around it; `nonlocal` lets it change them. An object with "
        "`__call__` does as well.",
        "`*args, **kwargs` takes the arguments however they come, and passes them on in the same way.",
    ],
)


@e1.case("the first `after` calls reach the function, and its results come back")
def works_at_first(student: Student, world: World) -> None:
    results: list[Any] = [None, False, [1, {"é": None}], world.words(), 0, 2.5]
    lookup, after = world.tool(world.outcomes(*results)), world.number(7, 9)
    made = student.flaky.kept(lookup, after=after, error=world.words())
    for page in range(after):
        result = made(topic=world.word(), page=page)
        expect(result).equals(world.ledger.steps()[page]["result"], because="what the function returned is returned")
    expect(world.ledger.calls()).equals(after)


@e1.case("every later call raises, and reaches nothing", points=2)
def then_gone(student: Student, world: World) -> None:
    lookup, after, text = world.tool(), world.number(1, 4), world.words()
    made = student.flaky.kept(lookup, after=after, error=text)
    for page in range(after):
        made(page=page)
    for page in range(6):
        with expect_raises(ToolError, saying=[text], because="it works `after` times, and then it is gone"):
            made(page=page)
    expect(world.ledger.calls()).equals(after, because="a tool that is gone does nothing any more")


@e1.case("arguments pass through, by name and by position")
def arguments(student: Student, world: World) -> None:
    lookup = world.tool(lambda *_, **__: world.words())
    args = {"topic": world.word(), "pages": [1, world.number(2, 9)], "deep": {"n": None}}
    made = student.flaky.kept(lookup, after=9, error=world.words())
    made(**args)
    made(1, world.word(), n=2.5)
    first, second = world.ledger.arguments(lookup)
    expect(first).equals(args, because="the function is called as it would be without the wrapper")
    expect(second["n"]).equals(2.5)
    expect(second["*"][0]).equals(1, because="a tool may be called by position too")


@e1.case("each flaky tool counts for itself, also two of one function")
def own_count(student: Student, world: World) -> None:
    lookup, other = world.tool(), world.tool()
    text = world.words()
    one = student.flaky.kept(lookup, after=2, error=text)
    two = student.flaky.kept(lookup, after=2, error=text)
    three = student.flaky.kept(other, after=1, error=text)
    one(page=1)
    one(page=2)
    two(page=1)
    three(page=1)
    two(page=2)
    expect(world.ledger.calls()).equals(5, because="what one tool has used up is not used up for another")
    with expect_raises(ToolError):
        one(page=3)
    with expect_raises(ToolError):
        three(page=2)


@e1.case("a text becomes a ToolError, and an exception is raised as it is", points=2)
def kinds_of_error(student: Student, world: World) -> None:
    lookup, why = world.tool(), "a defect and a refusal must stay two things"
    for text in (f"{world.words()}: größer ✓\n", ""):
        made = student.flaky.kept(lookup, after=0, error=text)
        with expect_raises(ToolError, because=why) as raised:
            made(page=1)
        raised.is_exactly(ToolError, text, because="a text is raised as ToolError(error), and nothing is added to it")
    for kind in (ToolError, UnavailableError, ValueError, Misprint, KeyboardInterrupt):
        error = kind(world.words())
        made = student.flaky.kept(lookup, after=0, error=error)
        with expect_raises(kind, because=why) as raised:
            made(page=1)
        raised.is_the(error, because="one that is an exception is raised as it is")
    expect(world.ledger.calls()).equals(0, because="with after=0 nothing is let through")


@e1.case("a call in which the function itself raises is one of them")
def own_failures_count(student: Student, world: World) -> None:
    gone, errors = world.words(), [ValueError(world.words()), Misprint(world.words())]
    broken = world.tool(world.outcomes(errors[0], world.words(), errors[1], world.words()))
    made = student.flaky.kept(broken, after=4, error=gone)
    for error in errors:
        with expect_raises(type(error), because="the function's own exception comes through") as raised:
            made(page=1)
        raised.is_the(error, because="it comes through as it is")
        made(page=2)
    with expect_raises(ToolError, saying=[gone], because="the call was made, whatever came of it"):
        made(page=3)
    expect(world.ledger.calls()).equals(4, because="a call in which it raises is one call, no more and no less")


# ---------------------------------------------------------------------------------------------------------------- e2
e2 = session.exercise(
    "ch07-e2",
    "A failure is data",
    provides=["attempt"],
    hints=[
        "In which order can things go wrong: the name, the arguments, the call, the result? What may have run by then?",
        "`ToolError` is an `Exception`, and `UnavailableError` is a `ToolError`. Which `except` must stand first?",
        "`validate` returns a list of texts and `why_not_json` a text or None. Neither raises.",
    ],
)


@e2.case("a result is an outcome that is ok, and the arguments arrive as they are")
def good(student: Student, world: World) -> None:
    results: list[Any] = [world.words(), {"rows": [1, 1.0, None, True]}, None, False, 0, [], ""]
    for result in results:
        lookup = world.tool(lambda result=result, **_: result)
        world.contract(lookup, topic="string", page="integer")
        args = {"topic": world.word(), "page": world.number(1, 9)}
        outcome = student.attempt(world.contracts, ToolCall(lookup.name, args))
        expect(outcome).equals({"ok": True, "result": result}, because="whatever it returned, it returned something")
        expect(world.ledger.arguments(lookup)).equals([args], because="the function is called once, by name")


@e2.case("an unknown name is answered with the names that there are")
def unknown(student: Student, world: World) -> None:
    for _ in range(4):
        world.contract(world.tool())
    name, have = world.name(), ", ".join(sorted(world.contracts))
    outcome = student.attempt(world.contracts, ToolCall(name, {"topic": world.word()}))
    _is_failure(outcome, f"no tool named {name!r} (have: {have})")
    expect(world.ledger.calls()).equals(0)


@e2.case("arguments that do not fit are named by their places, and nothing is called", points=2)
def unfit(student: Student, world: World) -> None:
    lookup = world.tool()
    made = world.contract(lookup, topic="string", page="integer")
    for args in (
        {"topic": world.word(), "page": str(world.number(1, 9))},
        {"topic": world.word(), "page": True},
        {"topic": world.number(1, 9), "page": 1.5, "more": 1},
        {},
    ):
        outcome = student.attempt(world.contracts, ToolCall(lookup.name, args))
        said = "; ".join(validate(args, made.schema, f"$.{lookup.name}"))
        _is_failure(outcome, f"invalid arguments: {said}")
    expect(world.ledger.calls()).equals(0, because="arguments are judged before the call, not by it")


@e2.case("a ToolError keeps its own words, and an UnavailableError may be tried again")
def tool_errors(student: Student, world: World) -> None:
    for kind in (ToolError, UnavailableError):
        reason = world.words()
        refusing = world.tool(after=0, error=kind(reason))
        world.contract(refusing)
        outcome = student.attempt(world.contracts, ToolCall(refusing.name, {}))
        _is_failure(outcome, reason, retryable=kind is UnavailableError)


@e2.case("any other exception is reported with the tool, its class and its text", points=2)
def other_exceptions(student: Student, world: World) -> None:
    for kind in (RuntimeError, ValueError, KeyError, TypeError, ConnectionError, ZeroDivisionError):
        reason = world.words()
        broken = world.tool(after=0, error=kind(reason))
        world.contract(broken)
        outcome = student.attempt(world.contracts, ToolCall(broken.name, {"topic": world.word()}))
        _is_failure(outcome, f"tool {broken.name!r} raised {kind.__name__}: {kind(reason)}")
        expect(world.ledger.calls(broken)).equals(1, because="one attempt is one call")


@e2.case("what JSON cannot hold is refused", points=2)
def unserialisable(student: Student, world: World) -> None:
    values: list[Any] = [
        {world.word(), world.word()},
        float("nan"),
        {"rows": [1, float("inf")]},
        {world.number(1, 9): world.word()},
        world.word().encode(),
        [1 + 0.5, {"deep": {1, 2}}],
    ]
    for value in values:
        odd = world.tool(lambda value=value, **_: value)
        world.contract(odd)
        outcome = student.attempt(world.contracts, ToolCall(odd.name, {}))
        _is_failure(outcome, f"tool {odd.name!r} returned what JSON cannot hold: {why_not_json(value)}")


@e2.case("KeyboardInterrupt leaves `attempt`")
def interrupt(student: Student, world: World) -> None:
    stopped = world.tool(after=0, error=KeyboardInterrupt())
    world.contract(stopped)
    with expect_raises(KeyboardInterrupt, because="whoever pressed Ctrl+C means the program, not the tool"):
        student.attempt(world.contracts, ToolCall(stopped.name, {}))


@e2.case("one call each, of a copy of the arguments, whatever it raises or returns", points=3)
def one_call_each(student: Student, world: World) -> None:
    _attempts(student, world)


def _is_failure(outcome: Any, error: str, retryable: bool = False) -> None:
    expect(outcome["ok"]).equals(False, because=NO_RESULT)
    expect(outcome["error"]).equals(error, because="the text is what the model is told, and all that it is told")
    expect(outcome["retryable"]).equals(
        retryable, because="only an UnavailableError says that the same call may fare better"
    )
    expect(outcome).has_keys("ok", "error", "retryable", because=NO_RESULT)


# ---------------------------------------------------------------------------------------------------------------- e3
e3 = session.exercise(
    "ch07-e3",
    "When to give up",
    provides=["run"],
    hints=[
        "Which calls does a guard see that stands where calls are executed, and which does it never see?",
        "One number is enough. What sets it to 0, and does a call that was refused do so?",
        "The outcome knows whether the call failed, whatever the reason: look at it, right after it was recorded.",
    ],
)


@e3.case("stop_after failures in a row end the run", points=2)
def gives_up(student: Student, world: World) -> None:
    broken, allowed = _breaking(world), world.number(2, 4)
    model = world.model(*(world.turn(world.call(broken)) for _ in range(8)))
    records = student.run(world.words(), model, world.contracts, stop_after=allowed)
    expect(world.ledger.calls()).equals(allowed, because="after so many failures in a row the run is over")
    expect(model.turns()).equals(allowed)
    expect(records.each("kind")).equals(["task", *["assistant", "tool"] * allowed, "stop"])
    stop = records[-1]["payload"]
    expect(stop["reason"]).equals("too_many_failures")
    expect(stop["answer"]).is_none(because="a run that was given up has no answer")
    expect(stop["detail"]).contains(str(broken.name), because="the reader must learn what failed last")
    expect(stop["steps"]).equals(allowed)


@e3.case("a success starts the count again")
def success_resets(student: Student, world: World) -> None:
    broken, steady = _breaking(world), world.tool()
    world.contract(steady)
    allowed, last = world.number(2, 4), world.turn()
    turns = []
    for _ in range(2):
        turns += [world.turn(world.call(broken)) for _ in range(allowed - 1)] + [world.turn(world.call(steady))]
    records = student.run(world.words(), world.model(*turns, last), world.contracts, stop_after=allowed, max_steps=99)
    expect(records[-1]["payload"]["reason"]).equals(
        "no_tool_calls", because="there were many failures, and never so many in a row"
    )
    expect(records[-1]["payload"]["answer"]).equals(last.text)


@e3.case("a tool that does not exist counts like one that breaks", points=2)
def unknown_counts(student: Student, world: World) -> None:
    world.contract(world.tool())
    missing, allowed = world.name(), world.number(2, 4)
    model = world.model(*(world.turn({"tool": missing, "args": {"n": n}}) for n in range(8)))
    records = student.run(world.words(), model, world.contracts, stop_after=allowed)
    expect(model.turns()).equals(
        allowed, because="a call that could not run is a failed call, and the model must not spin on it"
    )
    expect(records[-1]["payload"]["reason"]).equals("too_many_failures")
    expect(records[-1]["payload"]["detail"]).contains(f"no tool named {missing!r}")


@e3.case("so do arguments that do not fit, and results that cannot be held")
def refused_counts(student: Student, world: World) -> None:
    strict, odd, allowed = world.tool(), world.tool(lambda **_: {1, 2}), world.number(2, 4)
    world.contract(strict, page="integer")
    world.contract(odd)
    for call in (world.call(strict, page="one"), world.call(odd)):
        model = world.model(*(world.turn(call) for _ in range(8)))
        records = student.run(world.words(), model, world.contracts, stop_after=allowed)
        expect(model.turns()).equals(allowed, because="whatever made it fail, the call failed")
        expect(records[-1]["payload"]["reason"]).equals("too_many_failures")


@e3.case("a blocked call between two failures does not start the count again")
def mixed(student: Student, world: World) -> None:
    broken, strict = _breaking(world), world.tool()
    world.contract(strict, page="integer")
    missing = {"tool": world.name(), "args": {}}
    kinds = [world.call(broken), missing, world.call(strict, page="one"), world.call(broken), missing]
    first = world.number(0, 1)
    calls = kinds[first:] + kinds[:first]
    model = world.model(*(world.turn(call) for call in calls), world.turn())
    records = student.run(world.words(), model, world.contracts, stop_after=4)
    expect(model.turns()).equals(4, because="none of the four succeeded, so nothing starts the count again")
    expect(records[-1]["payload"]["reason"]).equals("too_many_failures")


@e3.case("the count runs on within a turn, and the rest of the turn does not run")
def within_a_turn(student: Student, world: World) -> None:
    broken, steady = _breaking(world), world.tool()
    world.contract(steady)
    turn = world.turn(world.call(broken), world.call(broken), world.call(steady))
    model = world.model(world.turn(world.call(broken)), turn, world.turn())
    records = student.run(world.words(), model, world.contracts, stop_after=3)
    expect(world.ledger.calls(steady)).equals(0, because="the run ended with the call before it")
    expect(records.each("kind")).equals(["task", "assistant", "tool", "assistant", "tool", "tool", "stop"])
    expect(records[-1]["payload"]["reason"]).equals("too_many_failures")
    expect(records[-1]["payload"]["steps"]).equals(2)


@e3.case("until then the model is told of each failure, and may mend it")
def told(student: Student, world: World) -> None:
    strict, last = world.tool(), world.turn()
    world.contract(strict, page="integer")
    model = world.model(world.turn(world.call(strict, page="one")), world.turn(world.call(strict, page=1)), last)
    records = student.run(world.words(), model, world.contracts, stop_after=2)
    expect(records[2]["payload"]["ok"]).equals(False)
    expect(records[2]["payload"]["error"]).contains(f"$.{strict.name}.page")
    expect(model.shown(2)[-1]["content"]).contains(
        f"$.{strict.name}.page", because="a model can mend only what it is told of"
    )
    expect(world.ledger.calls()).equals(1)
    expect(records[-1]["payload"]["answer"]).equals(last.text)


@e3.case("each kind of failure counts one, and the last one is told", points=2)
def each_counts(student: Student, world: World) -> None:
    strict, odd = world.tool(), world.tool(lambda **_: {1, 2})
    world.contract(strict, page="integer")
    world.contract(odd)
    calls = [world.call(odd), world.call(strict, page="one"), {"tool": f"{world.name()}_none", "args": {}}]
    for kind in (ToolError, Refused, UnavailableError, Away, Misprint):
        raising = world.tool(after=0, error=kind(f"{world.words()} größer"))
        world.contract(raising)
        calls.append(world.call(raising))
    world.rng.shuffle(calls)
    for allowed, asked in ((len(calls), calls), *((1, [call]) for call in calls[:2])):
        before = len(world.ledger.entries)
        model = world.model(*(world.turn(call) for call in asked), world.turn())
        records = student.run(world.words(), model, world.contracts, stop_after=allowed, max_steps=allowed)
        stop, failed = records[-1]["payload"], [one["payload"] for one in records if one["kind"].plain == "tool"]
        expect(stop["reason"]).equals(
            "too_many_failures", because="whatever made it fail, in the last turn allowed too"
        )
        expect(stop["steps"]).equals(len(asked), because="it ends with the last of them, no earlier")
        expect(len(failed)).equals(len(asked), because="each call that failed is recorded")
        expect(stop["detail"]).contains(
            str(failed[-1]["error"].plain), because="the reader must learn what failed last"
        )
        ran = len(world.ledger.entries) - before - len(asked)
        blocked = sum(call["tool"] not in world.contracts or call["tool"] == strict.name for call in asked)
        expect(ran).equals(len(asked) - blocked, because="each call that can run runs once")
        expect([one["attempt"].plain for one in failed]).equals(
            [1] * len(asked), because="there is no second attempt here"
        )
        expect(model.offered(1)).equals(_manifest(world), because="the model is told which tools there are")


@e3.case("any result is a success, and an answer after a failure is an answer")
def any_success(student: Student, world: World) -> None:
    broken, last = _breaking(world), world.turn()
    results: list[Any] = [None, "", [], False, 0, {}]
    steady = world.tool(world.outcomes(*results))
    world.contract(steady)
    turns = [world.turn(world.call(broken), world.call(steady)) for _ in results]
    model = world.model(*turns, world.turn(world.call(broken)), last)
    records = student.run(world.words(), model, world.contracts, stop_after=2, max_steps=9)
    expect(records[-1]["payload"]["reason"]).equals("no_tool_calls", because="never two failures in a row")
    expect(records[-1]["payload"]["answer"]).equals(last.text)
    expect(model.turns()).equals(8)


def _manifest(world: World) -> list[dict[str, Any]]:
    """What `manifest` of the notebook makes of the contracts."""
    known = sorted(world.contracts.items())
    return [{"name": name, "description": one.description, "schema": one.schema} for name, one in known]


@e3.case("None never gives up, and the step budget holds")
def never(student: Student, world: World) -> None:
    broken, allowed = _breaking(world), world.number(11, 12)
    model = world.model(*(world.turn(world.call(broken)) for _ in range(allowed + 2)))
    records = student.run(world.words(), model, world.contracts, stop_after=None, max_steps=allowed)
    expect(model.turns()).equals(allowed)
    expect(records[-1]["payload"]["reason"]).equals("step_budget")
    expect(records[-1]["payload"]["steps"]).equals(allowed)


def _breaking(world: World) -> CountedTool:
    """A tool of the world that raises a defect each time."""
    broken = world.tool(after=0, error=RuntimeError(world.words()))
    world.contract(broken)
    return broken


# ---------------------------------------------------------------------------------------------------------------- e4
e4 = session.exercise(
    "ch07-e4",
    "Trying again",
    provides=["call_with_retries"],
    hints=[
        "A payment raises `UnavailableError`. What do you know about the money, and what does a second attempt risk?",
        "Four things must hold before another attempt. Which of them do you know only when the outcome is there?",
        "Two limits, `attempts` and `left`: the smaller one holds. The wait belongs between two attempts, so nowhere "
        "after the last.",
    ],
)

GONE = "the tool is idempotent and the failure may pass, so it is tried again"


@e4.case("an idempotent tool that was unavailable is tried again, after waiting", points=2)
def recovers(student: Student, world: World) -> None:
    failures, clock, result = 7, world.clock(), world.words()
    reasons = [world.words() for _ in range(failures)]
    away = world.tool(world.outcomes(*map(UnavailableError, reasons), result))
    world.contract(away, idempotent=True)
    call = world.call(away)
    records = student.call_with_retries(
        world.contracts, ToolCall(away.name, call["args"]), attempts=9, left=99, sleep=clock.sleep
    )
    expect(world.ledger.calls()).equals(failures + 1, because=GONE)
    expect(world.ledger.arguments(away)).equals([call["args"]] * (failures + 1), because="it is the same call again")
    expect(clock.sleeps()).equals(
        [float(2**n) for n in range(failures)], because="1 second, then twice as long each time"
    )
    expect(records).has_length(failures + 1, because="every attempt is recorded")
    expect([record["payload"]["ok"].plain for record in records]).equals([*[False] * failures, True])
    told = [record["payload"]["error"].plain for record in list(records)[:-1]]
    expect(told).equals(reasons, because="each attempt has its own error, also when a later one succeeds")
    expect(records[-1]["payload"]["result"]).equals(result)


@e4.case("every attempt has a record, numbered from 1")
def numbered(student: Student, world: World) -> None:
    clock = world.clock()
    reasons = [world.words() for _ in range(3)]
    away = world.tool(world.outcomes(*map(UnavailableError, reasons)))
    world.contract(away, idempotent=True)
    args = {"topic": world.word()}
    call = ToolCall(away.name, args)
    records = student.call_with_retries(world.contracts, call, attempts=3, left=9, sleep=clock.sleep)
    expect(records).has_length(3, because="every attempt is recorded, the failed ones too")
    for n, (record, reason) in enumerate(zip(records, reasons, strict=True), 1):
        expect(record["kind"]).equals("tool")
        expect(record["payload"]).equals(
            {"name": away.name, "args": args, "attempt": n, "ok": False, "error": reason},
            because="each attempt has its own error",
        )


@e4.case("no more than `attempts`, and no wait after the last")
def at_most(student: Student, world: World) -> None:
    for attempts in (1, 2, world.number(5, 6)):
        away, clock = world.tool(after=0, error=UnavailableError(world.words())), world.clock()
        world.contract(away, idempotent=True)
        call = ToolCall(away.name, {})
        student.call_with_retries(world.contracts, call, attempts=attempts, left=99, sleep=clock.sleep)
        expect(world.ledger.calls(away)).equals(attempts, because="`attempts` counts the first one too")
        expect(clock.sleeps()).equals([float(2**n) for n in range(attempts - 1)], because="nobody waits for nothing")


@e4.case("no more than the run can pay for")
def paid(student: Student, world: World) -> None:
    for left in (1, 2, 3, 4):
        away, clock = world.tool(after=0, error=UnavailableError(world.words())), world.clock()
        world.contract(away, idempotent=True)
        records = student.call_with_retries(
            world.contracts, ToolCall(away.name, {}), attempts=left + world.number(1, 3), left=left, sleep=clock.sleep
        )
        expect(world.ledger.calls(away)).equals(left, because="a retry costs what a first attempt costs")
        expect(records).has_length(left)
        expect(clock.sleeps()).has_length(left - 1)


@e4.case("a tool that is not idempotent is called once, whatever it says", points=2)
def not_idempotent(student: Student, world: World) -> None:
    payment, clock = world.tool(after=0, error=UnavailableError(world.words())), world.clock()
    world.contract(payment, amount="integer")
    call = ToolCall(payment.name, {"amount": world.number(1, 99)})
    records = student.call_with_retries(world.contracts, call, attempts=5, left=9, sleep=clock.sleep)
    expect(world.ledger.calls()).equals(1, because="the first attempt may have done its work before it failed")
    expect(records).has_length(1)
    expect(clock.sleeps()).equals([])


@e4.case("a failure that cannot pass is not tried again")
def not_retryable(student: Student, world: World) -> None:
    tools = [
        world.tool(after=0, error=ToolError(world.words())),
        world.tool(after=0, error=ValueError(world.words())),
        world.tool(after=0, error=ConnectionError(world.words())),
        world.tool(lambda **_: {1, 2}),
    ]
    for refusing in tools:
        world.contract(refusing, idempotent=True)
        clock = world.clock()
        call = ToolCall(refusing.name, {})
        records = student.call_with_retries(world.contracts, call, attempts=5, left=9, sleep=clock.sleep)
        expect(world.ledger.calls(refusing)).equals(1, because="the same call would fail in the same way")
        expect(records).has_length(1)
        expect(clock.sleeps()).equals([])


@e4.case("each outcome decides for itself whether there is another attempt", points=2)
def each_decides(student: Student, world: World) -> None:
    text, args = world.words(), {"topic": world.word(), "pages": [7, 8, 9]}
    for last in (Misprint(text), Refused(text), {1, 2}, None, KeyboardInterrupt(text)):
        away, clock = Named(world, world.outcomes(Away(text), last, world.words()), idempotent=True), world.clock()
        call, told = student.hold(ToolCall(away.name, args)), {"attempts": 5, "left": 9, "sleep": clock.sleep}
        if isinstance(last, KeyboardInterrupt):
            with expect_raises(KeyboardInterrupt, because="it means the program, also in a second attempt"):
                student.call_with_retries(world.contracts, call, **told)
        else:
            records = student.call_with_retries(world.contracts, call, **told)
            expect(records.each("kind")).equals(["tool", "tool"], because="the second failure cannot pass")
            second = {"ok": True, "result": None} if last is None else {"ok": False, "error": _said(away, last)}
            for n, came in enumerate(({"ok": False, "error": text}, second), 1):
                whole = {"name": away.name, "args": args, "attempt": n, **came}
                expect(records[n - 1]["payload"]).equals(whole, because="a record is of its own attempt")
        expect(world.ledger.arguments(away.fn)).equals(
            [args] * 2, because="it is the same call again, and then no other"
        )
        expect(clock.sleeps()).equals([1.0])
        expect(call.attribute("args")).equals(args)


def _said(tool: Named, last: Any) -> str:
    """What `attempt` says when `tool` raised or returned `last`."""
    if isinstance(last, ToolError):
        return str(last)
    if isinstance(last, Exception):
        return f"tool {tool.name!r} raised {type(last).__name__}: {last}"
    return f"tool {tool.name!r} returned what JSON cannot hold: {why_not_json(last)}"


@e4.case("nor is a call that could not run")
def blocked(student: Student, world: World) -> None:
    strict, clock = world.tool(), world.clock()
    world.contract(strict, idempotent=True, page="integer")
    for call in (ToolCall(strict.name, {"page": "one"}), ToolCall(world.name(), {})):
        records = student.call_with_retries(world.contracts, call, attempts=5, left=9, sleep=clock.sleep)
        expect(records).has_length(1, because="a second attempt has the same name and the same arguments")
        expect(records[0]["payload"]["ok"]).equals(False)
    expect(clock.sleeps()).equals([])
    expect(world.ledger.calls()).equals(0)


@e4.case("a call that succeeds is made once")
def succeeds(student: Student, world: World) -> None:
    steady, clock = world.tool(), world.clock()
    world.contract(steady, idempotent=True)
    call = ToolCall(steady.name, {"topic": world.word()})
    records = student.call_with_retries(world.contracts, call, attempts=5, left=9, sleep=clock.sleep)
    expect(records.each("kind")).equals(["tool"])
    expect(records[0]["payload"]["attempt"]).equals(1)
    expect(records[0]["payload"]["result"]).equals(world.ledger.steps()[0]["result"])
    expect(world.ledger.calls()).equals(1)
    expect(clock.sleeps()).equals([])


# ---------------------------------------------------------------------------------------------------------------- e5
e5 = session.exercise(
    "ch07-e5",
    "Too late",
    provides=["attempt"],
    hints=[
        "What must you have noted before the call, so that you can say afterwards how long it took?",
        "Does the clock say how late it is, or how long something took? It may have run for hours before your call.",
        "A limit may be missing in two ways: no `limits` at all, or none for this name. In both nothing is timed.",
    ],
)


@e5.case("a late result is marked and not used", points=2)
def late(student: Student, world: World) -> None:
    clock, kept = world.clock(), {"pages": [7, 8, 9]}
    secrets: list[Any] = [world.words(), None, False, [], 0]
    for secret, over in zip(secrets, (1 / 128, 0.25, 7, 0.5, 1000), strict=True):
        limit = world.number(2, 9) + (1 / 128 if over == 0.25 else 0)
        slow = Named(world, lambda over=over, limit=limit, secret=secret, **_: clock.taking(limit + over, secret))
        call = student.hold(ToolCall(slow.name, kept))
        outcome = student.attempt(world.contracts, call, {slow.name: limit}, clock)
        text = f"tool {slow.name!r} answered after {limit + over:g} s, and its limit is {limit:g} s"
        expect(outcome).equals(
            {"ok": False, "error": text, "retryable": True, "late": True},
            because="a late result is not used, and the record says that it came",
        )
        expect(world.ledger.calls(slow.fn)).equals(1, because="one attempt is one call, late or not")
        expect(call.attribute("args")).equals(kept, because="a tool gets a copy: the call is the caller's")


@e5.case("exactly the limit is in time")
def on_the_edge(student: Student, world: World) -> None:
    limit, clock, result = world.number(2, 9), world.clock(), world.words()
    slow = world.tool(lambda **_: clock.taking(limit, result))
    world.contract(slow)
    outcome = student.attempt(world.contracts, ToolCall(slow.name, {}), {slow.name: limit}, clock)
    expect(outcome).equals({"ok": True, "result": result}, because="it is late when it took more than the limit")


@e5.case("each call is timed for itself, whatever the clock shows")
def per_call(student: Student, world: World) -> None:
    limit, clock = world.number(3, 9), world.clock()
    slow = world.tool(lambda **_: clock.taking(limit - 1, world.words()))
    world.contract(slow)
    for _ in range(4):
        clock.taking(world.number(100, 900))
        outcome = student.attempt(world.contracts, ToolCall(slow.name, {}), {slow.name: limit}, clock)
        expect(outcome["ok"]).equals(True, because="no single call took longer than its limit")
    expect(world.ledger.calls()).equals(4)


@e5.case("each tool has its own limit, and one without a limit is not timed")
def per_tool(student: Student, world: World) -> None:
    clock = world.clock()
    tight, wide, free = (world.tool(lambda **_: clock.taking(5, world.words())) for _ in range(3))
    for slow in (tight, wide, free):
        world.contract(slow)
    never = world.tool(lambda **_: clock.taking(100_000, world.words()))
    world.contract(never)
    limits = {tight.name: 4, wide.name: 6}
    for slow, in_time in ((tight, False), (wide, True), (free, True), (never, True)):
        outcome = student.attempt(world.contracts, ToolCall(slow.name, {}), limits, clock)
        expect(outcome["ok"]).equals(in_time, because=f"its limit is {limits.get(slow.name)}")


@e5.case("a limit of 0 is a limit")
def no_time(student: Student, world: World) -> None:
    clock = world.clock()
    slow, quick = world.tool(lambda **_: clock.taking(1, world.words())), world.tool()
    world.contract(slow)
    world.contract(quick)
    limits = {slow.name: 0, quick.name: 0}
    outcome = student.attempt(world.contracts, ToolCall(slow.name, {}), limits, clock)
    expect(outcome["ok"]).equals(False, because="it took more than no time")
    outcome = student.attempt(world.contracts, ToolCall(quick.name, {}), limits, clock)
    expect(outcome["ok"]).equals(True, because="it took no time at all")


@e5.case("a tool that raises has failed as before, late or not")
def raises(student: Student, world: World) -> None:
    clock, reason = world.clock(), world.words()
    for error, text, retryable in (
        (ToolError(reason), reason, False),
        (UnavailableError(reason), reason, True),
        (RuntimeError(reason), "raised RuntimeError", False),
    ):

        def slow_and_broken(error: BaseException = error, **_: Any) -> None:
            clock.taking(9)
            raise error

        broken = world.tool(slow_and_broken)
        world.contract(broken)
        outcome = student.attempt(world.contracts, ToolCall(broken.name, {}), {broken.name: 2}, clock)
        expect(outcome).has_keys("ok", "error", "retryable", because="there is no result that could be late")
        expect(outcome["error"]).contains(text)
        expect(outcome["retryable"]).equals(retryable)


@e5.case("under a limit it is the attempt of exercise 2 too", points=2)
def as_before_with_limits(student: Student, world: World) -> None:
    _attempts(student, world, world.clock())


@e5.case("without limits it is the attempt of exercise 2", points=2)
def as_before(student: Student, world: World) -> None:
    steady, strict, odd = world.tool(), world.tool(), world.tool(lambda **_: {1, 2})
    broken, name = world.tool(after=0, error=ValueError(world.words())), world.name()
    world.contract(steady)
    world.contract(broken)
    world.contract(strict, page="integer")
    world.contract(odd)
    outcome = student.attempt(world.contracts, ToolCall(steady.name, {"topic": world.word()}))
    expect(outcome).equals({"ok": True, "result": world.ledger.steps()[0]["result"]})
    for call, text in (
        (ToolCall(name, {}), f"no tool named {name!r} (have: "),
        (ToolCall(strict.name, {"page": "one"}), f"invalid arguments: $.{strict.name}.page: expected type integer"),
        (ToolCall(broken.name, {}), f"tool {broken.name!r} raised ValueError: "),
        (ToolCall(odd.name, {}), f"tool {odd.name!r} returned what JSON cannot hold: "),
    ):
        outcome = student.attempt(world.contracts, call)
        expect(outcome["ok"]).equals(False)
        expect(outcome["error"]).contains(text)
