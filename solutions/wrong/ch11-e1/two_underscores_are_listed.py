"""Leaves out a name with one underscore before it, and lists one with two.

rejected by: a tool whose name begins with an underscore is not listed
must say: is the loop's own
"""


def list_tools(tools):
    return [
        {"name": name, "description": tool.description, "inputSchema": deepcopy(dict(tool.schema))}
        for name, tool in sorted(tools.items())
        if not name.startswith("_") or name.startswith("__")
    ]
