"""Follows an iterator over a copy, with a sentinel for the end."""

from copy import deepcopy

END = object()


class ScriptedModel:
    def __init__(self, replies, *, name="script"):
        self.script = tuple(deepcopy(reply) for reply in replies)
        self.rest = iter(self.script)
        self.name = name

    def __call__(self, messages, manifest=(), **settings):
        reply = next(self.rest, END)
        if reply is END:
            raise ScriptExhaustedError(f"{self.name} had only {len(self.script)}")
        return deepcopy(reply)

    def fresh(self):
        return type(self)(self.script, name=self.name)
