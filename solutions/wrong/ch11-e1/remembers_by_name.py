"""Keeps the entry of each tool that it has listed once, by its name.

rejected by: each list is of the tools that there are at that moment
must say: a tool may change, and keep its name
"""

made = {}


def list_tools(tools):
    for name, tool in tools.items():
        entry = {"name": name, "description": tool.description, "inputSchema": deepcopy(dict(tool.schema))}
        made.setdefault(name, entry)
    return [deepcopy(made[name]) for name in sorted(tools) if not name.startswith("_")]
