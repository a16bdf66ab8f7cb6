"""Raises the error in place of returning it.

rejected by: the secret is gone and the reason is still there
must say: ToolError
"""

import re


def safe_error(tool, error, secrets):
    text = str(error)
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        text = re.sub(re.escape(secret), "[redacted]", text, flags=re.IGNORECASE)
    raise ToolError(tool, text)
