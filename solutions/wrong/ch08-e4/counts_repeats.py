"""Counts a number as often as it is said.

rejected by: the score is the share of the answer's different numbers that were observed
must say: four different numbers
"""


class GroundedVerifier:
    """Does every number of the answer occur in an observation?"""

    name = "grounded"
    phase = "post_act"

    def judge(self, ctx):
        claimed = [] if ctx.decision.answer is None else numbers(ctx.decision.answer)
        if not claimed:
            return Judgment(1.0, True, "no number is claimed")
        observed = set()
        for step in ctx.history:
            if step["observation"] is not None and step["observation"]["ok"]:
                observed.update(numbers_in(step["observation"]["content"]))
        missing = [number for number in claimed if number not in observed]
        if missing:
            score = 1 - len(missing) / len(claimed)
            return Judgment(score, False, f"no observation holds {', '.join(str(number) for number in missing)}")
        return Judgment(1.0, True, "every number was observed")
