"""Shows the tools in the order in which they were put in.

rejected by: the entries are sorted by name, in whatever order the tools were put in
must say: would be another prompt
"""


def manifest(registry):
    return [
        {"name": tool.name, "description": tool.description, "schema": deepcopy(tool.schema)}
        for tool in registry.values()
    ]
