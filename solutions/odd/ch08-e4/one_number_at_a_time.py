"""Asks of each number whether any observation holds it."""


class GroundedVerifier:
    name = "grounded"
    phase = "post_act"

    def __init__(self, strict=True):
        self.strict = strict

    def seen(self, number, history):
        return any(
            (s["observation"] or {}).get("ok") and number in numbers_in(s["observation"]["content"]) for s in history
        )

    def judge(self, ctx):
        claimed = sorted(set(numbers(ctx.decision.answer or "")))
        here = [number for number in claimed if self.seen(number, ctx.history)]
        gone = [format(number, "f") for number in claimed if number not in here]
        score = len(here) / len(claimed) if claimed else 1
        return Judgment(score, not gone, f"made up: {' and '.join(gone)}" if gone else "nothing was made up")
