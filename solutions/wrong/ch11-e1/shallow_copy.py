"""Copies the outermost dict of a schema, and shares what is in it.

rejected by: what is listed shares nothing with the tools
must say: must not change what arguments are judged by
"""


def list_tools(tools):
    return [
        {"name": name, "description": tool.description, "inputSchema": dict(tool.schema)}
        for name, tool in sorted(tools.items())
        if not name.startswith("_")
    ]
