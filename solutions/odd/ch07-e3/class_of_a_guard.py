"""The guard as an object of its own."""


class Guard:
    def __init__(self, most):
        self.most, self.count = float("inf") if most is None else most, 0

    def trips(self, outcome):
        self.count = (self.count + 1) * (not outcome["ok"])
        return self.count >= self.most


def run(task, model, tools, stop_after, max_steps=8):
    guard, records, steps = Guard(stop_after), [record("task", task=task)], 0
    while True:
        if steps == max_steps:
            records.append(stop_record("step_budget", steps=steps))
            return records
        reply, steps = model(messages(records), manifest(tools)), steps + 1
        records.append(turn_record(reply))
        if not len(reply.tool_calls):
            records.append(stop_record("no_tool_calls", reply.text, steps=steps))
            return records
        for call in reply.tool_calls:
            outcome = attempt(tools, call)
            records.append(tool_record(call, outcome))
            if guard.trips(outcome):
                records.append(stop_record("too_many_failures", detail="gave up: " + outcome["error"], steps=steps))
                return records
