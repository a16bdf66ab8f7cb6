"""Shows the schemas of the tools themselves.

rejected by: what is done to a manifest does not reach the tools
must say: must not change the tool
"""


def manifest(registry):
    return [
        {"name": tool.name, "description": tool.description, "schema": tool.schema}
        for _, tool in sorted(registry.items())
    ]
