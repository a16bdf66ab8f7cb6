"""Lets the list raise its own IndexError at the end.

rejected by: after the last reply it raises, and says how many there were
must say: ScriptExhaustedError to be raised
"""

from copy import deepcopy


class ScriptedModel:
    def __init__(self, replies):
        self._replies = deepcopy(list(replies))
        self._used = 0

    def __call__(self, messages, manifest):
        self._used += 1
        return deepcopy(self._replies[self._used - 1])

    def fresh(self):
        return ScriptedModel(self._replies)
