"""Takes the last action or answer of the reply.

rejected by: an observation that the model wrote, and all behind it, is dropped
must say: the observation was made up
"""

def parse_reply(text):
    own = [(label, content) for label, content in labelled(text) if label != "Observation"]
    thought = next((content for label, content in own if label == "Thought"), "")
    decided = [(label, content) for label, content in own if label != "Thought"]
    if not decided:
        raise ReplyError("nothing decided")
    label, content = decided[-1]
    if label == "Answer":
        return Decision(thought, answer=content)
    try:
        action = strict_json(content)
    except ValueError as error:
        raise ReplyError(f"no JSON: {error}") from error
    if not isinstance(action, dict) or action.keys() != {"tool", "args"}:
        raise ReplyError("expected the keys tool and args")
    if not isinstance(action["tool"], str) or not isinstance(action["args"], dict):
        raise ReplyError("expected a text and an object")
    return Decision(thought, tool_call=ToolCall(action["tool"], action["args"]))
