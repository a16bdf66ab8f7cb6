"""Searches a lower-case copy by position, without patterns."""

def safe_error(tool, error, secrets, *, mark="[redacted]"):
    text = str(error)
    wanted = sorted((s.lower() for s in secrets if s), key=len, reverse=True)
    lowered, out, at = text.lower(), [], 0
    while at < len(text):
        found = next((s for s in wanted if lowered.startswith(s, at)), None)
        out.append(mark if found else text[at])
        at += len(found) if found else 1
    return ToolError(tool, "".join(out))
