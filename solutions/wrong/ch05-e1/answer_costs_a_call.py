"""Looks at the budget before it looks for the answer.

rejected by: an answer after exactly `budget` calls is still an answer
must say: an answer costs no call
"""


def run_loop(plan, tools, budget):
    if not any("answer" in decision for decision in plan):
        raise ValueError("the plan holds no answer")
    steps, seen = [], set()
    for decision in plan:
        if len(steps) >= budget:
            return receipt(steps, "budget", refusal=f"stopped: no budget left to run {decision.get('tool')}")
        if "answer" in decision:
            return receipt(steps, "answered", answer=decision["answer"])
        name, args = decision["tool"], decision["args"]
        call = canonical(name, args)
        if call in seen:
            return receipt(steps, "repeated_call", refusal=f"stopped: {name} had the same arguments before")
        seen.add(call)
        steps.append({"tool": name, "args": args, "result": tools[name](**args)})
