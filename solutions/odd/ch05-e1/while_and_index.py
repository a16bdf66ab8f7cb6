"""Counts through the plan with `while`, and keeps the calls made in a list of texts."""


def run_loop(plan, tools, budget):
    if all("answer" not in decision for decision in plan):
        raise ValueError("no answer in the plan")
    steps, made, position = [], [], 0
    while "answer" not in plan[position]:
        name, args = plan[position]["tool"], plan[position]["args"]
        if budget == len(made):
            return receipt(steps, "budget", None, name + " was next, and nothing is left")
        if canonical(name, args) in made:
            return receipt(steps, "repeated_call", None, "again: " + name)
        made.append(canonical(name, args))
        steps += [dict(tool=name, args=args, result=tools[name](**args))]
        position += 1
    return receipt(steps, "answered", plan[position]["answer"])
