"""Takes no step down where the result counts as false.

rejected by: an answer ends the run, and the receipt holds what the tools returned
must say: a step is what the tool was asked and what it returned, as it is
"""


def run_loop(plan, tools, budget):
    if not any("answer" in decision for decision in plan):
        raise ValueError("the plan holds no answer")
    steps, seen, ran = [], set(), 0
    for decision in plan:
        if "answer" in decision:
            return receipt(steps, "answered", answer=decision["answer"])
        name, args = decision["tool"], decision["args"]
        if ran >= budget:
            return receipt(steps, "budget", refusal=f"stopped: no budget left to run {name}")
        call = canonical(name, args)
        if call in seen:
            return receipt(steps, "repeated_call", refusal=f"stopped: {name} had the same arguments before")
        seen.add(call)
        ran += 1
        result = tools[name](**args)
        if result:
            steps.append({"tool": name, "args": args, "result": result})
