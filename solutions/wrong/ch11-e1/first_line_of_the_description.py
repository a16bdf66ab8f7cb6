"""Shows the first line of a description, as a list has little room.

rejected by: each tool is its name, its description and its schema as `inputSchema`
must say: the model reads all of it
"""


def list_tools(tools):
    return [
        {"name": name, "description": tool.description.splitlines()[0], "inputSchema": deepcopy(dict(tool.schema))}
        for name, tool in sorted(tools.items())
        if not name.startswith("_")
    ]
