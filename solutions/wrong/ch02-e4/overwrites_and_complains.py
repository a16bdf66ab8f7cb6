"""Complains when the second tool is in the place of the first already.

rejected by: a second tool of the same name is refused, and the first stays
must say: must not have taken the place
"""

from dataclasses import replace


class ToolRegistry:
    def __init__(self):
        self._tools = {}

    def register(self, tool):
        taken = tool.name in self._tools
        self._tools[tool.name] = replace(tool, schema=deepcopy(tool.schema))
        if taken:
            raise ValueError(f"a tool named {tool.name!r} was already registered")

    def get(self, name):
        if name not in self._tools:
            raise ToolError(f"no tool named {name!r}", options=self._tools)
        return self._tools[name]

    def names(self):
        return sorted(self._tools)

    def manifest(self):
        return manifest(self._tools)
