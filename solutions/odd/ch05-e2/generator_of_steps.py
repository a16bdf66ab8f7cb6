"""Lets a generator make the steps, and its return value say why it stopped."""


def work_off(plan, tools, budget):
    seen = []
    for decision in plan:
        match decision:
            case {"answer": text}:
                return "answered", text, None
            case {"tool": name, "args": args}:
                if len(seen) >= budget:
                    return "budget", None, f"spent before {name}"
                if canonical(name, args) in seen:
                    return "repeated_call", None, f"{name}, the same again"
                seen.append(canonical(name, args))
                try:
                    yield {"tool": name, "args": args, "result": tools[name](**args)}
                except ToolError as error:
                    return "tool_error", None, f"stopped: {name} refused ({error})"


def run_loop(plan, tools, budget):
    if not any("answer" in decision for decision in plan):
        raise ValueError("the plan holds no answer")
    steps, work = [], work_off(plan, tools, budget)
    while True:
        try:
            steps.append(next(work))
        except StopIteration as end:
            return receipt(steps, *end.value)
