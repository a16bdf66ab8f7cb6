"""Does not say which name is taken.

rejected by: a second tool of the same name is refused, and the first stays
must say: in its text
"""

from dataclasses import replace


class ToolRegistry:
    def __init__(self):
        self._tools = {}

    def register(self, tool):
        if tool.name in self._tools:
            raise ValueError("this name is taken")
        self._tools[tool.name] = replace(tool, schema=deepcopy(tool.schema))

    def get(self, name):
        if name not in self._tools:
            raise ToolError(f"no tool named {name!r}", options=self._tools)
        return self._tools[name]

    def names(self):
        return sorted(self._tools)

    def manifest(self):
        return manifest(self._tools)
