"""Lists the first ten.

rejected by: sorted by name, in whatever order they were registered
must say: the same registry gives the same list
"""


def list_tools(tools):
    listed = [
        {"name": name, "description": tool.description, "inputSchema": deepcopy(dict(tool.schema))}
        for name, tool in sorted(tools.items())
        if not name.startswith("_")
    ]
    return listed[:10]
