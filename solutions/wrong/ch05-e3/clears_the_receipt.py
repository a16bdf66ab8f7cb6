"""Empties the receipt's list of steps when it has read it.

rejected by: one line a step, numbered from 1, and a closing line with the answer
must say: whoever reads a receipt leaves it as it was
"""


def render_trace(receipt):
    lines = [f"{n}. {step['tool']}({step['args']!r}) -> {step['result']}" for n, step in enumerate(receipt["steps"], 1)]
    receipt["steps"].clear()
    spoken = "answer" if receipt["stopped_because"] == "answered" else "refusal"
    lines.append(f"stopped_because={receipt['stopped_because']!r}  {spoken}={receipt[spoken]!r}")
    return "\n".join(lines)
