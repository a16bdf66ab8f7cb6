"""Makes the dict once for the class.

rejected by: two registries have nothing in common
must say: ToolRegistry(…)
"""

from dataclasses import replace


class ToolRegistry:
    _tools = {}

    def __init__(self):
        pass

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
        return manifest(self._tools)
