"""Puts one space where the trace has two.

rejected by: a run without a step is its closing line alone
must say: an empty answer is an answer
"""


def render_trace(receipt):
    lines = [f"{n}. {step['tool']}({step['args']!r}) -> {step['result']}" for n, step in enumerate(receipt["steps"], 1)]
    spoken = "answer" if receipt["stopped_because"] == "answered" else "refusal"
    closing = f"stopped_because={receipt['stopped_because']!r} {spoken}={receipt[spoken]!r}"
    return "\n".join([*lines, closing])
