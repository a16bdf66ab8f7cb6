"""Cuts the reply wherever the word stands, also inside a line.

rejected by: a label inside a line is text
must say: begins with a label
"""

def parse_reply(text):
    own = labelled(text.split("Observation:")[0])
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
