"""Removes the loop's own tools from the dict that it was given.

rejected by: a tool whose name begins with an underscore is not listed
must say: goes on with the same tools
"""


def list_tools(tools):
    for name in [name for name in tools if name.startswith("_")]:
        del tools[name]
    return [
        {"name": name, "description": tool.description, "inputSchema": deepcopy(dict(tool.schema))}
        for name, tool in sorted(tools.items())
    ]
