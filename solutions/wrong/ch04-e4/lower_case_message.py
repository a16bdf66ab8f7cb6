"""Makes the whole message lower case to find the secrets.

rejected by: it is a ToolError: the tool's name, and `[redacted]` where the secret was
must say: stays to the letter
"""

import re


def safe_error(tool, error, secrets):
    text = str(error).lower()
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        text = text.replace(secret.lower(), "[redacted]")
    return ToolError(tool, text)
