"""Is content with everything.

rejected by: a number that no tool returned is not, and the reason names it
must say: observed nowhere
"""


class GroundedVerifier:
    name = "grounded"
    phase = "post_act"

    def judge(self, ctx):
        return Judgment(1.0, True, "every number was observed")
