"""Lists what could be the name of a Python function.

rejected by: sorted by name, in whatever order they were registered
must say: the same registry gives the same list
"""


def list_tools(tools):
    return [
        {"name": name, "description": tool.description, "inputSchema": deepcopy(dict(tool.schema))}
        for name, tool in sorted(tools.items())
        if name.isidentifier() and not name.startswith("_")
    ]
