"""Verifiers: who judges a decision before it acts, and who scores the step after it. Scores lie in [0, 1].

A pre-act verifier that fails blocks the decision; a post-act one only scores. Both see the same `StepContext`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from course.calls import MOST_ERRORS_SHOWN
from course.errors import ToolError
from course.jsonable import why_not_json
from course.judging import Judgment as Judgment  # part of this module's public names, as the next three are
from course.judging import Phase as Phase
from course.judging import StepContext as StepContext
from course.judging import Verifier as Verifier
from course.schema import validate
from course.tools import ToolRegistry


class SchemaVerifier:
    """Do the arguments fit the tool's own schema? Asked before the act, so a call that does not fit never runs."""

    name = "schema"
    phase: Phase = "pre_act"

    def __init__(self, tools: ToolRegistry) -> None:
        self._tools = tools

    def judge(self, ctx: StepContext) -> Judgment:
        """1 and passed, or 0, failed, and a reason that says the same as `call_tool` would."""
        call = ctx.decision.tool_call
        if call is None:
            return Judgment(1.0, True, "final answer step; no tool call to validate")
        try:
            schema = self._tools.get(call.name).schema
        except ToolError as unknown:
            return Judgment(0.0, False, str(unknown))
        errors = validate(call.args, schema, f"$.{call.name}")
        if not errors and (problem := why_not_json(call.args, f"$.{call.name}")):
            errors = [problem]
        if errors:
            hidden = len(errors) - MOST_ERRORS_SHOWN
            shown = errors[:MOST_ERRORS_SHOWN] + ([f"and {hidden} more"] if hidden > 0 else [])
            return Judgment(0.0, False, f"invalid arguments: {'; '.join(shown)}")
        return Judgment(1.0, True, f"args match {call.name} schema")


class BudgetVerifier:
    """How much of the step budget was left when the step began. It never fails a step: the loop holds the budget."""

    name = "budget"
    phase: Phase = "post_act"

    def judge(self, ctx: StepContext) -> Judgment:
        """Headroom `1 - step/max_steps` with the step from 0: 1.0 on the first, and never 0 on a step that ran."""
        headroom = 1 - ctx.step / ctx.max_steps
        return Judgment(headroom, True, f"step {ctx.step + 1}/{ctx.max_steps}; headroom {headroom:.2f}")


class GroundedVerifier:
    """Does every number of the answer stand in some observation? A thought proves nothing, and neither does the task.

    phase: "post_act" scores the answer that was given; "pre_act" blocks one that was made up.
    """

    name = "grounded"

    def __init__(self, phase: Phase = "post_act") -> None:
        self.phase: Phase = phase

    def judge(self, ctx: StepContext) -> Judgment:
        """The share of the answer's numbers that were observed; 1 for an answer without numbers and for a call."""
        if ctx.decision.answer is None:
            return Judgment(1.0, True, "no answer yet")
        claimed = list(dict.fromkeys(numbers(ctx.decision.answer)))
        if not claimed:
            return Judgment(1.0, True, "the answer holds no number")
        contents = [step["observation"]["content"] for step in ctx.history if _succeeded(step["observation"])]
        observed = {number for content in contents for number in _numbers_in(content)}
        missing = [number for number in claimed if number not in observed]
        score = 1 - len(missing) / len(claimed)
        if missing:
            return Judgment(score, False, f"no observation holds {', '.join(f'{number:f}' for number in missing)}")
        return Judgment(score, True, "every number of the answer was observed")


class RepeatVerifier:
    """Has the same call already succeeded? Asking again brings nothing new, so it is blocked before the act."""

    name = "repeat"
    phase: Phase = "pre_act"

    def judge(self, ctx: StepContext) -> Judgment:
        """0 and failed for a tool with arguments that succeeded before; key order is no difference, 1 and 1.0 are."""
        call = ctx.decision.tool_call
        if call is None:
            return Judgment(1.0, True, "final answer step; nothing to repeat")
        asked = _canonical(call.name, call.args)
        for earlier in ctx.history:
            made = earlier["decision"]["tool_call"]
            if made and _succeeded(earlier["observation"]) and _canonical(made["tool"], made["args"]) == asked:
                return Judgment(0.0, False, f"{call.name} was called with these arguments before; use its result")
        return Judgment(1.0, True, "not asked before")


def _canonical(name: str, args: Any) -> str:
    return json.dumps([name, args], sort_keys=True)


def default_verifiers(tools: ToolRegistry) -> list[Verifier]:
    """The two that a run has unless it is given others: `schema` before the act, `budget` after it."""
    return [SchemaVerifier(tools), BudgetVerifier()]


# A minus counts as a sign only where no word or number stands right before it: `5-3` holds 5 and 3.
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:,\d{3})*(?:\.\d+)?(?![\w]|\.\d)|(?<=[$€£])\d+(?:,\d{3})*(?:\.\d+)?(?!\w|\.\d)")


def numbers(text: str) -> Iterator[Decimal]:
    """The numbers that stand in a text as words of their own: `391` is not in `13910`, and `1,000` is 1000."""
    for match in _NUMBER.finditer(text):
        yield Decimal(match[0].replace(",", ""))


def _numbers_in(value: Any) -> Iterator[Decimal]:
    """The numbers inside any JSON value, those in its texts included."""
    if isinstance(value, str):
        yield from numbers(value)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield Decimal(str(value))
    elif isinstance(value, (list, dict)):
        for member in value.values() if isinstance(value, dict) else value:
            yield from _numbers_in(member)


def _succeeded(observation: dict[str, Any] | None) -> bool:
    return observation is not None and bool(observation["ok"])
