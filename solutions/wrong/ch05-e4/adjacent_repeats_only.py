"""Knows the latest call alone.

rejected by: the loop still stops where it stopped before
must say: every exit of the loop keeps its contract
"""


def run_loop(plan, tools, budget):
    if not any("answer" in decision for decision in plan):
        raise ValueError("the plan holds no answer")
    steps, last = [], None
    for decision in plan:
        if "answer" in decision:
            return receipt(steps, "answered", answer=decision["answer"])
        name, args = decision["tool"], decision["args"]
        if len(steps) >= budget:
            return receipt(steps, "budget", refusal=f"stopped: no budget left to run {name}")
        call = canonical(name, args)
        if call == last:
            return receipt(steps, "repeated_call", refusal=f"stopped: {name} had the same arguments before")
        last = call
        recorded = deepcopy(args)
        try:
            result = tools[name](**args)
        except ToolError as error:
            return receipt(steps, "tool_error", refusal=f"stopped: {name} refused ({error})")
        steps.append({"tool": name, "args": recorded, "result": deepcopy(result)})
