"""Session 9, evals read traces: cases, outcome checks, metrics, controls and the report of `spec/veriloop.md`."""

import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from course.evals.cases import Case
from course.evals.controls import BROKEN, ODD
from course.evals.harness import counted, scripted
from course.evals.outcomes import failures
from course.loops.verified import run
from course.models import Decision, FakeLLM, ToolCall
from course.toolbox import toolbox
from course.tools import ToolRegistry
from course.trace import Trace, replay, steps_of, was_called
from grader.engine.exercise import Session
from grader.engine.expect import Seen, expect, expect_raises
from grader.engine.student import Student
from grader.engine.world import CountedTool, World

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
    lines = ["", *(line for case in cases for line in (json.dumps(case), "   "))]
    expect(student.load_cases(lines)).equals(cases, because="a case is what its line says, whatever else it holds")


@e1.case("every bad line is named, and no good one", points=3)
def bad_lines(student: Student, world: World) -> None:
    good = [_case(world) for _ in range(4)]
    without = [
        {key: value for key, value in _case(world).items() if key != left} for left in ("id", "checks", "script")
    ]
    bad = [
        json.dumps(_case(world))[:-1],
        json.dumps([world.word()]),
        str(world.number(1, 9)),
        *map(json.dumps, without),
        json.dumps({**_case(world), "id": ""}),
        json.dumps({**_case(world), "id": world.number(1, 9)}),
        json.dumps({**_case(world), "checks": []}),
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


@e1.case("an id that is taken is refused, and the line that has it is named")
def taken(student: Student, world: World) -> None:
    cases = [_case(world) for _ in range(4)]
    lines = [json.dumps(case) for case in cases]
    first = world.number(0, 2)
    lines += ["", json.dumps({**cases[first], "task": world.words()})]
    with expect_raises(ValueError, because="two cases of one name cannot be told apart in a report") as raised:
        student.load_cases(lines)
    expect(raised.text).contains(f"line 6: the id {cases[first]['id']!r} is taken by line {first + 1}")


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

    student.run_cases(cases, agent, make)
    expect(Seen([text.partition(":")[0] for text in made], "the cases that tools were made for")).equals(
        [case["id"] for case in cases], because=APART
    )
    expect(Seen(given, "the tools that the agent was given")).equals(made, because=APART)


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


@e1.case("an interrupt leaves run_cases")
def interrupt(student: Student, world: World) -> None:
    agent = world.model([], KeyboardInterrupt(), [])
    with expect_raises(KeyboardInterrupt, because="whoever pressed Ctrl+C means all of them"):
        student.run_cases([_case(world) for _ in range(3)], agent, world.tool(lambda case: {}))


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
    found = student.measure([_result(world, "failed", 2, scores=[]) for _ in range(2)])
    for name in ("mean_steps_to_completion", "mean_verifier_score", "total_cost"):
        expect(found[name]["value"]).is_none(because=NOT_ZERO)
    _is(found, "task_completion_rate", 0, 2)


@e3.case("no value is rounded")
def exact(student: Student, world: World) -> None:
    results = [_result(world, end, 1) for end in ("completed", "failed", "failed")]
    _is(student.measure(results), "task_completion_rate", 1, 3)


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
    for spoil in ("failures", "trace", "ledger short", "ledger long", "arguments", "other call", "order"):
        runs = list(_runs(world, scripted))
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
    for case in _cases(world):
        trace, ledger = Trace(), list[tuple[str, dict[str, Any]]]()
        agent(case, counted(toolbox(Path()), ledger), trace)
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
    found = student.report(groups)
    for row in found:
        expect(row).has_keys("agent", "runs", "cases", "repetitions", "passed", "cost")
    expect(found.each("agent")).equals(list(groups))
    expect(found.each("runs")).equals([str(count), "2"])
    expect(found.each("cases")).equals([str(count), "2"])
    expect(found.each("repetitions")).equals(["1", "1"])
    expect(found.each("passed")).equals([_rate(passing, count), "2 / 2 (100.0 %)"], because=DIVIDED)


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
