"""A dict with `__missing__`, and a list of its own making."""

from dataclasses import replace


class UnknownTool(ToolError):
    """The course's own registry raises a kind of its own, too."""


class ToolRegistry(dict):
    def __init__(self, tools=()):
        super().__init__()
        for tool in tools:
            self.register(tool)

    def __missing__(self, name):
        raise UnknownTool(f"no tool named {name!r} (have: {', '.join(sorted(self)) or 'none'})")

    def register(self, tool, *, note=None):
        if self.setdefault(tool.name, copied := replace(tool, schema=deepcopy(tool.schema))) is not copied:
            raise ValueError(f"{tool.name} is taken")
        return self

    def get(self, name):
        return self[name]

    def names(self):
        return [*sorted(self.keys())]

    def manifest(self):
        return [{"name": name, "description": self[name].description, "schema": deepcopy(self[name].schema)} for name in self.names()]
