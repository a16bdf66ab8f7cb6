"""Replaces everything by one sentence.

rejected by: the secret is gone and the reason is still there
must say: helps nobody
"""

import re


def safe_error(tool, error, secrets):
    return ToolError(tool, "an error occurred")
