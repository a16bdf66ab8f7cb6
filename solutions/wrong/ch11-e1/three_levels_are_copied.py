"""Copies three levels of a schema, which is as deep as most of them go.

rejected by: what is listed shares nothing with the tools
must say: must not change what arguments are judged by
"""


def copied(value, levels=3):
    if levels and isinstance(value, dict):
        return {key: copied(item, levels - 1) for key, item in value.items()}
    return [copied(item, levels - 1) for item in value] if levels and isinstance(value, list) else value


def list_tools(tools):
    return [
        {"name": name, "description": tool.description, "inputSchema": copied(tool.schema)}
        for name, tool in sorted(tools.items())
        if not name.startswith("_")
    ]
