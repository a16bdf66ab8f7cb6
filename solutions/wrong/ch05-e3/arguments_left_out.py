"""Leaves the arguments out.

rejected by: one line a step, numbered from 1, and a closing line with the answer
must say: () ->
"""


def render_trace(receipt):
    lines = [f"{n}. {step['tool']}() -> {step['result']}" for n, step in enumerate(receipt["steps"], 1)]
    spoken = "answer" if receipt["stopped_because"] == "answered" else "refusal"
    closing = f"stopped_because={receipt['stopped_because']!r}  {spoken}={receipt[spoken]!r}"
    return "\n".join([*lines, closing])
