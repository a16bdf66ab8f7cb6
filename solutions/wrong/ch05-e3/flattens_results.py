"""Puts a result of several lines on one.

rejected by: values are shown with repr, results with str
must say: expected line 7
"""


def render_trace(receipt):
    lines = [f"{n}. {step['tool']}({step['args']!r}) -> {' '.join(str(step['result']).splitlines())}" for n, step in enumerate(receipt["steps"], 1)]
    spoken = "answer" if receipt["stopped_because"] == "answered" else "refusal"
    lines.append(f"stopped_because={receipt['stopped_because']!r}  {spoken}={receipt[spoken]!r}")
    return "\n".join(lines)
