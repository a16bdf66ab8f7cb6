"""Reads the action as a Python literal, which JSON is not.

rejected by: an action becomes a call with its thought
must say: ReplyError
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
    import ast

    try:
        action = ast.literal_eval(content)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError) as error:
        raise ReplyError("no Python literal") from error
    if not isinstance(action, dict) or action.keys() != {"tool", "args"}:
        raise ReplyError("expected the keys tool and args")
    if not isinstance(action["tool"], str) or not isinstance(action["args"], dict):
        raise ReplyError("expected a text and an object")
    return Decision(thought, tool_call=ToolCall(action["tool"], action["args"]))
