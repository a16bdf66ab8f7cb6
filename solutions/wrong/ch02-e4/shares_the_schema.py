"""Keeps the tool as it came, with the schema that others can change.

rejected by: a schema that is changed outside changes nothing in the registry
must say: what is applied must be what was registered and shown
"""

from dataclasses import replace


class ToolRegistry:
    def __init__(self):
        self._tools = {}

    def register(self, tool):
        if tool.name in self._tools:
            raise ValueError(f"a tool named {tool.name!r} is already registered")
        self._tools[tool.name] = tool

    def get(self, name):
        if name not in self._tools:
            raise ToolError(f"no tool named {name!r}", options=self._tools)
        return self._tools[name]

    def names(self):
        return sorted(self._tools)

    def manifest(self):
        return manifest(self._tools)
