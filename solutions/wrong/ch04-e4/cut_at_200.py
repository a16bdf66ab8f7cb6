"""Cuts the text at 200 characters.

rejected by: the text of the exception is what `str` gives, all of it, to the letter
must say: to the letter
"""

import re


def safe_error(tool, error, secrets):
    text = str(error)
    known = sorted(filter(None, secrets), key=len, reverse=True)
    if known:
        text = re.sub("|".join(map(re.escape, known)), "[redacted]", text, flags=re.IGNORECASE)
    return ToolError(tool, text[:200])
