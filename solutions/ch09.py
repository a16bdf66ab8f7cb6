# %% [markdown]
# # 9 · Evals read traces
#
# **You will build** a small eval harness: it loads cases, runs an agent on each, judges what the trace shows instead of what the answer says, measures seven
# numbers, and proves on broken agents that it can fail.
#
# **You need** Python: functions, dicts, JSON. No key, no network, no earlier session: what is used of them is explained here.
#
# **Minutes** about 120.

# %%
from grader import check, compare, hint, solution

# %% [markdown]
# ## What there is to judge
#
# An **agent** is given a task and tools, and leaves a **trace**: a list of records, `run_start`, a `step` for each decision, and `run_end`. A step holds the
# decision (a tool call or an answer), the judgments of the verifiers, and the observation: what the tool returned. Session 8 built the loop that writes it.
#
# A **case** is a task and what must be true of a run. Its `script` is what a scripted model decides, so that a run needs no network.

# %% tags=["given"]
from copy import deepcopy
from decimal import Decimal

from course.loops.verified import run
from course.models import Decision, FakeLLM, ToolCall
from course.toolbox import CALCULATOR, LIST_DOCUMENTS
from course.tools import ToolRegistry
from course.trace import Trace, replay, steps_of, was_blocked, was_called
from course.verifiers import numbers

PRODUCT = {
    "id": "product",
    "task": "What is 17*23? Use the calculator.",
    "script": [{"call": ["calculator", {"expression": "17*23"}]}, {"answer": "17*23 is 391."}],
    "checks": [{"status": "completed"}, {"answer_has": ["391"]}, {"called": {"tool": "calculator", "result": 391}}],
}


def decisions(script):
    """The decisions of a scripted model."""
    return [
        Decision("", answer=step["answer"]) if "answer" in step else Decision("", tool_call=ToolCall(*step["call"]))
        for step in script
    ]


def play(case, tools, script=None, **settings):
    """Run the verified loop on a case, and return the records of its trace."""
    trace, llm = Trace(), FakeLLM(decisions(case["script"] if script is None else script))
    settings = {"max_steps": case.get("max_steps", 8), **settings}
    run(case["task"], llm, ToolRegistry(tools.values()), trace=trace, **settings)
    return trace.records


def make_tools(case):
    """The tools for one case, made anew."""
    return {tool.name: tool for tool in (CALCULATOR, LIST_DOCUMENTS)}


for record in play(PRODUCT, make_tools(PRODUCT)):
    print(record["type"], record.get("decision", record.get("answer", record.get("task"))), record.get("observation"))

# %% [markdown]
# `course.trace` helps to read steps: `was_blocked` says whether a verifier stopped one before it acted, `was_called` whether its call began.

# %% tags=["given"]
def told(records):
    """A run in short: each step, and how it ended."""
    lines = []
    for step in steps_of(records):
        call = step["decision"]["tool_call"]
        what = "answer" if call is None else call["tool"]
        lines.append(what + (" (blocked)" if was_blocked(step) else ""))
    return [*lines, records[-1]["status"]]


MISSPELT = {
    **PRODUCT,
    "id": "misspelt",
    "script": [{"call": ["calculator", {"expresion": "17*23"}]}, *PRODUCT["script"]],
}
print(told(play(PRODUCT, make_tools(PRODUCT))))
print(told(play(MISSPELT, make_tools(MISSPELT))))

# %% [markdown]
# ## 1 · Cases that load, and runs that stay apart
#
# A tool for choosing the best of several answers read its prompts from a file, one JSON object a line. Of four lines one was no JSON and one held no prompt. It
# went on with two, and said nothing ([Soup #548](https://github.com/MakazhanAlpamys/Soup/issues/548)). The rate at the end was then a rate over something else
# than the file.

# %% tags=["given"]
import json
import re


def generous(lines):
    """Keeps what it can read."""
    cases = []
    for line in lines:
        try:
            cases.append(json.loads(line))
        except ValueError:
            pass
    return cases


lines = [json.dumps(PRODUCT), '{"id": "sum", "task": "What is 1+1?"', "", json.dumps(PRODUCT), '{"id": "half"}']
print("lines:", len(lines), " cases:", [case["id"] for case in generous(lines)])

# %% [markdown]
# **You write** two functions. `load_cases(lines)` takes the lines of a file as texts and returns the cases as dicts, in order.
#
# - A case is a JSON object with at least `id`, `task`, `script` and `checks`. The `id` is a text that is not empty, and `checks` a list that is not empty: a case
#   without a check cannot fail. Nothing else is asked.
# - No two cases have the same `id`.
# - Blank lines are no cases, and are counted: lines are numbered from 1.
# - If any line is bad, raise `ValueError` with a text that names *every* bad line as `line 2: ` and a reason. For an `id` that is taken the reason names the line
#   that has it: `line 4: the id 'product' is taken by line 1`.
# - No case at all is a `ValueError` too.
#
# `run_cases(cases, agent, make_tools)` runs each case once and returns a result for each, in order: `{"id": …, "records": …, "error": …}`.
#
# - For each case call `make_tools(case)`, once, and then `agent(case, tools)` with what it returned. The agent returns its records; `error` is `None`.
# - If the agent raises an `Exception`, the result has `[]` as its records and class and text as its error, such as `RuntimeError: gone`. The cases after it run
#   all the same. What is no `Exception`, such as `KeyboardInterrupt`, leaves `run_cases`.
#
# **Don't change** the names of the parameters.
#
# **Done when** every bad line is named and no good one, and what one case does reaches no other.

# %% tags=["answer"] exercise="ch09-e1"
def load_cases(lines):
    """The cases of a file, given as its lines. Raises ValueError, which names every bad line."""
    ### BEGIN SOLUTION
    cases, problems, line_of = [], [], {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            case = json.loads(line)
        except ValueError:
            problems.append(f"line {number}: no JSON")
            continue
        problem = why_no_case(case)
        if not problem and case["id"] in line_of:
            problem = f"the id {case['id']!r} is taken by line {line_of[case['id']]}"
        if problem:
            problems.append(f"line {number}: {problem}")
            continue
        line_of[case["id"]] = number
        cases.append(case)
    if problems:
        raise ValueError("; ".join(problems))
    if not cases:
        raise ValueError("there is no case")
    return cases


def why_no_case(case):
    if not isinstance(case, dict):
        return "a case is an object"
    if missing := [key for key in ("id", "task", "script", "checks") if key not in case]:
        return f"a case needs {', '.join(missing)}"
    if not isinstance(case["id"], str) or not case["id"]:
        return "the id is a text that is not empty"
    if not isinstance(case["checks"], list) or not case["checks"]:
        return "a case without a check cannot fail"
    ### END SOLUTION


def run_cases(cases, agent, make_tools):
    """Run each case once, apart from all others: a list of {"id", "records", "error"}."""
    ### BEGIN SOLUTION
    results = []
    for case in cases:
        records, error = [], None
        try:
            records = agent(case, make_tools(case))
        except Exception as crash:
            error = f"{type(crash).__name__}: {crash}"
        results.append({"id": case["id"], "records": records, "error": error})
    return results
    ### END SOLUTION

# %% tags=["demo"] exercise="ch09-e1"
def refused(lines):
    """What is said of these lines."""
    try:
        return [case["id"] for case in load_cases(lines)]
    except ValueError as error:
        return sorted(re.findall(r"line \d+(?=: )", str(error)))


def crashes_once(case, tools):
    if case["id"] == "product":
        raise RuntimeError("gone")
    return play(case, tools)


compare(
    lambda: {
        "good": refused([json.dumps(PRODUCT), "", json.dumps(MISSPELT)]),
        "bad": refused(lines),
        "errors": [result["error"] for result in run_cases([PRODUCT, MISSPELT], crashes_once, make_tools)],
    },
    good=["product", "misspelt"],
    bad=["line 2", "line 4", "line 5"],
    errors=["RuntimeError: gone", None],
)

# %% tags=["check"] exercise="ch09-e1"
check("ch09-e1", load_cases, run_cases)

# %% [markdown]
# ## 2 · What happened, not what was said
#
# In a code audit in June 2026, six subagents of Claude Code gave complete, confident reports. None had called a tool. One advised deleting some 2,500 lines in
# files that did not exist ([claude-code #67730](https://github.com/anthropics/claude-code/issues/67730)). And on the leaderboard of Hugging Face's agents course,
# full marks went to programs that had the answers in their code ([agents-course #483](https://github.com/huggingface/agents-course/issues/483)).
#
# Below, a check that looks at the final answer alone, and an agent that calls no tool.

# %% tags=["given"]
def answers_without_tools(case, tools):
    """Gives the right answer, and calls nothing."""
    answers = [step for step in case["script"] if "answer" in step]
    return play(case, tools, script=answers)


def right_answer(records):
    """Looks at the final answer alone."""
    return "391" in (records[-1]["answer"] or "")


for agent in (play, answers_without_tools):
    records = agent(PRODUCT, make_tools(PRODUCT))
    print(f"{agent.__name__:22} passes: {right_answer(records)!s:6} {told(records)}")
print("391" in "The product is 13910.", [str(number) for number in numbers("The product is 13910.")])

# %% [markdown]
# It passes. The last line shows a second way to pass: a part of another number.
#
# **You write** `failures(checks, records)`. It returns a list with a text for each check that does not hold, in the order of the checks; an empty list when all
# hold. Each text begins with the name of the check and a colon. A check is a dict with one key:
#
# - `{"status": "completed"}`: `run_end` has this status.
# - `{"answer_has": ["391", "0.5"]}`: there is an answer in `run_end`, and each of these numbers stands in it as a number of its own, compared by value. `numbers`
#   finds them, as `Decimal`s.
# - `{"called": {"tool": …, "args": …, "result": …}}`: a call of the tool ran and succeeded. Where `args` is given, the call had these arguments, perhaps among
#   others; where `result` is given, its observation's `content` equals it. Both may be left out; one and the same call must fit all.
# - `{"not_called": "charge_card"}`: no call of this tool ran, not even one that failed.
# - `{"order": ["search", "read"]}`: calls that ran and succeeded hold these tools in this order. Others may stand between.
#
# A blocked call did not run. A call ran when `was_called` says so, and succeeded when its observation is `ok` as well.
#
# **Don't change** what stands above, the checks, and the records.
#
# **Done when** the agent that called nothing fails, and any way to the goal that keeps the checks passes.

# %% tags=["answer"] exercise="ch09-e2"
def failures(checks, records):
    """A text for each check that does not hold of the run; an empty list when all hold."""
    ### BEGIN SOLUTION
    end, ran = records[-1], [step for step in steps_of(records) if was_called(step)]
    succeeded = [step for step in ran if step["observation"]["ok"]]

    def tool_of(step):
        return step["decision"]["tool_call"]["tool"]

    def fits(step, due):
        args = step["decision"]["tool_call"]["args"]
        return (
            tool_of(step) == due["tool"]
            and all(key in args and args[key] == value for key, value in due.get("args", {}).items())
            and ("result" not in due or step["observation"]["content"] == due["result"])
        )

    def in_order(due):
        names = iter([tool_of(step) for step in succeeded])
        return all(tool in names for tool in due)

    holds = {
        "status": lambda due: end["status"] == due,
        "answer_has": lambda due: end["answer"] is not None and {Decimal(n) for n in due} <= set(numbers(end["answer"])),
        "called": lambda due: any(fits(step, due) for step in succeeded),
        "not_called": lambda due: due not in [tool_of(step) for step in ran],
        "order": in_order,
    }
    return [f"{name}: {due} does not hold" for check in checks for name, due in check.items() if not holds[name](due)]
    ### END SOLUTION

# %% tags=["demo"] exercise="ch09-e2"
def failed(agent, case, *more):
    """The names of the checks that do not hold."""
    found = failures([*case["checks"], *more], agent(case, make_tools(case)))
    return [text.partition(":")[0] for text in found]


compare(
    lambda: {
        "honest": failed(play, PRODUCT),
        "no_tool": failed(answers_without_tools, PRODUCT),
        "blocked_once": failed(play, MISSPELT, {"order": ["calculator", "calculator"]}),
        "a_part": failed(play, PRODUCT, {"answer_has": ["39"]}),
    },
    honest=[],
    no_tool=["called"],
    blocked_once=["order"],
    a_part=["answer_has"],
)

# %% tags=["check"] exercise="ch09-e2"
check("ch09-e2", failures)

# %% [markdown]
# ## 3 · Seven numbers, and what each divides by
#
# A benchmark reported that 73 percent of a model's programs passed. Of 172 runs, 24 had not compiled or not finished, and these were left out of the number that was
# divided by. Counted as what they were, failures, they made it 63 percent ([Frontier-CS #161](https://github.com/FrontierCS/Frontier-CS/issues/161)).

# %% tags=["given"]
passed, runs, not_finished = 108, 172, 24
print(f"{passed} / {runs - not_finished} = {passed / (runs - not_finished):.4f}")
print(f"{passed} / {runs} = {passed / runs:.4f}")

# A case for the exercise: it takes more steps than it is given.
NO_END = {**PRODUCT, "id": "no-end", "max_steps": 2, "script": [PRODUCT["script"][0]] * 3 + PRODUCT["script"][1:]}
print(told(play(NO_END, make_tools(NO_END))))

# %% [markdown]
# A rate without its denominator says little. This is the table that you will fill:
#
# ![An eval table of three runs. task completion rate 0.67, 2 of 3, all runs. Expected outcome pass rate 0.67, 2 of 3, all runs. Mean steps to completion 2.50, 5 of 2, completed runs only. Mean verifier score 0.86, 12.00 of 14, all judgments. Verifier blocked steps 1, of 7, all steps. Budget exhaustion rate 0.33, 1 of 3, all runs. Total cost: not measured, 0 runs had a cost.](pictures/ch09-table.svg)
#
# **You write** `measure(results)`. A result is a dict: `records` is a whole trace, `passed` says whether all checks held, `cost` is a `Decimal` of US dollars,
# or `None` where nobody measured it. It returns a dict that has under each of these names `{"value": …, "numerator": …, "denominator": …}`:
#
# | name | numerator | denominator |
# |---|---|---|
# | `task_completion_rate` | runs whose status is `completed` | all runs |
# | `expected_outcome_pass_rate` | runs that passed | all runs |
# | `mean_steps_to_completion` | `steps_used` of the completed runs | completed runs |
# | `mean_verifier_score` | the sum of all scores | all judgments of all steps |
# | `verifier_blocked_steps` | blocked steps | all steps |
# | `budget_exhaustion_rate` | runs whose status is `budget_exhausted` | all runs |
# | `total_cost` | the sum of the measured costs | runs whose cost was measured |
#
# - The value is numerator divided by denominator, not rounded. Of `verifier_blocked_steps` and `total_cost` it is the numerator itself.
# - Where the denominator is 0 nothing was measured, and the value is `None`. A measured cost of 0 is a cost.
#
# A run may complete and not pass; and a run that was to end as `failed`, and did, passes without completing.
#
# **Don't change** the names, and the results.
#
# **Done when** each value can be worked out again from the two numbers beside it.

# %% tags=["answer"] exercise="ch09-e3"
def measure(results):
    """The seven metrics by name, each with value, numerator and denominator; no value where nothing was measured."""
    ### BEGIN SOLUTION
    ends = [result["records"][-1] for result in results]
    completed = [end for end in ends if end["status"] == "completed"]
    exhausted = [end for end in ends if end["status"] == "budget_exhausted"]
    steps = [step for result in results for step in steps_of(result["records"])]
    scores = [judgment["score"] for step in steps for judgment in step["judgments"]]
    costs = [result["cost"] for result in results if result["cost"] is not None]

    def entry(numerator, denominator, counts=False):
        value = None
        if denominator:
            value = numerator if counts else numerator / denominator
        return {"value": value, "numerator": numerator, "denominator": denominator}

    return {
        "task_completion_rate": entry(len(completed), len(ends)),
        "expected_outcome_pass_rate": entry(sum(result["passed"] for result in results), len(ends)),
        "mean_steps_to_completion": entry(sum(end["steps_used"] for end in completed), len(completed)),
        "mean_verifier_score": entry(sum(scores), len(scores)),
        "verifier_blocked_steps": entry(sum(map(was_blocked, steps)), len(steps), counts=True),
        "budget_exhaustion_rate": entry(len(exhausted), len(ends)),
        "total_cost": entry(sum(costs), len(costs), counts=True),
    }
    ### END SOLUTION

# %% tags=["demo"] exercise="ch09-e3"
def three_runs():
    """Value and denominator of each metric over the three runs of the picture."""
    runs = [(PRODUCT, True), (MISSPELT, True), (NO_END, False)]
    made = measure([{"records": play(c, make_tools(c)), "passed": passed, "cost": None} for c, passed in runs])
    return {name: (one["value"] and round(one["value"], 2), one["denominator"]) for name, one in made.items()}


compare(
    three_runs,
    task_completion_rate=(0.67, 3),
    expected_outcome_pass_rate=(0.67, 3),
    mean_steps_to_completion=(2.5, 2),
    mean_verifier_score=(0.86, 14),
    verifier_blocked_steps=(1, 7),
    budget_exhaustion_rate=(0.33, 3),
    total_cost=(None, 0),
)

# %% tags=["check"] exercise="ch09-e3"
check("ch09-e3", measure)

# %% [markdown]
# ## 4 · A harness that can fail
#
# `axiom eval` printed `Failed Suites 1` and `Failed Tests 13`, and ended with exit code 0, which means success. The pipeline that asked it went green
# ([axiom #283](https://github.com/axiomhq/ai/issues/283)).
#
# An eval that was never red has shown nothing. So we keep agents that are broken in known ways, on which it must be red, and odd ones that do nothing wrong, on
# which it must be green: **negative controls**. Some lie in their trace. So the tools are counted outside the agent, in a **ledger**.

# %% tags=["given"]
from contextlib import suppress
from dataclasses import replace


def counted(tools, ledger):
    """The same tools; each call that reaches one is in the ledger before it runs."""

    def counting(tool):
        def fn(**args):
            ledger.append([tool.name, deepcopy(args)])
            return tool.fn(**args)

        return replace(tool, fn=fn)

    return {name: counting(tool) for name, tool in tools.items()}


def acts_before_verifying(case, tools):
    """Runs each call as soon as the model asks, and lets the loop verify and run it again."""
    script = FakeLLM(decisions(case["script"]))
    trace = Trace()

    def hasty(task, history):
        decision = script(task, history)
        with suppress(Exception):
            tools[decision.tool_call.name].fn(**decision.tool_call.args)
        return decision

    run(case["task"], hasty, ToolRegistry(tools.values()), max_steps=case.get("max_steps", 8), trace=trace)
    return trace.records


def forges_observations(case, tools):
    """Its calls reach no tool; the results look right."""
    return play(case, {name: replace(tool, fn=lambda **_: 391) for name, tool in tools.items()})


def runs_past_the_budget(case, tools):
    """Takes three times the steps that it was given."""
    records = play(case, tools, max_steps=3 * case.get("max_steps", 8))
    records[0]["max_steps"] = case.get("max_steps", 8)
    return records


def calls_it_done(case, tools):
    """Reports every run as completed."""
    records = play(case, tools)
    if records[-1]["status"] != "completed":
        records[-1] |= {"status": "completed", "answer": "All done."}
    return records


def looks_around_first(case, tools):
    """Begins with a call that nobody asked for."""
    look = {"call": ["list_documents", {}]}
    return play(case, tools, script=[look, *case["script"]] if "max_steps" not in case else None)


def speaks_at_length(case, tools):
    """Wraps every answer in a sentence."""
    wordy = [{"answer": f"I think that {s['answer']} That is all."} if "answer" in s else s for s in case["script"]]
    return play(case, tools, script=wordy)


BROKEN = [answers_without_tools, acts_before_verifying, forges_observations, runs_past_the_budget, calls_it_done]
ODD = [looks_around_first, speaks_at_length]
CASES = [PRODUCT, MISSPELT, {**NO_END, "checks": [{"status": "budget_exhausted"}]}]


def reached(agent, case):
    """The trace of an agent on a case, and what reached the tools meanwhile."""
    ledger = []
    return agent(case, counted(make_tools(case), ledger)), ledger


for agent in [play, *BROKEN, *ODD]:
    records, ledger = reached(agent, MISSPELT)
    print(f"{agent.__name__:22}{len(ledger)} reached the tools   {told(records)}")
print(replay(calls_it_done(NO_END, make_tools(NO_END))).mismatches)

# %% [markdown]
# **You write** `verdict(runs)`. A run is a dict: `case`, `records`, `failures` (what your exercise 2 said of its checks), and `ledger`, a list of
# `[tool, args]` for each call that reached a tool. It returns `{"failed": {id: [reason, …]}, "exit_code": …}`. A run fails for any of these reasons:
#
# - each text in its `failures`;
# - each text in `replay(records).mismatches`: the trace does not agree with itself, or there is none, as after a crash;
# - the calls that its trace tells of, those that `was_called`, are not those of the ledger: the same tools with the same arguments in the same order.
#
# `failed` holds the ids of the cases whose runs failed, each with a list of all reasons of its runs, and no others. `exit_code` is 0 when there are runs and none failed, otherwise 1.
# Nothing else counts: not the way that the script takes, not what is thought, not how long an answer is.
#
# **Don't change** the agents, and the runs.
#
# **Done when** it is red on all five broken agents and green on the two odd ones.

# %% tags=["answer"] exercise="ch09-e4"
def verdict(runs):
    """{"failed": reasons by case id, "exit_code": 0 when there are runs and none failed, otherwise 1}"""
    ### BEGIN SOLUTION
    found = {}
    for one in runs:
        calls = [step["decision"]["tool_call"] for step in steps_of(one["records"]) if was_called(step)]
        reasons = [*one["failures"], *replay(one["records"]).mismatches]
        if [[call["tool"], call["args"]] for call in calls] != one["ledger"]:
            reasons.append(f"the trace tells of {len(calls)} calls, and {len(one['ledger'])} reached the tools")
        if reasons:
            found.setdefault(one["case"]["id"], []).extend(reasons)
    return {"failed": found, "exit_code": int(bool(found) or not runs)}
    ### END SOLUTION

# %% tags=["demo"] exercise="ch09-e4"
def runs_of(agent):
    """The runs of an agent on all cases, with what reached the tools."""
    made = []
    for case in CASES:
        records, ledger = reached(agent, case)
        found = failures(case["checks"], records)
        made.append({"case": case, "records": records, "failures": found, "ledger": ledger})
    return made


compare(
    lambda: {agent.__name__: verdict(runs_of(agent))["exit_code"] for agent in [play, *BROKEN, *ODD]},
    play=0,
    **{agent.__name__: 1 for agent in BROKEN},
    **{agent.__name__: 0 for agent in ODD},
)

# %% tags=["check"] exercise="ch09-e4"
check("ch09-e4", verdict)

# %% [markdown]
# ## 5 · A report that says what it rests on
#
# A program that runs agents had no prices for some models. Its panel showed `$0.0000` for them, and a reader could not tell free from unknown
# ([ralphd #10](https://github.com/n-orlov/ralphd/issues/10)).
#
# A language model answers differently each time, so a case is run several times: **repetitions**. They give one more way to look good.

# %% tags=["given"]
def results_of(case_id, outcomes, cost=None):
    """One result for each mark: o passed, x did not."""
    return [{"case": case_id, "passed": mark == "o", "cost": cost} for mark in outcomes]


live = results_of("product", "oxx", Decimal("0.0010")) + results_of("misspelt", "xox")
best = {case: any(r["passed"] for r in live if r["case"] == case) for case in ("product", "misspelt")}
print("best of three:", sum(best.values()), "of", len(best))
print("every run:    ", sum(r["passed"] for r in live), "of", len(live))

# %% [markdown]
# **You write** `report(groups)`. `groups` is a dict: the name of an agent to its results, as above. It returns a list of rows in the same order, each a dict of
# texts:
#
# | key | text |
# |---|---|
# | `agent` | its name |
# | `runs` | the number of results: `6` |
# | `cases` | the number of different cases: `2` |
# | `repetitions` | how often each case was run: `3`; where that differs, least and most: `2 to 3` |
# | `passed` | all runs, none picked: `2 / 6 (33.3 %)`, with one decimal |
# | `cost` | the sum of what was measured, with four decimals, and over how many: `0.0030 USD (3 of 6 runs)` |
#
# - Where no run has a cost, the cost is `not measured`. A cost of 0 was measured.
# - An agent without results has `0` runs and `0` cases; the other three are `not measured`.
#
# **Don't change** the keys, and the results.
#
# **Done when** no number stands in a row that nobody measured, and each rate shows its n.

# %% tags=["answer"] exercise="ch09-e5"
def report(groups):
    """A row of texts for each agent: agent, runs, cases, repetitions, passed, cost."""
    ### BEGIN SOLUTION
    rows = []
    for agent, results in groups.items():
        cases = [result["case"] for result in results]
        row = {"agent": agent, "runs": str(len(cases)), "cases": str(len(set(cases)))}
        row |= dict.fromkeys(("repetitions", "passed", "cost"), "not measured")
        rows.append(row)
        if not results:
            continue
        times = sorted({cases.count(case) for case in cases})
        row["repetitions"] = str(times[0]) if len(times) == 1 else f"{times[0]} to {times[-1]}"
        passed = sum(result["passed"] for result in results)
        row["passed"] = f"{passed} / {len(cases)} ({100 * passed / len(cases):.1f} %)"
        costs = [result["cost"] for result in results if result["cost"] is not None]
        if costs:
            row["cost"] = f"{sum(costs):.4f} USD ({len(costs)} of {len(cases)} runs)"
    return rows
    ### END SOLUTION

# %% tags=["demo"] exercise="ch09-e5"
GROUPS = {"scripted": results_of("product", "o") + results_of("misspelt", "o"), "live": live, "not run": []}
compare(
    lambda: {row["agent"].replace(" ", "_"): (row["repetitions"], row["passed"], row["cost"]) for row in report(GROUPS)},
    scripted=("1", "2 / 2 (100.0 %)", "not measured"),
    live=("3", "2 / 6 (33.3 %)", "0.0030 USD (3 of 6 runs)"),
    not_run=("not measured", "not measured", "not measured"),
)

# %% tags=["check"] exercise="ch09-e5"
check("ch09-e5", report)

# %% [markdown]
# ## What you have
#
# **Built:** a harness that loads cases, judges traces, and is red where it should be.
#
# **Measured:** eight agents on three cases, one of which is to run out of steps: how many they passed, and the rate at which they say that they completed. The
# three that complete everything are all broken.

# %% tags=["given"]
def passing(agent):
    """Cases passed, and the rate of completion, of one agent."""
    runs = runs_of(agent)
    failing = verdict(runs)["failed"]
    made = [{"records": r["records"], "passed": r["case"]["id"] not in failing, "cost": None} for r in runs]
    return len(runs) - len(failing), round(measure(made)["task_completion_rate"]["value"], 2)


compare(
    lambda: {agent.__name__: passing(agent) for agent in [play, *BROKEN, *ODD]},
    play=(3, 0.67),
    answers_without_tools=(0, 1.0),
    acts_before_verifying=(0, 0.67),
    forges_observations=(0, 0.67),
    runs_past_the_budget=(2, 1.0),
    calls_it_done=(2, 1.0),
    looks_around_first=(3, 0.67),
    speaks_at_length=(3, 0.67),
)

# %% [markdown]
# **Not proved:** that a case asks the right thing. Below, an agent that calls the calculator with another expression and answers with the number from the task: the
# checks that are left hold, since no case asked for the result. Nor do scripted cases, however many, say anything of a language model.

# %% tags=["given"]
CARELESS = {**PRODUCT, "checks": [{"called": {"tool": "calculator"}}, {"answer_has": ["17"]}]}


def careless(case, tools):
    return play(case, tools, script=[{"call": ["calculator", {"expression": "1+1"}]}, {"answer": "About 17 times 20."}])


compare(lambda: failed(careless, CARELESS), [])

# %% [markdown]
# **Next**, session 10 asks whom to believe when the trace itself may have been changed. The course's own harness has thirty cases, and reports in a folder
# `eval-results`:
#
# ```
# python -m course eval
# ```
