"""Asks a ToolRegistry for its manifest, and renames one key."""

from course.tools import ToolRegistry


def list_tools(tools, hidden="_"):
    shown = ToolRegistry(tool for tool in tools.values() if not tool.name.startswith(hidden)).manifest()
    return [{"inputSchema": entry.pop("schema"), **entry} for entry in shown]
