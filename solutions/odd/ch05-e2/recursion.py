"""Calls itself for the rest of the plan."""


def run_loop(plan, tools, budget):
    if not any("answer" in decision for decision in plan):
        raise ValueError("the plan holds no answer")
    return rest_of(list(plan), tools, budget, [], frozenset())


def rest_of(plan, tools, budget, steps, seen):
    decision, *later = plan
    if "answer" in decision:
        return receipt(steps, "answered", answer=decision["answer"])
    name, args = decision["tool"], decision["args"]
    call = canonical(name, args)
    if budget <= 0:
        return receipt(steps, "budget", refusal=f"the budget ended before {name}")
    if call in seen:
        return receipt(steps, "repeated_call", refusal=f"{name} has answered this before")
    try:
        step = {"tool": name, "args": args, "result": tools[name](**args)}
    except ToolError as error:
        return receipt(steps, "tool_error", refusal=f"stopped: {name} refused ({error})")
    return rest_of(later, tools, budget - 1, [*steps, step], seen | {call})
