"""The two phases are two plain loops, and the schema verifier is a function inside an object."""


class SchemaVerifier:
    def __init__(self, tools, name="schema"):
        self.name, self.phase, self.tools = name, "pre_act", tools

    def why_not(self, call):
        tool = self.tools.get(call.name)
        if tool is None:
            return f"no tool named {call.name!r} (have: {', '.join(sorted(self.tools))})"
        said = validate(call.args, tool.schema, "$." + call.name)
        return "invalid arguments: " + "; ".join(said) if said else ""

    def judge(self, ctx):
        if ctx.decision.answer is not None:
            return Judgment(1.0, True, "final answer step; no tool call to validate")
        problem = self.why_not(ctx.decision.tool_call)
        return (
            Judgment(0.0, False, problem)
            if problem
            else Judgment(1.0, True, f"args match {ctx.decision.tool_call.name} schema")
        )


def take_step(task, llm, tools, verifiers, max_steps, history):
    decision = llm(task, history)
    number = len(history)
    judgments, against = [], []
    for one in verifiers:
        if one.phase == "pre_act":
            found = one.judge(StepContext(task, number, max_steps, decision, None, history))
            judgments.append(
                dict(verifier=one.name, phase="pre_act", score=found.score, passed=found.passed, reason=found.reason)
            )
            if not found.passed:
                against.append(found.reason)
    observation = None
    if against:
        observation = {"content": "blocked: " + "; ".join(against), "ok": False}
    elif decision.answer is None:
        observation = act(tools, decision.tool_call)
    for one in verifiers:
        if one.phase == "post_act":
            found = one.judge(StepContext(task, number, max_steps, decision, observation, history))
            judgments.append(
                dict(verifier=one.name, phase="post_act", score=found.score, passed=found.passed, reason=found.reason)
            )
    return dict(decision=plain(decision), observation=observation, judgments=judgments)
