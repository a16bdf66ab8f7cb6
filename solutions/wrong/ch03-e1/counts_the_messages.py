"""Finds its place by counting the messages.

rejected by: replies come in the order of the script, once each
must say: whatever was said before
"""

from copy import deepcopy


class ScriptedModel:
    def __init__(self, replies):
        self._replies = deepcopy(list(replies))
        self._used = 0

    def __call__(self, messages, manifest):
        place = sum(message["role"] == "assistant" for message in messages)
        if place >= len(self._replies):
            raise ScriptExhaustedError(f"the script has {len(self._replies)} replies")
        return deepcopy(self._replies[place])

    def fresh(self):
        return ScriptedModel(self._replies)
