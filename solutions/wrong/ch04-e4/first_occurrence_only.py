"""Replaces the first occurrence of each secret.

rejected by: every secret goes, wherever it occurs
must say: expected
"""

import re


def safe_error(tool, error, secrets):
    text = str(error)
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        text = re.sub(re.escape(secret), "[redacted]", text, count=1, flags=re.IGNORECASE)
    return ToolError(tool, text)
