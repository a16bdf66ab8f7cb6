"""An object of a class with `__call__`, which counts its steps by looking at the records."""


class Loop:
    def __call__(self, task, model, tools, budgets):
        self.records = [task_record(task)]
        while self.steps() < budgets.max_steps:
            reply = model(messages(self.records), manifest(tools))
            self.records.append(turn_record(reply))
            if not reply.tool_calls:
                return self.end("no_tool_calls", reply.text)
            for call in reply.tool_calls:
                self.records.append(run_call(tools, call))
        return self.end("step_budget")

    def steps(self):
        return sum(entry["kind"] == "assistant" for entry in self.records)

    def end(self, reason, answer=None):
        return [*self.records, stop_record(reason, answer, steps=self.steps())]


run = Loop()
