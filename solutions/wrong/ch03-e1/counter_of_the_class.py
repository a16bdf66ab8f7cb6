"""Keeps its place in the class, so that all models share one.

rejected by: two models of one script do not disturb each other, nor the list
must say: the place in the script is each model's own
"""

from copy import deepcopy


class ScriptedModel:
    used = 0

    def __init__(self, replies):
        self._replies = deepcopy(list(replies))
        ScriptedModel.used = 0

    def __call__(self, messages, manifest):
        if ScriptedModel.used == len(self._replies):
            raise ScriptExhaustedError(f"the script has {len(self._replies)} replies")
        ScriptedModel.used += 1
        return deepcopy(self._replies[ScriptedModel.used - 1])

    def fresh(self):
        return ScriptedModel(self._replies)
