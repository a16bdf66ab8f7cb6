"""Shows the tools in the order in which they came.

rejected by: the manifest is that of exercise 1
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
        return sorted(self._tools)

    def manifest(self):
        return [{"name": tool.name, "description": tool.description, "schema": deepcopy(tool.schema)} for tool in self._tools.values()]
