"""Copies the plan into a receipt, as deep as one likes, and calls no tool.

rejected by: nor do the lists and dicts inside them
must say: calls that reached
"""


def run_loop(plan, tools, budget):
    steps = [
        {"tool": decision["tool"], "args": json.loads(json.dumps(decision["args"])), "result": None}
        for decision in plan
        if "tool" in decision
    ]
    return receipt(steps, "answered", answer=plan[-1]["answer"])
