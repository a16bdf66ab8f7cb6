"""Goes through the lines itself, without the helpers for labels."""

LABELS = ("Thought:", "Action:", "Answer:")


def parse_reply(text, *, stop="Observation:"):
    parts = []
    for line in text.splitlines():
        bare = line.strip()
        if bare.startswith(stop):
            break
        label = next((one for one in LABELS if bare.startswith(one)), None)
        if label:
            parts.append([label[:-1], bare[len(label) :]])
        elif parts:
            parts[-1][1] += "\n" + line
    thoughts = [content.strip() for label, content in parts if label == "Thought"]
    thought = thoughts[0] if thoughts else ""
    rest = [(label, content.strip()) for label, content in parts if label != "Thought"]
    match rest:
        case [("Answer", content)]:
            return Decision(thought, answer=content)
        case [("Action", content)]:
            try:
                value = strict_json(content)
            except ValueError:
                raise ReplyError("the action is no JSON object") from None
            match value:
                case {"tool": str(name), "args": dict(args), **others} if not others:
                    return Decision(thought, ToolCall(name, args))
    raise ReplyError("one action or one answer was expected")
