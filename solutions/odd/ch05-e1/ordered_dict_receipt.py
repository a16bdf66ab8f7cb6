"""Returns an OrderedDict, whose keys stand in another order."""

from collections import OrderedDict


class Receipt(OrderedDict):
    """A receipt that also has a method."""

    def refused(self):
        return self["refusal"] is not None


def run_loop(plan, tools, budget):
    if not any("answer" in decision for decision in plan):
        raise ValueError("the plan holds no answer")
    run = Receipt(refusal=None, answer=None, stopped_because=None, steps=[])
    seen = set()
    for decision in plan:
        if "answer" in decision:
            run.update(stopped_because="answered", answer=decision["answer"])
            break
        name, args = decision["tool"], decision["args"]
        if len(run["steps"]) >= budget:
            run.update(stopped_because="budget", refusal=f"{name} is over budget")
            break
        if canonical(name, args) in seen:
            run.update(stopped_because="repeated_call", refusal=f"{name} once more")
            break
        seen.add(canonical(name, args))
        run["steps"].append(OrderedDict(result=tools[name](**args), tool=name, args=args))
    return run
