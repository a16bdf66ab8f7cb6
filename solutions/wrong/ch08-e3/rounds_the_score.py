"""Stores the score as it is shown.

rejected by: step 1 of 8 scores 1.0, step 2 of 8 scores 0.875
must say: the scores are exact
"""


class BudgetVerifier:
    """How much of the step budget was left when the step began."""

    name = "budget"
    phase = "post_act"

    def judge(self, ctx):
        headroom = round(1 - ctx.step / ctx.max_steps, 2)
        return Judgment(headroom, True, f"step {ctx.step + 1}/{ctx.max_steps}; headroom {headroom:.2f}")


def mean_score(steps):
    """The mean over all judgments of all steps, each counted once; None where there are none."""
    scores = [judgment["score"] for step in steps for judgment in step["judgments"]]
    return sum(scores) / len(scores) if scores else None
