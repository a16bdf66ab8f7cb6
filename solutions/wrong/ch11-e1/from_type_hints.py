"""Derives each schema anew from the hints of the function.

rejected by: each tool is its name, its description and its schema as `inputSchema`
must say: what a client is shown is what its arguments are judged by
"""


def by_hint(fn):
    kinds = {int: "integer", float: "number", str: "string"}
    found = {name: {"type": kinds.get(p.annotation, "string")} for name, p in inspect.signature(fn).parameters.items()}
    return {"type": "object", "properties": found}


def list_tools(tools):
    return [
        {"name": name, "description": tool.description, "inputSchema": by_hint(tool.fn)}
        for name, tool in sorted(tools.items())
        if not name.startswith("_")
    ]
