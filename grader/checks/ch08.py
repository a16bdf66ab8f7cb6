"""Session 8, the trace and a verifier on every step: the records, verifiers and replay of `spec/veriloop.md`."""

from copy import deepcopy
from dataclasses import replace
from typing import Any

from course.errors import ToolError
from course.judging import Judgment, StepContext
from course.loops.verified import run
from course.models import Decision, FakeLLM, ToolCall
from course.schema import validate
from course.tool import Tool
from course.tools import ToolRegistry
from course.trace import Trace
from grader.engine.exercise import Session
from grader.engine.expect import Seen, expect, expect_raises
from grader.engine.student import Student
from grader.engine.world import CountedTool, World

session = Session(
    "ch08",
    "The trace, and a verifier on every step",
    builds=("course.loops.verified", "course.verifiers", "course.trace"),
)

KEYS = {
    "run_start": ("type", "task", "max_steps", "ts"),
    "step": ("type", "step", "decision", "judgments", "observation", "ts"),
    "run_end": ("type", "status", "answer", "steps_used", "mean_score", "error", "ts"),
}
EXACT = "a reader that finds a key missing cannot tell `null` from `forgotten`"
CRASH = "whatever ends the run, the trace says that it ended, and how"
ONE_COST = "a step is paid for, whatever came of it"
BEFORE = "judging a call that has run is a comment, not a verifier"
OBSERVED = "only what a tool returned counts as observed"
SEVEN_EIGHTHS = "the scores are exact; two decimals are for the reason"


# ---------------------------------------------------------------------------------------------------------------- e1
e1 = session.exercise(
    "ch08-e1",
    "A trace that survives",
    provides=["trace_run"],
    hints=[
        "At which moment does a step become something that a crash cannot take away, and what has happened by then?",
        "Every record takes the same way: add `ts`, write one line, flush. A small function inside yours can be it.",
        "`except BaseException` sees an interrupt as well. A bare `raise` at its end lets everything through.",
    ],
)


@e1.case("run_start, a record for each step, run_end, each with exactly its keys", points=2)
def keys(student: Student, world: World) -> None:
    contents = [{"rows": [1, 1.0, None]}, [world.words()], None, 0, True, "", {"ok": False, "content": world.words(60)}]
    steps = [_called(world, content, (0.25, 1.0, 0.125)) for content in contents]
    answer, task = _answered(world, f"  {world.words()}\n"), f"{world.words(20)} – Ärger, 雨?"
    records = _traced(student, world, *steps, answer, task=task)
    expect(records.each("type")).equals(["run_start", *["step"] * (len(steps) + 1), "run_end"])
    for record in records:
        expect(record).has_keys(*KEYS[record["type"].plain], because=EXACT)
    expect(records[0]["task"]).equals(task)
    expect(records[0]["max_steps"]).equals(8)
    for number, step in enumerate([*steps, answer]):
        expect(records[number + 1]["step"]).equals(number, because="steps are counted from 0")
        for key, value in step.items():
            expect(records[number + 1][key]).equals(value, because="the record holds the step as it was")
    expect(records[-1]["status"]).equals("completed")
    expect(records[-1]["answer"]).equals(answer["decision"]["answer"], because="the answer as it was given")
    expect(records[-1]["steps_used"]).equals(len(steps) + 1, because="the answer is a step too")
    for key in ("mean_score", "error"):
        expect(records[-1][key]).is_none(because="what there is not is null, and its key is there")


@e1.case("each record has been flushed before the next step begins", points=2)
def flushed(student: Student, world: World) -> None:
    file, kept = world.file(), list[str]()

    def giving(step: dict[str, Any]) -> Any:
        def reply() -> dict[str, Any]:
            kept.append(file.kept)
            return step

        return reply

    steps = [_called(world) for _ in range(3)]
    model = world.model(*map(giving, steps), giving(_answered(world)))
    student.trace_run(world.words(), 8, model, file.write, file.flush)
    for number, text in enumerate(kept):
        expect(Seen(text.count("\n"), f"whole lines in the file as step {number} begins")).equals(
            number + 1, because="a crash in this step takes away whatever is not in the file by now"
        )


@e1.case("a crash is in the trace, and is raised again", points=2)
def crash(student: Student, world: World) -> None:
    text = f" {world.words(40)}\n{world.words()}  "
    for kind in (RuntimeError, ValueError, KeyError, TimeoutError):
        _crashes(student, world, kind(world.words()), world.number(0, 3))
    for defect in (EOFError(text), StopIteration(world.words()), SystemExit(world.words()), OSError(world.words())):
        _crashes(student, world, defect, world.number(0, 3))


def _crashes(student: Student, world: World, defect: BaseException, count: int) -> None:
    """`count` steps, the last of which was a blocked answer, and then `defect`."""
    file, steps = world.file(), [_called(world) for _ in range(count)]
    if steps:
        steps[-1] = world.step(world.answer(), {"ok": False, "content": f"blocked: {world.words()}"})
    times = [world.number(1_000, 9_000) + n / 8 for n in range(count + 2)]
    ticks = world.tool(world.outcomes(*times)) if count % 2 else None
    kind = type(defect)
    with expect_raises(kind, because="a defect that nobody hears of is never mended") as raised:
        student.trace_run(world.words(), 8, world.model(*steps, defect), file.write, file.flush, clock=ticks)
    raised.is_the(defect, because="what went wrong stands in the exception that was raised, and in no other")
    records = file.records()
    expect(records.each("type")).equals(["run_start", *["step"] * len(steps), "run_end"], because=CRASH)
    expect(records[-1]).has_keys(*KEYS["run_end"], because=EXACT)
    expect(records[-1]["status"]).equals("failed")
    expect(records[-1]["error"]).equals(f"{kind.__name__}: {defect}", because=CRASH)
    expect(records[-1]["answer"]).is_none(because="a run that crashed has no answer")
    expect(records[-1]["steps_used"]).equals(len(steps))
    expect(records.each("ts")).equals(times if ticks else list(range(count + 2)), because="a crash is a moment too")


@e1.case("an interrupt is in the trace, and goes through")
def interrupt(student: Student, world: World) -> None:
    for count in (0, world.number(1, 3)):
        file, pressed = world.file(), KeyboardInterrupt(world.words())
        model = world.model(*(_called(world) for _ in range(count)), pressed)
        with expect_raises(KeyboardInterrupt, because="whoever pressed Ctrl+C means the program") as raised:
            student.trace_run(world.words(), 8, model, file.write, file.flush)
        raised.is_the(pressed, because="what was raised is raised again")
        records = file.records()
        expect(records.each("type")).equals(["run_start", *["step"] * count, "run_end"], because=CRASH)
        expect(records[-1]["status"]).equals("killed", because="it did not fail; somebody stopped it")
        expect(records[-1]["error"]).equals("interrupted")
        expect(records[-1]["answer"]).is_none(because="nobody answered")
        expect(records[-1]["steps_used"]).equals(count, because="the step that was interrupted has no record")
        expect(records.each("ts")).equals(list(range(count + 2)))


@e1.case("an answer ends the run, an empty text as well, and a blocked answer does not")
def answers(student: Student, world: World) -> None:
    blocked = {**_answered(world), "observation": {"ok": False, "content": f"blocked: {world.words()}"}}
    for text in (world.words(), ""):
        more = [_called(world) for _ in range(8)]
        records = _traced(student, world, blocked, _answered(world, text), *more)
        expect(records.each("type")).equals(
            ["run_start", "step", "step", "run_end"],
            because=f"the second step answers, with {text!r}, and nobody objects",
        )
        expect(records[-1]["status"]).equals("completed", because="an empty text is an answer too")
        expect(records[-1]["answer"]).equals(text)
    observations: list[dict[str, Any]] = [{"ok": True, "content": world.words()}, {}, {"ok": False, "content": "no"}]
    steps = [{**_answered(world), "observation": observation} for observation in observations]
    records = _traced(student, world, *steps, _answered(world, text), max_steps=4)
    expect(records.each("type")).equals(
        ["run_start", *["step"] * 4, "run_end"], because="an answer with an observation was blocked, whatever it says"
    )
    expect(records[-1]["status"]).equals("completed", because="an answer in the last step that is allowed is an answer")
    expect(records[-1]["answer"]).equals(text)


@e1.case("no step is taken beyond max_steps")
def budget(student: Student, world: World) -> None:
    for allowed in (world.number(2, 4), 0):
        file, steps, ticks = world.file(), [_called(world) for _ in range(7)], world.tool(lambda: 5)
        steps[allowed - 1] = blocked = {**_answered(world), "observation": {"ok": False, "content": world.words()}}
        model = world.model(*steps)
        student.trace_run(world.words(), allowed, model, file.write, file.flush, clock=ticks)
        records = file.records()
        expect(model.turns()).equals(allowed, because="the budget is looked at before a step, not after it")
        expect(records.each("type")).equals(["run_start", *["step"] * allowed, "run_end"])
        expect(records[0]["max_steps"]).equals(allowed)
        expect(records[-1]["status"]).equals("budget_exhausted")
        expect(records[-1]["answer"]).is_none(because=f"{blocked['decision']['answer']!r} was blocked")
        expect(records[-1]["error"]).is_none(because="running out of steps is no error")
        expect(records[-1]["steps_used"]).equals(allowed)
        expect(world.ledger.calls(ticks)).equals(allowed + 2, because="one record is one moment")


@e1.case("ts is what the clock said, read once for each record")
def clock(student: Student, world: World) -> None:
    times = [world.number(1_000, 9_000) + n / 8 for n in range(5)]
    ticks, file = world.tool(world.outcomes(*times)), world.file()
    model = world.model(_called(world), _called(world), _answered(world))
    student.trace_run(world.words(), 8, model, file.write, file.flush, clock=ticks)
    expect(world.ledger.calls(ticks)).equals(5, because="one record is one moment")
    expect(file.records().each("ts")).equals(times)


@e1.case("without a clock ts counts from 0, and the same run gives the same bytes")
def counter(student: Student, world: World) -> None:
    task, steps, files = world.words(), [_called(world), _answered(world)], [world.file(), world.file()]
    for file in files:
        student.trace_run(task, 8, world.model(*steps), file.write, file.flush)
        expect(file.records().each("ts")).equals([0, 1, 2, 3], because="each run counts for itself; no time is read")
    expect(Seen(files[1].kept, "the second file")).equals(
        files[0].kept, because="two traces can be compared only where nothing but the run makes a difference"
    )


def _called(world: World, content: Any = "", scores: tuple[float, ...] = ()) -> dict[str, Any]:
    decided = {"tool": world.name(), "args": {"topic": world.word(), "pages": [1, world.number(2, 99)]}}
    return world.step(decided, world.words() if content == "" else content, scores)


def _answered(world: World, text: str | None = None) -> dict[str, Any]:
    return world.step(world.answer() if text is None else {"answer": text})


def _traced(student: Student, world: World, *steps: dict[str, Any], task: str = "", max_steps: int = 8) -> Seen:
    file = world.file()
    student.trace_run(task or world.words(), max_steps, world.model(*steps), file.write, file.flush)
    return file.records()


# ---------------------------------------------------------------------------------------------------------------- e2
e2 = session.exercise(
    "ch08-e2",
    "Judged before it acts",
    provides=["SchemaVerifier", "take_step"],
    hints=[
        "Between which two of your lines does a call become a fact, and on which side of it must the verifiers stand?",
        "A blocked step has everything that another has: a decision, its judgments, and an observation. Which?",
        "Two passes over the verifiers, one for each phase. Between them: blocked, or `act`, or, for an answer, None.",
    ],
)


@e2.case("SchemaVerifier: a call that fits passes, and so does an answer")
def fits(student: Student, world: World) -> None:
    lookup = _strict(world)
    verifier = student.SchemaVerifier.kept(world.contracts)
    student.SchemaVerifier.kept({})  # another one, with tools of its own
    good = _judged(student, world, verifier, world.call(lookup, topic=world.word(), page=3))
    expect(good).equals(Judgment(1.0, True, f"args match {lookup.name} schema"))
    for decided in (world.answer(), {"answer": ""}):
        answer = _judged(student, world, verifier, decided)
        expect(answer).equals(Judgment(1.0, True, "final answer step; no tool call to validate"))
    expect(world.ledger.calls()).equals(0, because="whether a call fits is seen without making it")


def _judgment(verifier: Any, context: Any) -> dict[str, Seen]:
    """What a verifier that the student has made says of a step, field by field."""
    found = verifier.method("judge", context)
    expect(found).is_a(Judgment)
    return {key: Seen(value, f"its {key}") for key, value in vars(found.plain).items()}


def _judged(student: Student, world: World, verifier: Any, decided: dict[str, Any]) -> Seen:
    """What the verifier says of a decision, which it leaves as it was."""
    context = _context(world, decided)
    held = student.hold(context)
    found: Seen = verifier.method("judge", held)
    expect(held.copy()).equals(
        context, because="the tool must get the arguments that the model asked for, and no others"
    )
    return found


@e2.case("SchemaVerifier: an unknown tool, and arguments that do not fit, are named")
def unfit(student: Student, world: World) -> None:
    lookup, deep = _strict(world), _deep(world)
    for name in (*world.distinct_words(9), "Zebra", "alpha"):
        world.contract(world.tool(name=f"{name}_x"))
    verifier, missing = student.SchemaVerifier.kept(world.contracts), world.name()
    many = {f"{word}": 0 for word in world.distinct_words(5)}
    for name, args in (
        *((lookup.name, a) for a in ({"topic": 1, "page": "3"}, {"topic": None, "page": 3}, {})),
        (lookup.name, {"topic": world.word(), "page": True, "more": 0}),
        (lookup.name, {**many, "topic": world.word()}),
        *(
            (deep.name, {"where": where})
            for where in ({"lines": [*range(9), "2", None, 1, 1.5]}, {"lines": [], "kind": "none"}, None)
        ),
        (deep.name, {"where": {"lines": []}, "limit": "ten"}),
    ):
        said = "; ".join(validate(args, world.contracts[name].schema, f"$.{name}"))
        found = _judged(student, world, verifier, {"tool": name, "args": args})
        expect(found).equals(Judgment(0.0, False, f"invalid arguments: {said}"))
    have = ", ".join(sorted(world.contracts))
    for unknown in (missing, lookup.name.upper(), f" {lookup.name}", lookup.name[:-1]):
        found = _judged(student, world, verifier, {"tool": unknown, "args": {}})
        expect(found).equals(Judgment(0.0, False, f"no tool named {unknown!r} (have: {have})"))
    found = _judged(student, world, student.SchemaVerifier.kept({}), {"tool": missing, "args": {}})
    expect(found).equals(Judgment(0.0, False, f"no tool named {missing!r} (have: )"))
    expect(world.ledger.calls()).equals(0)


def _deep(world: World) -> CountedTool:
    """A tool with lists and objects in its arguments, and one that may be left out and has a default."""
    tool = world.tool()
    lines = {"type": "array", "items": {"type": "integer"}}
    where = {"type": "object", "properties": {"lines": lines, "kind": {"enum": ["all", "some"]}}, "required": ["lines"]}
    limit = {"type": "integer", "default": 10}
    world.contracts[tool.name] = Tool(
        tool.name,
        world.words(),
        {"type": "object", "properties": {"where": where, "limit": limit}, "required": ["where"]},
        tool,
    )
    return tool


@e2.case("a decision that a verifier does not pass runs no tool", points=3)
def blocked(student: Student, world: World) -> None:
    lookup, reason = _strict(world), world.words()
    guard = world.verifier("pre_act", Judgment(0.0, False, reason))
    model = world.model(*(world.decision(_fit(world, lookup)) for _ in range(3)))
    step = student.take_step(world.words(), model, world.contracts, [guard], 8, [])
    expect(world.ledger.calls(lookup)).equals(0, because=BEFORE)
    expect(step["observation"]).equals(
        {"ok": False, "content": f"blocked: {reason}"}, because="the model is told what was wrong with its decision"
    )
    expect(step["judgments"][0]["passed"]).equals(False, because="a reader must see who blocked it")
    for judgment in (Judgment(1.0, False, world.words()), Judgment(0.5, False, "")):
        model = world.model(world.decision(_fit(world, lookup)))
        guard = world.verifier("pre_act", judgment)
        step = student.take_step(world.words(), model, world.contracts, [guard], 8, [])
        expect(world.ledger.calls(lookup)).equals(0, because="it is `passed` that blocks, not the score or the reason")
        expect(step["observation"]).equals({"ok": False, "content": f"blocked: {judgment.reason}"})
    _ill_verifier(student, world, lookup)


def _ill_verifier(student: Student, world: World, lookup: Any) -> None:
    """A verifier that raises has passed nobody, and what it raised comes through."""
    for defect in (RuntimeError(world.words()), ToolError(world.words())):
        ill = world.verifier("pre_act", Judgment(1.0, True, "well"))
        ill = _replaced(ill, "pre_act", world.tool(after=0, error=defect))
        model = world.model(world.decision(_fit(world, lookup)))
        with expect_raises(type(defect), because="a verifier that fell ill has not passed the decision") as raised:
            student.take_step(world.words(), model, world.contracts, [ill], 8, [])
        raised.is_the(defect)
        expect(world.ledger.calls(lookup)).equals(0, because=BEFORE)


@e2.case("a step that was blocked is a step: the model is asked once")
def no_free_retry(student: Student, world: World) -> None:
    lookup = _strict(world)
    guard = world.verifier("pre_act", Judgment(0.0, False, world.words()), Judgment(1.0, True, world.words()))
    first = world.decision(_fit(world, lookup))
    model = world.model(first, world.decision(_fit(world, lookup)), world.decision(world.answer()))
    step = student.take_step(world.words(), model, world.contracts, [guard], 8, [])
    expect(model.turns()).equals(1, because=f"{ONE_COST}, and a retry inside a step is in no trace")
    expect(step["decision"]["thought"]).equals(first.thought)
    again = world.decision(_fit(world, lookup))
    past = {"thought": again.thought, "tool_call": {"tool": lookup.name, "args": _args(again)}, "answer": None}
    history = [
        {"decision": past, "observation": {"ok": False, "content": f"blocked: {world.words()}"}},
        {"decision": past, "observation": {"ok": True, "content": world.words()}},
    ]
    for guards in ([], [world.verifier("pre_act", Judgment(0.0, False, world.words()))]):
        held, model = student.hold(history), world.model(again, world.decision(world.answer()))
        before = len(world.ledger.entries)
        step = student.take_step("", model, world.contracts, guards, 8, held)
        expect(model.turns()).equals(1, because=f"{ONE_COST}, also where it repeats itself")
        expect(Seen(model.asked, "what the model was given")).equals(
            [("", history)], because="all of it, blocked or not"
        )
        expect(step["decision"]).equals(past)
        expect(held.copy()).equals(history, because="whoever keeps the history adds the step to it, once")
        reached = [call for call in world.ledger.entries[before:] if call.tool == lookup.name]
        expect(Seen(len(reached), f"calls that reached {lookup.name}")).equals(0 if guards else 1)


def _args(decision: Decision) -> dict[str, Any]:
    assert decision.tool_call is not None
    return decision.tool_call.args


@e2.case("each judgment is on record with all its keys, in the order in which it was asked for")
def judgments(student: Student, world: World) -> None:
    lookup = _strict(world)
    made = [Judgment(world.number(0, 8) / 8, True, world.words()) for _ in range(4)]
    phases = ["pre_act", "post_act", "pre_act", "post_act"]
    world.rng.shuffle(phases)
    verifiers = [world.verifier("pre_act" if p == "pre_act" else "post_act", j) for p, j in zip(phases, made)]  # noqa: B905
    for phase in ("pre_act", "post_act"):  # in each phase two of one name
        one, two = [n for n in range(4) if phases[n] == phase]
        verifiers[two] = type(verifiers[two])(verifiers[one].name, phase, verifiers[two].judge)
    model = world.model(world.decision(_fit(world, lookup)))
    step = student.take_step(world.words(), model, world.contracts, verifiers, 8, [])
    asked = [n for n in range(4) if phases[n] == "pre_act"] + [n for n in range(4) if phases[n] == "post_act"]
    expect(step["judgments"]).has_length(4)
    for found, n in zip(step["judgments"], asked, strict=True):
        expect(found).has_keys("verifier", "phase", "score", "passed", "reason", because=EXACT)
        expect(found).equals({"verifier": verifiers[n].name, "phase": phases[n], **vars(made[n])})


@e2.case("verifiers see the decision before the call, and the observation after it", points=2)
def contexts(student: Student, world: World) -> None:
    lookup, seen = _strict(world), list[StepContext]()
    history = [{key: step[key] for key in ("decision", "observation")} for step in (_called(world), _called(world))]

    def noting(context: StepContext) -> Judgment:
        seen.append(context)
        return Judgment(1.0, True, "noted")

    before = world.verifier("pre_act", Judgment(1.0, True, "noted"))
    verifiers = [_replaced(before, "pre_act", noting), _replaced(before, "post_act", noting)]
    decided, task = world.decision(_fit(world, lookup)), world.words()
    model = world.model(decided)
    step = student.take_step(task, model, world.contracts, verifiers, 5, history)
    expect(Seen(len(seen), "verifiers asked")).equals(2)
    expect(world.ledger.calls(lookup)).equals(1)
    result = world.ledger.steps()[0]["result"]
    expect(step["observation"]).equals({"ok": True, "content": result})
    for context, observation in zip(seen, (None, {"ok": True, "content": result}), strict=True):
        expect(Seen(context, "what the verifier was shown")).equals(
            StepContext(task, 2, 5, decided, observation, history)
        )
    expect(Seen(model.asked, "what the model was given")).equals([(task, history)])


@e2.case("every pre_act verifier is asked, and all reasons of those that failed are told")
def all_reasons(student: Student, world: World) -> None:
    lookup, one, two, long = _strict(world), "Zu spät", "a word", world.words(60)
    said = [(one, False), (world.words(), True), (two, False), (one, False), (long, False), ("", False)]
    verifiers = [world.verifier("pre_act", Judgment(n / 8, passed, text)) for n, (text, passed) in enumerate(said)]
    model = world.model(world.decision(_fit(world, lookup)))
    step = student.take_step(world.words(), model, world.contracts, verifiers, 8, [])
    expect(step["observation"]).equals(
        {"ok": False, "content": f"blocked: {one}; {two}; {one}; {long}; "},
        because="all reasons, whole and in the order of the verifiers",
    )
    expect(step["judgments"].each("passed")).equals([passed for _, passed in said])
    expect(world.ledger.calls(lookup)).equals(0, because=BEFORE)


@e2.case("a blocked step is scored after the act like any other, and a score blocks nothing")
def scored(student: Student, world: World) -> None:
    lookup = _strict(world)
    guard = world.verifier("pre_act", Judgment(0.0, False, world.words()), Judgment(1.0, True, "fits"))
    score = world.verifier("post_act", Judgment(0.25, False, world.words()))
    assert isinstance(score.judge, CountedTool)
    for number, calls in enumerate((0, 1)):
        model = world.model(world.decision(_fit(world, lookup)))
        step = student.take_step(world.words(), model, world.contracts, [guard, score], 8, [])
        expect(step["judgments"].each("phase")).equals(["pre_act", "post_act"], because=ONE_COST)
        expect(step["judgments"][1]["passed"]).equals(False, because="what a verifier said is on record as it said it")
        expect(step["observation"]["ok"]).equals(bool(number), because="post_act verifiers score, and block nothing")
        expect(world.ledger.calls(lookup)).equals(calls)
        shown = world.ledger.given(score.judge)[number].plain
        expect(Seen(getattr(shown, "observation", shown), "the observation that it was to score")).equals(
            step["observation"].plain, because="what is scored is what is in the trace"
        )


@e2.case("an answer is judged too: nothing to observe, unless it is blocked")
def judged_answer(student: Student, world: World) -> None:
    reason, decided = world.words(), world.answer()
    for guard, observation in (
        (Judgment(1.0, True, "fine"), None),
        (Judgment(0.0, False, reason), {"ok": False, "content": f"blocked: {reason}"}),
    ):
        model = world.model(world.decision(decided))
        verifiers = [world.verifier("post_act", Judgment(0.5, True, "so")), world.verifier("pre_act", guard)]
        step = student.take_step(world.words(), model, world.contracts, verifiers, 8, [])
        expect(step["observation"]).equals(observation)
        expect(step["judgments"].each("phase")).equals(["pre_act", "post_act"], because="an answer is scored as well")
        expect(step["decision"]["answer"]).equals(decided["answer"])
        expect(step["decision"]["tool_call"]).is_none(because=EXACT)


@e2.case("a ToolError is observed, and a defect of a tool leaves the step")
def failing_tools(student: Student, world: World) -> None:
    reason = world.words()
    refusing, broken = world.tool(after=0, error=reason), world.tool(after=0, error=ValueError(reason))
    for tool in (refusing, broken):
        world.contract(tool)
    model = world.model(world.decision(world.call(refusing)), world.decision(world.call(broken)))
    scorer = world.verifier("post_act", Judgment(0.25, True, "so"))
    step = student.take_step(world.words(), model, world.contracts, [scorer], 8, [])
    expect(step["observation"]).equals({"ok": False, "content": f"{refusing.name}: {reason}"})
    expect(step["judgments"].each("verifier")).equals([scorer.name], because="a failed call is scored as well")
    expect(world.ledger.calls(refusing)).equals(1, because="a call that failed is not made again in the same step")
    with expect_raises(ValueError, saying=[reason], because="a mistake in a tool is nothing that a model can mend"):
        student.take_step(world.words(), model, world.contracts, [], 8, [])
    expect(world.ledger.calls(broken)).equals(1)
    unknown = world.model(world.decision({"tool": world.name(), "args": {}}))
    with expect_raises(KeyError, because="nobody was asked whether there is such a tool, so `act` finds out"):
        student.take_step(world.words(), unknown, world.contracts, [], 8, [])
    _acts_as_asked(student, world)


def _acts_as_asked(student: Student, world: World) -> None:
    """Each step makes its own call with its own arguments, and holds by value what was asked and what came of it."""
    results: list[Any] = [{"rows": [1, 1.0, None]}, [world.words()], None, 0, "", True]
    lookup = _strict(world, world.outcomes(*results))
    unfit = {"tool": lookup.name, "args": {"topic": [1, world.number(2, 99)], "deep": {"n": None}}}
    for result in results:  # the same call each time, which no verifier was asked about
        step = student.take_step("", world.model(world.decision(unfit)), world.contracts, [], 8, [])
        expect(step["observation"]).equals({"ok": True, "content": result}, because="what the tool returned, as it is")
    expect(world.ledger.arguments(lookup)).equals([unfit["args"]] * len(results), because="each step calls its tool")

    def take_first(topic: list[int]) -> int:
        return topic.pop(0)

    greedy = world.tool(take_first, edits_arguments=True)
    world.contract(greedy)
    asked = world.decision({"tool": greedy.name, "args": {"topic": [1, 2, 3]}})
    held = student.hold(asked)
    kept = student.take_step.kept("", world.model(held), world.contracts, [], 8, [])
    due = {"tool": greedy.name, "args": {"topic": [1, 2, 3]}}
    expect(kept.copy()["decision"]["tool_call"]).equals(due, because="what was asked, whatever the tool did with it")
    held.kept_attribute("tool_call").kept_attribute("args").item("topic").method("clear")
    expect(kept.copy()["decision"]["tool_call"]).equals(due, because="a record by value does not change afterwards")


def _strict(world: World, fn: Any = None) -> Any:
    tool = world.tool(fn)
    world.contract(tool, topic="string", page="integer")
    return tool


def _fit(world: World, tool: Any) -> dict[str, Any]:
    return world.call(tool, topic=world.word(), page=world.number(1, 99))


def _context(
    world: World,
    decided: dict[str, Any],
    step: int = 0,
    max_steps: int = 8,
    history: list[dict[str, Any]] | None = None,
    task: str = "",
) -> StepContext:
    return StepContext(task or world.words(), step, max_steps, world.decision(decided), None, history or [])


def _replaced(verifier: Any, phase: str, judge: Any) -> Any:
    return type(verifier)(f"{verifier.name}_{phase}", phase, judge)


# ---------------------------------------------------------------------------------------------------------------- e3
e3 = session.exercise(
    "ch08-e3",
    "Scores, and their mean",
    provides=["BudgetVerifier", "mean_score"],
    hints=[
        "What has been used up at the moment when step 0 begins, and so how much is left?",
        "How often would each judgment count if you took the mean of each step first, and then the mean of those?",
        "One flat list of scores, over all steps. Divide its sum by its length, unless there is nothing in it.",
    ],
)


@e3.case("step 1 of 8 scores 1.0, step 2 of 8 scores 0.875", points=2)
def headroom(student: Student, world: World) -> None:
    for step, score, reason in (
        (0, 1.0, "step 1/8; headroom 1.00"),
        (1, 0.875, "step 2/8; headroom 0.88"),
        (7, 0.125, "step 8/8; headroom 0.12"),  # as `.2f` rounds
    ):
        found = _budget(student, world, step, 8)
        expect(found["score"]).equals(score, because=SEVEN_EIGHTHS)
        expect(found["reason"]).equals(reason)


@e3.case("for any budget the score is 1 - step/max_steps, and never fails a step", points=2)
def any_budget(student: Student, world: World) -> None:
    for max_steps in (1, 3, world.number(4, 9), world.number(10, 39)):
        for step in {0, max_steps - 1, world.number(0, max_steps - 1)}:
            found, score = _budget(student, world, step, max_steps), 1 - step / max_steps
            _exactly(found["score"], score)
            expect(found["passed"]).is_true(because="the loop holds the budget; this one only scores")
            expect(found["reason"]).equals(f"step {step + 1}/{max_steps}; headroom {score:.2f}")
    for observation in ({"ok": False, "content": f"blocked: {world.words()}"}, {"ok": True, "content": None}):
        found = _budget(student, world, 2, 3, observation)
        _exactly(found["score"], 1 / 3)
        expect(found["passed"]).is_true(because="what came of the step has nothing to do with the budget")
    for key, given in (("name", "budget"), ("phase", "post_act")):
        expect(student.BudgetVerifier.kept().attribute(key)).equals(given, because="what is given of the class stays")


@e3.case("the scores 1, 1, 1 and 0.875 have the mean 0.96875, which is shown as 0.97")
def the_example(student: Student, world: World) -> None:
    steps = [world.step(world.call(world.tool()), "", (1.0, 1.0)), world.step(world.answer(), None, (1.0, 0.875))]
    expect(student.mean_score(steps)).is_about(0.96875, because=SEVEN_EIGHTHS)


@e3.case("every judgment counts once, whatever step it belongs to", points=2)
def over_judgments(student: Student, world: World) -> None:
    for sizes in ((1, 4), (3, 0, 1), (*(world.number(0, 5) for _ in range(4)), 2, 3)):
        scores = [tuple(world.number(0, 8) / 8 for _ in range(size)) for size in sizes]
        scores[0] = (0.0, *scores[0][1:])  # so that no two ways of counting agree by chance
        scores[-1] = tuple(1.0 for _ in scores[-1])
        flat = [score for step in scores for score in step]
        steps = [world.step(world.call(world.tool()), "", step) for step in scores]
        expect(student.mean_score(steps)).is_about(
            sum(flat) / len(flat), because="the mean is over judgments: a step with four of them weighs four times"
        )
    _whoever_judged(student, world)


def _whoever_judged(student: Student, world: World) -> None:
    """Judgments of both phases, that passed or did not, of steps that were blocked, failed or answered."""
    call = world.call(world.tool())
    steps = [
        world.step(call, {"ok": False, "content": f"blocked: {world.words()}"}, (0.0, 0.125)),
        world.step(call, {"ok": False, "content": world.words()}, (0.25, 0.25, 0.25)),
        world.step(world.answer(), {"ok": False, "content": f"blocked: {world.words()}"}, (0.875,)),
        *(world.step(call, world.words(), (1.0, 0.5)) for _ in range(6)),
        world.step(world.answer(), None, (0.75,)),
    ]
    for step in steps[:4]:
        step["judgments"][0] |= {"phase": "pre_act", "passed": False}
        step["judgments"][-1]["verifier"] = step["judgments"][0]["verifier"]  # two of one name
    held = student.hold(steps)
    _exactly(student.mean_score(held), 11.5 / 19)
    expect(held.copy()).equals(steps, because="whoever counts leaves what he counts as it was")
    zero = [world.step(call, "", (0.0, 0.0)), world.step(world.answer(), None, (0.0,))]
    expect(student.mean_score(zero)).is_about(0.0, because="scores of 0 were measured, and their mean is 0")


def _exactly(found: Seen, score: float) -> None:
    """The score to the last digit, but for what the order of the operations may do to it."""
    expect(found).is_about(score, because=SEVEN_EIGHTHS)
    expect(Seen(abs(float(found.plain) - score), f"what is missing from {score!r}")).is_at_most(
        3e-16, because="nothing is rounded: two decimals are for the reader"
    )


@e3.case("where nothing was judged there is no mean")
def nothing_judged(student: Student, world: World) -> None:
    for steps in ([], [world.step(world.call(world.tool()), "")]):
        expect(student.mean_score(steps)).is_none(because="nothing was measured, and 0 would say that it was bad")


def _budget(student: Student, world: World, step: int, max_steps: int, observation: Any = None) -> dict[str, Seen]:
    decided = world.call(world.tool()) if step % 2 else world.answer()
    context = replace(_context(world, decided, step, max_steps), observation=observation)
    return _judgment(student.BudgetVerifier.kept(), context)


# ---------------------------------------------------------------------------------------------------------------- e4
e4 = session.exercise(
    "ch08-e4",
    "Where did the number come from?",
    provides=["GroundedVerifier"],
    hints=[
        "Who wrote the thought, who wrote the task, and who wrote the observation? Which of them can prove something?",
        "Which steps of the history hold nothing that a tool returned? There are two kinds.",
        "Two sets of numbers: those of the answer, and those of all observations that are ok. What is in one only?",
    ],
)


@e4.case("a call, and an answer without numbers, pass with 1.0")
def nothing_claimed(student: Student, world: World) -> None:
    seen: list[Any] = [world.number(100, 999), {"ok": False, "content": "away"}]
    for decided in ({"tool": world.name(), "args": {"answer": "7"}}, {"answer": "Nothing was found."}, {"answer": ""}):
        for contents in ([], seen * 4):
            found = _grounded(student, world, decided, *contents)
            expect(found["score"]).is_about(1.0)
            expect(found["passed"]).is_true(because="it claims no number")
    verifier = student.GroundedVerifier.kept()
    for key, given in (("name", "grounded"), ("phase", "post_act")):
        expect(verifier.attribute(key)).equals(given, because="what is given of the class stays")


@e4.case("a number that a tool returned is grounded")
def observed(student: Student, world: World) -> None:
    number = world.number(100, 999)
    for content in (number, float(number), f"the total is {number}.", {"rows": [{"n": number}]}, [1, str(number)]):
        found = _grounded(student, world, {"answer": f"It is {number}."}, content)
        expect(found["score"]).is_about(1.0, because="`numbers_in` finds it, wherever in the result it stands")
        expect(found["passed"]).is_true()


@e4.case("a number that no tool returned is not, and the reason names it", points=2)
def made_up(student: Student, world: World) -> None:
    number = world.number(100, 999)
    for contents in ((), (number + 1,), (f"{number}0", f"1{number}"), ({f"row {number}": "none"}, [True, None])):
        found = _grounded(student, world, {"answer": f"It is {number}."}, *contents)
        expect(found["score"]).is_about(0.0, because="it was observed nowhere")
        expect(found["passed"]).equals(False)
        expect(found["reason"]).contains(str(number), because="whoever reads it must learn which number was made up")
    _no_number_is_free(student, world)


def _no_number_is_free(student: Student, world: World) -> None:
    """Numbers that come close to observed ones, or that anybody might say: none of them was observed."""
    one, two = world.rng.sample(range(401, 499), 2)
    large = 2**53 + 4 * one  # the next one has no float of its own
    close = [
        one + two,
        -one,
        one * 100,
        large + 1,
        f"{one}.2",
        f"{one}.0000001",
        f"{one / 100}",
        f"-{two}.5",
        f"0.{one}",
    ]
    common = [*range(11), world.number(1950, 2050), 12]
    made = [str(number) for number in (*close, *common)]
    rows = [f"row {word}" for word in world.distinct_words(12)]  # twelve of them, which is not observed as a number
    answer = {"answer": f"{one} and {two}, {one}.0 and {two}.00; then " + ", then ".join(made) + "."}
    found = _grounded(student, world, answer, one, True, False, large, rows, two)
    expect(found["score"]).is_about(
        2 / (2 + len(made)), because="a number is itself, not one that is near it, nor one that everybody knows"
    )
    expect(found["reason"]).contains(*made, because="each that was made up is named")
    words = set(_number_words(found["reason"]))
    expect(Seen(sorted(words & {str(one), str(two)}), "observed numbers that the reason names")).equals(
        [], because="a number that was observed is no reason"
    )
    many = [str(number) for number in world.rng.sample(range(500, 999), 12)]
    found = _grounded(student, world, {"answer": ", ".join(many)}, *many[:11])
    expect(found["passed"]).equals(False, because="eleven of twelve were observed, and the last was made up")
    expect(found["score"]).is_about(11 / 12, because="the share is not rounded")
    expect(_grounded(student, world, {"answer": many[0]}, many[0], *[""] * 11)["passed"]).is_true(
        because="the first step proves as much as the last"
    )


def _number_words(text: Seen) -> list[str]:
    return "".join(c if c.isdigit() or c in ".-" else " " for c in str(text.plain)).split()


@e4.case("the score is the share of the answer's different numbers that were observed")
def share(student: Student, world: World) -> None:
    one, two, three, four = world.rng.sample(range(100, 999), 4)
    answer = {"answer": f"{one}, {two} and {three}; {one} again, {one} once more, and {four}."}
    found = _grounded(student, world, answer, one, {"sum": three})
    expect(found["score"]).is_about(0.5, because="four different numbers are claimed, and two of them were observed")
    expect(found["passed"]).equals(False, because="one number that was made up is enough")
    expect(found["reason"]).contains(str(two), str(four))


@e4.case("neither a thought nor the task proves a number", points=2)
def thoughts(student: Student, world: World) -> None:
    number = world.number(100, 999)
    step, early = _history(world, "nothing", "nothing")
    step["decision"]["thought"] = f"It must be {number}."
    step["decision"]["tool_call"]["args"] = {"guess": number}
    early["decision"] |= {"tool_call": None, "answer": f"It is {number}."}
    early["observation"] = {"ok": False, "content": f"blocked: no observation holds {number}"}
    verifier = student.GroundedVerifier.kept()
    for observation in (None, early["observation"]):
        context = replace(
            _context(world, {"answer": f"It is {number}."}, number, number + 1, [step, early], task=f"Is it {number}?"),
            decision=Decision(f"I know that it is {number}.", answer=f"It is {number}."),
            observation=observation,
        )
        found = verifier.method("judge", context)
        expect(found).is_a(Judgment)
        expect(Seen(found.plain.score, "its score")).is_about(0.0, because=OBSERVED)
        expect(Seen(found.plain.passed, "passed")).equals(False, because=OBSERVED)
    _each_run_by_itself(student, world, number)


def _each_run_by_itself(student: Student, world: World, number: int) -> None:
    """One verifier in two runs: what a tool returned in the first proves nothing in the second."""
    verifier, answer = student.GroundedVerifier.kept(), {"answer": f"It is {number}."}
    for history, score in ((_history(world, number), 1.0), (_history(world, "nothing"), 0.0), ([], 0.0)):
        context = _context(world, answer, len(history), 8, history)
        held = student.hold(context)
        expect(_judgment(verifier, held)["score"]).is_about(score, because="a run is judged by its own history alone")
        expect(held.copy()).equals(context, because="whoever judges a run leaves it as it was")


@e4.case("what a failing tool said proves nothing")
def failed_calls(student: Student, world: World) -> None:
    number = world.number(100, 999)
    found = _grounded(
        student, world, {"answer": f"It is {number}."}, {"ok": False, "content": f"no file {number}"}, "nothing"
    )
    expect(found["score"]).is_about(0.0, because="a message that a call failed is no result")


@e4.case("a step without an observation is no crash")
def null_observation(student: Student, world: World) -> None:
    number = world.number(100, 999)
    history = _history(world, number)
    empty = {**deepcopy(history[0]), "observation": None}
    context = _context(world, {"answer": f"It is {number}."}, 3, 8, [empty, *history, empty])
    expect(_judgment(student.GroundedVerifier.kept(), context)["score"]).is_about(1.0)
    context = _context(world, {"answer": f"It is {number + 1}."}, 3, 8, [empty, *history, empty])
    found = _judgment(student.GroundedVerifier.kept(), context)
    expect(found["score"]).is_about(0.0, because="a step without an observation proves nothing")


def _history(world: World, *contents: Any) -> list[dict[str, Any]]:
    steps = [world.step({"tool": world.name(), "args": {"topic": world.word()}}, content) for content in contents]
    for step in steps:
        step["decision"]["thought"] = world.word()
    return [{key: step[key] for key in ("decision", "observation")} for step in steps]


def _grounded(student: Student, world: World, decided: dict[str, Any], *contents: Any) -> dict[str, Seen]:
    history = _history(world, *contents)
    context = _context(world, decided, len(history), 8, history)
    return _judgment(student.GroundedVerifier.kept(), context)


# ---------------------------------------------------------------------------------------------------------------- e5
e5 = session.exercise(
    "ch08-e5",
    "Replay, and believe nothing",
    provides=["replay"],
    hints=[
        "Which of the values in `run_end` can you work out from the steps alone, and which must you take on trust?",
        "What does the end of a trace look like when the power failed in the middle of a run?",
        "Work out answer, count and mean from the steps; compare each with `run_end`, where there is one.",
    ],
)


@e5.case("a whole trace is rebuilt from its steps, and nothing is amiss", points=2)
def whole(student: Student, world: World) -> None:
    for records in (_trace(world), _trace(world, answered=False), *_whole_and_odd(world)):
        held, end = student.hold(records), records[-1]
        found = student.replay(held)
        for key in ("status", "answer", "steps_used", "error"):
            expect(found[key]).equals(end[key])
        _is_the_mean(found["mean_score"], end["mean_score"])
        expect(found["task"]).equals(records[0]["task"])
        expect(found["steps"]).equals(records[1:-1], because="the steps are returned as they are")
        expect(found["mismatches"]).equals([], because="every record agrees with every other")
        expect(held.copy()).equals(records, because="whoever reads a trace leaves it as it was")


def _whole_and_odd(world: World) -> list[list[dict[str, Any]]]:
    """Whole traces in which much is unusual, and nothing disagrees."""
    call = world.call(world.tool())
    early = world.step(world.answer())  # an answer that did not end the run
    refused = world.step({"answer": f"It is {world.words()}."}, {"ok": False, "content": f"no: {world.words()}"})
    steps = [
        world.step(call, "", (0.0,)), world.step(call, None, (0.25, 1.0, 0.125)), early, refused,
        {**world.step(call), "observation": None}, *[world.step(call, world.words(), (1.0,))] * 7,
    ]  # fmt: skip
    steps[1]["judgments"][0]["passed"] = False
    ended = _records(world, steps, "failed", error="", task="", max_steps=3)
    for record, ts in zip(ended, (9, 3.5, 3.5), strict=False):
        record["ts"] = ts
    last = world.step({"answer": ""}, None, (0.0, 0.0))
    unanswered = _records(world, [*steps[:2], refused], "killed", error="interrupted")
    return [ended, _records(world, [steps[1], last], "completed"), unanswered, _records(world, [early], "completed")]


def _records(
    world: World,
    steps: list[dict[str, Any]],
    status: str,
    error: str | None = None,
    task: str = "?",
    max_steps: int = 8,
) -> list[dict[str, Any]]:
    """The trace of a run that took these steps, with a run_end that agrees with them."""
    scores = [judgment["score"] for step in steps for judgment in step["judgments"]]
    end = {
        "status": status,
        "answer": None if steps[-1]["observation"] is not None else steps[-1]["decision"]["answer"],
        "steps_used": len(steps),
        "mean_score": sum(scores) / len(scores) if scores else None,
        "error": error,
    }
    return [
        {"type": "run_start", "task": task, "max_steps": max_steps, "ts": 0},
        *({"type": "step", "step": n, **deepcopy(step), "ts": n + 1} for n, step in enumerate(steps)),
        {"type": "run_end", **end, "ts": len(steps) + 1},
    ]


@e5.case("what a tool returned then is what it returned, whatever it would return today", points=2)
def not_executed(student: Student, world: World) -> None:
    records = _trace(world)
    told = world.number(1_000, 9_000)
    records[1]["decision"]["tool_call"] = {"tool": "calculator", "args": {"expression": "17*23"}}
    records[1]["observation"] = {"ok": True, "content": told}
    found = student.replay(records)
    expect(found["steps"][0]["observation"]).equals(
        {"ok": True, "content": told}, because="a replay reads; a call would be made a second time"
    )
    expect(found["mismatches"]).equals([])


@e5.case("a run_end that says other than the steps is found out", points=3)
def mismatch(student: Student, world: World) -> None:
    records = _trace(world)
    for field, value in (
        ("answer", world.words()),
        ("steps_used", world.number(10, 99)),
        ("mean_score", world.number(1, 7) / 64),
        ("mean_score", None),
    ):
        found = student.replay([*records[:-1], {**records[-1], field: value}])
        _names(found, field)
        expect(found[field]).differs(value, because="the steps are what happened; run_end is what was claimed")
    _each_claim(student, world)


def _each_claim(student: Student, world: World) -> None:
    """Every value of run_end, a little beside the truth, and several of them at once."""
    number, call = world.number(100, 999), world.call(world.tool())
    said = f"  It is {number}, {world.words(6)}, and Ärger. "
    judged = [world.step(call, n, (0.125, 1.0)) for n in range(2)] + [world.step({"answer": said}, None, (0.5,))]
    answered, unanswered = _records(world, judged, "completed"), _records(world, judged[:2], "budget_exhausted")
    unjudged, zero = (_records(world, [world.step(call, "", scores)], "failed") for scores in ((), (0.0,)))
    mean = answered[-1]["mean_score"]
    everything = {"answer": "", "status": "failed", "steps_used": 2, "mean_score": None}
    claims: list[tuple[list[dict[str, Any]], dict[str, Any], list[str]]] = [
        *((answered, {"answer": a}, ["answer"]) for a in (said.lower(), said.strip(), said[:-2], "", None)),
        (answered, {"answer": f"{number}"}, ["answer"]),
        *((answered, {"steps_used": n}, ["steps_used"]) for n in (2, 4)),
        *((answered, {"mean_score": mean + by}, ["mean_score"]) for by in (5e-9, -5e-9)),
        (answered, {"mean_score": mean + 4e-10}, []),
        *((answered, {"status": name}, ["status"]) for name in ("failed", "killed", "budget_exhausted", "complete")),
        (answered, everything, list(everything)),
        *((unanswered, {"answer": a}, ["answer"]) for a in ("", "None", said)),
        (unanswered, {"status": "completed"}, ["status"]),
        (unanswered, {"status": "completed", "answer": said}, ["status", "answer"]),
        (unjudged, {"mean_score": 0.0}, ["mean_score"]),
        (unjudged, {"mean_score": 0.5}, ["mean_score"]),
        (zero, {"mean_score": None}, ["mean_score"]),
    ]
    for records, claimed, names in claims:
        found = student.replay([*records[:-1], {**records[-1], **claimed}])
        _names(found, *names)
        expect(found["status"]).equals(claimed.get("status", records[-1]["status"]), because="it is what run_end says")
        for key in ("answer", "steps_used"):
            expect(found[key]).equals(records[-1][key], because="the steps are what happened")
        _is_the_mean(found["mean_score"], records[-1]["mean_score"])
    forged = [*answered[1:-1], {**answered[-1], **everything}]
    held = student.hold(forged)
    _names(student.replay(held), "run_start", *everything)
    expect(held.copy()).equals(forged, because="whoever finds a forgery leaves it to be seen")


@e5.case("completed without an answer, and an answer that did not complete, are found out")
def status(student: Student, world: World) -> None:
    records = _trace(world, answered=False)
    records[-1]["status"] = "completed"
    _names(student.replay(records), "status")
    records = _trace(world)
    records[-1]["status"] = world.rng.choice(["failed", "budget_exhausted", "killed"])
    _names(student.replay(records), "status")


@e5.case("a blocked answer is no answer")
def blocked_answer(student: Student, world: World) -> None:
    records = _trace(world, answered=False)
    records[-2]["decision"] |= {"tool_call": None, "answer": world.words()}
    records[-2]["observation"] = {"ok": False, "content": f"blocked: {world.words()}"}
    found = student.replay(records)
    expect(found["answer"]).is_none(because="it was never given")
    expect(found["mismatches"]).equals([])
    _names(student.replay([*records[:-1], {**records[-1], "answer": records[-2]["decision"]["answer"]}]), "answer")


@e5.case("a trace that was cut is not complete, wherever it was cut", points=2)
def cut(student: Student, world: World) -> None:
    records = _trace(world)
    for length in range(len(records) - 1, 0, -1):
        found = student.replay(records[:length])
        _names(found, "run_end")
        expect(found["status"]).is_none(because="nobody knows how it ended")
        expect(found["error"]).is_none()
        expect(found["steps_used"]).equals(length - 1)
    _names(student.replay(records[1:]), "run_start")
    expect(student.replay(records[1:])["task"]).is_none()


@e5.case("nothing at all is no complete trace either")
def nothing(student: Student, world: World) -> None:
    found = student.replay([])
    _names(found, "run_start", "run_end")
    for key in ("task", "status", "answer", "mean_score", "error"):
        expect(found[key]).is_none()
    expect(found["steps_used"]).equals(0)


@e5.case("steps that are not numbered in a row, and records out of their place, are found out")
def missing_step(student: Student, world: World) -> None:
    records = _trace(world)
    del records[2]
    records[-1]["steps_used"] -= 1
    scores = [judgment["score"] for step in records[1:-1] for judgment in step["judgments"]]
    records[-1]["mean_score"] = sum(scores) / len(scores)
    _names(student.replay(records), "step")
    _numbered_and_in_order(student, world)


def _numbered_and_in_order(student: Student, world: World) -> None:
    """Steps that are not numbered 0, 1, 2, …, and records that do not stand where they belong."""
    made = [world.step(world.call(world.tool()), "", (n / 8,)) for n in range(3)] + [world.step(world.answer())]
    start, *steps, end = _records(world, made, "completed")
    count = len(steps)
    for numbers in (
        range(1, count + 1),
        [1, 0, *range(2, count)],
        [0, 0, *range(2, count)],
        [*range(count - 1), count + 1],
        [*range(count - 1), count - 2],
        range(0, 2 * count, 2),
    ):
        numbered = [{**step, "step": number} for step, number in zip(steps, numbers, strict=True)]
        found = student.replay([start, *numbered, end])
        _names(found, "step")
        expect(found["steps"]).equals(numbered, because="the steps are returned as they are, in the order of the trace")
        expect(found["steps_used"]).equals(count)
    _names(student.replay([start, *numbered]), "step", "run_end")
    _names(student.replay([start, *numbered, {**end, "steps_used": 99}]), "step", "steps_used")
    found = student.replay([steps[0], start, *steps[1:], end])
    _names(found, "run_start")
    expect(found["task"]).is_none(because="a run_start that is not the first record does not say how it began")
    found = student.replay([start, *steps[:-1], {**end, "error": world.words()}, steps[-1]])
    _names(found, "run_end")
    for key in ("status", "error"):
        expect(found[key]).is_none(because="a run_end with a step behind it is not the end")
    expect(found["steps_used"]).equals(count, because="every step record is a step")
    expect(found["answer"]).equals(end["answer"])


def _trace(world: World, answered: bool = True) -> list[dict[str, Any]]:
    """A genuine trace of the course's own loop."""
    lookup, trace = world.tool(), Trace()
    tools = ToolRegistry([world.contract(lookup)])
    count = world.number(3, 5)
    script = [world.decision(world.call(lookup, topic=world.word(), page=page)) for page in range(count)]
    assert isinstance(script[0].tool_call, ToolCall)
    if answered:
        script.append(world.decision(world.answer()))
    run(world.words(), FakeLLM(script), tools, max_steps=8 if answered else count, trace=trace)
    return trace.records


def _names(found: Seen, *fields: str) -> None:
    named = {
        str(text.plain).partition(":")[0] if ":" in str(text.plain) else text.plain for text in found["mismatches"]
    }
    expect(Seen(sorted(named, key=str), "the fields named in mismatches")).equals(
        sorted(fields), because="each text begins with the field that it is about, and a colon"
    )
    for text in found["mismatches"]:
        expect(text).contains(":", because="a name and a colon, and then what is wrong")


def _is_the_mean(found: Seen, mean: float | None) -> None:
    if mean is None:
        expect(found).is_none(because="nothing was judged, so there is no mean")
    else:
        expect(found).is_about(mean)
