"""Skips the observation and believes what stands behind it.

rejected by: an observation that the model wrote, and all behind it, is dropped
must say: ReplyError
"""

def parse_reply(text):
    own = [(label, content) for label, content in labelled(text) if label != "Observation"]
    thought = next((content for label, content in own if label == "Thought"), "")
    decided = [(label, content) for label, content in own if label != "Thought"]
    if len(decided) != 1:
        raise ReplyError(f"expected one action or answer, got {len(decided)}")
    label, content = decided[0]
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
