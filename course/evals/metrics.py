"""The seven metrics of an eval, each with what it counts and what it divides by. Nothing measured is never 0."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from course.evals.harness import Result
from course.trace import was_blocked

Number = int | float | Decimal


@dataclass(frozen=True)
class Metric:
    """One number. value: None when nothing was measured. numerator / denominator: the counts it comes from.

    of: what the denominator counts, in words. unit: what a reader sees behind the value.
    """

    name: str
    value: Number | None
    numerator: Number
    denominator: int
    of: str
    unit: str = ""

    def __str__(self) -> str:
        if self.value is None:
            return "not measured"
        shown = f"{self.value * 100:.1f} %" if self.unit == "%" else f"{self.value:.2f}{self.unit}"
        if self.unit == "count":
            shown = str(self.value)
        if self.unit == "USD":
            shown = f"{self.value:.4f} USD"
        return shown


def _ratio(name: str, numerator: Number, denominator: int, of: str, unit: str = "") -> Metric:
    return Metric(name, numerator / denominator if denominator else None, numerator, denominator, of, unit)


def task_completion_rate(results: Sequence[Result]) -> Metric:
    """Runs that ended with an answer of their own, right or wrong, of all runs."""
    return _ratio("task_completion_rate", sum(one.completed for one in results), len(results), "all runs", "%")


def expected_outcome_pass_rate(results: Sequence[Result]) -> Metric:
    """Runs in which every check of the case held, of all runs. A trap that ends in `failed` as it should passes."""
    return _ratio("expected_outcome_pass_rate", sum(one.passed for one in results), len(results), "all runs", "%")


def mean_steps_to_completion(results: Sequence[Result]) -> Metric:
    """Steps used by completed runs, over completed runs only: a run that gave up early would look fast."""
    steps = [one.run.steps_used for one in results if one.completed]
    return _ratio("mean_steps_to_completion", sum(steps), len(steps), "completed runs")


def mean_verifier_score(results: Sequence[Result]) -> Metric:
    """The sum of all scores over all judgments of all steps of all runs, each judgment once."""
    scores = [judgment["score"] for one in results for step in one.run.steps for judgment in step["judgments"]]
    return _ratio("mean_verifier_score", sum(scores), len(scores), "all judgments")


def verifier_blocked_steps(results: Sequence[Result]) -> Metric:
    """How many steps a pre-act verifier blocked, of all steps of all runs."""
    steps = [step for one in results for step in one.run.steps]
    blocked = sum(map(was_blocked, steps))
    return Metric("verifier_blocked_steps", blocked if steps else None, blocked, len(steps), "all steps", "count")


def budget_exhaustion_rate(results: Sequence[Result]) -> Metric:
    """Runs that ended out of budget, of all runs."""
    exhausted = sum(one.run.status == "budget_exhausted" for one in results)
    return _ratio("budget_exhaustion_rate", exhausted, len(results), "all runs", "%")


def total_cost(results: Sequence[Result]) -> Metric:
    """US dollars over the runs whose cost was measured; how many those are stands beside it."""
    costs = [one.cost for one in results if one.cost is not None]
    total = sum(costs, Decimal(0))
    of = f"runs whose cost was measured, of {len(results)}"
    return Metric("total_cost", total if costs else None, total, len(costs), of, "USD")


METRICS: Mapping[str, Callable[[Sequence[Result]], Metric]] = {
    fn.__name__: fn
    for fn in (
        task_completion_rate,
        expected_outcome_pass_rate,
        mean_steps_to_completion,
        mean_verifier_score,
        verifier_blocked_steps,
        budget_exhaustion_rate,
        total_cost,
    )
}


def measure(results: Sequence[Result]) -> list[Metric]:
    """All seven, in the order in which they are reported."""
    return [metric(results) for metric in METRICS.values()]
