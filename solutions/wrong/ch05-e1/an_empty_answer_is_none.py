"""Takes an empty answer for no answer.

rejected by: an answer needs no call, and what is planned behind it does not run
must say: KeyError
"""


def run_loop(plan, tools, budget):
    if not any("answer" in decision for decision in plan):
        raise ValueError("the plan holds no answer")
    steps, seen = [], set()
    for decision in plan:
        if decision.get("answer"):
            return receipt(steps, "answered", answer=decision["answer"])
        name, args = decision["tool"], decision["args"]
        if len(steps) >= budget:
            return receipt(steps, "budget", refusal=f"stopped: no budget left to run {name}")
        call = canonical(name, args)
        if call in seen:
            return receipt(steps, "repeated_call", refusal=f"stopped: {name} had the same arguments before")
        seen.add(call)
        steps.append({"tool": name, "args": args, "result": tools[name](**args)})
