"""Observes that there is no such tool.

rejected by: a ToolError is observed, and a defect of a tool leaves the step
must say: so `act` finds out
"""


class SchemaVerifier:
    """Do the arguments fit the tool's own schema? Asked before the act."""

    name = "schema"
    phase = "pre_act"

    def __init__(self, tools):
        self.tools = tools

    def judge(self, ctx):
        call = ctx.decision.tool_call
        if call is None:
            return Judgment(1.0, True, "final answer step; no tool call to validate")
        if call.name not in self.tools:
            return Judgment(0.0, False, f"no tool named {call.name!r} (have: {', '.join(sorted(self.tools))})")
        problems = validate(call.args, self.tools[call.name].schema, f"$.{call.name}")
        if problems:
            return Judgment(0.0, False, f"invalid arguments: {'; '.join(problems)}")
        return Judgment(1.0, True, f"args match {call.name} schema")


def take_step(task, llm, tools, verifiers, max_steps, history):
    """Take one step of a run: think, verify, act, observe and score."""
    decision = llm(task, history)
    judgments = []

    def judge(phase, observation):
        ctx = StepContext(task, len(history), max_steps, decision, observation, history)
        made = [(verifier, verifier.judge(ctx)) for verifier in verifiers if verifier.phase == phase]
        for verifier, j in made:
            said = {"score": j.score, "passed": j.passed, "reason": j.reason}
            judgments.append({"verifier": verifier.name, "phase": phase, **said})
        return [j.reason for _, j in made if not j.passed]

    reasons = judge("pre_act", None)
    if reasons:
        observation = {"ok": False, "content": f"blocked: {'; '.join(reasons)}"}
    elif decision.tool_call is None:
        observation = None
    else:
        try:
            observation = act(tools, decision.tool_call)
        except KeyError as error:
            observation = {"ok": False, "content": str(error)}
    judge("post_act", observation)
    return {"decision": plain(decision), "judgments": judgments, "observation": observation}
