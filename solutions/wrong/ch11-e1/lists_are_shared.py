"""Copies the dicts of a schema, however deep, and shares its lists.

rejected by: what is listed shares nothing with the tools
must say: must not change what arguments are judged by
"""


def copied(value):
    return {key: copied(item) for key, item in value.items()} if isinstance(value, dict) else value


def list_tools(tools):
    return [
        {"name": name, "description": tool.description, "inputSchema": copied(tool.schema)}
        for name, tool in sorted(tools.items())
        if not name.startswith("_")
    ]
