"""Finds three spellings and not the mixed ones.

rejected by: upper and lower case hide nothing
must say: another case
"""

import re


def safe_error(tool, error, secrets):
    text = str(error)
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        for spelled in (secret, secret.lower(), secret.upper()):
            text = text.replace(spelled, "[redacted]")
    return ToolError(tool, text)
