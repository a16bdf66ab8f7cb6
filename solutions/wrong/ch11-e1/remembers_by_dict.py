"""Keeps the list of each dict as long as it has the same names.

rejected by: each list is of the tools that there are at that moment
must say: a tool may change, and keep its name
"""

listed = {}


def list_tools(tools):
    key = (id(tools), *tools)
    listed[key] = listed.get(key) or [
        {"name": name, "description": tool.description, "inputSchema": deepcopy(dict(tool.schema))}
        for name, tool in sorted(tools.items())
        if not name.startswith("_")
    ]
    return deepcopy(listed[key])
