"""Takes labels in upper and lower case.

rejected by: a label inside a line is text
must say: ReplyError
"""

def parse_reply(text):
    own = []
    parts = re.split(r"(?mi)^[ \t]*(Thought|Action|Observation|Answer):[ \t]*", text)
    for label, content in zip(parts[1::2], parts[2::2]):
        if label.title() == "Observation":
            break
        own.append((label.title(), content.strip()))
    thought = next((content for label, content in own if label == "Thought"), "")
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
