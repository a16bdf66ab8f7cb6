"""Session 6, budgets and the order of stops: the loop of `spec/agentloop.md`, a rung of the ladder at a time."""

import threading
from itertools import product
from typing import Any

from course.budgets import Budgets
from course.errors import ToolError
from course.models import Decision, ModelReply
from grader.engine.exercise import Session
from grader.engine.expect import Seen, expect, expect_raises
from grader.engine.student import Student
from grader.engine.world import Misprint, World

session = Session("ch06", "Budgets and the order of stops", builds=("course.loops.budgeted",))

NO_ANSWER = "a stop that is no answer fills none"
EVERY_TURN = "task, turns, calls and stop: each is written down, in the order in which it happened"
AS_IT_IS = "texts, arguments and results are recorded and shown as they are, and a call that comes again runs again"
ACCOUNT = "every stop says what was used up, whatever it was that ended the run"

FIELDS = {"task": ["task"], "assistant": ["text", "tool_calls"], "tool": ["name", "args", "result"]}
COUNTED = ["steps", "tokens", "calls", "cost"]  # in a stop; of these e1 has the first, e2 to e4 the first two


def _long_run(student: Student, world: World, turns: int, counted: int) -> None:
    """A run of so many turns with calls that come again, and with texts, arguments and results of all kinds.

    counted: how many of `COUNTED` the stop holds. All limits are just met.
    """
    results = [f"  größer: {world.words()} ✓\n", None, False, 0, [], {"ré": [1, None, 2.5]}, list(range(12)), "ø" * 90]
    keeper = world.tool(world.outcomes(*results))
    editing = world.tool(lambda pages, **_: pages.pop(0), edits_arguments=True)
    again, edit = world.call(keeper, topic=world.word(), page=None), world.call(editing, pages=[7, 8, 9], deep={"n": 1})
    batch = [again, again, *world.calls(keeper, 3), edit]
    said = [f"\n {world.words()} – «{world.word()}»\n\n  {'ü' * world.number(1, 60)}  " for _ in range(3)]
    replies = [world.turn(*([edit], [edit], [again])[n % 3], text=said[n % 3]) for n in range(turns - 1)]
    replies[2] = world.turn(*batch, text="")
    replies.append(world.turn(text=f"\n  {'Schluß … ' * 500}\n"))
    tokens = [max(1, len(reply.text) // 4) for reply in replies]
    task, model, tools = f"  Größe? {world.words()}\n", world.model(*replies), student.hold(world.tools)
    limits = Budgets(turns, sum(tokens[:-1]), f"<{world.word()}>", turn_price=7, call_price=2)
    before = len(world.ledger.steps())
    records = student.run(task, model, tools, limits)
    expect(model.turns()).equals(turns, because="so many turns were allowed, and the last of them was the answer")
    expect(records).is_a(list)
    done = iter(world.ledger.steps()[before:])
    expected: list[dict[str, Any]] = [{"kind": "task", "task": task}]
    for reply, estimate in zip(replies, tokens, strict=True):
        asked = [{"name": call.name, "args": call.args} for call in reply.tool_calls]
        estimated = {"tokens": estimate} if counted > 1 else {}
        expected.append({"kind": "assistant", "text": reply.text, "tool_calls": asked, **estimated})
        expected += [{"kind": "tool", **call, "result": next(done, {}).get("result")} for call in asked]
    calls = sum(entry["kind"] == "tool" for entry in expected)
    expect(_picked(records, counted)).equals(expected, because=AS_IT_IS)
    expect(len(world.ledger.steps()) - before).equals(calls, because=AS_IT_IS)
    _is_stop(records, "no_tool_calls", replies[-1].text, [turns, sum(tokens), calls, 7 * turns + 2 * calls][:counted])
    expect(model.shown(turns)).equals(_messages(expected[:-1]), because="the model is shown all that happened so far")
    manifest = [{"name": name} for name in sorted(world.tools)]
    for turn in (1, turns):
        expect(model.offered(turn)).equals(manifest, because="the model is told in each turn which tools there are")
    expect(tools.copy()).equals(world.tools, because="the tools that were handed in are the caller's")


def _picked(records: Seen, counted: int) -> Seen:
    """The fields that this session speaks of, of all records but the stop."""
    made = []
    for entry in list(records)[:-1]:
        kind = str(entry["kind"].plain)
        names = FIELDS.get(kind, []) + ["tokens"] * (kind == "assistant" and counted > 1)
        made.append({"kind": kind, **{name: entry["payload"][name].plain for name in names}})
    return Seen(made, "the records before the stop")


def _messages(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What `messages` of the notebook makes of such records."""
    roles = {"task": "user", "assistant": "assistant", "tool": "tool"}
    names = {"task": "content", "text": "content", "result": "content", "name": "name", "tool_calls": "tool_calls"}
    return [{"role": roles[e["kind"]], **{names[k]: v for k, v in e.items() if k in names}} for e in entries]


def _is_stop(records: Seen, reason: str, answer: str | None, used: list[int]) -> None:
    """The last record is a stop with this reason and answer, and with the first of `COUNTED` as in `used`."""
    expect(records[-1]["kind"]).equals("stop", because="the stop closes the list")
    stop = records[-1]["payload"]
    expect(stop["reason"]).equals(reason, because="the order of the rungs is part of the contract")
    expect(stop["answer"]).equals(answer, because="an answer is the turn's own text" if answer else NO_ANSWER)
    for name, number in zip(COUNTED, used, strict=False):
        expect(stop[name]).equals(number, because=ACCOUNT)


def _keeps_its_stops(student: Student, world: World, rung: int) -> None:
    """Each stop of the exercises up to `rung`, on the edge of its limit: its account, its turns, its calls."""
    lookup, word, task = world.tool(), f"{world.word().upper()}.[{world.number(1, 9)}]", world.words()
    asks, last = world.turn(world.call(lookup), world.call(lookup), text="é" * 40), world.turn(text="ü" * 80)
    says, ends = world.turn(world.call(lookup), text=f"{'ø' * 60}\n{word}"), world.turn(text=f"not {word}")
    word_only: dict[str, Any] = {"stop_sentinel": word}
    rows: list[tuple[str, list[Any], dict[str, Any], int]] = [  # reason, replies, limits, calls
        ("step_budget", [asks] * 3, {"max_steps": 3, "max_tokens": 30}, 6),
        ("step_budget", [], {"max_steps": 0, "max_tokens": 0}, 0),
        ("token_budget", [asks] * 3, {"max_steps": 3, "max_tokens": 29}, 4),
        ("token_budget", [asks], {"max_tokens": 0}, 0),
        ("no_tool_calls", [asks, last], {"max_steps": 2, "max_tokens": 10}, 2),
    ]
    if rung >= 3:
        rows += [
            ("sentinel", [asks, says], {"max_steps": 2, "max_tokens": 10, **word_only}, 2),
            ("sentinel", [ends], {"max_tokens": 0, **word_only}, 0),
        ]
    if rung >= 4:
        rows += [
            ("model_error", [TimeoutError(world.words())], word_only, 0),
            ("model_error", [asks, {"text": word, "tool_calls": []}], {"max_steps": 2, **word_only}, 2),
        ]
    if rung >= 5:
        rows += [("cost_budget", [asks], {"max_cost": 8}, 1), ("cost_budget", [asks], {"max_cost": 11}, 2)]
    for reason, replies, limits, calls in rows:
        before = world.ledger.calls().plain
        model, turns = world.model(*replies, last), [one for one in replies if isinstance(one, ModelReply)]
        records = student.run(task, model, world.tools, Budgets(**limits, turn_price=7, call_price=2))
        estimates = [max(1, len(turn.text) // 4) for turn in turns]
        used = [len(turns), sum(estimates), calls, 7 * len(replies) + 2 * calls]
        answer = turns[-1].text if reason in ("sentinel", "no_tool_calls") else None
        _is_stop(records, reason, answer, used[: 2 if rung < 5 else 4])
        kinds = records.each("kind").plain
        recorded = [one["payload"]["tokens"].plain for one in records if one["kind"].plain == "assistant"]
        expect(recorded).equals(estimates, because="each turn is recorded with its tokens, whatever ended the run")
        expect(kinds.count("tool")).equals(calls, because="each call that ran is recorded, and no other")
        expect(model.turns()).equals(len(replies), because="nothing is asked after a stop")
        expect(world.ledger.calls().plain - before).equals(calls, because="a turn that ends the run runs no tool")


def _keeps_errors_apart(student: Student, world: World) -> None:
    """Whatever a model raises is a stop or leaves the loop, and whatever a tool raises leaves it."""
    task, turn = world.words(), world.turn(world.call(world.tool()))
    text = f"{world.words()}: {'größer ' * 15}\n  second line"
    for error in (Misprint(text), KeyboardInterrupt(text), SystemExit(text)):
        model = world.model(turn, error, turn)
        if isinstance(error, Exception):
            records = student.run(task, model, world.tools, Budgets())
            expect(records[-1]["payload"]["reason"]).equals("model_error", because="whatever its class, it is caught")
            detail = f"{type(error).__name__}: {error}"
            expect(records[-1]["payload"]["detail"]).equals(detail, because="the reader must learn what went wrong")
        else:
            with expect_raises(type(error), because="what is no Exception is meant for the program") as raised:
                student.run(task, model, world.tools, Budgets())
            raised.is_the(error, because="it leaves `run` as it is")
    for kind in (Misprint, KeyboardInterrupt, SystemExit, ValueError, KeyError, ToolError):
        defect = kind(world.words())
        broken = world.tool(after=0, error=defect)
        with expect_raises(kind, because="what a tool raises is not the model's error") as raised:
            student.run(task, world.model(world.turn(world.call(broken)), turn), world.tools, Budgets())
        raised.is_the(defect, because="whoever looks for the defect needs the exception that the tool raised")


# ---------------------------------------------------------------------------------------------------------------- e1
e1 = session.exercise(
    "ch06-e1",
    "A budget of steps",
    provides=["run"],
    hints=[
        "Where in the loop do you look at the budget: before you ask the model, or when its reply is there?",
        "What counts as a step: a turn of the model, or a call that it asks for? Count the one in one place only.",
        "The order within a turn: look at the budget, ask, count, record, look whether it asks for tools, run them.",
    ],
)


@e1.case("a reply without tool calls ends the run, and its text is the answer")
def ordinary_end(student: Student, world: World) -> None:
    lookup, last = world.tool(), world.turn()
    model = world.model(world.turn(world.call(lookup)), last, world.turn())
    records = student.run(world.words(), model, world.tools, Budgets(max_steps=9))
    expect(records.each("kind")).equals(["task", "assistant", "tool", "assistant", "stop"], because=EVERY_TURN)
    expect(records[-1]["payload"]["reason"]).equals("no_tool_calls")
    expect(records[-1]["payload"]["answer"]).equals(last.text)
    expect(records[-1]["payload"]["steps"]).equals(2, because="two turns were taken")
    expect(model.turns()).equals(2, because="the run was over with the second turn")


@e1.case("an empty text is an answer too")
def empty_answer(student: Student, world: World) -> None:
    records = student.run(world.words(), world.model(world.turn(text=""), world.turn()), world.tools, Budgets())
    expect(records[-1]["payload"]["reason"]).equals("no_tool_calls")
    expect(records[-1]["payload"]["answer"]).equals("", because="the model said nothing, and that is what it said")


@e1.case("the calls of a turn run in their order, and the model sees what they returned")
def in_order(student: Student, world: World) -> None:
    first, second, task = world.tool(), world.tool(), world.words()
    asked = [world.call(second), world.call(first), world.call(second)]
    model = world.model(world.turn(*asked), world.turn())
    records = student.run(task, model, world.tools, Budgets(max_steps=9))
    done = world.ledger.steps()
    expect([step["args"] for step in done]).equals(
        [call["args"] for call in asked], because="each call of a turn runs, once, in the order of the turn"
    )
    for n, step in enumerate(done, 2):
        expect(records[n]["payload"]["result"]).equals(step["result"])
    shown = model.shown(2)
    expect(shown.each("role")).equals(
        ["user", "assistant", "tool", "tool", "tool"], because="the model is shown all that happened so far"
    )
    expect(shown[0]["content"]).equals(task)
    expect(shown[-1]["content"]).equals(done[-1]["result"])


@e1.case("no more turns than max_steps, and nothing is asked to wrap up", points=2)
def step_budget(student: Student, world: World) -> None:
    lookup, allowed = world.tool(), world.number(2, 5)
    model = world.model(*(world.turn(world.call(lookup)) for _ in range(allowed + 3)))
    records = student.run(world.words(), model, world.tools, Budgets(max_steps=allowed))
    expect(model.turns()).equals(allowed, because="the budget is looked at before the model is asked, not after")
    expect(world.ledger.calls()).equals(allowed, because="the calls of the last turn allowed still run")
    expect(records.each("kind")).equals(["task", *["assistant", "tool"] * allowed, "stop"], because=EVERY_TURN)
    expect(records[-1]["payload"]["reason"]).equals("step_budget")
    expect(records[-1]["payload"]["answer"]).is_none(because=NO_ANSWER)
    expect(records[-1]["payload"]["steps"]).equals(allowed, because="steps are the assistant records, no more, no less")


@e1.case("a turn is one step, however many tools it asks for")
def turns_not_calls(student: Student, world: World) -> None:
    lookup, allowed = world.tool(), world.number(2, 4)
    turns = [world.turn(*(world.call(lookup) for _ in range(3))) for _ in range(allowed + 1)]
    model = world.model(*turns)
    records = student.run(world.words(), model, world.tools, Budgets(max_steps=allowed))
    expect(model.turns()).equals(allowed, because="a step is a turn of the model; calls are counted elsewhere")
    expect(world.ledger.calls()).equals(3 * allowed)
    expect(records[-1]["payload"]["steps"]).equals(allowed)


@e1.case("max_steps of 0 asks the model nothing")
def no_steps(student: Student, world: World) -> None:
    model = world.model(world.turn(), world.turn())
    records = student.run(world.words(), model, world.tools, Budgets(max_steps=0))
    expect(model.turns()).equals(0, because="no turn was allowed, and a question is a turn")
    expect(records.each("kind")).equals(["task", "stop"])
    expect(records[-1]["payload"]["reason"]).equals("step_budget")
    expect(records[-1]["payload"]["steps"]).equals(0)


@e1.case("an answer in the last turn allowed is an answer")
def answer_on_the_edge(student: Student, world: World) -> None:
    lookup, allowed, last = world.tool(), world.number(1, 4), world.turn()
    turns = [world.turn(world.call(lookup)) for _ in range(allowed - 1)]
    records = student.run(world.words(), world.model(*turns, last), world.tools, Budgets(max_steps=allowed))
    expect(records[-1]["payload"]["reason"]).equals("no_tool_calls")
    expect(records[-1]["payload"]["answer"]).equals(last.text)
    expect(records[-1]["payload"]["steps"]).equals(allowed)


@e1.case("a long run with calls that come again is recorded and shown as it was", points=2)
def long_run(student: Student, world: World) -> None:
    _long_run(student, world, turns=13, counted=1)


# ---------------------------------------------------------------------------------------------------------------- e2
e2 = session.exercise(
    "ch06-e2",
    "A budget of tokens",
    provides=["run"],
    hints=[
        "At which point do you know how long a turn is, and what has happened to its tools by then?",
        "Is the budget a number that may be reached, or one that must not be? Compare with `>` or `>=` accordingly.",
        "Two numbers: the estimate of this turn, for its record, and the sum over all turns, for the budget.",
    ],
)


@e2.case("the turn that goes over the budget is recorded, and its tools do not run", points=2)
def over(student: Student, world: World) -> None:
    cheap, dear = world.tool(), world.tool()
    spent = world.number(3, 9)
    model = world.model(
        world.turn(world.call(cheap), text="x" * 4 * spent),
        world.turn(world.call(dear), world.call(dear), text="y" * 40),
        world.turn(),
    )
    records = student.run(world.words(), model, world.tools, Budgets(max_tokens=spent + 9))
    expect(world.ledger.calls(dear)).equals(0, because="what a turn over the budget asks for is not done")
    expect(records.each("kind")).equals(
        ["task", "assistant", "tool", "assistant", "stop"],
        because="the turn was there and was paid for: it is recorded",
    )
    expect(records[-1]["payload"]["reason"]).equals("token_budget")
    expect(records[-1]["payload"]["answer"]).is_none(because=NO_ANSWER)
    expect(records[-1]["payload"]["tokens"]).equals(spent + 10)
    expect(records[-1]["payload"]["steps"]).equals(2)


@e2.case("a sum that equals max_tokens is within it")
def just_within(student: Student, world: World) -> None:
    lookup, spent = world.tool(), world.number(3, 9)
    model = world.model(world.turn(world.call(lookup), text="x" * 4 * spent), world.turn(text="yyyy"))
    records = student.run(world.words(), model, world.tools, Budgets(max_tokens=spent))
    expect(world.ledger.calls()).equals(1, because="the budget was reached and not exceeded")
    expect(records[-1]["payload"]["reason"]).equals("no_tool_calls")


@e2.case("the turns add up")
def cumulative(student: Student, world: World) -> None:
    lookup, each = world.tool(), world.number(3, 6)
    model = world.model(*(world.turn(world.call(lookup), text="x" * 4 * each) for _ in range(9)))
    records = student.run(world.words(), model, world.tools, Budgets(max_tokens=3 * each))
    expect(records[-1]["payload"]["reason"]).equals(
        "token_budget", because="no single turn is over the budget, and four of them are"
    )
    expect(records[-1]["payload"]["tokens"]).equals(4 * each)
    expect(world.ledger.calls()).equals(3)


@e2.case("a turn without text costs one token")
def never_free(student: Student, world: World) -> None:
    lookup, allowed = world.tool(), world.number(2, 4)
    model = world.model(*(world.turn(world.call(lookup), text="") for _ in range(7)))
    records = student.run(world.words(), model, world.tools, Budgets(max_tokens=allowed, max_steps=7))
    expect(records[-1]["payload"]["reason"]).equals("token_budget", because="a turn that says nothing is not free")
    expect(records[-1]["payload"]["tokens"]).equals(allowed + 1)


@e2.case("each turn records its own estimate, and the stop their sum")
def recorded(student: Student, world: World) -> None:
    lookup = world.tool()
    lengths = [0, 3, 4, 7, 11, world.number(40, 400)]
    world.rng.shuffle(lengths)
    turns = [world.turn(world.call(lookup), text="x" * length) for length in lengths]
    records = student.run(world.words(), world.model(*turns, world.turn(text="done")), world.tools, Budgets())
    estimates = [max(1, length // 4) for length in lengths]
    for n, estimate in enumerate(estimates):
        expect(records[1 + 2 * n]["payload"]["tokens"]).equals(estimate, because="max(1, len(text) // 4)")
    expect(records[-1]["payload"]["tokens"]).equals(sum(estimates) + 1)


@e2.case("an answer that goes over the budget is still the answer")
def answer_first(student: Student, world: World) -> None:
    last = world.turn(text=world.words(20))
    records = student.run(world.words(), world.model(last), world.tools, Budgets(max_tokens=2))
    expect(records[-1]["payload"]["reason"]).equals("no_tool_calls", because="it is there, and nothing is left to do")
    expect(records[-1]["payload"]["answer"]).equals(last.text)


@e2.case("None is no limit, and 0 is one")
def no_limit(student: Student, world: World) -> None:
    lookup = world.tool()
    turns = [world.turn(world.call(lookup), text="x" * 4000), world.turn()]
    records = student.run(world.words(), world.model(*turns), world.tools, Budgets(max_tokens=None))
    expect(records[-1]["payload"]["reason"]).equals("no_tool_calls")
    records = student.run(world.words(), world.model(*turns), world.tools, Budgets(max_tokens=0))
    expect(records[-1]["payload"]["reason"]).equals("token_budget", because="a budget of nothing is a budget")


@e2.case("the step budget holds as before")
def steps_still_hold(student: Student, world: World) -> None:
    lookup, allowed = world.tool(), world.number(1, 3)
    model = world.model(*(world.turn(world.call(lookup), text="xxxx") for _ in range(allowed + 2)), world.turn())
    records = student.run(world.words(), model, world.tools, Budgets(max_steps=allowed, max_tokens=99))
    expect(model.turns()).equals(allowed)
    expect(records[-1]["payload"]["reason"]).equals("step_budget")
    expect(records[-1]["payload"]["tokens"]).equals(allowed, because="every stop holds the tokens of the run")
    _keeps_its_stops(student, world, rung=2)


@e2.case("a long run in all kinds of letters: every turn has its estimate, and the stop the sum")
def long_run_with_tokens(student: Student, world: World) -> None:
    _long_run(student, world, turns=9, counted=2)


# ---------------------------------------------------------------------------------------------------------------- e3
e3 = session.exercise(
    "ch06-e3",
    "Several reasons at once",
    provides=["run"],
    hints=[
        "Whose words may end the run, and which value of yours holds those and no others?",
        "A turn says DONE, asks for a tool, and is over the budget. Read the ladder from above: which rung is first?",
        "Three `if`s in the order of the ladder, all of them between the record of the turn and its first call.",
    ],
)


@e3.case("all eight combinations of sentinel, no calls and too many tokens", points=3)
def combinations(student: Student, world: World) -> None:
    word = f"END-{world.word().upper()}"
    for says, wants, over_budget in product([True, False], repeat=3):
        lookup, before = world.tool(), world.ledger.calls().plain
        text = " ".join([world.words(2), *[word] * says, world.words(20) if over_budget else ""])
        turn = world.turn(*[world.call(lookup)] * wants, text=text)
        limits = Budgets(max_steps=1, max_tokens=25, stop_sentinel=word)
        records = student.run(world.words(), world.model(turn, world.turn()), world.tools, limits)
        reason = (
            "sentinel" if says else "no_tool_calls" if not wants else "token_budget" if over_budget else "step_budget"
        )
        stop = records[-1]["payload"]
        expect(stop["reason"]).equals(
            reason, because=f"{_combination(says, wants, over_budget)}: read the ladder from above"
        )
        if reason in ("sentinel", "no_tool_calls"):
            expect(stop["answer"]).equals(text, because="the turn's own text is the answer")
        else:
            expect(stop["answer"]).is_none(because=NO_ANSWER)
        expect(world.ledger.calls().plain - before).equals(
            int(reason == "step_budget"), because="a turn that ends the run runs no tool"
        )
        expect(records[1]["kind"]).equals("assistant", because="the turn is recorded, whatever ends the run")


def _combination(says: bool, wants: bool, over_budget: bool) -> str:
    return ", ".join(
        [
            "the turn holds the sentinel" if says else "no sentinel",
            "it asks for a tool" if wants else "it asks for no tool",
            "it is over the token budget" if over_budget else "within the token budget",
        ]
    )


@e3.case("DONE beside a request for a tool: the tool never runs")
def done_and_a_tool(student: Student, world: World) -> None:
    lookup, word = world.tool(), world.word().upper()
    turn = world.turn(world.call(lookup), world.call(lookup), text=f"{world.words()} {word}")
    model = world.model(turn, world.turn())
    records = student.run(world.words(), model, world.tools, Budgets(stop_sentinel=word))
    expect(world.ledger.calls()).equals(0, because="it said that it was done, so nothing more is done for it")
    expect(records.each("kind")).equals(["task", "assistant", "stop"])
    expect(records[-1]["payload"]["reason"]).equals("sentinel")
    expect(records[-1]["payload"]["steps"]).equals(1)


@e3.case("the sentinel in a tool's result ends nothing", points=2)
def in_tool_output(student: Student, world: World) -> None:
    word, last = world.word().upper(), world.turn()
    page = world.tool(lambda **_: f"{world.words()} {word}")
    model = world.model(world.turn(world.call(page)), last)
    records = student.run(world.words(), model, world.tools, Budgets(stop_sentinel=word))
    expect(model.turns()).equals(2, because="a tool returns what others wrote, and they must not end the run")
    expect(records[-1]["payload"]["reason"]).equals("no_tool_calls")
    expect(records[-1]["payload"]["answer"]).equals(last.text)


@e3.case("nor does it in the task or in the arguments of a call")
def in_task_and_arguments(student: Student, world: World) -> None:
    lookup, word = world.tool(), world.word().upper()
    model = world.model(world.turn(world.call(lookup, topic=word)), world.turn())
    records = student.run(f"Write {word} when you are done.", model, world.tools, Budgets(stop_sentinel=word))
    expect(world.ledger.calls()).equals(1, because="only the turn's own text counts")
    expect(records[-1]["payload"]["reason"]).equals("no_tool_calls")


@e3.case("it counts anywhere in the text, written exactly so")
def anywhere(student: Student, world: World) -> None:
    lookup, word = world.tool(), world.word().upper()
    for text, reason in (
        (f"{world.words()}{word}{world.words()}", "sentinel"),
        (f"{word}\n{world.words()}", "sentinel"),
        (f"{world.words()} {word.lower()}", "step_budget"),
    ):
        model = world.model(world.turn(world.call(lookup), text=text), world.turn())
        records = student.run(world.words(), model, world.tools, Budgets(max_steps=1, stop_sentinel=word))
        expect(records[-1]["payload"]["reason"]).equals(reason, because=f"the text was {text!r}, the sentinel {word!r}")


@e3.case("what is only like the sentinel ends nothing, and the sentinel may hold any characters", points=2)
def near_misses(student: Student, world: World) -> None:
    first, second = world.distinct_words(2)
    word = f" {first.upper()}.[{second.upper()}]  «ÉND» "
    named = world.tool(name=word)
    misses = [
        word.strip(), word[:-1], word[1:], word.replace(".", "x"), word.replace("  ", " "), word.swapcase(),
        first.upper(), "x" + word[:9], word[9:] + "x", *word.split("."), word[::-1], f"{word[:-1]}\n ",
    ]  # fmt: skip
    turns = [world.turn(world.call(named, topic=word), text=text) for text in misses]
    model = world.model(*turns, world.turn())
    records = student.run(word, model, world.tools, Budgets(max_steps=len(turns), stop_sentinel=word))
    expect(model.turns()).equals(len(turns), because=f"no turn's own text holds {word!r}, written exactly so")
    expect(records[-1]["payload"]["reason"]).equals("step_budget")
    for text in (f"{world.words()}\nnot{word}\n", f"x{word}"):
        model = world.model(world.turn(world.call(named), text=text), world.turn())
        records = student.run(world.words(), model, world.tools, Budgets(stop_sentinel=word))
        _is_stop(records, "sentinel", text, [1, len(text) // 4])


@e3.case("the other stops are as before")
def still_stops(student: Student, world: World) -> None:
    _keeps_its_stops(student, world, rung=3)


@e3.case("without a sentinel no word ends the run")
def no_sentinel(student: Student, world: World) -> None:
    lookup = world.tool()
    model = world.model(world.turn(world.call(lookup), text="DONE, None, STOP"), world.turn(text="DONE"))
    records = student.run(world.words(), model, world.tools, Budgets())
    expect(world.ledger.calls()).equals(1)
    expect(records[-1]["payload"]["reason"]).equals("no_tool_calls")


# ---------------------------------------------------------------------------------------------------------------- e4
e4 = session.exercise(
    "ch06-e4",
    "When the model itself fails",
    provides=["run"],
    hints=[
        "Which of your lines can fail because of the model, and which because of a tool? Only one of them belongs in "
        "the `try`.",
        "`KeyboardInterrupt` is no `Exception`. What does that mean for the `except` that you write?",
        "`isinstance(reply, ModelReply)` asks for the class. What else could a model return that looks right?",
    ],
)


@e4.case("a model that raises ends the run with a recorded stop", points=2)
def model_raises(student: Student, world: World) -> None:
    lookup = world.tool()
    for kind in (RuntimeError, TimeoutError, ValueError, KeyError, ConnectionError):
        text = world.words()
        model = world.model(world.turn(world.call(lookup), text="xxxx"), kind(text), world.turn())
        records = student.run(world.words(), model, world.tools, Budgets())
        expect(records.each("kind")).equals(
            ["task", "assistant", "tool", "stop"],
            because="what was recorded before stays, and the stop closes the list",
        )
        stop = records[-1]["payload"]
        expect(stop["reason"]).equals("model_error")
        expect(stop["answer"]).is_none(because=NO_ANSWER)
        expect(stop["detail"]).equals(f"{kind.__name__}: {kind(text)}", because="the reader must learn what went wrong")
        expect(stop["steps"]).equals(1, because="a turn that did not come is no step")
        expect(stop["tokens"]).equals(1)
        expect(model.turns()).equals(2, because="there is no second try")


@e4.case("what is no ModelReply is a model error, whatever it looks like", points=2)
def wrong_type(student: Student, world: World) -> None:
    lookup = world.tool()
    for reply in (
        {"text": world.words(), "tool_calls": []},
        {"text": world.words(), "tool_calls": [{"name": lookup.name, "args": {"topic": world.word()}}]},
        world.words(),
        None,
        [world.turn(world.call(lookup))],
        Decision(world.words(), answer=world.words()),
        1.5,
    ):
        model = world.model(reply, world.turn())
        records = student.run(world.words(), model, world.tools, Budgets())
        stop = records[-1]["payload"]
        expect(stop["reason"]).equals("model_error", because=f"the model returned a {type(reply).__name__}")
        expect(stop["detail"]).equals(f"expected a ModelReply, got {type(reply).__name__}")
        expect(records.each("kind")).equals(["task", "stop"], because="a reply of the wrong type is no turn")
        expect(stop["steps"]).equals(0)
        expect(model.turns()).equals(1, because="there is no second try")
    expect(world.ledger.calls()).equals(0, because="nothing in such a reply is a request")


@e4.case("KeyboardInterrupt is not swallowed")
def interrupt(student: Student, world: World) -> None:
    lookup = world.tool()
    model = world.model(world.turn(world.call(lookup)), KeyboardInterrupt(), world.turn())
    with expect_raises(KeyboardInterrupt, because="whoever pressed Ctrl+C wants the program to end, not the question"):
        student.run(world.words(), model, world.tools, Budgets())
    expect(model.turns()).equals(2, because="nothing is asked after an interrupt")


@e4.case("what a tool raises is not the model's error, and the model's may be of any class", points=2)
def errors_apart(student: Student, world: World) -> None:
    _keeps_errors_apart(student, world)


@e4.case("the other stops are as before")
def other_stops(student: Student, world: World) -> None:
    _keeps_its_stops(student, world, rung=4)


# ---------------------------------------------------------------------------------------------------------------- e5
e5 = session.exercise(
    "ch06-e5",
    "Money, and a switch",
    provides=["run"],
    hints=[
        "A turn asks for three calls, and the switch is set during the first. Where must you ask, so that it remains "
        "the only one?",
        "When is a question to the model paid for: when you ask it, or when the reply is of use?",
        "The two questions before a turn and before a call are the same two. Put them into one function that returns a "
        "reason or None.",
    ],
)


@e5.case("every stop says what was called and what it cost")
def bill(student: Student, world: World) -> None:
    lookup, turn_price, call_price = world.tool(), world.number(10, 50), world.number(1, 9)
    turns = [world.turn(world.call(lookup), world.call(lookup)), world.turn(world.call(lookup)), world.turn()]
    limits = Budgets(turn_price=turn_price, call_price=call_price)
    stop = student.run(world.words(), world.model(*turns), world.tools, limits)[-1]["payload"]
    expect(stop["reason"]).equals("no_tool_calls", because="without a cap money ends no run")
    expect(stop["steps"]).equals(3)
    expect(stop["calls"]).equals(3, because="three calls of tools were made")
    expect(stop["cost"]).equals(3 * turn_price + 3 * call_price)


@e5.case("once max_cost is reached the model is not asked")
def cap_before_a_turn(student: Student, world: World) -> None:
    lookup, price, allowed = world.tool(), world.number(10, 50), world.number(2, 4)
    model = world.model(*(world.turn(world.call(lookup)) for _ in range(allowed + 2)))
    records = student.run(world.words(), model, world.tools, Budgets(max_cost=allowed * price, turn_price=price))
    expect(model.turns()).equals(allowed, because="money that is spent to the last coin buys no further question")
    expect(world.ledger.calls()).equals(
        allowed - 1, because="the last question took the last coin, so its call must wait"
    )
    expect(records[-1]["payload"]["reason"]).equals("cost_budget")
    expect(records[-1]["payload"]["answer"]).is_none(because=NO_ANSWER)
    expect(records[-1]["payload"]["cost"]).equals(allowed * price)


@e5.case("once max_cost is reached the rest of the batch does not run", points=2)
def cap_within_a_batch(student: Student, world: World) -> None:
    lookup, price, allowed = world.tool(), world.number(2, 9), world.number(1, 3)
    model = world.model(world.turn(*(world.call(lookup) for _ in range(5))), world.turn())
    records = student.run(world.words(), model, world.tools, Budgets(max_cost=allowed * price, call_price=price))
    expect(world.ledger.calls()).equals(allowed, because="each call of a batch costs, so each is asked about")
    expect(model.turns()).equals(1)
    expect(records[-1]["payload"]["reason"]).equals("cost_budget")
    expect(records[-1]["payload"]["calls"]).equals(allowed)


@e5.case("a turn of no use was paid for")
def useless_turn(student: Student, world: World) -> None:
    lookup, price = world.tool(), world.number(10, 50)
    for reply in (RuntimeError(world.words()), {"text": world.words()}):
        model = world.model(world.turn(world.call(lookup)), reply)
        records = student.run(world.words(), model, world.tools, Budgets(turn_price=price, call_price=1))
        expect(records[-1]["payload"]["reason"]).equals("model_error")
        expect(records[-1]["payload"]["cost"]).equals(
            2 * price + 1, because="the question was asked and billed, whatever came back"
        )
        expect(records[-1]["payload"]["steps"]).equals(1)


@e5.case("a switch set during a call leaves the rest of the batch undone", points=2)
def killed_in_a_batch(student: Student, world: World) -> None:
    switch, rest = threading.Event(), world.tool()
    presses = world.tool(lambda **_: switch.set())
    model = world.model(world.turn(world.call(presses), world.call(rest), world.call(rest)), world.turn())
    records = student.run(world.words(), model, world.tools, Budgets(), killed=switch.is_set)
    expect(world.ledger.calls(rest)).equals(0, because="after the call that was running, no other")
    expect(model.turns()).equals(1, because="nor is the model asked again")
    expect(records.each("kind")).equals(["task", "assistant", "tool", "stop"], because="what was done is recorded")
    expect(records[-1]["payload"]["reason"]).equals("killed")
    expect(records[-1]["payload"]["answer"]).is_none(because=NO_ANSWER)


@e5.case("a switch set while the model thinks: its calls do not run")
def killed_in_a_turn(student: Student, world: World) -> None:
    switch, lookup = threading.Event(), world.tool()
    turn = world.turn(world.call(lookup))

    def thinks() -> ModelReply:
        switch.set()
        return turn

    model = world.model(thinks, world.turn())
    records = student.run(world.words(), model, world.tools, Budgets(), killed=switch.is_set)
    expect(world.ledger.calls()).equals(0)
    expect(records.each("kind")).equals(["task", "assistant", "stop"], because="the turn was there, so it is recorded")
    expect(records[-1]["payload"]["reason"]).equals("killed")


@e5.case("an answer that is there stands, whatever it cost")
def answer_stands(student: Student, world: World) -> None:
    price, last = world.number(10, 50), world.turn()
    records = student.run(world.words(), world.model(last), world.tools, Budgets(max_cost=price, turn_price=price))
    expect(records[-1]["payload"]["reason"]).equals(
        "no_tool_calls", because="the loop looks before a call, not after it"
    )
    expect(records[-1]["payload"]["answer"]).equals(last.text)


@e5.case("before a turn: the switch, then the money, then the steps")
def rungs(student: Student, world: World) -> None:
    switch = threading.Event()
    for reason, is_set, limits in (
        ("killed", True, Budgets(max_steps=0, max_cost=0)),
        ("cost_budget", False, Budgets(max_steps=0, max_cost=0)),
        ("step_budget", False, Budgets(max_steps=0)),
    ):
        switch.set() if is_set else switch.clear()
        model = world.model(world.turn(), world.turn())
        records = student.run(world.words(), model, world.tools, limits, killed=switch.is_set)
        expect(records[-1]["payload"]["reason"]).equals(
            reason, because="the order of the rungs is part of the contract"
        )
        expect(model.turns()).equals(0)
        expect(records[-1]["payload"]["cost"]).equals(0, because="nothing was asked")


@e5.case("within a batch too: the switch, then the money")
def rungs_within_a_batch(student: Student, world: World) -> None:
    switch, rest, price = threading.Event(), world.tool(), world.number(1, 9)
    presses = world.tool(lambda **_: switch.set())
    model = world.model(world.turn(world.call(presses), world.call(rest)), world.turn())
    limits = Budgets(max_cost=price, call_price=price)
    records = student.run(world.words(), model, world.tools, limits, killed=switch.is_set)
    expect(world.ledger.calls(rest)).equals(0)
    expect(records[-1]["payload"]["reason"]).equals("killed", because="the order of the rungs is part of the contract")


@e5.case("what the turn itself ends, neither the switch nor the money ends", points=2)
def ends_of_a_turn(student: Student, world: World) -> None:
    switch, lookup, word, price = threading.Event(), world.tool(), world.word().upper(), world.number(10, 50)
    rows: list[tuple[str, Any, dict[str, Any]]] = [
        ("no_tool_calls", world.turn(), {}),
        ("sentinel", world.turn(world.call(lookup), text=word), {"stop_sentinel": word}),
        ("token_budget", world.turn(world.call(lookup), text="é" * 40), {"max_tokens": 9}),
        ("model_error", TimeoutError(world.words()), {}),
        ("model_error", world.words(), {}),
    ]
    for reason, reply, limits in rows:
        for is_set, cap in ((True, None), (False, price)):
            switch.clear()

            def thinks(reply: Any = reply, is_set: bool = is_set) -> Any:
                if is_set:
                    switch.set()
                if isinstance(reply, Exception):
                    raise reply
                return reply

            told = Budgets(**limits, max_cost=cap, turn_price=price)
            records = student.run(world.words(), world.model(thinks), world.tools, told, killed=switch.is_set)
            taken = isinstance(reply, ModelReply)
            answer = reply.text if reason in ("no_tool_calls", "sentinel") else None
            tokens = max(1, len(reply.text) // 4) if taken else 0
            _is_stop(records, reason, answer, [int(taken), tokens, 0, price])
    expect(world.ledger.calls()).equals(0)


@e5.case("the other stops are as before, with an account of everything", points=2)
def other_stops_with_money(student: Student, world: World) -> None:
    _keeps_its_stops(student, world, rung=5)
    _keeps_errors_apart(student, world)
    _long_run(student, world, turns=13, counted=4)
