"""Raises a class of its own below ReplyError, and splits before it labels."""

class NotOneDecisionError(ReplyError):
    """What was wrong with the reply."""


def parse_reply(text):
    own = labelled(re.split(r"(?m)^[ \t]*Observation:", text)[0])
    by_label = {label: [c for one, c in own if one == label] for label in ("Thought", "Action", "Answer")}
    thought = (by_label["Thought"] or [""])[0]
    if len(by_label["Action"]) + len(by_label["Answer"]) != 1:
        raise NotOneDecisionError("want one decision")
    if by_label["Answer"]:
        return Decision(thought=thought, answer=by_label["Answer"][0])
    try:
        action = strict_json(by_label["Action"][0])
        if set(action) != {"tool", "args"}:
            raise TypeError("the keys are tool and args")
        if type(action["tool"]) is not str or type(action["args"]) is not dict:
            raise TypeError("a text and an object")
    except (ValueError, TypeError) as error:
        raise NotOneDecisionError(f"no action: {error}") from error
    return Decision(thought=thought, tool_call=ToolCall(args=action["args"], name=action["tool"]))
