"""`Budgets`: what a run of the budgeted loop may use up, as one record."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Budgets:
    """What a run may use up. None: no limit.

    max_steps: assistant turns; 0 asks the model nothing.
    max_tokens: the sum of the turns' token estimates; the turn that exceeds it is the last, its tools unrun.
    stop_sentinel: a turn whose own text holds it is the last.
    max_cost: no model call and no attempt at a tool once this much is spent.
    turn_price, call_price: what one of each costs, useful or not; in the smallest coin, so that sums are exact.
    """

    max_steps: int = 8
    max_tokens: int | None = None
    stop_sentinel: str | None = None
    max_cost: int | None = None
    turn_price: int = 0
    call_price: int = 0

    def __post_init__(self) -> None:
        for name in ("max_steps", "max_tokens", "max_cost", "turn_price", "call_price"):
            value = getattr(self, name)
            if (type(value) is not int or value < 0) and not (value is None and name in ("max_tokens", "max_cost")):
                raise ValueError(f"budgets: {name} is a whole number from 0, got {value!r}")
        if self.stop_sentinel == "":
            raise ValueError('budgets: stop_sentinel "" is in every text; use None for no sentinel')
