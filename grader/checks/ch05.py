"""Session 5, a deterministic mini-agent: what `spec/mini_agent.md` says of the loop and its receipt."""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from course.errors import UnavailableError
from course.loops.receipts import render_trace
from grader.engine.exercise import Session
from grader.engine.expect import ONE_SPEAKS, expect, expect_raises, expect_refusal
from grader.engine.student import Student
from grader.engine.world import CountedTool, World

session = Session("ch05", "A deterministic mini-agent", builds=("course.loops.receipts",), gives=("course.flaky",))

KEYS = ("steps", "stopped_because", "answer", "refusal")


def _tools(world: World, count: int) -> list[CountedTool]:
    """New tools, none of whose names occurs in another's: a refusal must name one of them and no other."""
    return [world.tool(name=f"{world.name()}_{letter}") for letter in "abcdef"[:count]]


def _names_only(receipt: Any, tool: CountedTool, others: Sequence[CountedTool]) -> None:
    """A refusal that names `tool` and none of `others`."""
    expect_refusal(receipt, naming=tool.name)
    expect(receipt["refusal"]).lacks(
        *(other.name for other in others), because="a refusal that names every tool names none"
    )


# ---------------------------------------------------------------------------------------------------------------- e1
e1 = session.exercise(
    "ch05-e1",
    "Three ways to end",
    provides=["run_loop"],
    hints=[
        "Which of the three questions must be asked first: is it an answer, is there budget, was it asked for before?",
        "`budget` is the most calls that may run. How many have run when you are about to make the next one?",
        "Two calls are the same when one text can stand for both. `json.dumps` with sorted keys makes such a text, and "
        "in it 1, 1.0 and true stay apart.",
    ],
)


@e1.case("an answer ends the run, and the receipt holds what the tools returned")
def answered(student: Student, world: World) -> None:
    lookup = world.tool()
    other = world.tool(world.outcomes(None, 0, "", [], False, 92.5, {"rows": [1, world.number(2, 9)]}))
    end = world.answer()
    planned = [
        world.call(tool, topic=world.words(4), page=page) for page, tool in enumerate([lookup, *[other] * 7, lookup])
    ]
    plan = [*planned, end]
    held = student.hold(plan)
    first = student.run_loop.kept(held, world.tools, budget=12)
    receipt, asked = first.copy(), world.ledger.steps()
    expect(receipt).has_keys(*KEYS, because="all four keys stand in the receipt on every exit")
    expect(receipt["stopped_because"]).equals("answered")
    expect(receipt["answer"]).equals(end["answer"])
    expect(receipt["refusal"]).is_none(because=ONE_SPEAKS)
    expect(world.ledger.calls()).equals(9, because="nine calls were planned, and each runs once")
    expect(receipt["steps"]).equals(asked, because="a step is what the tool was asked and what it returned, as it is")
    expect(held.copy()).equals(plan, because="a loop reads its plan and leaves it as it was")
    again = student.run_loop(held, world.tools, budget=12)
    expect(again["stopped_because"]).equals("answered", because="what an earlier run called is no call of this one")
    expect(again["steps"]).equals(world.ledger.steps()[9:], because="each run calls its tools itself")
    expect(first.copy()["steps"]).equals(asked, because="a receipt belongs to its run, and no later run adds to it")


@e1.case("an answer needs no call, and what is planned behind it does not run")
def answer_first(student: Student, world: World) -> None:
    lookup = world.tool()
    for end in (world.answer(), {"answer": ""}):
        receipt = student.run_loop([end, *world.calls(lookup, 2)], world.tools, budget=0)
        expect(receipt["stopped_because"]).equals("answered", because="an empty answer is an answer")
        expect(receipt["answer"]).equals(end["answer"])
        expect(receipt["steps"]).equals([], because="the answer is a decision, never a step")
        expect(world.ledger.calls()).equals(0, because="the run was over before the first call")


@e1.case("the budget is the largest number of calls that run")
def budget(student: Student, world: World) -> None:
    first, second, idle = _tools(world, 3)
    allowed = world.number(2, 4)
    plan = [*world.calls(first, allowed), world.call(second), world.answer()]
    receipt = student.run_loop(plan, world.tools, budget=allowed)
    expect(world.ledger.calls()).equals(allowed, because="a stop that is reported after the call ran is no stop")
    expect(receipt["stopped_because"]).equals("budget")
    expect(receipt["steps"]).equals(world.ledger.steps(), because="what succeeded before the stop stays in the receipt")
    _names_only(receipt, second, [first, idle])


@e1.case("a budget of nothing runs nothing")
def no_budget(student: Student, world: World) -> None:
    lookup = world.tool()
    receipt = student.run_loop([*world.calls(lookup, 1), world.answer()], world.tools, budget=0)
    expect(world.ledger.calls()).equals(0)
    expect(receipt["stopped_because"]).equals("budget")
    expect_refusal(receipt, naming=lookup.name)


@e1.case("an answer after exactly `budget` calls is still an answer")
def answer_on_the_edge(student: Student, world: World) -> None:
    lookup = world.tool()
    allowed = world.number(1, 4)
    end = world.answer()
    receipt = student.run_loop([*world.calls(lookup, allowed), end], world.tools, budget=allowed)
    expect(receipt["stopped_because"]).equals("answered", because="an answer costs no call")
    expect(receipt["answer"]).equals(end["answer"])
    expect(world.ledger.calls()).equals(allowed)


@e1.case("the same call again stops the run before it runs")
def repeated(student: Student, world: World) -> None:
    lookup, idle = _tools(world, 2)
    again = world.call(lookup, topic=world.word(), pages=[1, world.number(2, 9)])
    receipt = student.run_loop([again, again, world.answer()], world.tools, budget=9)
    expect(world.ledger.calls()).equals(1, because="it stops before the second call runs, not after")
    expect(receipt["stopped_because"]).equals("repeated_call")
    expect(receipt["steps"]).equals(world.ledger.steps())
    _names_only(receipt, lookup, [idle])


@e1.case("a repeat counts when other calls stand between")
def repeated_later(student: Student, world: World) -> None:
    lookup, other = world.tool(), world.tool()
    again = world.call(lookup, topic=world.word())
    receipt = student.run_loop([again, *world.calls(other, 2), again, world.answer()], world.tools, budget=9)
    expect(receipt["stopped_because"]).equals("repeated_call", because="a loop of two calls is a loop too")
    expect(world.ledger.calls(lookup)).equals(1)
    expect_refusal(receipt, naming=lookup.name)


@e1.case("the order of the arguments does not make another call")
def key_order(student: Student, world: World) -> None:
    lookup = world.tool()
    topic, page = world.word(), world.number(1, 9)
    plan = [
        world.call(lookup, topic=topic, where={"page": page, "line": 1}),
        world.call(lookup, where={"line": 1, "page": page}, topic=topic),
        world.answer(),
    ]
    receipt = student.run_loop(plan, world.tools, budget=9)
    expect(receipt["stopped_because"]).equals("repeated_call")
    expect(world.ledger.calls()).equals(1)


@e1.case("another tool or other arguments are another call; 1, 1.0 and True differ")
def different_calls(student: Student, world: World) -> None:
    lookup, other = world.tool(), world.tool()
    plan = [
        *(world.call(lookup, n=n) for n in (1, True, 1.0, "1", [1], [True])),
        world.call(other, n=1),
        world.answer(),
    ]
    receipt = student.run_loop(plan, world.tools, budget=9)
    expect(receipt["stopped_because"]).equals(
        "answered", because="1, 1.0 and True are equal in Python, and three different calls for a tool"
    )
    expect(world.ledger.calls()).equals(7)


@e1.case("over budget and a repeat at once is a stop for budget")
def budget_before_repeat(student: Student, world: World) -> None:
    lookup = world.tool()
    again = world.call(lookup)
    receipt = student.run_loop([again, again, world.answer()], world.tools, budget=1)
    expect(receipt["stopped_because"]).equals("budget", because="the order of the stops is part of the contract")
    expect(world.ledger.calls()).equals(1)


@e1.case("a plan that holds no answer is refused before any tool runs")
def no_answer(student: Student, world: World) -> None:
    lookup = world.tool()
    for plan in (world.calls(lookup, 2), []):
        with expect_raises(ValueError, because="nothing after the last call could say how the run ended"):
            student.run_loop(plan, world.tools, budget=9)
    expect(world.ledger.calls()).equals(0, because="a plan is looked at before it is carried out")


# ---------------------------------------------------------------------------------------------------------------- e2
e2 = session.exercise(
    "ch05-e2",
    "A refusal is a contract",
    provides=["run_loop"],
    hints=[
        "Which exits may fill `answer`? Count them before you write the fourth one.",
        "Where does the tool's reason come from, and which value of yours carries its text?",
        "What is in `steps` at the moment when the tool raises, and has the call that raised a result?",
    ],
)


@e2.case("a tool that goes away mid-run ends the run and is named", points=2)
def tool_goes_away(student: Student, world: World) -> None:
    index, later = world.tool(after=2, error=world.words()), world.tool()
    plan = [*world.calls(index, 3), world.call(later), world.answer()]
    receipt = student.run_loop(plan, world.tools, budget=9)
    expect(receipt["stopped_because"]).equals("tool_error")
    expect(receipt["refusal"]).contains(index.name, because="the reader at 3 am must learn which tool went away")
    expect(world.ledger.calls(later)).equals(
        0, because="the call that ran after the stop: reporting a stop and stopping are different things"
    )
    expect(world.ledger.calls(index)).equals(3, because="two that answered, one that refused, and not one more")


@e2.case("the refusal reads `stopped: {name} refused ({error})`, with the tool's own reason")
def reason_carried(student: Student, world: World) -> None:
    because = "a refusal that does not carry the reason, all of it, sends its reader to look for it"
    for reason in (world.words(5), f"{world.words(60)}.", f"{world.words()}\n{world.words()}"):
        index = world.tool(after=world.number(0, 2), error=reason)
        receipt = student.run_loop([*world.calls(index, 3), world.answer()], world.tools, budget=9)
        expect(receipt["refusal"]).equals(f"stopped: {index.name} refused ({index.name}: {reason})", because=because)
    name, reason = world.name(), world.words()
    away = world.tool(name=name, after=0, error=UnavailableError(name, reason))
    receipt = student.run_loop([world.call(away), world.answer()], world.tools, budget=9)
    expect(receipt["refusal"]).equals(
        f"stopped: {name} refused ({name}: {reason})", because="an UnavailableError is a kind of ToolError"
    )


@e2.case("steps that succeeded survive, and the call that failed is no step")
def steps_survive(student: Student, world: World) -> None:
    index, other = world.tool(after=2, error=world.words()), world.tool()
    plan = [*world.calls(index, 2), world.call(other), world.call(index, topic="last"), world.answer()]
    receipt = student.run_loop(plan, world.tools, budget=9)
    expect(receipt["steps"]).equals(
        world.ledger.steps(), because="a call that raised has no result, and the three that answered are still true"
    )


@e2.case("no exit but `answered` fills `answer`, and every other one fills `refusal`")
def both_halves(student: Student, world: World) -> None:
    _keeps_its_exits(student, world)


def _keeps_its_exits(student: Student, world: World) -> None:
    """Each exit of the loop with both halves of its receipt, its calls counted, and a plan that is refused."""
    steady, idle = _tools(world, 2)
    gone_name, reason = f"{world.name()}_z", world.words()
    gone = world.tool(name=gone_name, after=1, error=reason)
    end, where = world.answer(), {"page": world.number(1, 9), "line": [1, 2]}
    again = world.call(steady, topic=world.word(), where=where)
    turned = world.call(steady, where=dict(reversed(where.items())), topic=again["args"]["topic"])
    stops: list[tuple[str, list[dict[str, Any]], int, CountedTool, int]] = [
        ("budget", [*world.calls(steady, 2), end], 1, steady, 1),
        ("budget", [again, turned, end], 1, steady, 1),
        ("repeated_call", [again, again, end], 9, steady, 1),
        ("repeated_call", [again, *world.calls(idle, 2), turned, end], 9, steady, 3),
        ("tool_error", [world.call(steady), *world.calls(gone, 2), world.call(idle), end], 9, gone, 2),
    ]
    for why, plan, allowed, tool, returned in stops:
        before = len(world.ledger.steps()), len(world.ledger.entries)
        receipt = student.run_loop(plan, world.tools, budget=allowed)
        _is_a_stop(receipt, why, tool)
        expect(len(world.ledger.entries) - before[1]).equals(
            returned + (why == "tool_error"), because="no tool runs after a stop, and none that is stopped"
        )
        expect(receipt["steps"]).equals(world.ledger.steps()[before[0] :], because="the steps are what returned")
    expect(receipt["refusal"]).equals(f"stopped: {gone_name} refused ({gone_name}: {reason})")
    before_all = len(world.ledger.entries)
    for plan in (world.calls(steady, 2), []):
        with expect_raises(ValueError, because="a plan that holds no answer is refused as before"):
            student.run_loop(plan, world.tools, budget=9)
    expect(len(world.ledger.entries) - before_all).equals(0, because="a plan is looked at before it is carried out")
    for last in (end, {"answer": ""}):
        plan = [*(world.call(steady, n=n) for n in (1, 1.0, True)), last, world.call(idle)]
        receipt = student.run_loop(plan, world.tools, budget=3)
        expect(receipt).has_keys(*KEYS, because="a reader must not have to ask which keys are there today")
        expect(receipt["stopped_because"]).equals("answered", because="three different calls, and then an answer")
        expect(receipt["answer"]).equals(last["answer"])
        expect(receipt["refusal"]).is_none(because=ONE_SPEAKS)
        expect(receipt["steps"]).equals(world.ledger.steps()[-3:])


def _is_a_stop(receipt: Any, why: str, tool: CountedTool) -> None:
    """A stop that is no answer, with all of its keys, which names the tool concerned."""
    expect(receipt).has_keys(*KEYS, because="a reader must not have to ask which keys are there today")
    expect(receipt["stopped_because"]).equals(why, because="every exit of the loop keeps its contract")
    expect_refusal(receipt, naming=tool.name)


@e2.case("every refusal names the tool that was about to run")
def refusals_name_the_tool(student: Student, world: World) -> None:
    steady, blocked, idle = _tools(world, 3)
    receipt = student.run_loop([world.call(steady), world.call(blocked), world.answer()], world.tools, budget=1)
    _names_only(receipt, blocked, [steady, idle])
    again = world.call(blocked)
    receipt = student.run_loop([world.call(steady), again, again, world.answer()], world.tools, budget=9)
    _names_only(receipt, blocked, [steady, idle])


@e2.case("a KeyError from a tool crashes the run")
def defect_crashes(student: Student, world: World) -> None:
    defect = KeyError(world.word())
    broken, later = world.tool(after=1, error=defect), world.tool()
    plan = [*world.calls(broken, 2), world.call(later), world.answer()]
    with expect_raises(
        KeyError, because="a defect dressed as a refusal is a defect that nobody will look for"
    ) as raised:
        student.run_loop(plan, world.tools, budget=9)
    raised.is_the(defect, because="what went wrong stands in the exception that the tool raised, and in no other")
    expect(world.ledger.calls(later)).equals(0, because="nothing runs after a crash")


@e2.case("so does any other exception that is no ToolError")
def other_defects_crash(student: Student, world: World) -> None:
    _lets_defects_through(student, world)


def _lets_defects_through(student: Student, world: World, few: bool = False) -> None:
    """Whatever a tool raises that is no ToolError leaves the loop as it is."""
    for defect in world.defects(few):
        broken = world.tool(after=0, error=defect)
        with expect_raises(
            type(defect), because="only a ToolError says that its text is meant for a refusal"
        ) as raised:
            student.run_loop([world.call(broken), world.answer()], {broken.name: broken}, budget=9)
        raised.is_the(defect, because="whoever looks for the defect needs the exception that the tool raised")


@e2.case("the loop is not written for one tool or one sentence")
def nothing_hard_coded(student: Student, world: World) -> None:
    for _ in range(2):
        reason = world.words(4)
        index = world.tool(after=1, error=reason)
        receipt = student.run_loop([*world.calls(index, 2), world.answer()], world.tools, budget=9)
        expect(receipt["stopped_because"]).equals("tool_error")
        expect(receipt["refusal"]).contains(index.name, reason)


# ---------------------------------------------------------------------------------------------------------------- e3
e3 = session.exercise(
    "ch05-e3",
    "The trace as text",
    provides=["render_trace"],
    hints=[
        "Which of the two, `answer` or `refusal`, closes the trace, and what in the receipt tells you?",
        "Values are shown with `repr`, results with `str`: what does each do to a text?",
    ],
)


@e3.case("one line a step, numbered from 1, and a closing line with the answer")
def answered_trace(student: Student, world: World) -> None:
    run = world.made_receipt(steps=11, answer=world.words())
    run["steps"].append(deepcopy(run["steps"][0]))
    held = student.hold(run)
    expect(student.render_trace(held)).equals(render_trace(run), because="twelve steps, of which two are alike")
    expect(held.copy()).equals(run, because="whoever reads a receipt leaves it as it was")


@e3.case("a refusal closes the trace under its own name", points=2)
def refused_trace(student: Student, world: World) -> None:
    for why in ("budget", "repeated_call", "tool_error"):
        run = world.made_receipt(steps=2, stopped_because=why, refusal=f"stopped: {world.words()}")
        expect(student.render_trace(run)).equals(render_trace(run), because="a refusal is shown as a refusal")


@e3.case("values are shown with repr, results with str")
def quotes_and_numbers(student: Student, world: World) -> None:
    results = [{"rows": 2}, ["a", 1], 92.5, None, "", 0, f"{world.word()}\n  {world.word()}  "]
    run = world.made_receipt(steps=len(results), answer=f"it's {world.word()}\n")
    run["steps"][0]["args"] = {"text": "it's", "n": 1.0, "deep": {"none": None, "list": [True, "x\ny"]}}
    for step, result in zip(run["steps"], results, strict=True):
        step["result"] = result
    expect(student.render_trace(run)).equals(render_trace(run))


@e3.case("a run without a step is its closing line alone")
def no_steps(student: Student, world: World) -> None:
    run = world.made_receipt(steps=0, answer="")
    expect(student.render_trace(run)).equals(
        "stopped_because='answered'  answer=''", because="an empty answer is an answer"
    )


# ---------------------------------------------------------------------------------------------------------------- e4
e4 = session.exercise(
    "ch05-e4",
    "A record is a copy",
    provides=["run_loop"],
    hints=[
        "After the run the plan is changed. Which of your objects does the receipt share with it?",
        "`dict(args)` copies one level. How many levels do the arguments have?",
        "While the tool runs it has your arguments in its hands, and later it may still hold the result that you got. "
        "What must be settled before the call?",
    ],
)


@e4.case("arguments that change after the run do not change the receipt")
def changed_afterwards(student: Student, world: World) -> None:
    lookup = world.tool()
    args = {"topic": world.word(), "limit": world.number(1, 9)}
    plan = student.hold([world.call(lookup, **args), world.answer()])
    receipt = student.run_loop.kept(plan, world.tools, budget=9)
    expect(world.ledger.calls(lookup)).equals(1, because="what is recorded is a call that ran")
    plan.item(0).item("args").method("update", {"topic": "changed", "added": 1})
    expect(receipt.copy()["steps"][0]["args"]).equals(
        args, because="the receipt says what was asked at the time, not what the plan says now"
    )


@e4.case("nor do the lists and dicts inside them", points=2)
def changed_inside(student: Student, world: World) -> None:
    lookup = world.tool()
    args = {"topics": [world.word(), world.word()], "where": {"pages": [1, world.number(2, 9)]}}
    plan = student.hold([world.call(lookup, **args), world.answer()])
    receipt = student.run_loop.kept(plan, world.tools, budget=9)
    expect(world.ledger.calls(lookup)).equals(1, because="what is recorded is a call that ran")
    held = plan.item(0).item("args")
    held.item("topics").method("append", "changed")
    held.item("where").item("pages").method("clear")
    expect(receipt.copy()["steps"][0]["args"]).equals(args, because="a copy of the outer dict shares what is inside it")
    _tool_that_edits(student, world)
    _tool_that_hands_out_its_own(student, world)


def _tool_that_edits(student: Student, world: World) -> None:
    """A tool takes the first page from the list that it is given, and from a list inside a dict."""

    def take_first(pages: list[int], where: dict[str, list[int]]) -> int:
        where["lines"].clear()
        return pages.pop(0)

    greedy = world.tool(take_first, edits_arguments=True)
    args: dict[str, Any] = {"pages": [world.number(1, 9), 2, 3], "where": {"lines": [4, world.number(5, 9)]}}
    receipt = student.run_loop(
        [world.call(greedy, **args), world.call(greedy, **deepcopy(args)), world.answer()], world.tools, budget=9
    )
    expect(world.ledger.arguments(greedy)).equals(
        [args],
        because="the second call was planned with the same arguments, whatever the tool did to those of the first",
    )
    expect(receipt["stopped_because"]).equals("repeated_call", because="a call is known by what was planned")
    expect(receipt["steps"]).equals(
        [{"tool": greedy.name, "args": args, "result": args["pages"][0]}],
        because="a tool that edits its arguments must not reach the record of them",
    )


def _tool_that_hands_out_its_own(student: Student, world: World) -> None:
    """A tool adds a row to its list at each call, and always returns that list."""
    rows: list[dict[str, str]] = []

    def add_row(**args: Any) -> list[dict[str, str]]:
        rows.append({"row": world.words()})
        return rows

    growing = world.tool(add_row, hands_out_its_own=True)
    before = len(world.ledger.steps())
    receipt = student.run_loop([*world.calls(growing, 3), world.answer()], world.tools, budget=9)
    expect(receipt["steps"]).equals(
        world.ledger.steps()[before:], because="a step holds what the tool returned then, not what became of it"
    )


@e4.case("a step holds the arguments themselves, not a text about them")
def values_not_text(student: Student, world: World) -> None:
    results = [{"rows": [1, 1.0, True, None, world.word()]}, 92.5, None, 0, ""]
    lookup = world.tool(world.outcomes(*results))
    deep = {"list": [1, 1.0, True, None, world.word()]}
    asked = [{"n": n, "deep": deep} for n in (1, 1.0, True, None, world.word())]
    plan = [*(world.call(lookup, **deepcopy(args)) for args in asked), world.answer()]
    receipt = student.run_loop(plan, world.tools, budget=9)
    expect(receipt["steps"].each("args")).equals(
        asked, because="a reader of the receipt must be able to run the call again"
    )
    expect(receipt["steps"].each("result")).equals(results, because="a result is recorded by value as well")
    expect(world.ledger.arguments(lookup)).equals(asked, because="the tool is called with the arguments as planned")


@e4.case("the loop still stops where it stopped before")
def still_a_loop(student: Student, world: World) -> None:
    _keeps_its_exits(student, world)
    _lets_defects_through(student, world, few=True)
