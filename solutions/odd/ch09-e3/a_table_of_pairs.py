"""Makes pairs first, with fractions, and entries from them."""

from fractions import Fraction


def measure(results, digits=None):
    pairs = {
        name: [0, 0]
        for name in (
            "task_completion_rate",
            "expected_outcome_pass_rate",
            "mean_steps_to_completion",
            "mean_verifier_score",
            "verifier_blocked_steps",
            "budget_exhaustion_rate",
            "total_cost",
        )
    }

    def add(name, amount):
        pairs[name][0] += amount
        pairs[name][1] += 1

    for result in results:
        *body, end = result["records"]
        add("task_completion_rate", int(end["status"] == "completed"))
        add("budget_exhaustion_rate", int(end["status"] == "budget_exhausted"))
        add("expected_outcome_pass_rate", 1 if result["passed"] else 0)
        if end["status"] == "completed":
            add("mean_steps_to_completion", end["steps_used"])
        if result["cost"] is not None:
            add("total_cost", result["cost"])
        for step in body[1:]:
            add("verifier_blocked_steps", int(was_blocked(step)))
            for judgment in step["judgments"]:
                add("mean_verifier_score", judgment["score"])
    made = {}
    for name, (top, bottom) in pairs.items():
        value = None
        if bottom and name in ("verifier_blocked_steps", "total_cost"):
            value = top
        elif bottom:
            value = float(Fraction(top) / bottom)
        made[name] = dict(numerator=top, denominator=bottom, value=value)
    return made
