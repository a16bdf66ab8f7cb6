"""Removes what it has said, so that `fresh()` begins in the middle.

rejected by: `fresh()` is the same script at its beginning, and leaves the model where it was
must say: expected
"""

from copy import deepcopy


class ScriptedModel:
    def __init__(self, replies):
        self._replies = deepcopy(list(replies))
        self._total = len(self._replies)

    def __call__(self, messages, manifest):
        if not self._replies:
            raise ScriptExhaustedError(f"the script has {self._total} replies")
        return self._replies.pop(0)

    def fresh(self):
        return ScriptedModel(self._replies)
