"""Copies each schema once and shows that copy to everybody.

rejected by: nor does it reach another manifest
must say: must not reach the next client
"""

copies = {}


def manifest(registry):
    shown = []
    for name in sorted(registry):
        tool = registry[name]
        text = str(tool.schema)
        schema = copies.setdefault((name, text), deepcopy(tool.schema))
        shown.append({"name": name, "description": tool.description, "schema": schema})
    return shown
