"""Copies the arguments when the tool has had its way with them.

rejected by: nor do the lists and dicts inside them
must say: a tool that edits its arguments must not reach the record
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
            return receipt(steps, "repeated_call", refusal=f"stopped: {name} had the same arguments before")
        seen.add(call)
        try:
            result = tools[name](**args)
        except ToolError as error:
            return receipt(steps, "tool_error", refusal=f"stopped: {name} refused ({error})")
        steps.append({"tool": name, "args": deepcopy(args), "result": deepcopy(result)})
