"""Refuses without naming a tool.

rejected by: the loop still stops where it stopped before
must say: every refusal names the tool concerned
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
            return receipt(steps, "budget", refusal=f"stopped: no budget left to run {name}")
        call = canonical(name, args)
        if call in seen:
            return receipt(steps, "repeated_call", refusal="no")
        seen.add(call)
        recorded = deepcopy(args)
        try:
            result = tools[name](**args)
        except ToolError as error:
            return receipt(steps, "tool_error", refusal=f"stopped: {name} refused ({error})")
        steps.append({"tool": name, "args": recorded, "result": deepcopy(result)})
