"""Shows the text of the exception as it is.

rejected by: the secret is gone and the reason is still there
must say: may be read by anybody
"""

import re


def safe_error(tool, error, secrets):
    return ToolError(tool, str(error))
