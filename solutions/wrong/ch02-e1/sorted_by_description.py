"""Sorts by what the tools do.

rejected by: the entries are sorted by name, in whatever order the tools were put in
must say: would be another prompt
"""


def manifest(registry):
    return [
        {"name": tool.name, "description": tool.description, "schema": deepcopy(tool.schema)}
        for tool in sorted(registry.values(), key=lambda tool: tool.description)
    ]
