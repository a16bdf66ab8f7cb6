"""Leaves out steps whose observation is not ok.

rejected by: every judgment counts once, whatever step it belongs to
must say: exact
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
    scores = [
        judgment["score"]
        for step in steps
        if not step["observation"] or step["observation"]["ok"]
        for judgment in step["judgments"]
    ]
    return sum(scores) / len(scores) if scores else None
