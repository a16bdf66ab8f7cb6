"""Takes the first action or answer of the whole reply.

rejected by: a reply that begins with an observation says nothing
must say: no tool returned
"""

def parse_reply(text):
    said = labelled(text)
    thought = next((content for label, content in said if label == "Thought"), "")
    decided = [(label, content) for label, content in said if label in ("Action", "Answer")]
    if not decided:
        raise ReplyError("nothing decided")
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
