"""Keeps the key of the manifest: `schema`.

rejected by: each tool is its name, its description and its schema as `inputSchema`
must say: inputSchema
"""


def list_tools(tools):
    return [
        {"name": name, "description": tool.description, "schema": deepcopy(dict(tool.schema))}
        for name, tool in sorted(tools.items())
        if not name.startswith("_")
    ]
