"""Starts again from the first reply when the script is over.

rejected by: after the last reply it raises, and says how many there were
must say: no exception
"""

from copy import deepcopy


class ScriptedModel:
    def __init__(self, replies):
        self._replies = deepcopy(list(replies))
        self._used = 0

    def __call__(self, messages, manifest):
        self._used += 1
        return deepcopy(self._replies[(self._used - 1) % len(self._replies)])

    def fresh(self):
        return ScriptedModel(self._replies)
