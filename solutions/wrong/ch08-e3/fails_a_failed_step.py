"""Does not pass a step whose observation is not ok.

rejected by: for any budget the score is 1 - step/max_steps, and never fails a step
must say: nothing to do with the budget
"""


class BudgetVerifier:
    """How much of the step budget was left when the step began."""

    name = "budget"
    phase = "post_act"

    def judge(self, ctx):
        headroom = 1 - ctx.step / ctx.max_steps
        return Judgment(
            headroom,
            not ctx.observation or ctx.observation["ok"],
            f"step {ctx.step + 1}/{ctx.max_steps}; headroom {headroom:.2f}",
        )


def mean_score(steps):
    """The mean over all judgments of all steps, each counted once; None where there are none."""
    scores = [judgment["score"] for step in steps for judgment in step["judgments"]]
    return sum(scores) / len(scores) if scores else None
