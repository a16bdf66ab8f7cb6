"""Shows `answer` however the run ended, so that a refused run ends with `answer=None`.

rejected by: a refusal closes the trace under its own name
must say: a refusal is shown as a refusal
"""


def render_trace(receipt):
    lines = [f"{n}. {step['tool']}({step['args']!r}) -> {step['result']}" for n, step in enumerate(receipt["steps"], 1)]
    spoken = "answer"
    closing = f"stopped_because={receipt['stopped_because']!r}  {spoken}={receipt[spoken]!r}"
    return "\n".join([*lines, closing])
