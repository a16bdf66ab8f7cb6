"""Passes everything.

rejected by: red on the agent that answers without tools, and on the one that calls it done
must say: answers_without_tools
"""


def verdict(runs):
    return {"failed": {}, "exit_code": 0 if runs else 1}
