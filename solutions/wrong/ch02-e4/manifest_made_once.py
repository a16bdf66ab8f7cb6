"""Makes its manifest once and hands out copies of it from then on.

rejected by: the manifest is that of exercise 1
must say: a tool that is registered later is shown from then on
"""


class ToolRegistry:
    def __init__(self):
        self._tools, self._manifest = {}, None

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
        if self._manifest is None:
            self._manifest = manifest(self._tools)
        return deepcopy(self._manifest)
