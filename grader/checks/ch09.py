"""Session 9, evals read traces: cases, outcome checks, metrics, controls and the report of `spec/veriloop.md`."""

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from decimal import Decimal
from typing import Any

from course.errors import ToolError
from course.evals.cases import Case
from course.evals.controls import BROKEN, ODD
from course.evals.harness import counted, scripted
from course.evals.outcomes import failures
from course.loops.verified import run
from course.models import Decision, FakeLLM, ToolCall
from course.toolbox import CALCULATOR, LIST_DOCUMENTS
from course.tools import ToolRegistry
from course.trace import Trace, replay, steps_of, was_called
from grader.engine.exercise import Session
from grader.engine.expect import Seen, expect, expect_raises
from grader.engine.student import Student
from grader.engine.world import CountedTool, Misprint, World

session = Session(
    "ch09",
    "Evals read traces",
    builds=(
        "course.evals",
        "course.evals.cases",
        "course.evals.command",
        "course.evals.controls",
        "course.evals.harness",
        "course.evals.live_agent",
        "course.evals.metrics",
        "course.evals.outcomes",
        "course.evals.report",
    ),
)

EVERY_LINE = "who mends a file wants to mend it once, and knows where"
APART = "what becomes of one case must depend on that case alone"
RAN = "a check reads what happened, not what was asked for or said"
DIVIDED = "a rate without its denominator can be made to say anything"
NOT_ZERO = "0 says that somebody measured, and found nothing"


# ---------------------------------------------------------------------------------------------------------------- e1
e1 = session.exercise(
    "ch09-e1",
    "Cases that load, and runs that stay apart",
    provides=["load_cases", "run_cases"],
    hints=[
        "What must have happened to every line before you may raise, and so where do the reasons wait until then?",
        "`enumerate(lines, 1)` counts the blank lines too. A dict from id to line number knows who has taken an id.",
        "In `run_cases` one `try` stands around one case. What does the result need when the agent raised?",
    ],
)


@e1.case("good lines give their cases in order, and blank lines none")
def loads(student: Student, world: World) -> None:
    cases = [_case(world, page=n) for n in range(world.number(2, 5))]
    cases += [_case(world, rate=0.1, script=[], task=""), _case(world, where={"lines": [1, None, "süß"]})]
    odd = _case(world)["id"]
    cases += [{**_case(world), "id": name} for name in (odd, odd.upper(), f"{odd} ", f"#{odd}/Ä '1'", "0")]
    lines = ["", *(line for case in cases for line in (json.dumps(case), "   "))]
    expect(student.load_cases(lines)).equals(cases, because="a case is what its line says, whatever else it holds")


@e1.case("every bad line is named, and no good one", points=3)
def bad_lines(student: Student, world: World) -> None:
    good = [_case(world) for _ in range(4)]
    without = [
        {key: value for key, value in _case(world).items() if key != left}
        for left in ("id", "task", "checks", "script")
    ]
    not_lists: list[Any] = [[], {}, {"status": "completed"}, "status", None]
    bad = [
        json.dumps(_case(world))[:-1],
        json.dumps([world.word()]),
        str(world.number(1, 9)),
        *map(json.dumps, without),
        json.dumps({**_case(world), "id": ""}),
        json.dumps({**_case(world), "id": world.number(1, 9)}),
        *(json.dumps({**_case(world), "checks": wrong}) for wrong in not_lists),
        *(json.dumps(_case(world)) + more for more in (",", " // the last", json.dumps(_case(world)))),
        json.dumps(_case(world))[:-1] + ",}",
        *(f"{mark} {json.dumps(_case(world))}" for mark in ("#", "//")),
        repr(_case(world)),  # Python, not JSON
        *("null", "[]", '""', "{}"),
    ]
    marked = [(json.dumps(case), False) for case in good] + [(line, True) for line in bad] + [("", False)]
    world.rng.shuffle(marked)
    with expect_raises(ValueError, because="an eval over half a file is an eval over something else") as raised:
        student.load_cases([line for line, _ in marked])
    for number, (_, is_bad) in enumerate(marked, 1):
        if is_bad:
            expect(raised.text).contains(f"line {number}: ", because=EVERY_LINE)
        else:
            expect(raised.text).lacks(f"line {number}: ", because="nothing is wrong with this line")
    reasons = re.split(r"line \d+: ", str(raised.text.plain))[1:]
    for reason in reasons:
        expect(Seen(re.sub(r"\W", "", reason), "what is said of a bad line")).is_text(because="a line and a reason")


@e1.case("an id that is taken is refused, and the line that has it is named")
def taken(student: Student, world: World) -> None:
    cases = [_case(world) for _ in range(4)]
    lines = [json.dumps(case) for case in cases]
    first = world.number(0, 2)
    lines += ["", json.dumps({**cases[first], "task": world.words()}), lines[first]]
    with expect_raises(ValueError, because="two cases of one name cannot be told apart in a report") as raised:
        student.load_cases(lines)
    expect(raised.text).contains(f"line 6: the id {cases[first]['id']!r} is taken by line {first + 1}")
    expect(raised.text).contains(
        f"line 7: the id {cases[first]['id']!r} is taken by line {first + 1}",
        because="line 6 does not have it: it was refused",
    )


@e1.case("a file without a case is refused")
def no_case(student: Student, world: World) -> None:
    for lines in ([], ["", "  "]):
        with expect_raises(ValueError, because="an eval over nothing has shown nothing"):
            student.load_cases(lines)


@e1.case("each case is run once, in order, and its records come back")
def runs(student: Student, world: World) -> None:
    cases = [_case(world) for _ in range(world.number(2, 4))]
    traces = [[world.step(world.answer())] for _ in cases]
    agent = world.model(*traces)
    results = student.run_cases(cases, agent, world.tool(lambda case: {}))
    expect(agent.turns()).equals(len(cases))
    wanted = [{"id": c["id"], "records": t, "error": None} for c, t in zip(cases, traces, strict=True)]
    expect(results).equals(wanted)
    expect(Seen([list(asked[:1]) for asked in agent.asked], "the cases that the agent was given")).equals(
        [[case] for case in cases]
    )
    twice = [cases[0], {**cases[1], "id": cases[0]["id"]}]
    make = world.tool(lambda case: {"page": 1})
    found = student.run_cases(twice, world.model(*traces[:2]), make)
    expect(world.ledger.calls(make)).equals(2, because=APART)
    expect(found.each("records")).equals(traces[:2], because="there is a result for each case, whatever it is called")


@e1.case("each case has tools of its own, made for it", points=2)
def own_tools(student: Student, world: World) -> None:
    cases, made, given = [_case(world) for _ in range(3)], list[str](), list[str]()

    def make(case: dict[str, Any]) -> dict[str, CountedTool]:
        tool = world.tool()
        made.append(f"{case['id']}: {tool.name}")
        return {tool.name: tool}

    def agent(case: dict[str, Any], tools: dict[str, CountedTool]) -> list[Any]:
        given.extend(f"{case['id']}: {name}" for name in tools)
        return []

    held = student.hold(cases)
    student.run_cases(held, agent, make)
    expect(held.copy()).equals(cases, because="whoever runs the cases leaves them as they were")
    expect(Seen([text.partition(":")[0] for text in made], "the cases that tools were made for")).equals(
        [case["id"] for case in cases], because=APART
    )
    expect(Seen(given, "the tools that the agent was given")).equals(made, because=APART)
    order = list[str]()

    def noting(what: str) -> Any:
        return lambda case, tools=(): order.append(f"{what} {case['id']}")

    student.run_cases(cases, noting("runs"), noting("tools for"))
    due = [text for case in cases for text in (f"tools for {case['id']}", f"runs {case['id']}")]
    expect(Seen(order, "what happened, in order")).equals(
        due,
        because="tools that were made before the case before ran have seen that case, and those of a run before too",
    )


@e1.case("an agent that crashes has a result, and so have the cases after it", points=2)
def crashes(student: Student, world: World) -> None:
    cases, text = [_case(world) for _ in range(4)], world.words()
    kind = world.rng.choice([RuntimeError, KeyError, ValueError])
    agent = world.model([], kind(text), [], [])
    results = student.run_cases(cases, agent, world.tool(lambda case: {}))
    expect(results).has_length(4, because=APART)
    expect(results.each("error")).equals([None, f"{kind.__name__}: {kind(text)}", None, None], because=APART)
    expect(results[1]["records"]).equals([])
    expect(results[1]["id"]).equals(cases[1]["id"])
    _whatever_it_raises(student, world)


def _whatever_it_raises(student: Student, world: World) -> None:
    """An agent that crashes on every case but one, each time in another way."""
    text = f" {world.words(30)}\n{world.words()} "
    defects: list[BaseException] = [
        one for one in world.defects() if isinstance(one, Exception) and not isinstance(one, Misprint)
    ]
    defects += [RuntimeError(text), ToolError(world.words()), StopIteration(world.words()), EOFError(world.words())]
    trace = [world.step(world.answer())]
    outcomes: list[Any] = [*defects[:2], trace, *defects[2:]]
    cases = [_case(world) for _ in outcomes]
    results = student.run_cases(cases, world.model(*outcomes), world.tool(lambda case: {}))
    due = [
        {"id": case["id"], "records": trace, "error": None}
        if made is trace
        else {"id": case["id"], "records": [], "error": f"{type(made).__name__}: {made}"}
        for case, made in zip(cases, outcomes, strict=True)
    ]
    expect(results).has_length(len(cases), because=APART)
    for found, wanted in zip(results, due, strict=True):
        expect(found).equals(wanted, because="whatever an agent raises, its case has a result, and so have all others")


@e1.case("an interrupt leaves run_cases")
def interrupt(student: Student, world: World) -> None:
    for stop in (KeyboardInterrupt(world.words()), SystemExit(world.words())):
        agent = world.model([], stop, [])
        with expect_raises(type(stop), because="whoever pressed Ctrl+C means all of them") as raised:
            student.run_cases([_case(world) for _ in range(3)], agent, world.tool(lambda case: {}))
        raised.is_the(stop, because="what is no Exception goes through as it is")
        expect(agent.turns()).equals(2, because="no case runs after an interrupt")


def _case(world: World, **more: Any) -> dict[str, Any]:
    name = f"{world.word()}-{world.number(1_000, 999_999)}"
    script, checks = [{"answer": world.words()}], [{"status": "completed"}]
    return {"id": name, "task": world.words(), "script": script, "checks": checks, **more}


# ---------------------------------------------------------------------------------------------------------------- e2
e2 = session.exercise(
    "ch09-e2",
    "What happened, not what was said",
    provides=["failures"],
    hints=[
        "Which steps of a trace may prove that a tool did its work, and which only that somebody wanted it to?",
        "Make two lists first: the steps whose call ran, and those of them that succeeded. Each check reads one.",
        "For an order: look for the first tool, then for the second *behind* it, and so on.",
    ],
)


@e2.case("nothing is said of a run in which every check holds")
def all_hold(student: Student, world: World) -> None:
    lookup, other = _tool(world), _tool(world)
    first, number = _fit(world, lookup), world.number(100, 999)
    records = _trace(world, first, _fit(world, other), {"answer": f"It is {number}."})
    result = steps_of(records)[0]["observation"]["content"]
    checks = [
        {"status": "completed"},
        {"answer_has": [str(number)]},
        {"called": {"tool": lookup.name}},
        {"called": {"tool": lookup.name, "args": {"page": first["args"]["page"]}, "result": result}},
        {"not_called": world.name()},
        {"order": [lookup.name, other.name]},
    ]
    expect(student.failures(checks, records)).equals([])
    expect(student.failures([], records)).equals([])


@e2.case("a right answer without a call fails what a call was to show", points=2)
def no_tool(student: Student, world: World) -> None:
    lookup, number = _tool(world), world.number(100, 999)
    records = _trace(world, {"answer": f"{lookup.name} says {number}."})
    checks = [{"answer_has": [str(number)]}, {"called": {"tool": lookup.name}}, {"order": [lookup.name]}]
    _fail(student.failures(checks, records), "called", "order")


@e2.case("a blocked call did not run", points=2)
def blocked(student: Student, world: World) -> None:
    lookup, other = _tool(world), _tool(world)
    wrong = {"tool": lookup.name, "args": {"topic": world.word(), "page": "one"}}
    records = _trace(world, wrong, _fit(world, other), world.answer())
    checks = [
        {"called": {"tool": lookup.name}},
        {"not_called": lookup.name},
        {"order": [lookup.name, other.name]},
        {"not_called": other.name},
    ]
    _fail(student.failures(checks, records), "called", "order", "not_called")


@e2.case("a call that failed ran, and shows no success", points=2)
def failed_call(student: Student, world: World) -> None:
    refusing = world.tool(after=0, error=world.words())
    world.contract(refusing)
    records = _trace(world, world.call(refusing), world.answer())
    checks: list[dict[str, Any]] = [
        {"not_called": refusing.name},
        {"called": {"tool": refusing.name}},
        {"order": [refusing.name]},
    ]
    _fail(student.failures(checks, records), "not_called", "called", "order")


@e2.case("arguments and result must be those of one call, which may have more arguments")
def one_call(student: Student, world: World) -> None:
    lookup = _tool(world)
    one, two = _fit(world, lookup), _fit(world, lookup)
    two["args"]["page"] = one["args"]["page"] + 1
    records = _trace(world, one, two, world.answer())
    results = [step["observation"]["content"] for step in steps_of(records)[:2]]
    for n, args in ((0, one["args"]), (1, two["args"]), (0, {"page": one["args"]["page"]}), (1, {})):
        check = {"called": {"tool": lookup.name, "args": args, "result": results[n]}}
        expect(student.failures([check], records)).equals([], because="there was such a call")
    for due in (
        {"args": one["args"], "result": results[1]},
        {"args": {"page": 0}},
        {"args": {**one["args"], "more": 1}},
        {"result": world.words()},
    ):
        _fail(student.failures([{"called": {"tool": lookup.name, **due}}], records), "called")


@e2.case("a number counts as itself, and not as a part of another", points=2)
def whole_numbers(student: Student, world: World) -> None:
    number = world.number(100, 999)
    for text, due, there in (
        (f"It is 1{number}0, or {number}.5", [str(number)], False),
        (f"It is {number}.", [str(number)], True),
        (f"{number}.0 and 1,000", [str(number), "1000"], True),
        (f"It is {number}.", [str(number), str(number + 1)], False),
        ("", [str(number)], False),
    ):
        found = student.failures([{"answer_has": due}], _trace(world, {"answer": text}))
        if there:
            expect(found).equals([], because=f"the answer is {text!r}, and {', '.join(due)} is in it")
        else:
            _fail(found, "answer_has")


@e2.case("a run without an answer has no number in it, and ends as it says")
def no_answer(student: Student, world: World) -> None:
    lookup, number = _tool(world), world.number(100, 999)
    records = _trace(world, *(_fit(world, lookup) for _ in range(2)), max_steps=2)
    checks = [{"answer_has": [str(number)]}, {"status": "budget_exhausted"}, {"status": "completed"}]
    _fail(student.failures(checks, records), "answer_has", "status")


@e2.case("an order holds with others between, and only in that order")
def order(student: Student, world: World) -> None:
    one, two, three = (_tool(world) for _ in range(3))
    records = _trace(world, *(_fit(world, tool) for tool in (one, three, two, three)), world.answer())
    for due in ([one, two], [one, two, three], [three, three], [two]):
        expect(student.failures([{"order": [tool.name for tool in due]}], records)).equals(
            [], because="any way to the goal is a way, so long as it goes through these"
        )
    for due in ([two, one], [one, one], [three, two, two], [three, three, two]):
        _fail(student.failures([{"order": [tool.name for tool in due]}], records), "order")


@e2.case("each check holds or fails by itself, of a long run that comes close to it", points=2)
def check_by_check(student: Student, world: World) -> None:
    """One long run in which much comes close to what a check asks for, and then every check of it at once."""
    word, number = world.word(), world.number(100, 999)
    one, two, lost, gone, wide, idle = (f"{name}_{letter}" for name, letter in zip(world.distinct_words(6), "abcdef"))  # noqa: B905
    where = {"page": number, "lines": [1, 2]}
    results: list[Any] = [None, 0, "", False, []]
    done: list[tuple[str, dict[str, Any], Any]] = [
        (one, {"topic": word, "n": None}, number),
        (wide, {"topic": f"{word} ", "where": where}, {"rows": [number], "n": 1}),
        (one, {"topic": "2"}, f"the total is {number}"),
        (gone, {"topic": word}, {"ok": False, "content": f"blocked: {world.words()}"}),  # it ran, and failed
        *((two, {"page": n}, results[n]) for n in range(5)),
        *((one, {"page": n}, world.words()) for n in range(6)),
        (wide, {}, world.words()),
    ]
    steps = [world.step({"tool": name, "args": args}, result) for name, args, result in done]
    steps[5:5] = [
        {**world.step({"tool": lost, "args": {}}), "observation": None},  # its call never began
        world.step({"tool": idle, "args": {}}, {"ok": False, "content": "no such tool"}),
    ]
    stopped = {"verifier": "schema", "phase": "pre_act", "score": 1.0, "passed": False, "reason": ""}
    steps[6]["judgments"] = [stopped]
    steps[0]["judgments"] = [{**stopped, "phase": "post_act"}]  # a low opinion, afterwards, of a call that ran
    large = 2**53 + 4 * number
    said = f"It is -{number}, {number + 1}.004, {large + 1} or {number + 2}, and 7."
    steps.append({**world.step({"answer": f"It is {number}."}), "observation": None})
    records = _ended(world, steps, "failed", said)
    table: list[tuple[dict[str, Any], bool]] = [
        *(({"status": name}, name == "failed") for name in ("failed", "completed", "fail", "Failed", "killed")),
        *(({"answer_has": [text]}, True) for text in (f"-{number}", f"{number + 2}.0", "7", f"{large + 1}")),
        *(({"answer_has": [str(n)]}, False) for n in (number, number + 1, large, -number - 2)),
        ({"answer_has": []}, True),
        *(({"called": {"tool": two, "result": result}}, True) for result in results),
        *(({"called": {"tool": one, "result": result}}, False) for result in [*results, str(number), number + 0.001]),
        ({"called": {"tool": one, "result": number}}, True),
        ({"called": {"tool": one, "args": {"n": None}}}, True),
        *(({"called": {"tool": one, "args": args}}, False) for args in ({"more": None}, {"topic": 2}, {"page": word})),
        ({"called": {"tool": one, "args": {"topic": f"{word} "}}}, False),
        ({"called": {"tool": one, "args": {"where": word}}}, False),
        ({"called": {"tool": wide, "args": {"where": {"lines": [1, 2], "page": number}}}}, True),
        ({"called": {"tool": wide, "args": {"where": {"page": number}}}}, False),
        *(({"called": {"tool": wide, "result": part}}, False) for part in ({"n": 1}, str({"rows": [number], "n": 1}))),
        *(({"called": {"tool": name}}, False) for name in (one[:-1], lost, idle, gone, f"{one}_more")),
        ({"called": {"tool": wide, "result": number}}, False),
        *(({"not_called": name}, False) for name in (one, two, gone, wide)),
        *(({"not_called": name}, True) for name in (one[:-1], lost, idle, two[:4], f"{two}_more")),
        *(({"order": due}, True) for due in ([], [one, wide, one, two, one, wide], [wide] * 2, [one] * 8)),
        *(({"order": due}, False) for due in ([two, wide, wide], [one[:-1]], [gone], [one, lost, two], [wide] * 3)),
    ]
    held = student.hold(records)
    for check, holds in table:
        found = student.failures([check], held)
        if holds:
            expect(found).equals([], because=f"the check holds of this run: {RAN}")
        else:
            _fail(found, next(iter(check)))
    checks = student.hold([*(check for check, _ in table), table[1][0]])
    _fail(student.failures(checks, held), *(next(iter(check)) for check, holds in [*table, table[1]] if not holds))
    expect(held.copy()).equals(records, because="whoever judges a run leaves its records as they were")
    expect(checks.copy()).has_length(len(table) + 1, because="the checks are needed for the next run")
    silent = _ended(world, steps[:2], "completed", None)
    _fail(student.failures([{"answer_has": []}, {"status": "completed"}], silent), "answer_has")
    expect(student.failures([{"answer_has": []}], _ended(world, steps[:2], "completed", ""))).equals(
        [], because="an empty text is an answer"
    )


def _ended(world: World, steps: list[dict[str, Any]], status: str, answer: str | None) -> list[dict[str, Any]]:
    """A trace of these steps, with a run_end that claims this status and this answer."""
    end = {"status": status, "answer": answer, "steps_used": len(steps), "mean_score": None, "error": None}
    return [
        {"type": "run_start", "task": world.words(), "max_steps": 99, "ts": 0},
        *({"type": "step", "step": n, **step, "ts": n + 1} for n, step in enumerate(steps)),
        {"type": "run_end", **end, "ts": len(steps) + 1},
    ]


def _tool(world: World) -> CountedTool:
    tool = world.tool()
    world.contract(tool, topic="string", page="integer")
    return tool


def _fit(world: World, tool: CountedTool) -> dict[str, Any]:
    return world.call(tool, topic=world.word(), page=world.number(1, 99))


def _trace(world: World, *decided: dict[str, Any], max_steps: int = 8) -> list[dict[str, Any]]:
    """A genuine trace of the course's own loop."""
    trace, llm = Trace(), FakeLLM([world.decision(one) for one in decided])
    run(world.words(), llm, ToolRegistry(world.contracts.values()), max_steps=max_steps, trace=trace)
    return trace.records


def _fail(found: Seen, *names: str) -> None:
    named = [str(text.plain).partition(":")[0] for text in found]
    expect(Seen(named, "the checks named")).equals(list(names), because=RAN)


# ---------------------------------------------------------------------------------------------------------------- e3
e3 = session.exercise(
    "ch09-e3",
    "Seven numbers, and what each divides by",
    provides=["measure"],
    hints=[
        "For each of the seven: which runs, steps or judgments could have been counted? That is what it divides by.",
        "`completed` stands in `run_end`, `passed` in the result. Is there a run that has one and not the other?",
        "One small function, given numerator and denominator, makes all seven entries, also where the latter is 0.",
    ],
)
NAMES = (
    "task_completion_rate",
    "expected_outcome_pass_rate",
    "mean_steps_to_completion",
    "mean_verifier_score",
    "verifier_blocked_steps",
    "budget_exhaustion_rate",
    "total_cost",
)


@e3.case("all seven are there, each with its value, numerator and denominator")
def names(student: Student, world: World) -> None:
    found = student.measure([_result(world, "completed", 2), _result(world, "failed", 3)])
    expect(found).has_keys(*NAMES)
    for name in NAMES:
        expect(found[name]).has_keys("value", "numerator", "denominator", because=DIVIDED)


@e3.case("completing and passing are two things, each of all runs", points=2)
def rates(student: Student, world: World) -> None:
    ends = ["completed"] * world.number(2, 3) + ["failed"] * 4 + ["killed"] + ["budget_exhausted"] * world.number(4, 5)
    passing = {"failed", "killed"}  # traps that ended as they should; no answer was right
    results = [_result(world, end, world.number(1, 4), passed=end in passing) for end in ends]
    world.rng.shuffle(results)
    found = student.measure(results)
    _is(found, "task_completion_rate", ends.count("completed"), len(ends))
    _is(found, "expected_outcome_pass_rate", 5, len(ends))
    _is(found, "budget_exhaustion_rate", ends.count("budget_exhausted"), len(ends))


@e3.case("steps to completion are those of completed runs", points=2)
def steps(student: Student, world: World) -> None:
    counts = [world.number(1, 3), world.number(4, 6), world.number(4, 6)]
    others = [_result(world, end, 9) for end in ("failed", "budget_exhausted", "killed")]
    found = student.measure([*others, *(_result(world, "completed", count) for count in counts)])
    _is(found, "mean_steps_to_completion", sum(counts), 3)


@e3.case("the mean score is over all judgments of all runs", points=2)
def scores(student: Student, world: World) -> None:
    made = [[0.0], [1.0] * world.number(4, 6), [world.number(0, 8) / 8 for _ in range(3)], []]
    results = [_result(world, end, 2, scores=each) for end, each in zip(("completed", "failed") * 2, made, strict=True)]
    flat = [score for each in made for score in each]
    _is(student.measure(results), "mean_verifier_score", sum(flat), len(flat))


@e3.case("blocked steps are counted, beside the number of all steps")
def blocked_steps(student: Student, world: World) -> None:
    blocked = [world.number(0, 2), world.number(1, 3)]
    results = [_result(world, "failed", 3, blocked=blocked[0]), _result(world, "completed", 4, blocked=blocked[1])]
    results.append(_result(world, "failed", 2))
    results[-1]["records"][1]["observation"] = {"ok": False, "content": world.words()}  # it ran, and the tool failed
    _is(student.measure(results), "verifier_blocked_steps", sum(blocked), 9, value=sum(blocked))


@e3.case("the cost is that of the runs whose cost was measured, and 0 is a cost")
def cost(student: Student, world: World) -> None:
    costs = [Decimal(world.number(1, 999)) / 10_000, None, Decimal(0), Decimal("0.25"), None]
    results = [_result(world, "completed", 1, cost=one) for one in costs]
    total = sum((one for one in costs if one is not None), Decimal(0))
    _is(student.measure(results), "total_cost", total, 3, value=total)
    _is(student.measure(results[2:3]), "total_cost", 0, 1, value=0)


@e3.case("where nothing was measured there is no value", points=2)
def nothing(student: Student, world: World) -> None:
    found = student.measure([])
    for name in NAMES:
        expect(found[name]["value"]).is_none(because=NOT_ZERO)
        expect(found[name]["denominator"]).equals(0)
        expect(found[name]["numerator"]).is_about(0, because="of nothing there are 0; only the value is missing")
    found = student.measure([_result(world, "failed", 2, scores=[]) for _ in range(2)])
    for name in ("mean_steps_to_completion", "mean_verifier_score", "total_cost"):
        expect(found[name]["value"]).is_none(because=NOT_ZERO)
    _is(found, "task_completion_rate", 0, 2)


@e3.case("no value is rounded")
def exact(student: Student, world: World) -> None:
    results = [_result(world, end, 1) for end in ("completed", "failed", "failed")]
    _is(student.measure(results), "task_completion_rate", 1, 3)
    _is(student.measure(results), "verifier_blocked_steps", 0, 3, value=0)


@e3.case("a run counts by what its row names, whatever else is true of it", points=2)
def one_by_one(student: Student, world: World) -> None:
    """Runs in which status, answer, outcome and cost go their own ways, two of them alike; each number is known."""
    tenth, small, cents = Decimal("0.1"), Decimal("0.0000003"), Decimal(world.number(1, 99)) / 100
    made = [
        _result(world, "completed", 4, passed=False, cost=tenth, scores=[1 / 3, 0.1234567891], blocked=3),
        _result(world, "completed", 3, cost=Decimal("0.2"), scores=[]),
        _result(world, "budget_exhausted", 2, passed=True, cost=small),
        _result(world, "failed", 3, passed=False, cost=cents, blocked=1),
        _result(world, "killed", 1, passed=True, scores=[1.0]),
    ]
    made[1]["records"][-1]["answer"] = made[1]["records"][-2]["decision"]["answer"] = ""
    for one in made[2:4]:
        one["records"][-1]["answer"] = world.words()  # it says something, and did not complete
    twice, early, late = made[0]["records"][1], made[3]["records"][2], made[3]["records"][3]
    twice["judgments"].insert(0, deepcopy(twice["judgments"][0]))  # two verifiers of one name block one step
    made[0]["records"][2] |= {"decision": {"thought": "", "tool_call": None, "answer": "No."}}  # a blocked answer
    early["judgments"].append({**twice["judgments"][0], "phase": "post_act", "score": 0.0})  # blocks nothing
    late["judgments"].append({**twice["judgments"][0], "passed": True, "score": 0.0})
    late["observation"] = {"ok": False, "content": f"blocked: {world.words()}"}  # so says the tool
    for one in made:
        one["records"][-1]["mean_score"] = 0.5  # a claim
    made[0]["records"][-1]["steps_used"] = 8
    made.append(deepcopy(made[1]))  # repeated, with the same outcome to the letter
    scores = [j["score"] for one in made for step in steps_of(one["records"]) for j in step["judgments"]]
    count = sum(len(steps_of(one["records"])) for one in made)
    held = student.hold(made)
    found = student.measure(held)
    _is(found, "task_completion_rate", 3, 6)
    _is(found, "expected_outcome_pass_rate", 4, 6)
    _is(found, "mean_steps_to_completion", 14, 3)
    _is(found, "mean_verifier_score", sum(scores), len(scores))
    _is(found, "verifier_blocked_steps", 4, count, value=4)
    _is(found, "budget_exhaustion_rate", 1, 6)
    total = tenth + Decimal("0.4") + small + cents
    _is(found, "total_cost", total, 5, value=total)
    for key in ("value", "numerator"):
        expect(found["total_cost"][key]).equals(total, because="dollars are added as the Decimals that they are")
    expect(held.copy()).equals(made, because="whoever measures leaves the runs as they were")


def _result(
    world: World,
    status: str,
    count: int,
    passed: bool = True,
    cost: Decimal | None = None,
    scores: list[float] | None = None,
    blocked: int = 0,
) -> dict[str, Any]:
    """A run of `count` steps: the first `blocked` are blocked, and all `scores` are those of its last step."""
    made = [{**world.step(world.call(world.tool()), world.word()), "ts": n + 1} for n in range(count)]
    if status == "completed":
        made[-1] |= world.step(world.answer())
    for step in made[:blocked]:
        reason = world.words()
        step["judgments"] = [
            {"verifier": "schema", "phase": "pre_act", "score": 0.0, "passed": False, "reason": reason},
            {"verifier": "budget", "phase": "post_act", "score": 0.5, "passed": True, "reason": world.words()},
        ]
        step["observation"] = {"ok": False, "content": f"blocked: {reason}"}
    made[-1]["judgments"] += world.step(world.answer(), None, [0.5, 1.0] if scores is None else scores)["judgments"]
    answer = made[-1]["decision"]["answer"] if status == "completed" else None
    flat = [judgment["score"] for step in made for judgment in step["judgments"]]
    records = [
        {"type": "run_start", "task": world.words(), "max_steps": count, "ts": 0},
        *({"type": "step", "step": n, **step} for n, step in enumerate(made)),
        {
            "type": "run_end",
            "status": status,
            "answer": answer,
            "steps_used": count,
            "mean_score": sum(flat) / len(flat) if flat else None,
            "error": None,
            "ts": count + 1,
        },
    ]
    return {"records": records, "passed": passed, "cost": cost}


def _is(found: Seen, name: str, numerator: Any, denominator: int, value: Any = None) -> None:
    expect(found[name]["denominator"]).equals(denominator, because=DIVIDED)
    expect(found[name]["numerator"]).is_about(numerator, because=DIVIDED)
    expect(found[name]["value"]).is_about(
        float(numerator) / denominator if value is None else value, because="it is what the two numbers beside it make"
    )
    if value is None and isinstance(numerator, int):
        missing = abs(float(found[name]["value"].plain) - numerator / denominator)
        expect(Seen(missing, f"what is missing from {numerator}/{denominator}")).is_at_most(
            1e-15, because="not rounded"
        )


# ---------------------------------------------------------------------------------------------------------------- e4
e4 = session.exercise(
    "ch09-e4",
    "A harness that can fail",
    provides=["verdict"],
    hints=[
        "An agent may write what it likes into its trace. Which of the things that you are given has it not written?",
        "Build from the trace a list of the same form as the ledger. What does `==` then tell you?",
        "Collect the reasons of one run in one list. A run with an empty list is in `failed` under no name.",
    ],
)


@e4.case("green on an agent that does what its trace says")
def green(student: Student, world: World) -> None:
    _right(student, world, scripted, "nothing is wrong with any of them")


@e4.case("red on the agent that answers without tools, and on the one that calls it done", points=2)
def red_answers(student: Student, world: World) -> None:
    for name in ("answers_without_tools", "calls_it_done"):
        _right(student, world, BROKEN[name], name)


@e4.case("red on the agent that forges, and on the one that acts before it verifies", points=2)
def red_calls(student: Student, world: World) -> None:
    for name in ("forges_observations", "acts_before_verifying"):
        _right(student, world, BROKEN[name], name)


@e4.case("red on the agent that runs past its budget")
def red_budget(student: Student, world: World) -> None:
    _right(student, world, BROKEN["runs_past_the_budget"], "runs_past_the_budget")


@e4.case("green on the two odd ones, which go another way", points=2)
def green_odd(student: Student, world: World) -> None:
    for name, agent in ODD.items():
        _right(student, world, agent, f"{name} keeps every check, and its trace is true")


@e4.case("each kind of reason is enough by itself, and says what it found", points=2)
def each_reason(student: Student, world: World) -> None:
    genuine = list(_runs(world, scripted))
    for spoil in ("failures", "trace", "ledger short", "ledger long", "arguments", "other call", "order"):
        runs = deepcopy(genuine)
        one = runs[2 if spoil == "order" else world.number(1, 2)]
        if spoil == "failures":
            one["failures"] = [f"status: {world.words()}"]
        elif spoil == "trace":
            one["records"][-1]["steps_used"] += 1
        elif spoil == "ledger short":
            one["ledger"].pop()
        elif spoil == "ledger long":
            one["ledger"].append(one["ledger"][-1])
        elif spoil == "arguments":
            one["ledger"][0] = [one["ledger"][0][0], {"expression": "1+1"}]
        elif spoil == "other call":
            one["ledger"].insert(0, ["list_documents", {}])
            one["ledger"].pop()
        else:
            one["ledger"].reverse()
        found = student.verdict(runs)
        expect(found["failed"]).has_keys(
            one["case"]["id"], because=f"one of them was spoilt ({spoil}), and the others were not"
        )
        reasons = found["failed"][one["case"]["id"]]
        expect(reasons).is_a(list)
        expect(reasons).differs([], because="a run that failed without a reason helps nobody")
        for reason in reasons:
            expect(reason).is_text()
        expect(found["exit_code"]).equals(1, because="a program that asks must learn of it")
        if spoil == "failures":
            expect(reasons).equals(one["failures"])


@e4.case("whatever was spoilt is found, all of it, and nothing else is", points=2)
def spoilt_and_odd(student: Student, world: World) -> None:
    """Many true runs of many kinds, all of them green, and then the same runs spoilt, each in another way."""
    long, silent, hopeless = _long_run(world), _one_run(world, [world.answer()]), _hopeless(world)
    killed = _one_run(world, [world.answer()])
    killed["records"] = [
        killed["records"][0],
        {**killed["records"][-1], "status": "killed", "answer": None, "steps_used": 0, "mean_score": None},
    ]
    interrupted = _one_run(world, [world.call(world.tool())], max_steps=1)  # its call never began
    interrupted["records"][1] |= {"observation": None, "judgments": []}
    interrupted["records"][-1] |= {"status": "killed", "error": "interrupted", "mean_score": None}
    interrupted["ledger"] = []
    true = {"long": long, "silent": silent, "hopeless": hopeless, "killed": killed, "interrupted": interrupted}
    held = student.hold(_named(true))
    expect(student.verdict(held)).equals(
        {"failed": {}, "exit_code": 0}, because="much is unusual in these runs, and their traces are true"
    )
    expect(held.copy()).equals(_named(true), because="whoever judges the runs leaves them as they were")
    calls, call = long["ledger"], ["calculator", {"expression": "1+1"}]
    ledgers: dict[str, tuple[dict[str, Any], list[Any]]] = {
        "a number as a text": (long, [[calls[0][0], {**calls[0][1], "page": str(calls[0][1]["page"])}], *calls[1:]]),
        "another argument": (long, [*calls[:1], [calls[1][0], {**calls[1][1], "topic": "other"}], *calls[2:]]),
        "an argument under another name": (long, [*calls[:1], [calls[1][0], _renamed(calls[1][1])], *calls[2:]]),
        "another tool": (long, [*calls[:1], [f"{calls[1][0]}_x", calls[1][1]], *calls[2:]]),
        "two in the middle swapped": (long, [*calls[:2], calls[3], calls[2], *calls[4:]]),
        "without one in the middle": (long, [*calls[:1], *calls[2:]]),
        "without the one that failed": (long, [one for one in calls if one[0] != calls[4][0]]),
        "a call where the trace has none": (silent, [call]),
        "a call before it was killed": (killed, [call]),
        "one call less than failed": (hopeless, hopeless["ledger"][:-1]),
    }
    spoilt = {name: {**one, "ledger": ledger} for name, (one, ledger) in ledgers.items()}
    spoilt["no records at all"] = {**silent, "records": []}
    for name, number, change in (
        ("steps out of order", 1, {"step": 7}),
        ("another mean", -1, {"mean_score": 0.015625}),
        ("one step more than there is", -1, {"steps_used": 99}),
    ):
        spoilt[name] = deepcopy(long)
        spoilt[name]["records"][number] |= change
    two = [f"called: {world.words()}", f"status: {world.words()}"]
    everything = deepcopy(long) | {"failures": two, "ledger": calls[1:]}
    everything["records"][-1] |= {"steps_used": 99, "mean_score": 0.015625}
    spoilt["everything"] = everything
    held = student.hold(_named({**spoilt, **true}))
    found = student.verdict(held)
    expect(found["failed"]).has_keys(*spoilt, because="each of them was spoilt, and nothing else was")
    expect(found["exit_code"]).equals(1)
    due = [*two, *replay(everything["records"]).mismatches]
    reasons = found["failed"]["everything"]
    told = [text.plain for text in reasons]
    expect(Seen([text for text in due if text not in told], "texts that are missing among the reasons")).equals(
        [], because="each text of `failures` and each of `mismatches` is a reason by itself"
    )
    expect(reasons).has_length(len(due) + 1, because="and the ledger is one more")
    expect(held.copy()).equals(_named({**spoilt, **true}), because="a run is not changed by what is found in it")


@e4.case("of a case that was run several times every run counts")
def repeated_case(student: Student, world: World) -> None:
    good, other = _one_run(world, [world.answer()]), _long_run(world)
    bad, worse = deepcopy(good), deepcopy(other)
    bad["records"][-1]["mean_score"] = 0.015625
    mean, text = replay(bad["records"]).mismatches, f"status: {world.words()}"
    worse["failures"] = [text]
    bad["case"]["script"] = [world.answer()]  # a script without a call, and still a trace that disagrees
    repeated = [{**one, "case": {**one["case"], "id": "twice"}} for one in (good, bad, worse, other)]
    for runs in (repeated, repeated[::-1]):
        found = student.verdict(runs)
        expect(found["exit_code"]).equals(1, because="one run of the case failed, whatever the others did")
        expect(found["failed"]).has_keys("twice")
        told = [reason.plain for reason in found["failed"]["twice"]]
        expect(Seen([one for one in (text, *mean) if one not in told], "texts that are missing")).equals(
            [], because="the reasons of all runs of a case stand together"
        )


def _named(runs: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**one, "case": {**one["case"], "id": name}} for name, one in runs.items()]


def _renamed(args: dict[str, Any]) -> dict[str, Any]:
    return {f"{name}_x": value for name, value in args.items()}


def _one_run(world: World, decided: list[dict[str, Any]], max_steps: int = 9) -> dict[str, Any]:
    """A genuine run with the ledger that goes with it; its script has a call, whatever was decided."""
    records = _trace(world, *decided, max_steps=max_steps)
    calls = [step["decision"]["tool_call"] for step in steps_of(records) if was_called(step)]
    script = [{"call": ["calculator", {"expression": "1+1"}]}, world.answer()]
    case = {"id": world.word(), "task": world.words(), "script": script, "checks": [{"not_called": "nothing"}]}
    ledger = [[call["tool"], dict(reversed(call["args"].items()))] for call in calls]
    return {"case": case, "records": records, "failures": [], "ledger": ledger}


def _long_run(world: World) -> dict[str, Any]:
    """Calls that fit, one blocked and one that failed, one made twice, a low opinion of one, and a long answer."""
    lookup, refusing = _tool(world), world.tool(after=0, error=ToolError(f"blocked: {world.words()}"))
    world.contract(refusing)
    first, second = _fit(world, lookup), _fit(world, lookup)
    second["args"]["page"] = 100  # no other call has it
    blocked = {"tool": lookup.name, "args": {"topic": world.word(), "page": "one"}}
    said = {"answer": world.words(80)}
    made = _one_run(
        world, [first, blocked, first, second, first, world.call(refusing), first, _fit(world, lookup), said]
    )
    judgments = made["records"][1]["judgments"]
    judgments.append({"verifier": "taste", "phase": "post_act", "score": 0.0, "passed": False, "reason": "no"})
    scores = [judgment["score"] for step in steps_of(made["records"]) for judgment in step["judgments"]]
    made["records"][-1]["mean_score"] = sum(scores) / len(scores)
    return made


def _hopeless(world: World) -> dict[str, Any]:
    """A run that ends as failed: one call after the other fails."""
    refusing = world.tool(after=0, error=world.words())
    world.contract(refusing)
    made = _one_run(world, [world.call(refusing) for _ in range(8)])
    assert made["records"][-1]["status"] == "failed", made["records"][-1]
    return made


@e4.case("no run at all is not green")
def nothing_run(student: Student, world: World) -> None:
    expect(student.verdict([])).equals(
        {"failed": {}, "exit_code": 1}, because="a harness that looked at nothing has shown nothing"
    )


def _cases(world: World) -> Iterator[Case]:
    """A plain one, one that begins with a blocked call, and one that is to run out of steps."""
    a, b = world.number(11, 99), world.number(11, 99)
    call, answer = _calculates(f"{a}*{b}"), Decision("", answer=f"It is {a * b}.")
    checks: list[dict[str, Any]] = [
        {"status": "completed"},
        {"called": {"tool": "calculator", "result": a * b}},
        {"answer_has": [str(a * b)]},
    ]
    misspelt = Decision("", tool_call=ToolCall("calculator", {"expresion": f"{a}*{b}"}))
    names = world.distinct_words(3)
    yield Case(names[0], "arithmetic", world.words(), [call, answer], checks)
    yield Case(names[1], "recovery", world.words(), [misspelt, call, answer], checks)
    many = [_calculates(f"{a}+{n}") for n in range(4)]
    yield Case(names[2], "adversarial", world.words(), [*many, answer], [{"status": "budget_exhausted"}], max_steps=2)


def _calculates(expression: str) -> Decision:
    return Decision("", tool_call=ToolCall("calculator", {"expression": expression}))


def _runs(world: World, agent: Any) -> Iterator[dict[str, Any]]:
    tools = ToolRegistry([CALCULATOR, LIST_DOCUMENTS])
    for case in _cases(world):
        trace, ledger = Trace(), list[tuple[str, dict[str, Any]]]()
        agent(case, counted(tools, ledger), trace)
        script = [
            {"answer": step.answer} if step.tool_call is None else {"call": [step.tool_call.name, step.tool_call.args]}
            for step in case.script
        ]
        yield {
            "case": {"id": case.id, "task": case.task, "script": script, "checks": list(case.checks)},
            "records": trace.records,
            "failures": list(failures(case.checks, replay(trace.records))),
            "ledger": [list(call) for call in ledger],
        }


def _right(student: Student, world: World, agent: Any, because: str) -> None:
    runs = list(_runs(world, agent))
    due = sorted(str(one["case"]["id"]) for one in runs if _is_bad(one))
    found = student.verdict(runs)
    expect(found["failed"]).has_keys(*due, because=because)
    expect(found["exit_code"]).equals(int(bool(due)), because=because)


def _is_bad(one: dict[str, Any]) -> bool:
    calls = [step["decision"]["tool_call"] for step in steps_of(one["records"]) if was_called(step)]
    told = [[call["tool"], call["args"]] for call in calls]
    return bool(one["failures"] or replay(one["records"]).mismatches or told != one["ledger"])


# ---------------------------------------------------------------------------------------------------------------- e5
e5 = session.exercise(
    "ch09-e5",
    "A report that says what it rests on",
    provides=["report"],
    hints=[
        "Which of the six texts can you write of an agent that was never run, and which would claim something?",
        "How often is each case in the list of results? The least and the largest of these counts are enough.",
        "`is not None` asks whether a cost was measured. What would `if cost` do to a cost of 0?",
    ],
)


@e5.case("a row for each agent, in order, with exactly its texts", points=2)
def rows(student: Student, world: World) -> None:
    count = world.number(3, 6)
    passing = world.number(1, count - 1)
    groups = {
        world.words(): [_told(f"case-{n}", n < passing) for n in range(count)],
        world.words(): [_told(f"case-{n}", True) for n in range(2)],
    }
    groups |= {
        f" {world.words()}_a ": [_told("a", True)],
        "Ä": [_told("A", False), _told("a", False), _told("ä", True)],
    }
    held = student.hold(groups)
    found = student.report(held)
    expect(held.copy()).equals(groups, because="whoever writes a report leaves the results as they were")
    for row in found:
        expect(row).has_keys("agent", "runs", "cases", "repetitions", "passed", "cost")
    expect(found.each("agent")).equals(list(groups))
    expect(found.each("runs")).equals([str(count), "2", "1", "3"])
    expect(found.each("cases")).equals([str(count), "2", "1", "3"])
    expect(found.each("repetitions")).equals(["1"] * 4)
    expect(found.each("passed")).equals(
        [_rate(passing, count), "2 / 2 (100.0 %)", "1 / 1 (100.0 %)", "1 / 3 (33.3 %)"], because=DIVIDED
    )


@e5.case("every run counts, and none is picked", points=2)
def every_run(student: Student, world: World) -> None:
    times, cases = world.number(2, 5), world.number(2, 4)
    results = [_told(f"case-{n}", time == n % times) for time in range(times) for n in range(cases)]
    row = _only(student.report({world.word(): results}))
    expect(row["passed"]).equals(
        _rate(cases, cases * times),
        because="each case passed once; right once in a while is not right",
    )
    expect(row["runs"]).equals(str(cases * times))
    expect(row["cases"]).equals(str(cases))
    expect(row["repetitions"]).equals(str(times))
    for marks, rate in (("xxx", "0 / 3 (0.0 %)"), ("oox", "2 / 3 (66.7 %)"), ("ooxoo" * 3 + "o", "13 / 16 (81.2 %)")):
        results = [_told("a", mark == "o") for mark in marks]
        row = _only(student.report({world.word(): results}))
        expect(row["passed"]).equals(rate, because="each result is a run, also one that is like the run before it")
        expect(row["runs"]).equals(str(len(marks)))


@e5.case("repetitions that differ are shown as least and most")
def uneven(student: Student, world: World) -> None:
    results = [_told(name, True) for name, times in (("a", 2), ("b", 5), ("c", 3)) for _ in range(times)]
    world.rng.shuffle(results)
    row = _only(student.report({world.word(): results}))
    expect(row["repetitions"]).equals("2 to 5", because="an eval that ended early must not look like a whole one")


@e5.case("a cost that nobody measured is not 0", points=2)
def unmeasured(student: Student, world: World) -> None:
    row = _only(student.report({world.word(): [_told(f"case-{n}", True) for n in range(3)]}))
    expect(row["cost"]).equals("not measured", because=NOT_ZERO)
    free = [_told(f"case-{n}", True, Decimal(0)) for n in range(3)]
    row = _only(student.report({world.word(): free}))
    expect(row["cost"]).equals("0.0000 USD (3 of 3 runs)", because="a cost of 0 was measured")


@e5.case("a cost says how many runs it is the cost of")
def partly_measured(student: Student, world: World) -> None:
    costs = [Decimal(world.number(1, 999)) / 10_000, None, Decimal("0.0100"), None, Decimal(0)]
    world.rng.shuffle(costs)
    row = _only(student.report({world.word(): [_told(f"case-{n}", True, cost) for n, cost in enumerate(costs)]}))
    total = sum((cost for cost in costs if cost is not None), Decimal(0))
    expect(row["cost"]).equals(f"{total:.4f} USD (3 of 5 runs)", because=DIVIDED)
    more: list[tuple[list[Decimal | None], str]] = [
        ([Decimal("0.00004")] * 10, "0.0004 USD (10 of 10 runs)"),
        ([Decimal("0.00019"), None], "0.0002 USD (1 of 2 runs)"),
        ([Decimal("1234.5"), Decimal("0.1")], "1234.6000 USD (2 of 2 runs)"),
        ([Decimal("12345678901234.5678"), Decimal("0.0001")], "12345678901234.5679 USD (2 of 2 runs)"),
    ]
    for each, text in more:
        results = [_told(f"case-{n}", n % 2 == 0, cost) for n, cost in enumerate(each)]
        row = _only(student.report({world.word(): results}))
        expect(row["cost"]).equals(text, because="the sum of all, and only then four decimals")


@e5.case("an agent that was not run has no numbers")
def not_run(student: Student, world: World) -> None:
    name, other = world.words(), world.words()
    found = student.report({name: [], other: [_told("a", True)]})
    expect(found).has_length(2, because="that it was not run is worth knowing")
    nothing = dict.fromkeys(("repetitions", "passed", "cost"), "not measured")
    expect(found[0]).equals({"agent": name, "runs": "0", "cases": "0", **nothing}, because=NOT_ZERO)
    expect(student.report({})).equals([])


def _told(case: str, passed: bool, cost: Decimal | None = None) -> dict[str, Any]:
    return {"case": case, "passed": passed, "cost": cost}


def _only(rows: Seen) -> Seen:
    expect(rows).has_length(1, because="there is one agent, so there is one row")
    return rows[0]


def _rate(numerator: int, denominator: int) -> str:
    return f"{numerator} / {denominator} ({100 * numerator / denominator:.1f} %)"
