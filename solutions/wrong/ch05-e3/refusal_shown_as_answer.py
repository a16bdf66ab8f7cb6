"""Shows the refusal under the name `answer`.

rejected by: a refusal closes the trace under its own name
must say: a refusal is shown as a refusal
"""


def render_trace(receipt):
    lines = [f"{n}. {step['tool']}({step['args']!r}) -> {step['result']}" for n, step in enumerate(receipt["steps"], 1)]
    spoken = "answer" if receipt["stopped_because"] == "answered" else "refusal"
    closing = f"stopped_because={receipt['stopped_because']!r}  answer={receipt[spoken]!r}"
    return "\n".join([*lines, closing])
