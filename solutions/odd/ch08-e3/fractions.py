"""Counts in fractions, and takes the mean from the statistics module."""

from fractions import Fraction
from statistics import mean


class BudgetVerifier:
    name, phase = "budget", "post_act"

    def judge(self, ctx):
        left = Fraction(ctx.max_steps - ctx.step, ctx.max_steps)
        return Judgment(float(left), True, f"step {1 + ctx.step}/{ctx.max_steps}; headroom {float(left):.2f}")


def mean_score(steps):
    judgments = sum((step["judgments"] for step in steps), [])
    if not judgments:
        return None
    return mean(float(judgment["score"]) for judgment in judgments)
