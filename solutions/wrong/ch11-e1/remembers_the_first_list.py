"""Makes the list once and keeps it.

rejected by: each list is of the tools that there are at that moment
must say: no tools are an empty list
"""

kept = []


def list_tools(tools):
    if not kept:
        kept.extend(
            {"name": name, "description": tool.description, "inputSchema": deepcopy(dict(tool.schema))}
            for name, tool in sorted(tools.items())
            if not name.startswith("_")
        )
    return list(kept)
