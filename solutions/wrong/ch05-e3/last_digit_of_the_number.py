"""Shows the last digit of the number alone.

rejected by: one line a step, numbered from 1, and a closing line with the answer
must say: expected line 10
"""


def render_trace(receipt):
    lines = [f"{n % 10}. {step['tool']}({step['args']!r}) -> {step['result']}" for n, step in enumerate(receipt["steps"], 1)]
    spoken = "answer" if receipt["stopped_because"] == "answered" else "refusal"
    lines.append(f"stopped_because={receipt['stopped_because']!r}  {spoken}={receipt[spoken]!r}")
    return "\n".join(lines)
