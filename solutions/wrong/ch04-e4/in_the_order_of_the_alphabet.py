"""Goes through the secrets from z to a, one after the other.

rejected by: of a secret that contains another one, nothing is left
must say: a part of the key
"""

import re


def safe_error(tool, error, secrets):
    text = str(error)
    for secret in sorted(filter(None, secrets), reverse=True):
        text = re.sub(re.escape(secret), "[redacted]", text, flags=re.IGNORECASE)
    return ToolError(tool, text)
