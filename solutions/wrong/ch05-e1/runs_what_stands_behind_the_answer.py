"""Runs the calls that are planned behind the answer as well.

rejected by: an answer needs no call, and what is planned behind it does not run
must say: the answer is a decision, never a step
"""


def run_loop(plan, tools, budget):
    if not any("answer" in decision for decision in plan):
        raise ValueError("the plan holds no answer")
    answer, steps, seen = None, [], set()
    for decision in plan:
        if "answer" in decision:
            answer = answer or decision["answer"]
            continue
        name, args = decision["tool"], decision["args"]
        call = canonical(name, args)
        if answer is None and len(steps) >= budget:
            return receipt(steps, "budget", refusal=f"stopped: no budget left to run {name}")
        if answer is None and call in seen:
            return receipt(steps, "repeated_call", refusal=f"stopped: {name} had the same arguments before")
        seen.add(call)
        steps.append({"tool": name, "args": args, "result": tools[name](**args)})
    return receipt(steps, "answered", answer=answer)
