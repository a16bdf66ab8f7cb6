"""Keeps the text of the exception on the error.

rejected by: no part of the error holds a secret, and the list of secrets stays as it was
must say: logs what is on it
"""

import re


def safe_error(tool, error, secrets):
    text = str(error)
    known = sorted(filter(None, secrets), key=len, reverse=True)
    if known:
        text = re.sub("|".join(map(re.escape, known)), "[redacted]", text, flags=re.IGNORECASE)
    made = ToolError(tool, text)
    made.original = str(error)
    return made
