"""Knows the latest call alone, so a loop of two calls is none.

rejected by: no exit but `answered` fills `answer`, and every other one fills `refusal`
must say: expected 'repeated_call'
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
        try:
            result = tools[name](**args)
        except ToolError as error:
            return receipt(steps, "tool_error", refusal=f"stopped: {name} refused ({error})")
        steps.append({"tool": name, "args": args, "result": result})
