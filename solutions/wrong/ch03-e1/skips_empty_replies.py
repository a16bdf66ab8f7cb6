"""Takes an empty reply for the end of the script.

rejected by: a reply may be any value, also an empty one
must say: ScriptExhaustedError
"""

from copy import deepcopy


class ScriptedModel:
    def __init__(self, replies):
        self._replies = deepcopy(list(replies))
        self._left = iter(self._replies)

    def __call__(self, messages, manifest):
        reply = next(self._left, None)
        if not reply:
            raise ScriptExhaustedError(f"the script has {len(self._replies)} replies")
        return deepcopy(reply)

    def fresh(self):
        return ScriptedModel(self._replies)
