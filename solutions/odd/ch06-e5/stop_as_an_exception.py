"""Each rung raises, and one handler at the end makes the stop."""


class Stop(Exception):
    def __init__(self, reason, answer=None, detail=""):
        self.fields = (reason, answer, detail)


class Account:
    def __init__(self, budgets, killed):
        self.budgets, self.killed = budgets, killed
        self.used = {"steps": 0, "tokens": 0, "calls": 0, "cost": 0}

    def look(self):
        if self.killed is not None and self.killed():
            raise Stop("killed")
        if self.budgets.max_cost is not None and self.used["cost"] >= self.budgets.max_cost:
            raise Stop("cost_budget")

    def turn(self, model, records, tools):
        self.look()
        if self.used["steps"] >= self.budgets.max_steps:
            raise Stop("step_budget")
        self.used["cost"] += self.budgets.turn_price
        try:
            reply = model(messages(records), manifest(tools))
        except Exception as error:
            raise Stop("model_error", None, f"{type(error).__name__}: {error}") from error
        if not isinstance(reply, ModelReply):
            raise Stop("model_error", None, f"expected a ModelReply, got {type(reply).__name__}")
        tokens = max(1, len(reply.text) // 4)
        self.used["steps"] += 1
        self.used["tokens"] += tokens
        records.append(turn_record(reply, tokens=tokens))
        if self.budgets.stop_sentinel is not None and self.budgets.stop_sentinel in reply.text:
            raise Stop("sentinel", reply.text)
        if not reply.tool_calls:
            raise Stop("no_tool_calls", reply.text)
        if self.budgets.max_tokens is not None and self.used["tokens"] > self.budgets.max_tokens:
            raise Stop("token_budget")
        return reply.tool_calls

    def call(self, tools, call):
        self.look()
        self.used["calls"] += 1
        self.used["cost"] += self.budgets.call_price
        return run_call(tools, call)


def run(task, model, tools, budgets, killed=None):
    records, account = [task_record(task)], Account(budgets, killed)
    try:
        while True:
            for call in account.turn(model, records, tools):
                records.append(account.call(tools, call))
    except Stop as stop:
        return records + [stop_record(*stop.fields, **account.used)]
