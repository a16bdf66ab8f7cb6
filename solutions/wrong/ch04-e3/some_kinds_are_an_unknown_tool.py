"""Takes five kinds of exception from inside the tool for a name that is not there.

rejected by: so does every other exception, whatever its kind, after one call
must say: what nobody expected is a defect
"""

from copy import deepcopy


def call_tool(tools, name, args):
    if name not in tools:
        raise ToolError(f"no tool named {name!r}", options=tools)
    faults = validate(args, tools[name].schema, f"$.{name}")
    if faults:
        raise ToolError(f"invalid arguments: {'; '.join(faults)}")
    try:
        return tools[name].fn(**deepcopy(args))
    except (KeyError, IndexError, ValueError, RuntimeError, AttributeError) as error:
        raise ToolError(f"no tool named {name!r}", options=tools) from error
