"""Looks for the first secret and forgets the others.

rejected by: every secret goes, wherever it occurs
must say: expected
"""

import re


def safe_error(tool, error, secrets):
    text = str(error)
    for secret in filter(None, secrets):
        return ToolError(tool, re.sub(re.escape(secret), "[redacted]", text, flags=re.IGNORECASE))
    return ToolError(tool, text)
