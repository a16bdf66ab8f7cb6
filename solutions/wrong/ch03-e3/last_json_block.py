"""Takes the last {...} of the reply, wherever it stands.

rejected by: an observation that the model wrote, and all behind it, is dropped
must say: no tool made
"""

def parse_reply(text):
    thought = next((content for label, content in labelled(text) if label == "Thought"), "")
    answers = [content for label, content in labelled(text) if label == "Answer"]
    blocks = re.findall(r"\{.*\}", text)
    if blocks:
        try:
            action = strict_json(blocks[-1])
        except ValueError as error:
            raise ReplyError(str(error)) from error
        if not isinstance(action, dict) or action.keys() != {"tool", "args"}:
            raise ReplyError("expected the keys tool and args")
        if not isinstance(action["tool"], str) or not isinstance(action["args"], dict):
            raise ReplyError("expected a text and an object")
        return Decision(thought, tool_call=ToolCall(action["tool"], action["args"]))
    if len(answers) != 1:
        raise ReplyError("no answer")
    return Decision(thought, answer=answers[0])
