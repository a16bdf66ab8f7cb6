"""Finds the empty pattern where there are no secrets.

rejected by: an empty secret is none, and without secrets nothing changes
must say: expected
"""

import re


def safe_error(tool, error, secrets):
    pattern = "|".join(re.escape(secret) for secret in sorted(filter(None, secrets), key=len, reverse=True))
    return ToolError(tool, re.sub(pattern, "[redacted]", str(error), flags=re.IGNORECASE))
