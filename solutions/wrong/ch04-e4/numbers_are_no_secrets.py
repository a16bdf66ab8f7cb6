"""Passes over secrets of digits alone.

rejected by: every secret goes, wherever it occurs
must say: [redacted]
"""

import re


def safe_error(tool, error, secrets):
    text = str(error)
    known = sorted((one for one in secrets if one and not one.isdigit()), key=len, reverse=True)
    if known:
        text = re.sub("|".join(map(re.escape, known)), "[redacted]", text, flags=re.IGNORECASE)
    return ToolError(tool, text)
