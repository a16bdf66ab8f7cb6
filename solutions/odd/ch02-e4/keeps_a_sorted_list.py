"""Keeps a sorted list of tools, and searches it by halves."""

from bisect import bisect_left, insort


class ToolRegistry:
    """Tools in the order of their names."""

    def __init__(self):
        self.kept = []

    def _find(self, name):
        place = bisect_left(self.kept, name, key=lambda tool: tool.name)
        there = place < len(self.kept) and self.kept[place].name == name
        return self.kept[place] if there else None

    def register(self, tool):
        if self._find(tool.name):
            raise ValueError("there is a tool named " + tool.name)
        kept = Tool(tool.name, tool.description, deepcopy(tool.schema), tool.fn, tool.idempotent)
        insort(self.kept, kept, key=lambda tool: tool.name)

    def get(self, name):
        if found := self._find(name):
            return found
        raise ToolError(f"no tool named {name!r}", options=self.names())

    def names(self):
        return [tool.name for tool in self.kept]

    def manifest(self):
        return manifest({tool.name: tool for tool in reversed(self.kept)})
