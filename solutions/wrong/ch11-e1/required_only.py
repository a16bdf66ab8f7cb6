"""Shows the required properties and keeps the others to itself.

rejected by: each tool is its name, its description and its schema as `inputSchema`
must say: what a client is shown
"""


def list_tools(tools):
    listed = []
    for name, tool in sorted(tools.items()):
        if not name.startswith("_"):
            schema = deepcopy(dict(tool.schema))
            schema["properties"] = {key: schema["properties"][key] for key in schema.get("required", [])}
            listed.append({"name": name, "description": tool.description, "inputSchema": schema})
    return listed
