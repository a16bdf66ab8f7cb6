"""Numbers the steps from 0.

rejected by: one line a step, numbered from 1, and a closing line with the answer
must say: got line 1: "0.
"""


def render_trace(receipt):
    lines = [f"{n}. {step['tool']}({step['args']!r}) -> {step['result']}" for n, step in enumerate(receipt["steps"])]
    spoken = "answer" if receipt["stopped_because"] == "answered" else "refusal"
    closing = f"stopped_because={receipt['stopped_because']!r}  {spoken}={receipt[spoken]!r}"
    return "\n".join([*lines, closing])
