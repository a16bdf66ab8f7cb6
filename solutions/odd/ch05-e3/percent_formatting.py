"""Builds the text with percent formatting, line by line."""


def render_trace(receipt):
    text = ""
    for number in range(len(receipt["steps"])):
        step = receipt["steps"][number]
        text += "%d. %s(%r) -> %s\n" % (number + 1, step["tool"], step["args"], str(step["result"]))
    if receipt["refusal"] is None:
        return text + "stopped_because=%r  answer=%r" % (receipt["stopped_because"], receipt["answer"])
    return text + "stopped_because=%r  refusal=%r" % (receipt["stopped_because"], receipt["refusal"])
