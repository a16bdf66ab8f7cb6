"""Takes a secret for a pattern.

rejected by: a secret is a text, not a pattern
must say: full of the characters of patterns
"""

import re


def safe_error(tool, error, secrets):
    text = str(error)
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        text = re.sub(secret, "[redacted]", text, flags=re.IGNORECASE)
    return ToolError(tool, text)
