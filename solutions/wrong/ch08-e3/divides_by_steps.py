"""Divides the sum of all scores by the number of steps.

rejected by: the scores 1, 1, 1 and 0.875 have the mean 0.96875, which is shown as 0.97
must say: the scores are exact
"""


class BudgetVerifier:
    """How much of the step budget was left when the step began."""

    name = "budget"
    phase = "post_act"

    def judge(self, ctx):
        headroom = 1 - ctx.step / ctx.max_steps
        return Judgment(headroom, True, f"step {ctx.step + 1}/{ctx.max_steps}; headroom {headroom:.2f}")


def mean_score(steps):
    """The mean over all judgments of all steps, each counted once; None where there are none."""
    scores = [judgment["score"] for step in steps for judgment in step["judgments"]]
    return sum(scores) / len(steps) if scores else None
