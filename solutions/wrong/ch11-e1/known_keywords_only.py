"""Passes on the keywords that it knows.

rejected by: each tool is its name, its description and its schema as `inputSchema`
must say: what a client is shown is what its arguments are judged by
"""

KNOWN = ("type", "properties", "required", "additionalProperties")


def list_tools(tools):
    return [
        {
            "name": name,
            "description": tool.description,
            "inputSchema": deepcopy({key: tool.schema[key] for key in KNOWN if key in tool.schema}),
        }
        for name, tool in sorted(tools.items())
        if not name.startswith("_")
    ]
