"""Finds an empty secret between any two letters.

rejected by: an empty secret is none, and without secrets nothing changes
must say: not set gives an empty text
"""

import re


def safe_error(tool, error, secrets):
    text = str(error)
    for secret in sorted(secrets, key=len, reverse=True):
        text = re.sub(re.escape(secret), "[redacted]", text, flags=re.IGNORECASE)
    return ToolError(tool, text)
