"""Lists the tools as they come.

rejected by: sorted by name, in whatever order they were registered
must say: the same registry gives the same list
"""


def list_tools(tools):
    return [
        {"name": name, "description": tool.description, "inputSchema": deepcopy(dict(tool.schema))}
        for name, tool in tools.items()
        if not name.startswith("_")
    ]
