"""Finds a secret only as it is spelled in the settings.

rejected by: upper and lower case hide nothing
must say: another case
"""

import re


def safe_error(tool, error, secrets):
    text = str(error)
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        text = text.replace(secret, "[redacted]")
    return ToolError(tool, text)
