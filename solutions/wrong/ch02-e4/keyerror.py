"""Lets the KeyError of its dict go.

rejected by: an unknown name is refused with the names that there are, sorted
must say: ToolError to be raised
"""

from dataclasses import replace


class ToolRegistry:
    def __init__(self):
        self._tools = {}

    def register(self, tool):
        if tool.name in self._tools:
            raise ValueError(f"a tool named {tool.name!r} is already registered")
        self._tools[tool.name] = replace(tool, schema=deepcopy(tool.schema))

    def get(self, name):
        return self._tools[name]

    def names(self):
        return sorted(self._tools)

    def manifest(self):
        return manifest(self._tools)
