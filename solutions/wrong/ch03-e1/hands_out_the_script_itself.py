"""Hands out the objects of the script, so that a caller can change them.

rejected by: what a caller does with a reply does not reach the script
must say: would be in the script for good
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
        return self._replies[self._used - 1]

    def fresh(self):
        made = ScriptedModel([])
        made._replies = self._replies
        return made
