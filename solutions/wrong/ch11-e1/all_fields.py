"""Puts every field on the wire that JSON can hold.

rejected by: each tool is its name, its description and its schema as `inputSchema`
must say: these are the names on the wire
"""


def list_tools(tools):
    return [
        {
            "name": name,
            "description": tool.description,
            "inputSchema": deepcopy(dict(tool.schema)),
            "idempotent": tool.idempotent,
        }
        for name, tool in sorted(tools.items())
        if not name.startswith("_")
    ]
