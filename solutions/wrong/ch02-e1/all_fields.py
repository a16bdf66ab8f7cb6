"""Shows every field that a tool has.

rejected by: there is one entry for each tool, with name, description and schema and nothing else
must say: not wanted
"""


def manifest(registry):
    return [
        {field.name: deepcopy(getattr(tool, field.name)) for field in fields(Tool) if field.name != "fn"}
        for _, tool in sorted(registry.items())
    ]
