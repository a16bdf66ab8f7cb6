"""Names every number of the answer.

rejected by: a number that no tool returned is not, and the reason names it
must say: is no reason
"""


class GroundedVerifier:
    """Does every number of the answer occur in an observation?"""

    name = "grounded"
    phase = "post_act"

    def judge(self, ctx):
        claimed = set() if ctx.decision.answer is None else set(numbers(ctx.decision.answer))
        if not claimed:
            return Judgment(1.0, True, "no number is claimed")
        observed = set()
        for step in ctx.history:
            if step["observation"] is not None and step["observation"]["ok"]:
                observed.update(numbers_in(step["observation"]["content"]))
        missing = sorted(claimed - observed)
        if missing:
            score = 1 - len(missing) / len(claimed)
            return Judgment(score, False, f"no observation holds {', '.join(str(number) for number in sorted(claimed))}")
        return Judgment(1.0, True, "every number was observed")
