"""Makes its fresh model once, and gives it again.

rejected by: `fresh()` is the same script at its beginning, and leaves the model where it was
must say: each `fresh()` is another model
"""

from copy import deepcopy


class ScriptedModel:
    def __init__(self, replies):
        self._replies = deepcopy(list(replies))
        self._used = 0
        self._fresh = None

    def __call__(self, messages, manifest):
        if self._used == len(self._replies):
            raise ScriptExhaustedError(f"the script has {len(self._replies)} replies and was asked for one more")
        self._used += 1
        return deepcopy(self._replies[self._used - 1])

    def fresh(self):
        if self._fresh is None:
            self._fresh = ScriptedModel(self._replies)
        return self._fresh
