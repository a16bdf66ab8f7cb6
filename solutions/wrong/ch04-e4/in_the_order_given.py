"""Looks for the secrets in the order in which they are given.

rejected by: of a secret that contains another one, nothing is left
must say: a part of the key
"""

import re


def safe_error(tool, error, secrets):
    text = str(error)
    for secret in filter(None, secrets):
        text = re.sub(re.escape(secret), "[redacted]", text, flags=re.IGNORECASE)
    return ToolError(tool, text)
