"""Takes the white space around a description off.

rejected by: there is one entry for each tool, with name, description and schema and nothing else
must say: as it is
"""


def manifest(registry):
    return [
        {"name": tool.name, "description": tool.description.strip(), "schema": deepcopy(tool.schema)}
        for _, tool in sorted(registry.items())
    ]
