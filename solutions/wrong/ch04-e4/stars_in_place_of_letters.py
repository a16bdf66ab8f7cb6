"""Puts a star for each letter, which tells how long the secret is.

rejected by: it is a ToolError: the tool's name, and `[redacted]` where the secret was
must say: [redacted]
"""

import re


def safe_error(tool, error, secrets):
    text = str(error)
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        text = re.sub(re.escape(secret), "*" * len(secret), text, flags=re.IGNORECASE)
    return ToolError(tool, text)
