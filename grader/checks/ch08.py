"""Session 8, the trace and a verifier on every step: the records, verifiers and replay of `spec/veriloop.md`."""

from copy import deepcopy
from typing import Any

from course.judging import Judgment, StepContext
from course.loops.verified import run
from course.models import FakeLLM, ToolCall
from course.schema import validate
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
    steps, answer, task = [_called(world) for _ in range(world.number(2, 4))], _answered(world), world.words()
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
    expect(records[-1]["answer"]).equals(answer["decision"]["answer"])
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
    for kind in (RuntimeError, ValueError, KeyError, TimeoutError):
        text, file, steps = world.words(), world.file(), [_called(world) for _ in range(world.number(0, 3))]
        with expect_raises(kind, saying=[text], because="a defect that nobody hears of is never mended"):
            student.trace_run(world.words(), 8, world.model(*steps, kind(text)), file.write, file.flush)
        records = file.records()
        expect(records.each("type")).equals(["run_start", *["step"] * len(steps), "run_end"], because=CRASH)
        expect(records[-1]).has_keys(*KEYS["run_end"], because=EXACT)
        expect(records[-1]["status"]).equals("failed")
        expect(records[-1]["error"]).equals(f"{kind.__name__}: {kind(text)}", because=CRASH)
        expect(records[-1]["answer"]).is_none(because="a run that crashed has no answer")
        expect(records[-1]["steps_used"]).equals(len(steps))


@e1.case("an interrupt is in the trace, and goes through")
def interrupt(student: Student, world: World) -> None:
    file, model = world.file(), world.model(_called(world), KeyboardInterrupt())
    with expect_raises(KeyboardInterrupt, because="whoever pressed Ctrl+C means the program"):
        student.trace_run(world.words(), 8, model, file.write, file.flush)
    records = file.records()
    expect(records.each("type")).equals(["run_start", "step", "run_end"], because=CRASH)
    expect(records[-1]["status"]).equals("killed", because="it did not fail; somebody stopped it")
    expect(records[-1]["error"]).equals("interrupted")


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


@e1.case("no step is taken beyond max_steps")
def budget(student: Student, world: World) -> None:
    for allowed in (world.number(2, 4), 0):
        file, model = world.file(), world.model(*(_called(world) for _ in range(7)))
        student.trace_run(world.words(), allowed, model, file.write, file.flush)
        records = file.records()
        expect(model.turns()).equals(allowed, because="the budget is looked at before a step, not after it")
        expect(records.each("type")).equals(["run_start", *["step"] * allowed, "run_end"])
        expect(records[0]["max_steps"]).equals(allowed)
        expect(records[-1]["status"]).equals("budget_exhausted")
        expect(records[-1]["answer"]).is_none()
        expect(records[-1]["steps_used"]).equals(allowed)


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


def _called(world: World) -> dict[str, Any]:
    decided = {"tool": world.name(), "args": {"topic": world.word(), "pages": [1, world.number(2, 99)]}}
    return world.step(decided, world.words())


def _answered(world: World, text: str | None = None) -> dict[str, Any]:
    return world.step(world.answer() if text is None else {"answer": text})


def _traced(student: Student, world: World, *steps: dict[str, Any], task: str = "") -> Seen:
    file = world.file()
    student.trace_run(task or world.words(), 8, world.model(*steps), file.write, file.flush)
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
    good = verifier.method("judge", _context(world, world.call(lookup, topic=world.word(), page=3)))
    expect(good).equals(Judgment(1.0, True, f"args match {lookup.name} schema"))
    answer = verifier.method("judge", _context(world, world.answer()))
    expect(answer).equals(Judgment(1.0, True, "final answer step; no tool call to validate"))
    expect(world.ledger.calls()).equals(0, because="whether a call fits is seen without making it")


@e2.case("SchemaVerifier: an unknown tool, and arguments that do not fit, are named")
def unfit(student: Student, world: World) -> None:
    lookup, _ = _strict(world), _strict(world)
    verifier, missing = student.SchemaVerifier.kept(world.contracts), world.name()
    for args in ({"topic": 1, "page": "3"}, {"topic": world.word(), "page": True, "more": 0}, {}):
        said = "; ".join(validate(args, world.contracts[lookup.name].schema, f"$.{lookup.name}"))
        found = verifier.method("judge", _context(world, {"tool": lookup.name, "args": args}))
        expect(found).equals(Judgment(0.0, False, f"invalid arguments: {said}"))
    found = verifier.method("judge", _context(world, {"tool": missing, "args": {}}))
    have = ", ".join(sorted(world.contracts))
    expect(found).equals(Judgment(0.0, False, f"no tool named {missing!r} (have: {have})"))
    expect(world.ledger.calls()).equals(0)


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


@e2.case("a step that was blocked is a step: the model is asked once")
def no_free_retry(student: Student, world: World) -> None:
    lookup = _strict(world)
    guard = world.verifier("pre_act", Judgment(0.0, False, world.words()), Judgment(1.0, True, world.words()))
    first = world.decision(_fit(world, lookup))
    model = world.model(first, world.decision(_fit(world, lookup)), world.decision(world.answer()))
    step = student.take_step(world.words(), model, world.contracts, [guard], 8, [])
    expect(model.turns()).equals(1, because=f"{ONE_COST}, and a retry inside a step is in no trace")
    expect(step["decision"]["thought"]).equals(first.thought)


@e2.case("each judgment is on record with all its keys, in the order in which it was asked for")
def judgments(student: Student, world: World) -> None:
    lookup = _strict(world)
    made = [Judgment(world.number(0, 8) / 8, True, world.words()) for _ in range(4)]
    phases = ["pre_act", "post_act", "pre_act", "post_act"]
    world.rng.shuffle(phases)
    verifiers = [world.verifier("pre_act" if p == "pre_act" else "post_act", j) for p, j in zip(phases, made)]  # noqa: B905
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
    lookup, one, two = _strict(world), world.words(), world.words()
    verifiers = [
        world.verifier("pre_act", Judgment(0.5, False, one)),
        world.verifier("pre_act", Judgment(1.0, True, world.words())),
        world.verifier("pre_act", Judgment(0.0, False, two)),
    ]
    model = world.model(world.decision(_fit(world, lookup)))
    step = student.take_step(world.words(), model, world.contracts, verifiers, 8, [])
    expect(step["observation"]).equals({"ok": False, "content": f"blocked: {one}; {two}"})
    expect(step["judgments"].each("passed")).equals([False, True, False])
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
        step = student.take_step(world.words(), model, world.contracts, [world.verifier("pre_act", guard)], 8, [])
        expect(step["observation"]).equals(observation)
        expect(step["decision"]["answer"]).equals(decided["answer"])
        expect(step["decision"]["tool_call"]).is_none(because=EXACT)


@e2.case("a ToolError is observed, and a defect of a tool leaves the step")
def failing_tools(student: Student, world: World) -> None:
    reason = world.words()
    refusing, broken = world.tool(after=0, error=reason), world.tool(after=0, error=ValueError(reason))
    for tool in (refusing, broken):
        world.contract(tool)
    model = world.model(world.decision(world.call(refusing)), world.decision(world.call(broken)))
    step = student.take_step(world.words(), model, world.contracts, [], 8, [])
    expect(step["observation"]).equals({"ok": False, "content": f"{refusing.name}: {reason}"})
    expect(step["judgments"]).equals([])
    with expect_raises(ValueError, saying=[reason], because="a mistake in a tool is nothing that a model can mend"):
        student.take_step(world.words(), model, world.contracts, [], 8, [])


def _strict(world: World) -> Any:
    tool = world.tool()
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
    for step, score, reason in ((0, 1.0, "step 1/8; headroom 1.00"), (1, 0.875, "step 2/8; headroom 0.88")):
        found = _budget(student, world, step, 8)
        expect(found["score"]).equals(score, because=SEVEN_EIGHTHS)
        expect(found["reason"]).equals(reason)


@e3.case("for any budget the score is 1 - step/max_steps, and never fails a step", points=2)
def any_budget(student: Student, world: World) -> None:
    for max_steps in (1, 3, world.number(4, 9), world.number(10, 39)):
        for step in {0, max_steps - 1, world.number(0, max_steps - 1)}:
            found, score = _budget(student, world, step, max_steps), 1 - step / max_steps
            expect(found["score"]).is_about(score, because=SEVEN_EIGHTHS)
            expect(found["passed"]).is_true(because="the loop holds the budget; this one only scores")
            expect(found["reason"]).equals(f"step {step + 1}/{max_steps}; headroom {score:.2f}")


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


@e3.case("where nothing was judged there is no mean")
def nothing_judged(student: Student, world: World) -> None:
    for steps in ([], [world.step(world.call(world.tool()), "")]):
        expect(student.mean_score(steps)).is_none(because="nothing was measured, and 0 would say that it was bad")


def _budget(student: Student, world: World, step: int, max_steps: int) -> dict[str, Seen]:
    decided = world.call(world.tool()) if step % 2 else world.answer()
    found = student.BudgetVerifier.kept().method("judge", _context(world, decided, step, max_steps))
    expect(found).is_a(Judgment)
    return {key: Seen(value, f"its {key}") for key, value in vars(found.plain).items()}


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
    for decided in ({"tool": world.name(), "args": {"n": 7}}, {"answer": "Nothing was found."}, {"answer": ""}):
        found = _grounded(student, world, decided)
        expect(found["score"]).is_about(1.0)
        expect(found["passed"]).is_true(because="it claims no number")


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
    for contents in ((), (number + 1,), (f"{number}0", f"1{number}")):
        found = _grounded(student, world, {"answer": f"It is {number}."}, *contents)
        expect(found["score"]).is_about(0.0, because="it was observed nowhere")
        expect(found["passed"]).equals(False)
        expect(found["reason"]).contains(str(number), because="whoever reads it must learn which number was made up")


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
    step = _history(world, "nothing")[0]
    step["decision"]["thought"] = f"It must be {number}."
    step["decision"]["tool_call"]["args"] = {"guess": number}
    context = _context(world, {"answer": f"It is {number}."}, 1, 8, [step], task=f"Is it {number}?")
    found = student.GroundedVerifier.kept().method("judge", context)
    expect(Seen(found.plain.score if isinstance(found.plain, Judgment) else found.plain, "its score")).is_about(
        0.0, because=OBSERVED
    )


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
    found = student.GroundedVerifier.kept().method("judge", context)
    expect(found).is_a(Judgment)
    expect(Seen(found.plain.score, "its score")).is_about(1.0)


def _history(world: World, *contents: Any) -> list[dict[str, Any]]:
    steps = [world.step({"tool": world.name(), "args": {"topic": world.word()}}, content) for content in contents]
    for step in steps:
        step["decision"]["thought"] = world.word()
    return [{key: step[key] for key in ("decision", "observation")} for step in steps]


def _grounded(student: Student, world: World, decided: dict[str, Any], *contents: Any) -> dict[str, Seen]:
    history = _history(world, *contents)
    context = _context(world, decided, len(history), 8, history)
    found = student.GroundedVerifier.kept().method("judge", context)
    expect(found).is_a(Judgment)
    return {key: Seen(value, f"its {key}") for key, value in vars(found.plain).items()}


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
    for records in (_trace(world), _trace(world, answered=False)):
        found, end = student.replay(records), records[-1]
        for key in ("status", "answer", "steps_used", "error"):
            expect(found[key]).equals(end[key])
        expect(found["mean_score"]).is_about(end["mean_score"])
        expect(found["task"]).equals(records[0]["task"])
        expect(found["steps"]).equals(records[1:-1])
        expect(found["mismatches"]).equals([], because="every record agrees with every other")


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
    for field, value in (
        ("answer", world.words()),
        ("steps_used", world.number(10, 99)),
        ("mean_score", world.number(1, 7) / 64),
        ("mean_score", None),
    ):
        records = _trace(world)
        records[-1][field] = value
        found = student.replay(records)
        _names(found, field)
        expect(found[field]).differs(value, because="the steps are what happened; run_end is what was claimed")


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


@e5.case("a step that is missing in the middle is found out")
def missing_step(student: Student, world: World) -> None:
    records = _trace(world)
    del records[2]
    records[-1]["steps_used"] -= 1
    scores = [judgment["score"] for step in records[1:-1] for judgment in step["judgments"]]
    records[-1]["mean_score"] = sum(scores) / len(scores)
    _names(student.replay(records), "step")


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
    named = {str(text.plain).partition(":")[0] for text in found["mismatches"]}
    expect(Seen(sorted(named), "the fields named in mismatches")).equals(
        sorted(fields), because="each text begins with the field that it is about, and a colon"
    )
