"""Looks for a repeat first, and reports it when the budget was spent anyway.

rejected by: over budget and a repeat at once is a stop for budget
must say: the order of the stops is part of the contract
"""


def run_loop(plan, tools, budget):
    if not any("answer" in decision for decision in plan):
        raise ValueError("the plan holds no answer")
    steps, seen = [], set()
    for decision in plan:
        if "answer" in decision:
            return receipt(steps, "answered", answer=decision["answer"])
        name, args = decision["tool"], decision["args"]
        call = canonical(name, args)
        if call in seen:
            return receipt(steps, "repeated_call", refusal=f"stopped: {name} had the same arguments before")
        if len(steps) >= budget:
            return receipt(steps, "budget", refusal=f"stopped: no budget left to run {name}")
        seen.add(call)
        steps.append({"tool": name, "args": args, "result": tools[name](**args)})
