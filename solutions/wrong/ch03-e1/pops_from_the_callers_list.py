"""Takes its replies out of the list that it was given.

rejected by: two models of one script do not disturb each other, nor the list
must say: the place in the script is each model's own
"""

from copy import deepcopy


class ScriptedModel:
    def __init__(self, replies):
        self._replies = replies
        self._total = len(replies)

    def __call__(self, messages, manifest):
        if not self._replies:
            raise ScriptExhaustedError(f"the script has {self._total} replies")
        return self._replies.pop(0)

    def fresh(self):
        return ScriptedModel(self._replies)
