"""Cuts the message off where the secret begins.

rejected by: the secret is gone and the reason is still there
must say: helps nobody
"""

import re


def safe_error(tool, error, secrets):
    text = str(error)
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        text = re.split(re.escape(secret), text, flags=re.IGNORECASE)[0]
    return ToolError(tool, text)
