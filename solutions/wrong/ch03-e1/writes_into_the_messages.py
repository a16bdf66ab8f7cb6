"""Adds its reply to the messages that it was called with.

rejected by: messages and manifest stay as they were
must say: the loop alone adds to it
"""

from copy import deepcopy


class ScriptedModel:
    def __init__(self, replies):
        self._replies = deepcopy(list(replies))
        self._used = 0

    def __call__(self, messages, manifest):
        if self._used == len(self._replies):
            raise ScriptExhaustedError(f"the script has {len(self._replies)} replies")
        self._used += 1
        reply = deepcopy(self._replies[self._used - 1])
        messages.append({"role": "assistant", "content": str(reply)})
        return reply

    def fresh(self):
        return ScriptedModel(self._replies)
