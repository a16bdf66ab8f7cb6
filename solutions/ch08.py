# %% [markdown]
# # 8 · The trace, and a verifier on every step
#
# **You will build** a run that can be looked into afterwards: a trace that is in the file before the next step begins, verifiers that judge a decision before
# it acts and score the step after it, and a replay that believes nothing.
#
# **You need** Python: functions, classes, exceptions, JSON. No key, no network, no earlier session.
#
# **Minutes** about 120.

# %%
from grader import check, compare, hint, solution

# %% [markdown]
# ## One decision at a time
#
# A **tool** is a function that a program calls on behalf of a model; it comes as a `Tool`, with a **schema** that says which arguments it takes. A model makes one
# **decision** at a time: a thought, and either a tool call or an answer. `FakeLLM` is a model that follows a script.

# %% tags=["given"]
from course.models import Decision, FakeLLM, ToolCall
from course.toolbox import CALCULATOR, LIST_DOCUMENTS

tools = {tool.name: tool for tool in (CALCULATOR, LIST_DOCUMENTS)}


def asks(name, thought="", **args):
    """The decision to call a tool."""
    return Decision(thought, tool_call=ToolCall(name, args))


def says(answer, thought=""):
    """The decision to answer."""
    return Decision(thought, answer=answer)


multiply = asks("calculator", "First the product.", expression="17*23")
final = says("It is 391.")
llm = FakeLLM([multiply, final])
print(llm("What is 17*23?", history=[]))
print(llm("What is 17*23?", history=[]))
print(CALCULATOR.schema["properties"], CALCULATOR.fn(expression="17*23"))

# %% [markdown]
# A **step** is one decision and what came of it: what the tool returned (the **observation**), and what others think of it (the **judgments**; they begin with
# exercise 2). A step is plain data. What there is not is `None`: an answer has no observation.

# %% tags=["given"]
from copy import deepcopy


def plain(decision):
    """A decision as plain data, by value."""
    call = decision.tool_call
    asked = None if call is None else {"tool": call.name, "args": call.args}
    return deepcopy({"thought": decision.thought, "tool_call": asked, "answer": decision.answer})


def made_step(decision, observation=None, judgments=()):
    return {"decision": plain(decision), "judgments": list(judgments), "observation": observation}


product = made_step(multiply, {"ok": True, "content": 391})
answered = made_step(final)
print(product)
print(answered)

# %% [markdown]
# ## 1 · A trace that survives
#
# In inspect_ai, a framework for evaluations, an error was raised in the middle of one. The log was there afterwards, and every message of the run was missing
# from it ([inspect_ai #672](https://github.com/UKGovernmentBEIS/inspect_ai/issues/672)).
#
# A **trace** is the record of a run, one line of JSON for each thing that happened. Lines written when the run is over are never written of one that
# crashed. Nor is a written line safe: Python holds it in a buffer until the file is **flushed**.

# %% tags=["given"]
import json


class Disk:
    """A file of which a crash leaves what was flushed."""

    def __init__(self):
        self.kept, self.buffer = "", ""

    def write(self, text):
        self.buffer += text

    def flush(self):
        self.kept, self.buffer = self.kept + self.buffer, ""


def playing(*steps):
    """A function that gives these steps, one a call; an exception among them is raised."""
    waiting = iter(steps)

    def next_step():
        step = next(waiting)
        if isinstance(step, BaseException):
            raise step
        return step

    return next_step


def written_at_the_end(task, max_steps, next_step, write, flush):
    lines = [json.dumps({"type": "step", **next_step()}) for _ in range(max_steps)]
    write("\n".join(lines))
    flush()


disk = Disk()
disk.write("flushed")
disk.flush()
disk.write(", and not")
print("left:  ", repr(disk.kept))

disk = Disk()
try:
    written_at_the_end("What is 17*23?", 8, playing(product, RuntimeError("no power")), disk.write, disk.flush)
except RuntimeError as error:
    print("raised:", error)
print("left:  ", repr(disk.kept))

# %% [markdown]
# Our trace has three kinds of records, with exactly these keys:

# %% tags=["given"]
KEYS = {
    "run_start": ["type", "task", "max_steps", "ts"],
    "step": ["type", "step", "decision", "judgments", "observation", "ts"],  # `step` is its number, from 0
    "run_end": ["type", "status", "answer", "steps_used", "mean_score", "error", "ts"],
}
for kind, keys in KEYS.items():
    print(f"{kind:10}", *keys)

# %% [markdown]
# **You write** `trace_run(task, max_steps, next_step, write, flush, clock=None)`, which takes the steps of a run and writes its trace. `write` and `flush` are
# those of an open file.
#
# - Each record is one line: `json.dumps`, and `"\n"`. Flush it before anything else is done. A key whose value is `None` is there too.
# - Begin with `run_start`. Then call `next_step()`, at most `max_steps` times, and write each step that it returns.
# - A step with an answer (an empty text is one) and without an observation ends the run. An answer *with* an observation was turned down (exercise 2), and the run
#   goes on.
# - Whatever `next_step` raises is written as `run_end`, and itself raised again.
# - `status` is `completed` after an answer, which is then the `answer`; `budget_exhausted` after `max_steps` steps; `killed`, with the `error` `interrupted`,
#   when `KeyboardInterrupt` was raised; `failed` when anything else was, with class and text as the `error`: `RuntimeError: no power`.
# - `steps_used` counts the step records. `mean_score` stays `None` until exercise 3.
# - `ts` is `clock()`, called once for each record. Without a clock it counts 0, 1, 2, … in each run: never the real time, so that two runs can be compared byte
#   by byte.
#
# **Don't change** the names of the parameters.
#
# **Done when** each step is in the file before the next one begins, and a `run_end` after every crash.

# %% tags=["answer"] exercise="ch08-e1"
def trace_run(task, max_steps, next_step, write, flush, clock=None):
    """Take the steps of a run and write its trace, a line at a time.

    next_step: called without arguments, returns {"decision", "judgments", "observation"}
    write, flush: those of an open file
    """
    ### BEGIN SOLUTION
    number = 0

    def put(record):
        nonlocal number
        write(json.dumps({**record, "ts": number if clock is None else clock()}) + "\n")
        flush()
        number += 1

    def end(status, steps_used, answer=None, error=None):
        ended = {"status": status, "answer": answer, "steps_used": steps_used, "mean_score": None, "error": error}
        put({"type": "run_end", **ended})

    put({"type": "run_start", "task": task, "max_steps": max_steps})
    for taken in range(max_steps):
        try:
            step = next_step()
        except KeyboardInterrupt:
            end("killed", taken, error="interrupted")
            raise
        except BaseException as defect:
            end("failed", taken, error=f"{type(defect).__name__}: {defect}")
            raise
        put({"type": "step", "step": taken, **step})
        answer = step["decision"]["answer"]
        if answer is not None and step["observation"] is None:
            return end("completed", taken + 1, answer)
    end("budget_exhausted", max_steps)
    ### END SOLUTION

# %% [markdown]
# `traced` reads back what a crash would have left. It runs even while the stub raises.

# %% tags=["demo"] exercise="ch08-e1"
def traced(*steps, max_steps=8):
    """The records of a run that takes these steps, crash or not."""
    disk = Disk()
    try:
        trace_run("What is 17*23?", max_steps, playing(*steps), disk.write, disk.flush)
    except RuntimeError:
        pass
    return [json.loads(line) for line in disk.kept.splitlines()]


def in_short(records):
    return {"types": [record["type"] for record in records], **records[-1]}


compare(
    lambda: in_short(traced(product, RuntimeError("no power"))),
    types=["run_start", "step", "run_end"],
    status="failed",
    answer=None,
    steps_used=1,
    error="RuntimeError: no power",
    ts=2,
)

# %% tags=["check"] exercise="ch08-e1"
check("ch08-e1", trace_run)

# %% [markdown]
# ## 2 · Judged before it acts
#
# A server published a schema for each of its tools, and read none of them. Somebody asked its linter for one file, with `pathz` where `paths` belongs. The
# argument was ignored, the whole project was checked, and the answer was no error ([uf #994](https://github.com/ubugeeei-prod/uf/issues/994)).
#
# A **verifier** has a name, a phase, and a function `judge`. In the phase `pre_act` it judges the decision before anything runs, in `post_act` it scores the step
# afterwards. It is given a `StepContext` and returns a `Judgment`: a score from 0 to 1, whether it passed, and why.

# %% tags=["given"]
from course.errors import ToolError
from course.judging import Judgment, NamedVerifier, StepContext
from course.schema import validate


def act(tools, call):
    """Run a call, whatever its arguments, on a copy of them. A ToolError is observed; a defect is raised."""
    try:
        return {"ok": True, "content": tools[call.name].fn(**deepcopy(call.args))}
    except ToolError as error:
        return {"ok": False, "content": str(error)}


polite = NamedVerifier("polite", "pre_act", lambda ctx: Judgment(0.0, False, "say please"))
strict = NamedVerifier("strict", "post_act", lambda ctx: Judgment(0.0, False, "too late"))


def judges_afterwards(task, llm, tools, verifiers, max_steps, history):
    """Runs the call, and then asks whether it should have."""
    decision = llm(task, history)
    observation = act(tools, decision.tool_call)
    judgment = polite.judge(StepContext(task, len(history), max_steps, decision, observation, history))
    return judgment, observation


print(validate({"expresion": "17*23"}, CALCULATOR.schema, "$.calculator"))
print(judges_afterwards("", FakeLLM([multiply]), tools, [polite], 8, []))

# %% [markdown]
# The order of a step, and what it leaves in the trace:
#
# ![Two steps as strips. In the first the model decides to call calculator with 17*23; schema judges before the act, score 1.00, passed; the tool runs and returns 391; budget scores after the act, 1.00. In the second the model asks with a wrong argument name; schema gives 0.00 and does not pass; the tool does not run and the observation is blocked, with the reason; budget scores this step as well, 0.88.](pictures/ch08-step.svg)
#
# **You write** `judge(ctx)` of `SchemaVerifier(tools)`. `tools` is a dict of `Tool`s by name, `ctx.decision` the decision. It calls no tool.
#
# | the decision | score, passed | reason |
# |---|---|---|
# | an answer | `1.0`, `True` | `final answer step; no tool call to validate` |
# | an unknown tool | `0.0`, `False` | `no tool named 'multiply' (have: calculator, list_documents)`, the names sorted |
# | arguments that do not fit | `0.0`, `False` | `invalid arguments: `, then all that `validate(args, schema, "$.<name>")` says, joined by `; ` |
# | arguments that fit | `1.0`, `True` | `args match calculator schema` |
#
# And `take_step(task, llm, tools, verifiers, max_steps, history)`, one step from decision to score:
#
# - Ask `llm(task, history)`, once. `history` holds a `{"decision", "observation"}` for each step so far.
# - Ask every `pre_act` verifier, in order, with `StepContext(task, len(history), max_steps, decision, None, history)`, also after one has failed.
# - If any did not pass, no tool runs. The observation is `{"ok": False, "content": "blocked: …"}`, with the reasons of those that failed, joined by `; `.
#   Otherwise it is `act(tools, decision.tool_call)`, once, and `None` for an answer.
# - Ask every `post_act` verifier, in order, with that observation in the context, of a blocked step too. They block nothing.
# - Whatever a verifier or `act` raises leaves the step.
# - Return `{"decision": plain(decision), "judgments": […], "observation": …}`. A judgment is a dict with `verifier` (its name), `phase`, `score`, `passed` and
#   `reason`, in the order in which they were asked.
#
# Within a blocked step the model is not asked again: it reads in its next `history` what was wrong.
#
# **Don't change** `act`, `plain`, what is given of the class, the decision, and `history`.
#
# **Done when** no tool was reached by a decision that did not pass.

# %% tags=["answer"] exercise="ch08-e2"
class SchemaVerifier:
    """Do the arguments fit the tool's own schema? Asked before the act."""

    name = "schema"
    phase = "pre_act"

    def __init__(self, tools):
        self.tools = tools

    def judge(self, ctx):
        ### BEGIN SOLUTION
        call = ctx.decision.tool_call
        if call is None:
            return Judgment(1.0, True, "final answer step; no tool call to validate")
        if call.name not in self.tools:
            return Judgment(0.0, False, f"no tool named {call.name!r} (have: {', '.join(sorted(self.tools))})")
        problems = validate(call.args, self.tools[call.name].schema, f"$.{call.name}")
        if problems:
            return Judgment(0.0, False, f"invalid arguments: {'; '.join(problems)}")
        return Judgment(1.0, True, f"args match {call.name} schema")
        ### END SOLUTION


def take_step(task, llm, tools, verifiers, max_steps, history):
    """Take one step of a run: think, verify, act, observe and score."""
    ### BEGIN SOLUTION
    decision = llm(task, history)
    judgments = []

    def judge(phase, observation):
        ctx = StepContext(task, len(history), max_steps, decision, observation, history)
        made = [(verifier, verifier.judge(ctx)) for verifier in verifiers if verifier.phase == phase]
        for verifier, j in made:
            said = {"score": j.score, "passed": j.passed, "reason": j.reason}
            judgments.append({"verifier": verifier.name, "phase": phase, **said})
        return [j.reason for _, j in made if not j.passed]

    reasons = judge("pre_act", None)
    if reasons:
        observation = {"ok": False, "content": f"blocked: {'; '.join(reasons)}"}
    elif decision.tool_call is None:
        observation = None
    else:
        observation = act(tools, decision.tool_call)
    judge("post_act", observation)
    return {"decision": plain(decision), "judgments": judgments, "observation": observation}
    ### END SOLUTION

# %% tags=["demo"] exercise="ch08-e2"
def one_step(decision, *verifiers):
    """The observation of one step, and who let it pass."""
    step = take_step("What is 17*23?", FakeLLM([decision]), tools, verifiers, 8, [])
    return step["observation"], [(judgment["verifier"], judgment["passed"]) for judgment in step["judgments"]]


compare(
    lambda: {
        "fits": one_step(multiply, SchemaVerifier(tools)),
        "misspelt": one_step(asks("list_documents", tags="budgets"), SchemaVerifier(tools)),
        "two_judges": one_step(multiply, polite, SchemaVerifier(tools)),
        "scored": one_step(multiply, strict),
        "answer": one_step(final, SchemaVerifier(tools)),
    },
    fits=({"ok": True, "content": 391}, [("schema", True)]),
    misspelt=(
        {"ok": False, "content": "blocked: invalid arguments: $.list_documents.tags: unknown key (have: tag)"},
        [("schema", False)],
    ),
    two_judges=({"ok": False, "content": "blocked: say please"}, [("polite", False), ("schema", True)]),
    scored=({"ok": True, "content": 391}, [("strict", False)]),
    answer=(None, [("schema", True)]),
)

# %% tags=["check"] exercise="ch08-e2"
check("ch08-e2", SchemaVerifier, take_step)

# %% [markdown]
# ## 3 · Scores, and their mean
#
# A report on inspect_ai in June 2026 lists ways in which a score can lose its meaning. Samples that failed leave the number that the sum is divided by; and
# nothing keeps a score within its range, so that an accuracy can come out above 1
# ([inspect_ai #4286](https://github.com/UKGovernmentBEIS/inspect_ai/issues/4286)).
#
# `Judgment` refuses a score outside its range. What a mean is taken over is for us to say. Below, two steps: one with one judgment, one with three.

# %% tags=["given"]
try:
    Judgment(1.25, True, "better than the best")
except ValueError as error:
    print("ValueError:", error)


def scored_step(*scores):
    """A step with these scores and nothing else of interest."""
    judgments = [
        {"verifier": f"v{n}", "phase": "post_act", "score": score, "passed": True, "reason": ""}
        for n, score in enumerate(scores)
    ]
    return {**product, "judgments": judgments}


two_steps = [scored_step(0.0), scored_step(1.0, 1.0, 1.0)]
means = [sum(j["score"] for j in step["judgments"]) / len(step["judgments"]) for step in two_steps]
print("a mean of means:      ", sum(means) / len(means))
print("a mean over judgments:", (0.0 + 1.0 + 1.0 + 1.0) / 4)

# %% [markdown]
# We take the second: each judgment counts once. `run` puts a whole run together: your steps, in your trace, with your mean.

# %% tags=["given"]
def run(task, decisions, verifiers, max_steps=8):
    """The records of a run in which a scripted model decides."""
    llm, disk, history = FakeLLM(decisions), Disk(), []

    def next_step():
        step = take_step(task, llm, tools, verifiers, max_steps, history)
        history.append({"decision": step["decision"], "observation": step["observation"]})
        return step

    trace_run(task, max_steps, next_step, disk.write, disk.flush)
    records = [json.loads(line) for line in disk.kept.splitlines()]
    records[-1]["mean_score"] = mean_score(records[1:-1])
    return records

# %% [markdown]
# **You write** `judge(ctx)` of `BudgetVerifier()`. It scores how much of the budget was left as the step began: `1 - ctx.step / ctx.max_steps`, where the first
# step is number 0. So the first step of eight scores 1.0 and the second 0.875.
#
# - The score is exact. In the reason, `step 2/8; headroom 0.88`, the step is counted from 1 and the score has two decimals (an f-string's `.2f`).
# - It passes always: the loop holds the budget.
#
# And `mean_score(steps)`: the mean over all judgments of all steps, not rounded; `None` where there is none at all. The list of a step may be empty.
#
# **Don't change** `Judgment`, what is given of the class, and the steps.
#
# **Done when** the scores 1, 1, 1 and 0.875 have the mean 0.96875, which a reader is shown as 0.97.

# %% tags=["answer"] exercise="ch08-e3"
class BudgetVerifier:
    """How much of the step budget was left when the step began."""

    name = "budget"
    phase = "post_act"

    def judge(self, ctx):
        ### BEGIN SOLUTION
        headroom = 1 - ctx.step / ctx.max_steps
        return Judgment(headroom, True, f"step {ctx.step + 1}/{ctx.max_steps}; headroom {headroom:.2f}")
        ### END SOLUTION


def mean_score(steps):
    """The mean over all judgments of all steps, each counted once; None where there are none."""
    ### BEGIN SOLUTION
    scores = [judgment["score"] for step in steps for judgment in step["judgments"]]
    return sum(scores) / len(scores) if scores else None
    ### END SOLUTION

# %% tags=["demo"] exercise="ch08-e3"
def first_run():
    records = run("What is 17*23?", [multiply, final], [SchemaVerifier(tools), BudgetVerifier()])
    scores = [judgment["score"] for step in records[1:-1] for judgment in step["judgments"]]
    return {"scores": scores, "mean": records[-1]["mean_score"], "last": records[2]["judgments"][1]["reason"]}


compare(first_run, scores=[1.0, 1.0, 1.0, 0.875], mean=0.96875, last="step 2/8; headroom 0.88")

# %% tags=["check"] exercise="ch08-e3"
check("ch08-e3", BudgetVerifier, mean_score)

# %% [markdown]
# ## 4 · Where did the number come from?
#
# In May 2026 somebody told a subagent of Claude Code to count the lines of a file with `wc -l`, and to report the output. It reported a number, and it was wrong:
# no command had run. The call and its output stood in the answer as text that the model had written
# ([claude-code #57038](https://github.com/anthropics/claude-code/issues/57038)).
#
# A number that is in no observation was made up. `numbers` finds those in a text, `numbers_in` those in whatever a tool returned. Neither
# finds a part of a longer number.

# %% tags=["given"]
import re
from decimal import Decimal


def numbers(text):
    """The numbers that stand in a text as words of their own."""
    found = re.findall(r"(?<![\w.])-?\d+(?:,\d{3})*(?:\.\d+)?(?!\w|\.\d)", text)
    return [Decimal(number.replace(",", "")) for number in found]


def numbers_in(value):
    """The numbers in a value of JSON, those in its texts included."""
    if isinstance(value, str):
        return numbers(value)
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [number for member in value for number in numbers_in(member)]
    return [Decimal(str(value))] if isinstance(value, (int, float)) and not isinstance(value, bool) else []


print(numbers("391 is 17*23, not 13910; 1,000.50 is a number too."))
print(numbers_in({"rows": [391, "42 lines", True, None]}))
print(Decimal("391.0") in numbers_in("It is 391."))

# %% [markdown]
# **You write** `judge(ctx)` of `GroundedVerifier()`: does every number of the answer occur in an observation?
#
# - A call, and an answer without numbers, pass with score 1.0.
# - The numbers of the answer are `numbers(ctx.decision.answer)`, each counted once, however often it is said. Those observed are `numbers_in(…["content"])` of
#   each step in `ctx.history` whose observation is ok.
# - An observation may be `None`: that proves nothing, and is no reason to crash. What a failed call said proves nothing either.
# - Nor do thoughts, arguments, earlier answers, the task, or other runs.
# - The score is the share of the answer's numbers that were observed. It passes when all were; the reason names each that was not, and none that was.
#
# **Don't change** `numbers`, `numbers_in`, and what is given of the class.
#
# **Done when** the right answer without a call scores 0, and the same answer after the call scores 1.

# %% tags=["answer"] exercise="ch08-e4"
class GroundedVerifier:
    """Does every number of the answer occur in an observation?"""

    name = "grounded"
    phase = "post_act"

    def judge(self, ctx):
        ### BEGIN SOLUTION
        claimed = set() if ctx.decision.answer is None else set(numbers(ctx.decision.answer))
        if not claimed:
            return Judgment(1.0, True, "no number is claimed")
        observed = set()
        for step in ctx.history:
            if step["observation"] is not None and step["observation"]["ok"]:
                observed.update(numbers_in(step["observation"]["content"]))
        missing = sorted(claimed - observed)
        if missing:
            score = 1 - len(missing) / len(claimed)
            return Judgment(score, False, f"no observation holds {', '.join(str(number) for number in missing)}")
        return Judgment(1.0, True, "every number was observed")
        ### END SOLUTION

# %% tags=["demo"] exercise="ch08-e4"
def grounded(*decisions):
    """What the verifier says of the last step of a run."""
    records = run("What is 17*23?", decisions, [GroundedVerifier()])
    judgment = records[-2]["judgments"][0]
    return judgment["score"], judgment["passed"]


compare(
    lambda: {
        "made_up": grounded(says("It is 391.", thought="17*23 is 391.")),
        "observed": grounded(multiply, final),
        "half": grounded(multiply, says("It is 391, or 400.")),
    },
    made_up=(0.0, False),
    observed=(1.0, True),
    half=(0.5, False),
)

# %% tags=["check"] exercise="ch08-e4"
check("ch08-e4", GroundedVerifier)

# %% [markdown]
# ## 5 · Replay, and believe nothing
#
# A benchmark replayed recorded runs, and left some of its tools real. One of them made a random id for each reminder. On replay it made another, the
# conversation was no longer the recorded one, and the replay failed ([tailored-ai #550](https://github.com/quintonmiller/tailored-ai/issues/550)).
#
# To **replay** a run here is to rebuild it from its trace: nothing is called. `run_end` is a claim about the steps, and can be held against them. A trace without
# it is a part of one, however well it reads.

# %% tags=["given"]
def trusting(records):
    """Believes the last record."""
    return {"status": records[-1].get("status", "completed"), "answer": records[-1].get("answer")}


def record(kind, ts, **fields):
    return {"type": kind, **fields, "ts": ts}


start = record("run_start", 0, task="What is 17*23?", max_steps=8)
body = [record("step", 1, step=0, **product), record("step", 2, step=1, **answered)]
ended = record("run_end", 3, status="completed", answer="It is 391.", steps_used=2, mean_score=None, error=None)
honest, forged, torn = [start, *body, ended], [start, body[0], ended], [start, body[0]]

for name, records in (("honest", honest), ("forged", forged), ("torn", torn)):
    print(f"{name:8}{trusting(records)}")

# %% [markdown]
# Two traces side by side. Where they part first is where to look:
#
# ![Two runs side by side. run_start is the same in both. Step 0 is the same in both: calculator 17*23, observed 391. In step 1 they part, in decision.answer: the left run says It is 391, the right run says It is 400. Everything before is equal; what comes after follows from it.](pictures/ch08-apart.svg)
#
# **You write** `replay(records)`, where `records` is a list of trace records as dicts. It returns a dict:
#
# - `steps` are the step records as they are; `task` is from `run_start`, `status` and `error` from `run_end`; each is `None` where its record is missing. A
#   `run_start` that is not first, or a `run_end` that is not last, counts as missing.
# - Worked out from the steps: `steps_used`, their number; `mean_score`; and `answer`, that of the last step if it has one and no observation, otherwise `None`.
# - `mismatches` is a list of texts, empty when all is well. Each begins with a name and a colon, such as `answer: run_end says "391", the steps say nothing`.
#   The names: `run_start` and `run_end`, when missing (without `run_end` nothing is compared with it); `step`, when the steps are not numbered
#   0, 1, 2, …; `answer`, `steps_used` and `mean_score`, when `run_end` says other than you worked out (means may differ by 1e-9); `status`, when it says
#   `completed` and no answer was worked out, or one was and it says something else.
#
# `replay` calls no tool and never raises, given whole records or none.
#
# **Don't change** the records that you are given.
#
# **Done when** every cut or altered trace is found out, and no whole one is accused.

# %% tags=["answer"] exercise="ch08-e5"
def replay(records):
    """Rebuild a run from its records alone, and name each place where they disagree."""
    ### BEGIN SOLUTION
    steps = [record for record in records if record["type"] == "step"]
    start = records[0] if records and records[0]["type"] == "run_start" else None
    end = records[-1] if records and records[-1]["type"] == "run_end" else None
    answer = None
    if steps and steps[-1]["observation"] is None:
        answer = steps[-1]["decision"]["answer"]
    found = {"answer": answer, "steps_used": len(steps), "mean_score": mean_score(steps)}

    def agrees(key):
        claimed, own = end[key], found[key]
        if key == "mean_score" and None not in (claimed, own):
            return abs(claimed - own) <= 1e-9
        return claimed == own

    mismatches = []
    if start is None:
        mismatches.append("run_start: the beginning is missing")
    if [step["step"] for step in steps] != list(range(len(steps))):
        mismatches.append("step: the steps are not numbered 0, 1, 2, …")
    if end is None:
        mismatches.append("run_end: the trace is cut")
    else:
        mismatches += [f"{k}: run_end says {end[k]!r}, the steps say {found[k]!r}" for k in found if not agrees(k)]
        if (end["status"] == "completed") != (answer is not None):
            mismatches.append(f"status: run_end says {end['status']}, and the steps end in {answer!r}")
    return {
        "task": start and start["task"],
        "steps": steps,
        "status": end and end["status"],
        "error": end and end["error"],
        **found,
        "mismatches": mismatches,
    }
    ### END SOLUTION

# %% tags=["demo"] exercise="ch08-e5"
def found_out(records):
    """What a replay found amiss: the names alone."""
    return sorted(text.partition(":")[0] for text in replay(records)["mismatches"])


compare(
    lambda: {"honest": found_out(honest), "forged": found_out(forged), "torn": found_out(torn), "none": found_out([])},
    honest=[],
    forged=["answer", "status", "steps_used"],
    torn=["run_end"],
    none=["run_end", "run_start"],
)

# %% tags=["check"] exercise="ch08-e5"
check("ch08-e5", replay)

# %% [markdown]
# ## What you have
#
# **Built:** a trace that outlives its run, verifiers before and after each act, and a replay that holds the end against the steps.
#
# **Measured:** four runs, with all three verifiers. A blocked step costs a step, and shows in the mean.

# %% tags=["given"]
def measured(*decisions, max_steps=8):
    """(status, steps used, mean score to two decimals, mismatches)"""
    verifiers = [SchemaVerifier(tools), BudgetVerifier(), GroundedVerifier()]
    found = replay(run("What is 17*23?", decisions, verifiers, max_steps))
    return found["status"], found["steps_used"], f"{found['mean_score']:.2f}", len(found["mismatches"])


compare(
    lambda: {
        "straight": measured(multiply, final),
        "blocked_once": measured(asks("calculator", expresion="17*23"), multiply, final),
        "made_up": measured(final),
        "out_of_steps": measured(multiply, multiply, max_steps=2),
    },
    straight=("completed", 2, "0.98", 0),
    blocked_once=("completed", 3, "0.85", 0),
    made_up=("completed", 1, "0.67", 0),
    out_of_steps=("budget_exhausted", 2, "0.92", 0),
)

# %% [markdown]
# **Not proved:** that the trace is what happened. It is what the loop wrote down, and whoever can write the file can change it; below, a forger edits all that has
# to agree, and the replay is content. Nor that a grounded answer is right: its numbers were observed, and it may have taken the wrong ones.

# %% tags=["given"]
forger = deepcopy(honest)
forger[1]["observation"]["content"] = 400
forger[2]["decision"]["answer"] = forger[3]["answer"] = "It is 400."

compare(lambda: found_out(forger), [])

# %% [markdown]
# **Next**, session 9, reads many such traces and asks what an agent is worth. It imports the course's own version, which also stops after failures in a row and
# has a kill switch:
#
# ```python
# from course.loops.verified import run
# from course.trace import replay
# ```
