"""Asks how many messages there are.

rejected by: messages and manifest are not even read
must say: TypeError
"""

from copy import deepcopy


class ScriptedModel:
    def __init__(self, replies):
        self._replies = deepcopy(list(replies))
        self._used = 0

    def __call__(self, messages, manifest):
        if self._used == len(self._replies):
            raise ScriptExhaustedError(f"the script has {len(self._replies)} replies and was asked for one more")
        if len(messages) < 0:
            raise ValueError("no messages")
        self._used += 1
        return deepcopy(self._replies[self._used - 1])

    def fresh(self):
        return ScriptedModel(self._replies)
