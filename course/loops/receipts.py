"""The smallest loop that can refuse: four exits, one receipt (session 5).

A run succeeds in one way and stops in several. Three of the four exits are refusals, and only one fills `answer`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any

from course.errors import ToolError

Decision = Mapping[str, Any]  # {"tool": name, "args": {...}} or {"answer": text}
Receipt = dict[str, Any]


def run_loop(plan: Sequence[Decision], tools: Mapping[str, Callable[..., Any]], budget: int) -> Receipt:
    """Work off `plan` and return a receipt.

    Arguments:
        plan: decisions in order, of which at least one is an answer.
        tools: name -> callable, called with keyword arguments.
        budget: the most calls that may run.

    Catches ToolError alone: any other exception is a defect and propagates. Raises ValueError, before any tool runs,
    for a plan that holds no answer.
    """
    if not any("answer" in decision for decision in plan):
        raise ValueError("the plan holds no answer, so no run of it can end well")
    steps: list[dict[str, Any]] = []
    seen: set[str] = set()
    for decision in plan:
        if "answer" in decision:
            return receipt(steps, "answered", answer=decision["answer"])
        name, args = decision["tool"], decision["args"]
        if len(steps) >= budget:
            return receipt(steps, "budget", refusal=f"stopped: no budget left to run {name} (budget: {budget})")
        call = canonical(name, args)
        if call in seen:
            return receipt(
                steps, "repeated_call", refusal=f"stopped: {name} was asked for twice with the same arguments"
            )
        seen.add(call)
        recorded = deepcopy(args)  # before the call, so that a tool that edits its arguments edits no record
        try:
            result = tools[name](**args)
        except ToolError as error:
            return receipt(steps, "tool_error", refusal=f"stopped: {name} refused ({error})")
        steps.append({"tool": name, "args": recorded, "result": deepcopy(result)})
    raise AssertionError("unreachable: the plan holds an answer")


def receipt(
    steps: list[dict[str, Any]], stopped_because: str, *, answer: str | None = None, refusal: str | None = None
) -> Receipt:
    """All four keys, on every exit."""
    return {"steps": steps, "stopped_because": stopped_because, "answer": answer, "refusal": refusal}


def canonical(name: str, args: Mapping[str, Any]) -> str:
    """One text for one call: key order does not matter; 1, 1.0 and true differ, as they do in JSON."""
    return json.dumps([name, args], sort_keys=True)


def render_trace(run: Receipt) -> str:
    """The receipt as text: one line a step, and one closing line that says why the run stopped."""
    lines = [f"{n}. {step['tool']}({step['args']!r}) -> {step['result']}" for n, step in enumerate(run["steps"], 1)]
    spoken = "answer" if run["stopped_because"] == "answered" else "refusal"
    return "\n".join([*lines, f"stopped_because={run['stopped_because']!r}  {spoken}={run[spoken]!r}"])
