"""Lists the names in the order in which they came.

rejected by: the names are a sorted list, a new one each time
must say: expected
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
        if name not in self._tools:
            raise ToolError(f"no tool named {name!r}", options=self._tools)
        return self._tools[name]

    def names(self):
        return list(self._tools)

    def manifest(self):
        return manifest(self._tools)
