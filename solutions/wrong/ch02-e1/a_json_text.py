"""Returns the manifest as a text of JSON.

rejected by: there is one entry for each tool, with name, description and schema and nothing else
must say: expected
"""

import json


def manifest(registry):
    return json.dumps([
        {"name": tool.name, "description": tool.description, "schema": tool.schema}
        for _, tool in sorted(registry.items())
    ])
