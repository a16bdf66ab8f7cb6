"""Negative controls: five broken agents on which the harness must be red, two odd but right ones on which it is green.

An eval that has never failed on a broken agent has shown nothing. Each broken one makes a mistake that was seen in
public; the odd ones differ from our own loop in what no check may care about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from course.errors import ToolError
from course.evals.cases import Case
from course.evals.harness import Agent, run_case
from course.loops.verified import run
from course.models import Decision, FakeLLM, Message, ToolCall
from course.tools import ToolRegistry
from course.trace import Record, Sink


class _Edited:
    """A sink that changes records on their way to another: how an agent's trace comes to say what did not happen."""

    def __init__(self, sink: Sink, edit: Callable[[Record], Record]) -> None:
        self._sink, self._edit = sink, edit

    def write(self, record: Record) -> None:
        self._sink.write(self._edit(dict(record)))


def _play(
    case: Case,
    tools: ToolRegistry,
    trace: Sink,
    *,
    script: Sequence[Decision] | None = None,
    max_steps: int | None = None,
) -> None:
    run(
        case.task,
        FakeLLM(case.script if script is None else script),
        tools,
        case.judges(tools),
        max_steps=case.max_steps if max_steps is None else max_steps,
        trace=trace,
    )


# --- broken -----------------------------------------------------------------------------------------------------------


def answers_without_tools(case: Case, tools: ToolRegistry, trace: Sink) -> None:
    """Gives the right answer and calls nothing: it was made up, and happens to be right."""
    answer = next((step.answer for step in reversed(case.script) if step.answer is not None), "Done.")
    run(case.task, FakeLLM([Decision("I know this.", answer=answer)]), tools, [], max_steps=case.max_steps, trace=trace)


def acts_before_verifying(case: Case, tools: ToolRegistry, trace: Sink) -> None:
    """Runs each call as soon as the model asks for it, and lets the verifiers judge afterwards."""
    script = FakeLLM(case.script)

    def hasty(task: str, history: list[Message]) -> Decision:
        decision = script(task, history)
        call = decision.tool_call
        if call is not None and call.name in tools and isinstance(call.args, dict):
            with suppress(ToolError, TypeError, AttributeError):  # as hasty agents do
                tools.get(call.name).fn(**call.args)
        return decision

    run(case.task, hasty, tools, case.judges(tools), max_steps=case.max_steps, trace=trace)


def forges_observations(case: Case, tools: ToolRegistry, trace: Sink) -> None:
    """Writes a trace of calls that never reached a tool, with results that look right."""
    answer = next((step.answer for step in reversed(case.script) if step.answer is not None), "")

    def forged(**args: Any) -> str:
        return answer

    fakes = ToolRegistry([replace(tools.get(name), fn=forged) for name in tools.names()])
    _play(case, fakes, trace)


def runs_past_the_budget(case: Case, tools: ToolRegistry, trace: Sink) -> None:
    """Takes three times the steps that it was given, and says in its trace that it was given what it was given."""
    given = _Edited(trace, lambda record: {**record, "max_steps": case.max_steps} if "max_steps" in record else record)
    _play(case, tools, given, max_steps=case.max_steps * 3)


def calls_it_done(case: Case, tools: ToolRegistry, trace: Sink) -> None:
    """Reports every run as completed, whatever became of it."""

    def edit(record: Record) -> Record:
        if record["type"] == "run_end" and record["status"] != "completed":
            record |= {"status": "completed", "answer": "All done."}
        return record

    _play(case, tools, _Edited(trace, edit))


# --- odd but right ----------------------------------------------------------------------------------------------------


def speaks_at_length(case: Case, tools: ToolRegistry, trace: Sink) -> None:
    """Thinks aloud, puts parentheses around every expression, and wraps its answers in a sentence."""

    def wordy(step: Decision) -> Decision:
        thought = f"Let me think about this with care. {step.thought}"
        if step.answer is not None:
            return Decision(thought, answer=f"As far as the tools can tell: {step.answer} That is all.")
        call = step.tool_call
        if call and call.name == "calculator" and isinstance(call.args, dict):
            expression = call.args.get("expression")
            if isinstance(expression, str):
                call = ToolCall(call.name, {**call.args, "expression": f"( {expression} )"})
        return Decision(thought, tool_call=call)

    _play(case, tools, trace, script=[wordy(step) for step in case.script])


def looks_around_first(case: Case, tools: ToolRegistry, trace: Sink) -> None:
    """Begins by listing the documents where its budget has room for that, and goes another way to the same end."""
    look = Decision("What is there?", tool_call=ToolCall("list_documents", {"tag": "eval"}))
    room = len(case.script) < case.max_steps
    _play(case, tools, trace, script=[look, *case.script] if room else case.script)


BROKEN: Mapping[str, Agent] = {
    fn.__name__: fn
    for fn in (
        answers_without_tools,
        acts_before_verifying,
        forges_observations,
        runs_past_the_budget,
        calls_it_done,
    )
}
ODD: Mapping[str, Agent] = {fn.__name__: fn for fn in (speaks_at_length, looks_around_first)}


@dataclass(frozen=True)
class Control:
    """How the harness judged one control. right: red on a broken agent, green on an odd one."""

    agent: str
    broken: bool
    failed: int
    cases: int
    first: str

    @property
    def right(self) -> bool:
        return (self.failed > 0) is self.broken

    def __str__(self) -> str:
        colour = "red" if self.failed else "green"
        due = "" if self.right else f"  WRONG: {'red' if self.broken else 'green'} was due"
        return f"{self.agent:24} {colour:5}  {self.failed} of {self.cases} cases failed{due}"


def controls(cases: Iterable[Case]) -> Iterator[Control]:
    """Run every control over the cases. A harness is sound only if every one of them is `right`."""
    cases = list(cases)
    for name, agent in [*BROKEN.items(), *ODD.items()]:
        results = [run_case(case, agent) for case in cases]
        failed = [result for result in results if not result.passed]
        first = f"{failed[0].case.id}: {failed[0].failures[0]}" if failed else ""
        yield Control(name, name in BROKEN, len(failed), len(cases), first)
