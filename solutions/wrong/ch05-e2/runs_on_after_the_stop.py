"""Reports the stop and runs the next call all the same.

rejected by: a tool that goes away mid-run ends the run and is named
must say: the call that ran after the stop
"""


def run_loop(plan, tools, budget):
    steps, refusal = [], None
    for decision in plan:
        if "answer" in decision:
            break
        name, args = decision["tool"], decision["args"]
        try:
            result = tools[name](**args)
        except ToolError as error:
            refusal = refusal or f"stopped: {name} refused ({error})"
            continue
        if refusal is None:
            steps.append({"tool": name, "args": args, "result": result})
    if refusal:
        return receipt(steps, "tool_error", refusal=refusal)
    return receipt(steps, "answered", answer=decision["answer"])
