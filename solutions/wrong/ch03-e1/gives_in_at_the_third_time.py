"""Raises for two calls too many, and then says its last reply again.

rejected by: after the last reply it raises, and says how many there were
must say: no exception
"""

from copy import deepcopy


class ScriptedModel:
    def __init__(self, replies):
        self._replies = deepcopy(list(replies))
        self._used = 0

    def __call__(self, messages, manifest):
        if self._used >= len(self._replies) + 2:
            return deepcopy(self._replies[-1]) if self._replies else None
        self._used += 1
        if self._used > len(self._replies):
            raise ScriptExhaustedError(f"the script has {len(self._replies)} replies and was asked for one more")
        return deepcopy(self._replies[self._used - 1])

    def fresh(self):
        return ScriptedModel(self._replies)
