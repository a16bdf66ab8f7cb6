"""Copies the list and shares the replies in it with whoever wrote them.

rejected by: two models of one script do not disturb each other, nor the list
must say: or a reply in it
"""

from copy import deepcopy


class ScriptedModel:
    def __init__(self, replies):
        self._replies = list(replies)
        self._used = 0

    def __call__(self, messages, manifest):
        if self._used == len(self._replies):
            raise ScriptExhaustedError(f"the script has {len(self._replies)} replies")
        self._used += 1
        return deepcopy(self._replies[self._used - 1])

    def fresh(self):
        return ScriptedModel(self._replies)
