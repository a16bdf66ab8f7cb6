"""The run is an object that holds its records and its account."""


class Run:
    def __init__(self, task, model, tools, budgets, killed):
        self.model, self.tools, self.b = model, tools, budgets
        self.killed = killed if killed is not None else (lambda: False)
        self.records = [task_record(task)]
        self.used = dict(steps=0, tokens=0, calls=0, cost=0)

    def stop(self, reason, answer=None, detail=""):
        return [*self.records, stop_record(reason, answer, detail, **self.used)]

    def pressed(self):
        if self.killed():
            return "killed"
        if self.b.max_cost is not None and self.used["cost"] >= self.b.max_cost:
            return "cost_budget"

    def before_turn(self):
        why = self.pressed()
        if not why and self.b.max_steps is not None and self.used["steps"] >= self.b.max_steps:
            why = "step_budget"
        return why

    def after_turn(self, reply):
        if self.b.stop_sentinel is not None and self.b.stop_sentinel in reply.text:
            return "sentinel", reply.text
        if not reply.tool_calls:
            return "no_tool_calls", reply.text
        if self.b.max_tokens is not None and self.used["tokens"] > self.b.max_tokens:
            return "token_budget", None
        return None, None

    def go(self):
        while not (why := self.before_turn()):
            try:
                self.used["cost"] += self.b.turn_price
                reply = self.model(messages(self.records), manifest(self.tools))
                if not isinstance(reply, ModelReply):
                    return self.stop("model_error", None, f"expected a ModelReply, got {type(reply).__name__}")
            except Exception as e:
                return self.stop("model_error", None, f"{type(e).__name__}: {e}")
            n = max(1, len(reply.text) // 4)
            self.used["steps"] += 1
            self.used["tokens"] += n
            self.records.append(turn_record(reply, tokens=n))
            why, answer = self.after_turn(reply)
            if why:
                return self.stop(why, answer)
            for call in reply.tool_calls:
                why = self.pressed()
                if why:
                    return self.stop(why)
                self.records.append(run_call(self.tools, call))
                self.used["calls"] += 1
                self.used["cost"] += self.b.call_price
        return self.stop(why)


def run(task, model, tools, budgets, killed=None):
    return Run(task, model, tools, budgets, killed).go()
