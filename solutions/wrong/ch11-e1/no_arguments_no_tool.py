"""Leaves out a tool that takes no arguments.

rejected by: each tool is its name, its description and its schema as `inputSchema`
must say: each tool is listed once
"""


def list_tools(tools):
    return [
        {"name": name, "description": tool.description, "inputSchema": deepcopy(dict(tool.schema))}
        for name, tool in sorted(tools.items())
        if not name.startswith("_") and tool.schema.get("properties")
    ]
