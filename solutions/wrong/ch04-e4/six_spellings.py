"""Knows six spellings of a secret.

rejected by: upper and lower case hide nothing
must say: in another case than the key
"""

import re


def safe_error(tool, error, secrets):
    text = str(error)
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        spellings = secret, secret.lower(), secret.upper(), secret.title(), secret.capitalize(), secret.swapcase()
        for spelled in spellings:
            text = text.replace(spelled, "[redacted]")
    return ToolError(tool, text)
