"""Replaces one secret after the other, with a function for the mark, and builds the whole message itself."""

import re


def safe_error(tool, error, secrets):
    message = "%s" % (error,)
    for secret in sorted(set(secrets) - {""}, key=lambda one: (-len(one), one)):
        message = re.compile(re.escape(secret), re.I).sub(lambda _: "[redacted]", message)
    return ToolError(f"{tool}: {message}")
