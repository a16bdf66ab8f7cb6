"""Looks for a thought before the action or the answer, and not behind it.

rejected by: the thought is the first one, all of it, wherever it stands
must say: the model's own first thought
"""

def parse_reply(text):
    own = []
    for label, content in labelled(text):
        if label == "Observation":
            break
        own.append((label, content))
    thought = own[0][1] if own and own[0][0] == "Thought" else ""
    decided = [(label, content) for label, content in own if label != "Thought"]
    if len(decided) != 1:
        raise ReplyError(f"expected one line that begins with Action: or Answer:, got {len(decided)}")
    label, content = decided[0]
    if label == "Answer":
        return Decision(thought, answer=content)
    try:
        action = strict_json(content)
    except ValueError as error:
        raise ReplyError(f"expected one JSON object after Action: ({error})") from error
    if not isinstance(action, dict) or action.keys() != {"tool", "args"}:
        raise ReplyError('expected an action with exactly the keys "tool" and "args"')
    if not isinstance(action["tool"], str) or not isinstance(action["args"], dict):
        raise ReplyError('expected "tool" to be a string and "args" to be an object')
    return Decision(thought, tool_call=ToolCall(action["tool"], action["args"]))
