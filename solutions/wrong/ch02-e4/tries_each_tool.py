"""Calls a tool when it is registered, to see whether it works.

rejected by: a registered tool is found by its name
must say: is not to use it
"""

from dataclasses import replace


class ToolRegistry:
    def __init__(self):
        self._tools = {}

    def register(self, tool):
        if tool.name in self._tools:
            raise ValueError(f"a tool named {tool.name!r} is already registered")
        try:
            tool.fn()
        except Exception:
            pass
        self._tools[tool.name] = replace(tool, schema=deepcopy(tool.schema))

    def get(self, name):
        if name not in self._tools:
            raise ToolError(f"no tool named {name!r}", options=self._tools)
        return self._tools[name]

    def names(self):
        return sorted(self._tools)

    def manifest(self):
        return manifest(self._tools)
