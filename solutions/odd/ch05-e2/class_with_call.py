"""An object of a class with `__call__`, in place of a function."""


class Loop:
    """A loop that keeps what it needs in itself, anew for each run."""

    def __call__(self, plan, tools, budget):
        if not any("answer" in decision for decision in plan):
            raise ValueError("the plan holds no answer")
        self.tools, self.left, self.seen, self.steps = tools, budget, set(), []
        for decision in plan:
            stopped = self.answer(decision) or self.refuse(decision) or self.call(decision)
            if stopped:
                return stopped

    def answer(self, decision):
        if "answer" in decision:
            return receipt(self.steps, "answered", answer=decision["answer"])

    def refuse(self, decision):
        name = decision["tool"]
        if self.left == 0:
            return receipt(self.steps, "budget", refusal=f"no budget for {name}")
        if canonical(name, decision["args"]) in self.seen:
            return receipt(self.steps, "repeated_call", refusal=f"{name} was called like this before")

    def call(self, decision):
        name, args = decision["tool"], decision["args"]
        self.left -= 1
        self.seen.add(canonical(name, args))
        try:
            result = self.tools[name](**args)
        except ToolError as error:
            return receipt(self.steps, "tool_error", refusal=f"stopped: {name} refused ({error})")
        self.steps.append({"tool": name, "args": args, "result": result})


run_loop = Loop()
