"""Takes the two keys and does not look at what else there is.

rejected by: an action has a tool and its arguments, and nothing else
must say: must not become one by guessing
"""

def parse_reply(text):
    own = []
    for label, content in labelled(text):
        if label == "Observation":
            break
        own.append((label, content))
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
    try:
        return Decision(thought, tool_call=ToolCall(action["tool"], action["args"]))
    except (KeyError, TypeError) as error:
        raise ReplyError(str(error)) from error
