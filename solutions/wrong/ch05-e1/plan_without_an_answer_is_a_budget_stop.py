"""Ends a plan that holds no answer as if the budget had run out.

rejected by: a plan that holds no answer is refused before any tool runs
must say: expected ValueError to be raised
"""


def run_loop(plan, tools, budget):
    steps, seen = [], set()
    for decision in plan:
        if "answer" in decision:
            return receipt(steps, "answered", answer=decision["answer"])
        name, args = decision["tool"], decision["args"]
        if len(steps) >= budget:
            return receipt(steps, "budget", refusal=f"stopped: no budget left to run {name}")
        call = canonical(name, args)
        if call in seen:
            return receipt(steps, "repeated_call", refusal=f"stopped: {name} had the same arguments before")
        seen.add(call)
        steps.append({"tool": name, "args": args, "result": tools[name](**args)})
    return receipt(steps, "budget", refusal=f"stopped: nothing is planned after {name}")
