"""Finds the number of a step by looking for one like it.

rejected by: one line a step, numbered from 1, and a closing line with the answer
must say: expected line 12
"""


def render_trace(receipt):
    lines = [f"{receipt['steps'].index(step) + 1}. {step['tool']}({step['args']!r}) -> {step['result']}" for step in receipt["steps"]]
    spoken = "answer" if receipt["stopped_because"] == "answered" else "refusal"
    lines.append(f"stopped_because={receipt['stopped_because']!r}  {spoken}={receipt[spoken]!r}")
    return "\n".join(lines)
