"""Raises without saying how long the script was.

rejected by: after the last reply it raises, and says how many there were
must say: in its text
"""

from copy import deepcopy


class ScriptedModel:
    def __init__(self, replies):
        self._replies = deepcopy(list(replies))
        self._used = 0

    def __call__(self, messages, manifest):
        if self._used == len(self._replies):
            raise ScriptExhaustedError("the script is over")
        self._used += 1
        return deepcopy(self._replies[self._used - 1])

    def fresh(self):
        return ScriptedModel(self._replies)
