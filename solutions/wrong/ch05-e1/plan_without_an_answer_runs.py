"""Finds out at the end of the plan that it holds no answer.

rejected by: a plan that holds no answer is refused before any tool runs
must say: a plan is looked at before it is carried out
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
    raise ValueError("the plan holds no answer")
