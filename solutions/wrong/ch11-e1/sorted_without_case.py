"""Sorts capitals and small letters as one.

rejected by: sorted by name, in whatever order they were registered
must say: the same registry gives the same list
"""


def list_tools(tools):
    return [
        {"name": name, "description": tool.description, "inputSchema": deepcopy(dict(tool.schema))}
        for name, tool in sorted(tools.items(), key=lambda item: item[0].lower())
        if not name.startswith("_")
    ]
