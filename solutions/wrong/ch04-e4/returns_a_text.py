"""Returns a text in place of a ToolError.

rejected by: it is a ToolError: the tool's name, and `[redacted]` where the secret was
must say: ToolError
"""

import re


def safe_error(tool, error, secrets):
    text = str(error)
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        text = re.sub(re.escape(secret), "[redacted]", text, flags=re.IGNORECASE)
    return f"{tool}: {text}"
