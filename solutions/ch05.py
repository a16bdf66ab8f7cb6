# %% [markdown]
# # 5 · A deterministic mini-agent
#
# **You will build** a loop that works off a plan, can end in four ways, and hands back a receipt: what it did, why it stopped, and either an answer or a
# refusal, never both.
#
# **You need** Python: functions, dicts, exceptions. No key, no network, no earlier session; what the loop uses of them is explained where it comes up.
#
# **Minutes** about 90.

# %%
from grader import check, compare, hint, solution

# %% [markdown]
# ## What there is before the loop
#
# A **tool** is an ordinary function that a program may call on somebody's behalf. An **agent** is a loop around tools: something decides which tool to
# call, the loop calls it, and the result goes back to whatever decides. Usually that is a language model. Here nothing decides while the loop runs, so
# the same input gives the same run each time: the loop is *deterministic*, and a mistake in it can be found.
#
# Two tools from earlier sessions are enough. `corpus.list_documents` returns a list; a model reads text, hence the small function in front
# of it.

# %% tags=["given"]
from course import corpus


def list_documents(tag=None):
    """The ids of the documents that carry `tag`, as one text."""
    return ", ".join(corpus.list_documents(tag))


tools = {"list_documents": list_documents, "convert_currency": corpus.convert_currency}

print(corpus.list_documents("tools"))
print(tools["list_documents"](tag="tools"))
print(tools["convert_currency"](amount=100, source="USD", target="EUR"))

# %% [markdown]
# A **decision** is one of two things: call a tool with these arguments, or give this answer. A **plan** is a list of decisions, written down in advance in
# place of a model.

# %% tags=["given"]
two_calls = [
    {"tool": "list_documents", "args": {"tag": "retrieval"}},
    {"tool": "convert_currency", "args": {"amount": 100, "source": "USD", "target": "EUR"}},
    {"answer": "rag-basics covers retrieval, and 100 USD is 92.00 EUR."},
]

for decision in two_calls:
    print("answer" if "answer" in decision else "call  ", decision)

# %% [markdown]
# ## 1 · Three ways to end
#
# When an agent of the smolagents library ran out of steps, the library made one more model call, named `provide_final_answer`, and returned its text. A
# maintainer explained that at this point no definitive answer exists ([huggingface/smolagents #825](https://github.com/huggingface/smolagents/issues/825)).
# A later pull request describes what follows: an agent that manages others receives that text under the heading of a final answer, and cannot tell it from a real one
# ([#2747](https://github.com/huggingface/smolagents/pull/2747)).
#
# The same mistake fits into ten lines.

# %% tags=["given"]
def run_and_hope(plan, tools, budget):
    """A loop that always has something to say."""
    results = []
    for decision in plan[:budget]:
        if "answer" in decision:
            return decision["answer"]
        results.append(tools[decision["tool"]](**decision["args"]))
    return f"I looked into it: {'; '.join(results)}."


print(run_and_hope(two_calls, tools, budget=3))
print(run_and_hope(two_calls, tools, budget=1))

# %% [markdown]
# The first line is the answer of the plan. The second was made up by the loop when its budget, here of decisions, was spent. Both are texts, and nothing in
# them says which is which.
#
# So our loop, whose budget counts calls, returns a **receipt**, a dict with four keys, all four however the run ended:
#
# | key | holds |
# |---|---|
# | `steps` | one `{"tool", "args", "result"}` for each call that returned |
# | `stopped_because` | why the run ended, in one word |
# | `answer` | the answer's text, or `None` |
# | `refusal` | a sentence that says why there is no answer, or `None` |
#
# Exactly one of the last two is filled.

# %% tags=["given"]
def receipt(steps, stopped_because, answer=None, refusal=None):
    """The four keys of a receipt, all four on every exit."""
    return {"steps": steps, "stopped_because": stopped_because, "answer": answer, "refusal": refusal}


print(receipt([], "answered", answer="Nothing had to be looked up."))
print(receipt([], "budget", refusal="stopped: no budget left to run list_documents"))

# %% [markdown]
# This is the loop, all of it. The exit for a `ToolError` waits for the second exercise, which explains it; you begin with the other three.
#
# ![The loop as a state machine. It takes the next decision. An answer ends the run as answered. For a call it asks whether budget is left; if not, the run ends as budget. It asks whether the call was made before; if so, the run ends as repeated_call. Then it runs the tool; a ToolError ends the run as tool_error, a result is recorded as a step, and the next decision is taken. Only answered fills answer; the other three fill refusal.](pictures/ch05-loop.svg)
#
# One question in it is harder than it looks: *was this call asked for before?* In Python `1 == 1.0 == True`, but a tool that is given `True` in place of `1`
# may do something else. And two dicts are the same arguments whatever the order of their keys. `canonical` makes one text of a call; two calls are the same
# exactly when their texts are.

# %% tags=["given"]
import json


def canonical(name, args):
    """One text for one call: key order does not matter, 1 and 1.0 and True stay apart."""
    return json.dumps([name, args], sort_keys=True)


print({"n": 1} == {"n": 1.0} == {"n": True})
print(canonical("look", {"n": 1}), canonical("look", {"n": 1.0}), canonical("look", {"n": True}))
print(canonical("look", {"a": 1, "b": {"c": 2, "d": 3}}) == canonical("look", {"b": {"d": 3, "c": 2}, "a": 1}))

# %% [markdown]
# **You write** `run_loop(plan, tools, budget)`. It takes the decisions of `plan` in order and returns a receipt at the first that ends the run:
#
# | the decision | `stopped_because` | `answer` | `refusal` |
# |---|---|---|---|
# | is an answer | `"answered"` | its text | `None` |
# | is a call, and `budget` calls have run | `"budget"` | `None` | names the tool that was about to run, and no other |
# | is a call that has been made before | `"repeated_call"` | `None` | likewise |
#
# Any other call runs once, as `tools[name](**args)`, and becomes a step, whatever it returns.
#
# - Ask in the order of the table: a call that is over budget *and* a repeat is a stop for `"budget"`.
# - Stop *before* the call. After the stop no tool runs, and steps that succeeded stay in the receipt.
# - An answer, even an empty text, is no call and no step. With `budget=0`, or after exactly `budget` calls, it is still an answer.
# - A repeat is the same tool with the same arguments in the sense of `canonical`, whether or not other calls stand between.
# - A plan without any answer in it, such as an empty one, is refused with a `ValueError` before any tool runs.
# - The plan stays as it was, and a run knows nothing of earlier ones.
#
# **Don't change** `receipt`, `canonical`, or the names of the parameters: the check calls `run_loop(plan, tools, budget=9)`.
#
# **Done when** the check has counted the calls that reached its own tools, and the count agrees with your receipt on every exit.

# %% tags=["answer"] exercise="ch05-e1"
def run_loop(plan, tools, budget):
    """Work off `plan` and return a receipt.

    plan: list of {"tool": str, "args": dict} and {"answer": str}
    tools: name -> callable, called with keyword arguments
    budget: the most calls that may run
    """
    ### BEGIN SOLUTION
    if not any("answer" in decision for decision in plan):
        raise ValueError("the plan holds no answer, so no run of it can end well")
    steps, seen = [], set()
    for decision in plan:
        if "answer" in decision:
            return receipt(steps, "answered", answer=decision["answer"])
        name, args = decision["tool"], decision["args"]
        if len(steps) >= budget:
            return receipt(steps, "budget", refusal=f"stopped: no budget left to run {name}")
        call = canonical(name, args)
        if call in seen:
            return receipt(steps, "repeated_call", refusal=f"stopped: {name} had the same arguments before")
        seen.add(call)
        steps.append({"tool": name, "args": args, "result": tools[name](**args)})
    ### END SOLUTION

# %% [markdown]
# Yours beside what it should be; for a list, a number is its length. The cells run while the stub raises.

# %% tags=["demo"] exercise="ch05-e1"
compare(
    lambda: run_loop(two_calls, tools, budget=2),
    stopped_because="answered",
    answer="rag-basics covers retrieval, and 100 USD is 92.00 EUR.",
    refusal=None,
    steps=2,
)

# %% tags=["demo"] exercise="ch05-e1"
compare(
    lambda: {
        "one_call_allowed": run_loop(two_calls, tools, budget=1)["stopped_because"],
        "the_plan_twice": run_loop([*two_calls[:2], *two_calls], tools, budget=9)["stopped_because"],
    },
    one_call_allowed="budget",
    the_plan_twice="repeated_call",
)

# %% tags=["check"] exercise="ch05-e1"
check("ch05-e1", run_loop)

# %% [markdown]
# ## 2 · A refusal is a contract
#
# In April 2026 a user asked an agent for a Python script. The tool that runs commands answered that `python` was not found. The agent went on: it printed
# column names and row counts of a file that nobody had read, and closed with the news that the script was saved and ready. Neither file existed
# ([openclaw/openclaw #60497](https://github.com/openclaw/openclaw/issues/60497)).
#
# The tool had told the truth. It was lost between the tool and the answer, and that is where the loop stands.
#
# A tool that cannot do what it was asked raises `ToolError`: your arguments are wrong, or something that the tool depends on is gone. Its message begins with
# the tool's name and is safe to show. `flaky` makes such a tool on purpose: it answers a few times, then raises.

# %% tags=["given"]
from course.errors import ToolError
from course.flaky import flaky

index = flaky(list_documents, after=2, error="list_documents: the corpus index went away mid-run")

for attempt in (1, 2, 3):
    try:
        print(attempt, index(tag="retrieval"))
    except ToolError as error:
        print(attempt, "ToolError:", error)

# %% [markdown]
# A plan of four calls, the third of which meets the tool when it has gone away. `index.fresh()` is the same tool with its count back at zero.

# %% tags=["given"]
four_steps = [
    {"tool": "list_documents", "args": {"tag": "retrieval"}},
    {"tool": "list_documents", "args": {"tag": "budgets"}},
    {"tool": "list_documents", "args": {"tag": "evals"}},
    {"tool": "convert_currency", "args": {"amount": 100, "source": "USD", "target": "EUR"}},
    {"answer": "rag-basics, budget-basics and eval-basics; and 100 USD is 92.00 EUR."},
]


def failing_tools():
    """The two tools, with an index that answers twice."""
    return {**tools, "list_documents": index.fresh()}

# %% [markdown]
# What a good run of this plan looks like:
#
# ![A run as a timeline. Calls 1 and 2 of list_documents returned and are two steps in the receipt. Call 3 of list_documents raised ToolError and is no step. There the run stops. Call 4, convert_currency, never ran, and the answer was never given. Three calls reached a tool, which is what the check counts.](pictures/ch05-run.svg)
#
# `counted` writes down each call that reaches a tool. `Timeline` draws a run from both sides: what the tools saw, and what
# the receipt says of it.

# %% tags=["given"]
from html import escape


def counted(tools):
    """The same tools, and the list of calls that reach them."""
    reached = []

    def count(name):
        def tool(**args):
            reached.append(name)
            return tools[name](**args)

        return tool

    return {name: count(name) for name in tools}, reached


class Timeline:
    """The decisions of a plan in order: which reached a tool, and which the receipt holds as a step."""

    def __init__(self, run, plan, tools):
        watched, reached = counted(tools)
        self.note, steps, answered = "", 0, False
        try:
            made = run(plan, watched, budget=9)
            steps, answered = len(made["steps"]), made["stopped_because"] == "answered"
        except Exception as error:
            self.note = f"{type(error).__name__}: {error}"
        self.marks = []
        for n, decision in enumerate(plan):
            ran = "ran" if n < len(reached) else "never ran"
            mark = f"{ran}, {'a step' if n < steps else 'no step'}"
            if "answer" in decision:
                mark = "given" if answered else "never given"
            self.marks.append((decision.get("tool", "the answer"), mark))

    def __repr__(self):
        lines = [f"{n}. {name}: {mark}" for n, (name, mark) in enumerate(self.marks, 1)]
        return "\n".join([*lines, self.note])

    def _repr_html_(self):
        colours = {"ran, a step": "#2a7d4f", "given": "#2a7d4f", "ran, no step": "#b3402f"}
        box = "display:inline-block;padding:4px 14px 4px 0;margin-right:6px;border-top:4px solid"
        return escape(self.note) + "".join(
            f'<div style="{box} {colours.get(mark, "#8888")}">{n}. {escape(name)}<br><b>{mark}</b></div>'
            for n, (name, mark) in enumerate(self.marks, 1)
        )

# %% [markdown]
# A bad run can have a flawless receipt:

# %% tags=["given"]
def report_and_run_on(plan, tools, budget):
    """Says the right thing about the stop, and does not stop."""
    steps, refusal = [], None
    for decision in plan[:budget]:
        if "answer" in decision:
            break
        name, args = decision["tool"], decision["args"]
        try:
            result = tools[name](**args)
        except ToolError as error:
            refusal = f"stopped: {name} refused ({error})"
        else:
            if refusal is None:
                steps.append({"tool": name, "args": args, "result": result})
    return receipt(steps, "tool_error", refusal=refusal)


said = report_and_run_on(four_steps, failing_tools(), budget=9)
print(len(said["steps"]), "steps,", said["stopped_because"], "-", said["refusal"])
Timeline(report_and_run_on, four_steps, failing_tools())

# %% [markdown]
# Call 4 ran after the stop. Had it been a payment, the receipt would deny it. Reporting a stop and stopping are different things, which is why
# the check counts.
#
# **You write** `run_loop` again, now with all four exits. Start from your first one and add:
#
# | the call | `stopped_because` | `answer` | `refusal` |
# |---|---|---|---|
# | raises `ToolError` | `"tool_error"` | `None` | exactly `stopped: {name} refused ({error})` |
#
# - `{name}` is the tool's name, `{error}` the text of what it raised. No other wording, for any tool.
# - The run ends there: no second try, no further call.
# - The call that raised is no step, since it has no result. The steps before it stay.
# - All else is as in exercise 1: `answered` alone fills `answer`; the other three fill `refusal` with a text that names that tool alone; all four keys, always.
# - Catch `ToolError`, which includes its subclasses, and nothing wider. Any other exception, such as a `KeyError`, leaves `run_loop` as it is, the same object:
#   it is a defect, and must crash where it can be seen.
#
# **Don't change** `receipt`, `canonical`, or the names of the parameters.
#
# **Done when** the check's tools have seen no call after the stop.

# %% tags=["answer"] exercise="ch05-e2"
def run_loop(plan, tools, budget):
    """Work off `plan` and return a receipt, also when a tool refuses."""
    ### BEGIN SOLUTION
    if not any("answer" in decision for decision in plan):
        raise ValueError("the plan holds no answer, so no run of it can end well")
    steps, seen = [], set()
    for decision in plan:
        if "answer" in decision:
            return receipt(steps, "answered", answer=decision["answer"])
        name, args = decision["tool"], decision["args"]
        if len(steps) >= budget:
            return receipt(steps, "budget", refusal=f"stopped: no budget left to run {name}")
        call = canonical(name, args)
        if call in seen:
            return receipt(steps, "repeated_call", refusal=f"stopped: {name} had the same arguments before")
        seen.add(call)
        try:
            result = tools[name](**args)
        except ToolError as error:
            return receipt(steps, "tool_error", refusal=f"stopped: {name} refused ({error})")
        steps.append({"tool": name, "args": args, "result": result})
    ### END SOLUTION

# %% tags=["demo"] exercise="ch05-e2"
compare(
    lambda: run_loop(four_steps, failing_tools(), budget=9),
    stopped_because="tool_error",
    answer=None,
    refusal="stopped: list_documents refused (list_documents: the corpus index went away mid-run)",
    steps=2,
)

# %% tags=["demo"] exercise="ch05-e2"
from IPython.display import display

from course.widgets import step_through

display(Timeline(run_loop, four_steps, failing_tools()))
# Move the slider: the table shows what the receipt held after so many decisions.
step_through(lambda: run_loop(four_steps, failing_tools(), budget=9), four_steps)

# %% tags=["check"] exercise="ch05-e2"
check("ch05-e2", run_loop)

# %% [markdown]
# ## 3 · The trace as text
#
# The e-mail agent of amd/gaia wrote a line into its log for each tool that it called: `tool_call name=search_messages`. The arguments were captured too, next
# to the line, where the installed log handler dropped them. Whoever opened the log later could see that a search had happened, and not what for
# ([amd/gaia #3775](https://github.com/amd/gaia/issues/3775)).
#
# A **trace** is the run as a person reads it: the tools, the arguments, the results, and how it ended.
#
# Here are two receipts, independent of your loop, and their traces.

# %% tags=["given"]
finished = receipt(
    [
        {"tool": "list_documents", "args": {"tag": "retrieval"}, "result": "rag-basics"},
        {
            "tool": "convert_currency",
            "args": {"amount": 100, "source": "USD", "target": "EUR"},
            "result": "100 USD = 92.00 EUR",
        },
    ],
    "answered",
    answer="rag-basics covers retrieval, and 100 USD is 92.00 EUR.",
)
refused = receipt(
    finished["steps"][:1],
    "tool_error",
    refusal="stopped: list_documents refused (list_documents: the index went away)",
)

trace_of_finished = """\
1. list_documents({'tag': 'retrieval'}) -> rag-basics
2. convert_currency({'amount': 100, 'source': 'USD', 'target': 'EUR'}) -> 100 USD = 92.00 EUR
stopped_because='answered'  answer='rag-basics covers retrieval, and 100 USD is 92.00 EUR.'"""
trace_of_refused = """\
1. list_documents({'tag': 'retrieval'}) -> rag-basics
stopped_because='tool_error'  refusal='stopped: list_documents refused (list_documents: the index went away)'"""


def by_line(text):
    """A text as a dict of its lines, so that `compare` can show them one below the other."""
    return {f"line_{n}": line for n, line in enumerate(text.split("\n"), 1)}


print(trace_of_finished, trace_of_refused, sep="\n\n")

# %% [markdown]
# **You write** `render_trace(receipt)`. It returns the trace as one text and prints nothing:
#
# - one line a step, numbered from 1: `{n}. {tool}({args}) -> {result}`;
# - one closing line: `stopped_because={why}`, two spaces, then `answer={answer}` where the run was answered and `refusal={refusal}` where it was not;
# - lines are joined by a line break, with none after the last; a run without steps is its closing line alone.
#
# Arguments, `{why}`, the answer and the refusal are shown with `repr`, so that `'1'` and `1` differ on paper too. The result is shown with `str`, the tool's
# name as it is. Any values may come: an empty answer, a result that is a list, `None` or a text of several
# lines (its line breaks stay), two steps that are alike.
#
# **Don't change** the receipt that you are given.
#
# **Done when** your text equals the expected one to the last character.

# %% tags=["answer"] exercise="ch05-e3"
def render_trace(receipt):
    """The receipt as text: one line a step, and one closing line that says why the run stopped."""
    ### BEGIN SOLUTION
    lines = [
        f"{n}. {step['tool']}({step['args']!r}) -> {step['result']}"
        for n, step in enumerate(receipt["steps"], 1)
    ]
    spoken = "answer" if receipt["stopped_because"] == "answered" else "refusal"
    closing = f"stopped_because={receipt['stopped_because']!r}  {spoken}={receipt[spoken]!r}"
    return "\n".join([*lines, closing])
    ### END SOLUTION

# %% tags=["demo"] exercise="ch05-e3"
compare(lambda: by_line(render_trace(finished)), **by_line(trace_of_finished))

# %% tags=["demo"] exercise="ch05-e3"
compare(lambda: by_line(render_trace(refused)), **by_line(trace_of_refused))

# %% tags=["check"] exercise="ch05-e3"
check("ch05-e3", render_trace)

# %% [markdown]
# ## 4 · A record is a copy
#
# The hermes agent keeps a transcript, and before each model call it prepared a copy of the messages in it to be edited freely. The copy went one level deep.
# The lists and dicts inside the messages were still those of the transcript, so what was replaced for sending was replaced in the
# record too ([NousResearch/hermes-agent #80963](https://github.com/NousResearch/hermes-agent/pull/80963)).
#
# A receipt that shares a list with anything still in use says what that list holds *now*, not what the tool was asked *then*.

# %% tags=["given"]
from copy import deepcopy

args = {"tag": "retrieval", "pages": [1, 2]}
shared, one_level, by_value = args, dict(args), deepcopy(args)

args["tag"] = "changed"
args["pages"].append(99)
print("shared:   ", shared)
print("one level:", one_level)
print("by value: ", by_value)

# %% [markdown]
# Tools can do it as well as plans. A tool that edits a list among its arguments edits the plan with it, because `**args` hands over the list itself.

# %% tags=["given"]
def take_first(pages):
    """Returns the first page, and leaves the caller's list one page shorter."""
    return pages.pop(0)


greedy_plan = [{"tool": "take_first", "args": {"pages": [7, 8, 9]}}, {"answer": "Page 7."}]
plan_in_use = deepcopy(greedy_plan)
print(take_first(**plan_in_use[0]["args"]), "and the plan is now", plan_in_use[0]["args"])

# %% [markdown]
# **You write** `run_loop` a last time: the same four exits, and steps that are recorded *by value*.
#
# - `args` in a step are the arguments as they were when the call was made, equal in value and type, and still a dict: not a text about them. So is the result.
#   Both hold what JSON can hold.
# - Copy them *before* the call, at every level, so that neither the plan nor the tool can change the record. Copy the result when it is there: the tool may
#   still hold it.
# - The tool gets the arguments as planned, or an equal copy, but not the record. A repeat, too, is a matter of what was planned.
#
# **Don't change** when and how the loop stops: all of exercises 1 and 2 still holds.
#
# **Done when** plan, arguments and results have been changed, outside and inside, and the receipt has not moved.

# %% tags=["answer"] exercise="ch05-e4"
def run_loop(plan, tools, budget):
    """Work off `plan` and return a receipt that shares nothing with the plan or the tools."""
    ### BEGIN SOLUTION
    if not any("answer" in decision for decision in plan):
        raise ValueError("the plan holds no answer, so no run of it can end well")
    steps, seen = [], set()
    for decision in plan:
        if "answer" in decision:
            return receipt(steps, "answered", answer=decision["answer"])
        name, args = decision["tool"], decision["args"]
        if len(steps) >= budget:
            return receipt(steps, "budget", refusal=f"stopped: no budget left to run {name}")
        call = canonical(name, args)
        if call in seen:
            return receipt(steps, "repeated_call", refusal=f"stopped: {name} had the same arguments before")
        seen.add(call)
        recorded = deepcopy(args)
        try:
            result = tools[name](**args)
        except ToolError as error:
            return receipt(steps, "tool_error", refusal=f"stopped: {name} refused ({error})")
        steps.append({"tool": name, "args": recorded, "result": deepcopy(result)})
    ### END SOLUTION

# %% tags=["demo"] exercise="ch05-e4"
compare(
    lambda: run_loop(deepcopy(greedy_plan), {"take_first": take_first}, budget=1)["steps"],
    [{"tool": "take_first", "args": {"pages": [7, 8, 9]}, "result": 7}],
)

# %% tags=["check"] exercise="ch05-e4"
check("ch05-e4", run_loop)

# %% [markdown]
# ## What you have
#
# **Built:** a loop of about 25 lines with one way to succeed and three to refuse, a receipt that is the same shape on every exit, and a trace that a person can
# read.
#
# **Measured:** for each exit, the calls that reached the tools against the steps of the receipt. They differ in one place only, by the call that raised.

# %% tags=["given"]
def measured(plan, tools, budget):
    """(why the run stopped, calls that reached a tool, steps in the receipt)"""
    watched, reached = counted(tools)
    run = run_loop(deepcopy(plan), watched, budget)
    return run["stopped_because"], len(reached), len(run["steps"])


compare(
    lambda: {
        "to_the_end": measured(two_calls, tools, budget=2),
        "one_call_allowed": measured(two_calls, tools, budget=1),
        "the_plan_twice": measured([*two_calls[:2], *two_calls], tools, budget=9),
        "index_goes_away": measured(four_steps, failing_tools(), budget=9),
        "a_tool_lies": measured(two_calls, {**tools, "list_documents": lambda tag: "no-such"}, budget=2),
    },
    to_the_end=("answered", 2, 2),
    one_call_allowed=("budget", 1, 1),
    the_plan_twice=("repeated_call", 2, 2),
    index_goes_away=("tool_error", 3, 2),
    a_tool_lies=("answered", 2, 2),
)

# %% [markdown]
# **Not proved:** that a result is true. The receipt holds what the tool said; in the last row above a tool names a document that is not there,
# and the receipt is clean. Nor that a receipt is the one that
# the loop wrote: whoever holds the dict can edit it. The cell below turns a refusal into a success, and nothing tells.

# %% tags=["given"]
edited = {**refused, "stopped_because": "answered", "answer": "All were found.", "refusal": None}

print("before:", refused["stopped_because"], "|", refused["answer"], "|", refused["refusal"])
print("after: ", edited["stopped_because"], "|", edited["answer"], "|", edited["refusal"])
print("same keys:", sorted(edited) == sorted(refused), " same steps:", edited["steps"] == refused["steps"])

# %% [markdown]
# Session 10 chains the records so that an edit shows.
#
# **Next**, session 6, puts a model in place of the plan. Then it matters what the loop looks at first when two limits are reached at once. It
# begins with the course's own version of what you have just written:
#
# ```python
# from course.loops.receipts import receipt, render_trace, run_loop
# ```
