"""A `functools.partial` of a loop that takes its order of stops as an argument."""

from functools import partial


def over_budget(name, args, steps, seen, budget):
    return len(steps) >= budget


def asked_before(name, args, steps, seen, budget):
    return canonical(name, args) in seen


def general_loop(stops, plan, tools, budget):
    if not any("answer" in decision for decision in plan):
        raise ValueError("the plan holds no answer")
    steps, seen = [], set()
    for decision in plan:
        if "answer" in decision:
            return receipt(steps, "answered", answer=decision["answer"])
        name, args = decision["tool"], decision["args"]
        for why, applies in stops:
            if applies(name, args, steps, seen, budget):
                return receipt(steps, why, refusal=f"stopped before {name}: {why}")
        seen.add(canonical(name, args))
        steps.append({"tool": name, "args": args, "result": tools[name](**args)})


run_loop = partial(general_loop, [("budget", over_budget), ("repeated_call", asked_before)])
