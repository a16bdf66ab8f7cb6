# %% [markdown]
# # 7 · When tools fail
#
# **You will build** what a loop needs when its tools fail: a way to make them fail on purpose, failures that are data, a point at which it gives up, retries
# that are safe and paid for, and a limit on time.
#
# **You need** Python: functions, exceptions, dicts. No key, no network, no earlier session: what is used of them is explained here.
#
# **Minutes** about 120.

# %%
from grader import check, compare, hint, solution

# %% [markdown]
# ## What there is before the failures
#
# A **tool** is a function that a program calls on behalf of a model. It comes as a `Tool`: name, description, function, and a **schema**, which says what
# arguments it takes. `validate` compares arguments with a schema and names each place that does not fit.

# %% tags=["given"]
from course import corpus
from course.schema import validate
from course.tool import Tool


def as_tool(fn, idempotent=False, **types):
    """`fn` as a tool: each argument is required and of its JSON type. What `idempotent` means is said in exercise 4."""
    schema = {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in types.items()},
        "required": sorted(types),
        "additionalProperties": False,
    }
    return Tool(fn.__name__, fn.__doc__, schema, fn, idempotent)


def list_documents(tag):
    """The ids of the documents that carry `tag`."""
    return corpus.list_documents(tag)


def add(a, b):
    """The sum of two integers."""
    return a + b


def fail():
    """Raises an error, always."""
    raise RuntimeError("the tool is broken on purpose")


tools = {
    "list_documents": as_tool(list_documents, idempotent=True, tag="string"),
    "add": as_tool(add, idempotent=True, a="integer", b="integer"),
    "fail": as_tool(fail),
}
print(validate({"a": 2, "b": 3}, tools["add"].schema, "$.add"))
print(validate({"a": "2", "c": True}, tools["add"].schema, "$.add"))

# %% [markdown]
# A tool that cannot do what it was asked raises `ToolError`, with a message that begins with its name and is safe to show. Its subclass `UnavailableError` says
# more: not your arguments, but something that I depend on; the same call may fare better in a moment. Any other exception is a mistake in the tool.

# %% tags=["given"]
from course.errors import ToolError, UnavailableError

away = UnavailableError("list_documents", "the index is away")
for error in (ToolError("add", "no such number"), away, KeyError("a")):
    print(f"{type(error).__name__:18}{isinstance(error, ToolError)!s:7}{error}")

# %% [markdown]
# ## 1 · Failing on purpose
#
# What fails seldom is tested seldom. In March 2026 somebody offered the OpenAI Agents SDK a way to inject faults, because there was none: each call would fail
# at a rate of, say, one half ([openai-agents-python #2748](https://github.com/openai/openai-agents-python/pull/2748)).
#
# Dice find a bug on one day and not on the next. Below, two seeds of the same die; and a counter in place of the die, which all tools share.

# %% tags=["given"]
import random


def at_a_rate(fn, rate, dice):
    """Fails in so many of all cases, by the throw of `dice`."""

    def tool(**args):
        if dice.random() < rate:
            raise ToolError(fn.__name__, "injected")
        return fn(**args)

    return tool


calls_so_far = 0


def shared_count(fn, after):
    """Fails after so many calls, whoever made them."""

    def tool(**args):
        global calls_so_far
        calls_so_far += 1
        if calls_so_far > after:
            raise ToolError(fn.__name__, "injected")
        return fn(**args)

    return tool


def tried(tool, times):
    """What became of so many calls: o for a result, x for an error."""
    marks = ""
    for _ in range(times):
        try:
            tool(a=1, b=2)
            marks += "o"
        except ToolError:
            marks += "x"
    return marks


print("die, seed 1:", tried(at_a_rate(add, 0.5, random.Random(1)), 8))
print("die, seed 2:", tried(at_a_rate(add, 0.5, random.Random(2)), 8))
print("one counter, first tool: ", tried(shared_count(add, after=3), 5))
print("one counter, second tool:", tried(shared_count(add, after=3), 5))

# %% [markdown]
# **You write** `flaky(fn, after, error)`. It returns a tool that works `after` times and then is gone:
#
# - The first `after` calls go to `fn` with the arguments as they came, by position or by name. What `fn` returns is returned.
# - A call in which `fn` itself raises is one of them. Its exception comes through.
# - Every later call raises, and does not reach `fn`. An `error` that is a text is raised as `ToolError(error)`, one that is an exception as it is.
# - `after=0` fails from the first call on.
# - Each flaky tool has a count of its own, also when two are made of one function.
#
# **Don't change** the names of the parameters.
#
# **Done when** the check's function was reached exactly `after` times.

# %% tags=["answer"] exercise="ch07-e1"
def flaky(fn, after, error):
    """A tool that lets `after` calls through to `fn` and raises `error` on every later one."""
    ### BEGIN SOLUTION
    calls = 0

    def tool(*args, **kwargs):
        nonlocal calls
        calls += 1
        if calls > after:
            raise ToolError(error) if isinstance(error, str) else error
        return fn(*args, **kwargs)

    return tool
    ### END SOLUTION

# %% tags=["demo"] exercise="ch07-e1"
compare(
    lambda: {
        "one": tried(flaky(add, after=3, error="add: gone"), 5),
        "another": tried(flaky(add, after=3, error="add: gone"), 5),
        "at_once": tried(flaky(add, after=0, error=ToolError("add", "gone")), 2),
    },
    one="oooxx",
    another="oooxx",
    at_once="xx",
)

# %% tags=["check"] exercise="ch07-e1"
check("ch07-e1", flaky)

# %% [markdown]
# ## 2 · A failure is data
#
# LangGraph used to hand an exception of a tool to the model, as a message. Version 1.0.1 let most of them crash the graph instead
# ([langgraph #6486](https://github.com/langchain-ai/langgraph/issues/6486)), and a pull request asks for the old way back
# ([#7177](https://github.com/langchain-ai/langgraph/pull/7177)). Either is a **policy**, and a loop must say which it has. Session 5 stopped at a refusal and
# let a defect crash. The loop of this session feeds both back, so that a model can mend what it did, and records them.
#
# So a failure is an **outcome**, like a result. And a result must be something that can be written down. JSON holds less than Python does, and Python's own
# encoder is generous: it writes a `NaN` that JSON does not have, and with `default=str` it writes anything.

# %% tags=["given"]
import json
from copy import deepcopy

from course.jsonable import why_not_json
from course.models import ToolCall


def done(result):
    return {"ok": True, "result": result}


def failed(error, retryable=False, **marks):
    """`retryable`: the same call may fare better a moment later."""
    return {"ok": False, "error": error, "retryable": retryable, **marks}


print(json.dumps([float("nan")]), json.dumps({"ids": {3, 1}}, default=str))
for value in ({"rows": [1, None]}, [float("nan")], {"ids": {3, 1}}, {1: "a"}):
    print(f"{value!s:22} {why_not_json(value)}")
print(ToolCall("multiply", {"a": 2, "b": 3}))

# %% [markdown]
# **You write** `attempt(tools, call)`. `tools` is a dict of `Tool`s by name, `call` is a `ToolCall` with `name` and `args`. It returns `done(result)`, or
# `failed(…)` with one of these texts, exactly:
#
# | what happens | text |
# |---|---|
# | there is no such tool | `no tool named 'multiply' (have: add, fail)`, the names sorted |
# | the arguments do not fit | `invalid arguments: `, then all that `validate(args, schema, "$.<name>")` says, joined by `; ` |
# | it raises a `ToolError` | the error's own text |
# | it raises another `Exception` | `tool 'fail' raised RuntimeError: the tool is broken on purpose` |
# | it returns what JSON cannot hold | `tool 'add' returned what JSON cannot hold: `, then what `why_not_json(result)` says |
#
# - The function `tool.fn` is called once, whatever comes of it, by name and with a *copy* of the arguments: what a tool does to them must not reach the record
#   or a second attempt. In the first two rows it is not called at all.
# - `retryable` is True for an `UnavailableError`, and False for every other failure.
# - No `Exception` leaves `attempt`. What is none, such as `KeyboardInterrupt`, does, as it is.
# - A result of `None`, `False` or an empty list is a result.
#
# **Don't change** `done` and `failed`, or anything in `call`.
#
# **Done when** each failure of the check's tools has come back as data, in the words of the table.

# %% tags=["answer"] exercise="ch07-e2"
def attempt(tools, call):
    """Run one call once, and return what became of it: done(result), or failed(text)."""
    ### BEGIN SOLUTION
    tool = tools.get(call.name)
    if tool is None:
        return failed(f"no tool named {call.name!r} (have: {', '.join(sorted(tools))})")
    problems = validate(call.args, tool.schema, f"$.{call.name}")
    if problems:
        return failed(f"invalid arguments: {'; '.join(problems)}")
    try:
        result = tool.fn(**deepcopy(call.args))
    except ToolError as error:
        return failed(str(error), retryable=isinstance(error, UnavailableError))
    except Exception as error:
        return failed(f"tool {call.name!r} raised {type(error).__name__}: {error}")
    problem = why_not_json(result)
    if problem:
        return failed(f"tool {call.name!r} returned what JSON cannot hold: {problem}")
    return done(result)
    ### END SOLUTION

# %% tags=["demo"] exercise="ch07-e2"
def told(name, **args):
    """The result of one call, or the error."""
    made = attempt(tools, ToolCall(name, args))
    return made["result"] if made["ok"] else made["error"]


compare(
    lambda: {
        "sum": told("add", a=2, b=3),
        "unknown": told("multiply", a=2, b=3),
        "unfit": told("add", a="2", b=3),
        "broken": told("fail"),
    },
    sum=5,
    unknown="no tool named 'multiply' (have: add, fail, list_documents)",
    unfit="invalid arguments: $.add.a: expected type integer, got str",
    broken="tool 'fail' raised RuntimeError: the tool is broken on purpose",
)

# %% tags=["check"] exercise="ch07-e2"
check("ch07-e2", attempt)

# %% [markdown]
# ## 3 · When to give up
#
# A failure that is fed back may be mended, or made again. Renfield had a guard against that, which looked at the calls that had run. A model asked for a tool
# that does not exist; such a call never runs, so the guard saw nothing, and the agent went on until its step limit
# ([renfield #1071](https://github.com/ebongard/renfield/issues/1071)).
#
# The loop of session 6, with no budget but its steps, and with your `attempt`: every outcome becomes a record, and the model is shown each.

# %% tags=["given"]
from course.models import ModelReply, ScriptedModel


def record(kind, **payload):
    """One thing that happened, by value."""
    return deepcopy({"kind": kind, "payload": payload})


def turn_record(reply):
    """One turn of the model: its text, and the calls that it asks for."""
    return record("assistant", text=reply.text, tool_calls=[{"name": c.name, "args": c.args} for c in reply.tool_calls])


def tool_record(call, outcome, attempt=1):
    """One attempt at a call, numbered from 1. Whether to try again is the loop's affair and is left out."""
    kept = {key: value for key, value in outcome.items() if key != "retryable"}
    return record("tool", name=call.name, args=call.args, attempt=attempt, **kept)


def stop_record(reason, answer=None, detail="", **used):
    return record("stop", reason=reason, answer=answer, detail=detail, **used)


def messages(records):
    """What the model is shown of a run so far."""
    shown = []
    for payload in (entry["payload"] for entry in records):
        if "task" in payload:
            shown.append({"role": "user", "content": payload["task"]})
        elif "text" in payload:
            shown.append({"role": "assistant", "content": payload["text"], "tool_calls": payload["tool_calls"]})
        elif "ok" in payload:
            told = payload["result"] if payload["ok"] else payload["error"]
            shown.append({"role": "tool", "name": payload["name"], "ok": payload["ok"], "content": told})
    return deepcopy(shown)


def manifest(tools):
    """What the model may ask for."""
    return [{"name": n, "description": t.description, "schema": t.schema} for n, t in sorted(tools.items())]


def never_gives_up(task, model, tools, max_steps=8):
    records, steps = [record("task", task=task)], 0
    while steps < max_steps:
        reply = model(messages(records), manifest(tools))
        steps += 1
        records.append(turn_record(reply))
        if not reply.tool_calls:
            return [*records, stop_record("no_tool_calls", answer=reply.text, steps=steps)]
        for call in reply.tool_calls:
            records.append(tool_record(call, attempt(tools, call)))
    return [*records, stop_record("step_budget", steps=steps)]

# %% [markdown]
# Four guards, each over eight calls. `x` failed in the tool, `?` had no tool or unfit arguments and never ran, `o` succeeded. Only the last guard counts what
# it should.

# %% tags=["given"]
def highest(marks, adds, resets):
    """The highest count of a guard: `adds` are the marks that it counts, `resets` those that set it back."""
    count = most = 0
    for mark in marks:
        count = count + 1 if mark in adds else 0 if mark in resets else count
        most = max(most, count)
    return most


for marks in ("????????", "x?x?x?x?", "xxoxxoxx"):
    print(
        f"{marks}   only calls that ran: {highest(marks, 'x', 'o')}   reset by a block: {highest(marks, 'x', 'o?')}"
        f"   all failures: {highest(marks, 'x?', '')}   failures in a row: {highest(marks, 'x?', 'o')}"
    )

# %% [markdown]
# **You write** `run(task, model, tools, stop_after, max_steps=8)`. Start from `never_gives_up` and add one stop:
#
# - Each call that fails adds one to the count, whatever made it fail: no such tool, unfit arguments, an exception, a result that cannot be held. A call that
#   succeeds sets it to 0. It runs on from turn to turn.
# - When `stop_after` calls have failed in a row, the run ends there: `stop_record("too_many_failures", detail=…, steps=…)`, with a `detail` that holds the
#   error of the last call, and no answer.
# - That call is recorded. The rest of its turn does not run, and the model is not asked again.
# - `stop_after=None` never gives up.
#
# **Don't change** the two stops that are there, nor the functions above.
#
# **Done when** the check's model has been stopped at the same point with tools that do not exist as with tools that break.

# %% tags=["answer"] exercise="ch07-e3"
def run(task, model, tools, stop_after, max_steps=8):
    """Work on `task`, feed failures back, and stop after `stop_after` of them in a row."""
    ### BEGIN SOLUTION
    records, steps, in_a_row = [record("task", task=task)], 0, 0
    while steps < max_steps:
        reply = model(messages(records), manifest(tools))
        steps += 1
        records.append(turn_record(reply))
        if not reply.tool_calls:
            return [*records, stop_record("no_tool_calls", answer=reply.text, steps=steps)]
        for call in reply.tool_calls:
            outcome = attempt(tools, call)
            records.append(tool_record(call, outcome))
            in_a_row = 0 if outcome["ok"] else in_a_row + 1
            if in_a_row == stop_after:
                why = f"{in_a_row} failed calls in a row, the last one: {outcome['error']}"
                return [*records, stop_record("too_many_failures", detail=why, steps=steps)]
    return [*records, stop_record("step_budget", steps=steps)]
    ### END SOLUTION

# %% tags=["demo"] exercise="ch07-e3"
def asks(*calls):
    return ModelReply("Let me see.", [ToolCall(name, args) for name, args in calls])


lost = [asks(("multiply", {"a": 2, "b": 3}))] * 8
mending = [asks(("add", {"a": "2", "b": 3})), asks(("fail", {})), asks(("add", {"a": 2, "b": 3})), ModelReply("5.")]


def ending(turns, stop_after):
    records = run("What is 2 + 3?", ScriptedModel(turns), tools, stop_after)
    return records[-1]["payload"]["reason"], sum(entry["kind"] == "tool" for entry in records)


compare(
    lambda: {"lost": ending(lost, 3), "mending": ending(mending, 3), "never": ending(lost, None)},
    lost=("too_many_failures", 3),
    mending=("no_tool_calls", 3),
    never=("step_budget", 8),
)

# %% tags=["check"] exercise="ch07-e3"
check("ch07-e3", run)

# %% [markdown]
# ## 4 · Trying again
#
# Some failures pass. But a tool that fails may have done its work first. A tool is **idempotent** when running it twice does no more than running it once: a
# search is, a payment is not. In PraisonAI a tool could be declared `idempotent = False`, and both of its retry loops ignored that: a failing `send_email` or
# `charge_card` ran as often as they allowed ([PraisonAI #4256](https://github.com/MervinPraison/PraisonAI/issues/4256)).
#
# ![Two calls on a timeline. Above, list_documents, which is idempotent: attempt 1 is unavailable, a wait of 1 second, attempt 2 is unavailable, a wait of 2 seconds, attempt 3 answers. Three records, three attempts paid for. Below, charge_card, which is not idempotent: attempt 1 is unavailable, and nothing follows. One record, one attempt paid for. The first attempt may have charged the card.](pictures/ch07-retries.svg)
#
# A retry waits first, and twice as long each time. The waiting is handed in as a function, so that a test need not wait.

# %% tags=["given"]
from html import escape

charged = []


def charge_card(amount):
    """Charges the card, and loses the connection before it can say so."""
    charged.append(amount)
    raise UnavailableError("charge_card", "no reply from the bank")


shop = {**tools, "charge_card": as_tool(charge_card, amount="integer")}


def unavailable(times):
    """The tools, with a `list_documents` that is unavailable so many times, and then answers."""
    errors = [UnavailableError("list_documents", "the index is away")] * times

    def list_documents(tag):
        """The ids of the documents that carry `tag`."""
        if errors:
            raise errors.pop()
        return corpus.list_documents(tag)

    return {**shop, "list_documents": as_tool(list_documents, idempotent=True, tag="string")}


def retries_everything(tool, attempts, **args):
    for _ in range(attempts):
        try:
            return tool.fn(**args)
        except UnavailableError as error:
            print("again:", error)


retries_everything(shop["charge_card"], 3, amount=40)
print("charged:", charged)


class Attempts:
    """The attempts at one call on a line, with the waits between them."""

    def __init__(self, run):
        self.note, self.parts, waits = "", [], []
        try:
            for n, entry in enumerate(run(waits.append)):
                self.parts += [("wait", f"{waits[n - 1]} s")] if n else []
                ok = entry["payload"]["ok"]
                self.parts.append((f"attempt {n + 1}", "answered" if ok else entry["payload"]["error"]))
        except Exception as error:
            self.note = f"{type(error).__name__}: {error}"

    def __repr__(self):
        return "\n".join([*(f"{what}: {says}" for what, says in self.parts), self.note])

    def _repr_html_(self):
        box = "display:inline-block;padding:4px 12px 4px 0;margin:2px 6px 2px 0;border-top:4px"
        colours = {"answered": "solid #2a7d4f", "wait": "dotted #8888"}
        drawn = ""
        for what, says in self.parts:
            line = colours.get(what) or colours.get(says, "solid #b3402f")
            drawn += f'<div style="{box} {line}">{what}<br><b>{escape(says)}</b></div>'
        return escape(self.note) + drawn

# %% [markdown]
# **You write** `call_with_retries(tools, call, attempts, left, sleep)`. It makes one call with your `attempt`, again where that makes sense, and returns a list
# of `tool_record(call, outcome, attempt=n)`, one for every attempt, `n` from 1.
#
# - There is another attempt only when the last one failed, is `retryable`, and the tool is `idempotent` (a field of `Tool`).
# - At most `attempts` are made in all.
# - Every attempt costs, the repeated ones too: `left` is how many the run can still pay for, and no more than that are made. Both numbers are at least 1.
# - Before the second attempt `sleep(1)` is called, before the third `sleep(2)`, then 4, 8 and so on; never after the last. Nothing else waits.
#
# **Don't change** `tool_record`, or the names of the parameters.
#
# **Done when** the check's card has been charged once, and its records, its attempts and its waits agree.

# %% tags=["answer"] exercise="ch07-e4"
def call_with_retries(tools, call, attempts, left, sleep):
    """The records of all attempts at one call: at most `attempts` of them, and no more than `left`."""
    ### BEGIN SOLUTION
    records = []
    while True:
        outcome = attempt(tools, call)
        records.append(tool_record(call, outcome, attempt=len(records) + 1))
        if outcome["ok"] or not outcome["retryable"] or not tools[call.name].idempotent:
            return records
        if len(records) >= min(attempts, left):
            return records
        sleep(2 ** (len(records) - 1))
    ### END SOLUTION

# %% tags=["demo"] exercise="ch07-e4"
look_up = ToolCall("list_documents", {"tag": "budgets"})
Attempts(lambda sleep: call_with_retries(unavailable(2), look_up, attempts=4, left=9, sleep=sleep))

# %% tags=["demo"] exercise="ch07-e4"
def nap(seconds):
    """A wait that is over at once."""


compare(
    lambda: {
        "in_the_end": len(call_with_retries(unavailable(2), look_up, attempts=4, left=9, sleep=nap)),
        "money_for_two": len(call_with_retries(unavailable(9), look_up, attempts=4, left=2, sleep=nap)),
        "a_card": len(call_with_retries(shop, ToolCall("charge_card", {"amount": 40}), attempts=4, left=9, sleep=nap)),
    },
    in_the_end=3,
    money_for_two=2,
    a_card=1,
)

# %% tags=["check"] exercise="ch07-e4"
check("ch07-e4", call_with_retries)

# %% [markdown]
# ## 5 · Too late
#
# In June 2026 a chat with Datus-agent stood still for almost half an hour: a tool ran in the user's browser, and its result never came. The fix limits the
# wait, and a result that arrives later is put aside with a line in the log ([Datus-agent #1074](https://github.com/Datus-ai/Datus-agent/pull/1074)).
#
# Our tools are functions, and Python cannot break one off. So a slow call runs to its end, and then the loop asks how long it took. A late result is not used:
# otherwise a run depends on how busy the machine was, and nobody can see that it did. The clock is handed in, like the waiting before.

# %% tags=["given"]
class Clock:
    """A clock that moves only when told to."""

    def __init__(self, now):
        self.now = now

    def __call__(self):
        return self.now


clock = Clock(now=5000.0)


def slow_add(a, b):
    """The sum of two integers, `a` seconds later."""
    clock.now += a
    return a + b


slow_tools = {"slow_add": as_tool(slow_add, idempotent=True, a="integer", b="integer")}

before = clock()
print(slow_add(a=3, b=4), "after", clock() - before, "s, and the clock shows", clock())

# %% [markdown]
# **You write** `attempt(tools, call, limits=None, clock=None)`, the `attempt` of exercise 2 with time limits. `limits` holds seconds by tool name, `clock()`
# the time.
#
# - A tool with a limit is timed: read the clock right before the function is called and right after. It is late when the difference is *more* than its limit.
# - A late result is dropped. The outcome is `failed("tool 'slow_add' answered after 7 s, and its limit is 5 s", retryable=True, late=True)`, both numbers
#   written with `:g`.
# - Each call is timed for itself. The clock may show anything when it begins.
# - A tool that raises has failed as before, late or not. The failures of exercise 2 stay as they are.
# - Without a limit for its name, or with `limits=None`, a tool is not timed. A limit of 0 is a limit.
#
# **Don't change** what `attempt(tools, call)` does: `run` and `call_with_retries` use it.
#
# **Done when** no late result of the check's tools is anywhere in what you returned.

# %% tags=["answer"] exercise="ch07-e5"
def attempt(tools, call, limits=None, clock=None):
    """Run one call once, and return what became of it; a result that came too late is not used."""
    ### BEGIN SOLUTION
    tool = tools.get(call.name)
    if tool is None:
        return failed(f"no tool named {call.name!r} (have: {', '.join(sorted(tools))})")
    problems = validate(call.args, tool.schema, f"$.{call.name}")
    if problems:
        return failed(f"invalid arguments: {'; '.join(problems)}")
    limit = (limits or {}).get(call.name)
    started = clock() if limit is not None else None
    try:
        result = tool.fn(**deepcopy(call.args))
    except ToolError as error:
        return failed(str(error), retryable=isinstance(error, UnavailableError))
    except Exception as error:
        return failed(f"tool {call.name!r} raised {type(error).__name__}: {error}")
    took = clock() - started if limit is not None else None
    problem = why_not_json(result)
    if problem:
        return failed(f"tool {call.name!r} returned what JSON cannot hold: {problem}")
    if limit is not None and took > limit:
        reason = f"tool {call.name!r} answered after {took:g} s, and its limit is {limit:g} s"
        return failed(reason, retryable=True, late=True)
    return done(result)
    ### END SOLUTION

# %% tags=["demo"] exercise="ch07-e5"
def timed(seconds, limits):
    return attempt(slow_tools, ToolCall("slow_add", {"a": seconds, "b": 1}), limits, clock)


compare(
    lambda: {
        "in_time": timed(5, {"slow_add": 5}),
        "late": timed(7, {"slow_add": 5}),
        "no_limit": timed(7, {"add": 5}),
    },
    in_time={"ok": True, "result": 6},
    late={
        "ok": False,
        "error": "tool 'slow_add' answered after 7 s, and its limit is 5 s",
        "retryable": True,
        "late": True,
    },
    no_limit={"ok": True, "result": 8},
)

# %% tags=["check"] exercise="ch07-e5"
check("ch07-e5", attempt)

# %% [markdown]
# ## What you have
#
# **Built:** a tool that fails when you want it to, an outcome for each way of failing, and three decisions on top: give up, try again, too late.
#
# **Measured:** the attempts that each kind of failure is given, and whether the last one was ok.

# %% tags=["given"]
def given(call, tools=shop):
    """How many attempts one call is given, and whether the last one was ok."""
    records = call_with_retries(tools, call, attempts=3, left=9, sleep=nap)
    return len(records), records[-1]["payload"]["ok"]


compare(
    lambda: {
        "no_such_tool": given(ToolCall("multiply", {})),
        "unfit_arguments": given(ToolCall("add", {"a": "2"})),
        "broken": given(ToolCall("fail", {})),
        "away_for_a_moment": given(look_up, unavailable(2)),
        "away_for_good": given(look_up, unavailable(9)),
        "a_card": given(ToolCall("charge_card", {"amount": 40})),
    },
    no_such_tool=(1, False),
    unfit_arguments=(1, False),
    broken=(1, False),
    away_for_a_moment=(3, True),
    away_for_good=(3, False),
    a_card=(1, False),
)

# %% [markdown]
# **Not proved:** that a call which failed did nothing. The card below is charged, and the outcome says failed; a late result was dropped, and what the tool did
# to get it was done. Nor that a tool is idempotent: that is what its author says. Session 13 gives a call a key, so that the other side can tell a repetition.

# %% tags=["given"]
charged.clear()
compare(
    lambda: {
        "the_outcome": attempt(shop, ToolCall("charge_card", {"amount": 40}))["ok"],
        "the_card": charged,
    },
    the_outcome=False,
    the_card=[40],
)

# %% [markdown]
# **Next**, session 8, looks at a step *before* it acts: a verifier can refuse a call while nothing has happened yet. The course's own versions of what you have
# just written, and the loop that uses them:
#
# ```python
# from course.flaky import flaky
# from course.loops.budgeted import run
# from course.retries import FailurePolicy, Retry, Timeouts, attempt_call
# ```
