"""Compares arguments with `==`, for which 1, 1.0 and True are one.

rejected by: another tool or other arguments are another call; 1, 1.0 and True differ
must say: 1, 1.0 and True are equal in Python
"""


def run_loop(plan, tools, budget):
    if not any("answer" in decision for decision in plan):
        raise ValueError("the plan holds no answer")
    steps, seen = [], []
    for decision in plan:
        if "answer" in decision:
            return receipt(steps, "answered", answer=decision["answer"])
        name, args = decision["tool"], decision["args"]
        if len(steps) >= budget:
            return receipt(steps, "budget", refusal=f"stopped: no budget left to run {name}")
        call = (name, args)
        if call in seen:
            return receipt(steps, "repeated_call", refusal=f"stopped: {name} had the same arguments before")
        seen.append(call)
        steps.append({"tool": name, "args": args, "result": tools[name](**args)})
