"""The verified loop with a live model as an agent of the harness, with the cost of each run."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from course.evals.cases import Case
from course.live import LiveLLM
from course.loops.verified import KillSwitch, run
from course.tools import ToolRegistry
from course.trace import Sink


class LiveAgent:
    """Works on a case with `llm`; one account and one cap hold over all cases.

    clock: what the traces' `ts` are read from, seconds. last_cost: US dollars of the last run, None when a call of it
    failed and what that cost is not known.
    """

    def __init__(self, llm: LiveLLM, clock: Callable[[], float], kill: KillSwitch | None = None) -> None:
        self.llm, self._clock, self._kill = llm, clock, kill
        self.last_cost: Decimal | None = None

    def __call__(self, case: Case, tools: ToolRegistry, trace: Sink) -> None:
        before, self.last_cost = len(self.llm.calls), None
        try:
            run(
                case.task,
                self.llm.with_tools(tools),
                tools,
                case.judges(tools),
                max_steps=case.max_steps,
                kill=self._kill,
                trace=trace,
                clock=self._clock,
            )
        finally:
            costs = [call.cost for call in self.llm.calls[before:]]
            self.last_cost = None if None in costs else sum((cost for cost in costs if cost is not None), Decimal(0))

    @property
    def may_go_on(self) -> bool:
        """Whether another run may begin: the cap is not reached and nobody has stopped it."""
        killed = self._kill is not None and self._kill.is_set()
        return not killed and self.llm.spent < self.llm.max_cost
