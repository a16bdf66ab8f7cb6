"""Runs the call, and then finds that there was no budget for it.

rejected by: a budget of nothing runs nothing
must say: expected calls that reached the tools = 0
"""


def run_loop(plan, tools, budget):
    if not any("answer" in decision for decision in plan):
        raise ValueError("the plan holds no answer")
    steps, seen = [], set()
    for decision in plan:
        if "answer" in decision:
            return receipt(steps, "answered", answer=decision["answer"])
        name, args = decision["tool"], decision["args"]
        if len(steps) >= budget:
            tools[name](**args)
            return receipt(steps, "budget", refusal=f"stopped: no budget left to run {name}")
        call = canonical(name, args)
        if call in seen:
            return receipt(steps, "repeated_call", refusal=f"stopped: {name} had the same arguments before")
        seen.add(call)
        steps.append({"tool": name, "args": args, "result": tools[name](**args)})
