"""Says its last reply again and again.

rejected by: after the last reply it raises, and says how many there were
must say: a loop that asks once too often must be noticed
"""

from copy import deepcopy


class ScriptedModel:
    def __init__(self, replies):
        self._replies = deepcopy(list(replies))
        self._used = 0

    def __call__(self, messages, manifest):
        self._used = min(self._used + 1, len(self._replies))
        return deepcopy(self._replies[self._used - 1])

    def fresh(self):
        return ScriptedModel(self._replies)
