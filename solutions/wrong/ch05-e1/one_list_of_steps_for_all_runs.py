"""Every run adds its steps to the same list.

rejected by: an answer ends the run, and the receipt holds what the tools returned
must say: a receipt belongs to its run
"""


def run_loop(plan, tools, budget, steps=[]):
    if not any("answer" in decision for decision in plan):
        raise ValueError("the plan holds no answer")
    seen = set()
    steps.clear()
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
