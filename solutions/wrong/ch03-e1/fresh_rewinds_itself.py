"""`fresh()` winds the model back and returns the same object.

rejected by: `fresh()` is the same script at its beginning, and leaves the model where it was
must say: makes another model and moves none
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
        return deepcopy(self._replies[self._used - 1])

    def fresh(self):
        self._used = 0
        return self
