"""Shows the answer if it is truthy, and so an empty answer as a refusal.

rejected by: a run without a step is its closing line alone
must say: an empty answer is an answer
"""


def render_trace(receipt):
    lines = [f"{n}. {step['tool']}({step['args']!r}) -> {step['result']}" for n, step in enumerate(receipt["steps"], 1)]
    spoken = "answer" if receipt["answer"] else "refusal"
    closing = f"stopped_because={receipt['stopped_because']!r}  {spoken}={receipt[spoken]!r}"
    return "\n".join([*lines, closing])
