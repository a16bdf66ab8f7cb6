"""Returns a text of a class of its own."""


class Trace(str):
    """A trace that a notebook shows without quotes."""

    def __repr__(self):
        return str(self)


def render_trace(receipt, *, first=1):
    def lines():
        for number, step in enumerate(receipt["steps"], first):
            yield f"{number}. {step['tool']}({step['args']}) -> {step['result']}"
        why = receipt["stopped_because"]
        spoken = {"answered": "answer"}.get(why, "refusal")
        yield f"stopped_because={why!r}  {spoken}={receipt[spoken]!r}"

    return Trace("\n".join(lines()))
