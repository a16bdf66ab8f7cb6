"""Takes the first argument of the exception for its text.

rejected by: the text of the exception is what `str` gives, all of it, to the letter
must say: to the letter
"""

import re


def safe_error(tool, error, secrets):
    text = str(error.args[0]) if error.args else ""
    known = sorted(filter(None, secrets), key=len, reverse=True)
    if known:
        text = re.sub("|".join(map(re.escape, known)), "[redacted]", text, flags=re.IGNORECASE)
    return ToolError(tool, text)
