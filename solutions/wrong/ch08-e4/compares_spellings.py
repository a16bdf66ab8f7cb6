"""Compares how numbers are written.

rejected by: a number that a tool returned is grounded
must say: wherever in the result it stands
"""


class GroundedVerifier:
    """Does every number of the answer occur in an observation?"""

    name = "grounded"
    phase = "post_act"

    def judge(self, ctx):
        claimed = set() if ctx.decision.answer is None else {str(n) for n in numbers(ctx.decision.answer)}
        if not claimed:
            return Judgment(1.0, True, "no number is claimed")
        observed = set()
        for step in ctx.history:
            if step["observation"] is not None and step["observation"]["ok"]:
                observed.update(str(n) for n in numbers_in(step["observation"]["content"]))
        missing = sorted(claimed - observed)
        if missing:
            score = 1 - len(missing) / len(claimed)
            return Judgment(score, False, f"no observation holds {', '.join(str(number) for number in missing)}")
        return Judgment(1.0, True, "every number was observed")
