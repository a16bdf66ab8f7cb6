"""Keeps the calls it has seen from one run to the next.

rejected by: an answer ends the run, and the receipt holds what the tools returned
must say: what an earlier run called is no call of this one
"""


SEEN = set()


def run_loop(plan, tools, budget):
    if not any("answer" in decision for decision in plan):
        raise ValueError("the plan holds no answer")
    steps = []
    for decision in plan:
        if "answer" in decision:
            return receipt(steps, "answered", answer=decision["answer"])
        name, args = decision["tool"], decision["args"]
        if len(steps) >= budget:
            return receipt(steps, "budget", refusal=f"stopped: no budget left to run {name}")
        call = canonical(name, args)
        if call in SEEN:
            return receipt(steps, "repeated_call", refusal=f"stopped: {name} had the same arguments before")
        SEEN.add(call)
        steps.append({"tool": name, "args": args, "result": tools[name](**args)})
