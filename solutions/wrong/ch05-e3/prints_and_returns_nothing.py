"""Prints the trace and returns nothing.

rejected by: one line a step, numbered from 1, and a closing line with the answer
must say: the returned value = None
"""


def render_trace(receipt):
    lines = [f"{n}. {step['tool']}({step['args']!r}) -> {step['result']}" for n, step in enumerate(receipt["steps"], 1)]
    spoken = "answer" if receipt["stopped_because"] == "answered" else "refusal"
    closing = f"stopped_because={receipt['stopped_because']!r}  {spoken}={receipt[spoken]!r}"
    print("\n".join([*lines, closing]))
