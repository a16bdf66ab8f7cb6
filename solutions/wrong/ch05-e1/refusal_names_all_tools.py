"""Names every tool that there is in each refusal.

rejected by: the budget is the largest number of calls that run
must say: a refusal that names every tool names none
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
            return receipt(steps, "budget", refusal=f"stopped: no budget left to run {name} (have: {', '.join(sorted(tools))})")
        call = canonical(name, args)
        if call in seen:
            return receipt(steps, "repeated_call", refusal=f"stopped: {name} had the same arguments before")
        seen.add(call)
        steps.append({"tool": name, "args": args, "result": tools[name](**args)})
