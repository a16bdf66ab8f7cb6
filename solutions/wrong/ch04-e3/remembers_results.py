"""Keeps results by arguments, and gives the old one when it is asked again.

rejected by: one call leaves nothing behind for the next
must say: asked before is asked again
"""

from copy import deepcopy

RESULTS = {}


def call_tool(tools, name, args):
    if name not in tools:
        raise ToolError(f"no tool named {name!r}", options=tools)
    faults = validate(args, tools[name].schema, f"$.{name}")
    if faults:
        raise ToolError(f"invalid arguments: {'; '.join(faults)}")
    place = (name, repr(args))
    if place not in RESULTS:
        RESULTS[place] = tools[name].fn(**deepcopy(args))
    return RESULTS[place]
