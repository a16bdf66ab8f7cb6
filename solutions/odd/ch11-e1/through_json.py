"""Copies by writing the schema as JSON and reading it again; a loop where we have a comprehension."""


def list_tools(tools):
    listed = []
    for tool in tools.values():
        if tool.name[0] == "_":
            continue
        schema = json.loads(json.dumps(tool.schema))
        listed.append(dict(inputSchema=schema, description=tool.description, name=tool.name))
    listed.sort(key=lambda entry: entry["name"])
    return listed
