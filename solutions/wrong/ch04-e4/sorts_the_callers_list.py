"""Sorts the list of secrets that it was given.

rejected by: no part of the error holds a secret, and the list of secrets stays as it was
must say: the list belongs to the caller
"""

import re


def safe_error(tool, error, secrets):
    text = str(error)
    if isinstance(secrets, list):
        secrets.sort(key=len, reverse=True)
    known = sorted(filter(None, secrets), key=len, reverse=True)
    if known:
        text = re.sub("|".join(map(re.escape, known)), "[redacted]", text, flags=re.IGNORECASE)
    return ToolError(tool, text)
