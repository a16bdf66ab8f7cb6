"""Shows the arguments as name=value pairs, with `str`.

rejected by: values are shown with repr, results with str
must say: text=it
"""


def render_trace(receipt):
    lines = [f"{n}. {step['tool']}({', '.join(f'{k}={v}' for k, v in step['args'].items())}) -> {step['result']}" for n, step in enumerate(receipt["steps"], 1)]
    spoken = "answer" if receipt["stopped_because"] == "answered" else "refusal"
    closing = f"stopped_because={receipt['stopped_because']!r}  {spoken}={receipt[spoken]!r}"
    return "\n".join([*lines, closing])
