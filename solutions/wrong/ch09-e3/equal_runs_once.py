"""Counts equal runs once.

rejected by: a run counts by what its row names, whatever else is true of it
must say: a rate without its denominator
"""


def measure(results):
    """The seven metrics by name, each with value, numerator and denominator; no value where nothing was measured."""
    results = [r for n, r in enumerate(results) if r not in results[:n]]
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
