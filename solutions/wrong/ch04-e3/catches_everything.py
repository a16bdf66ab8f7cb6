"""Makes a ToolError of whatever the tool raises.

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
    except TypeError:
        raise
    except Exception as error:
        raise ToolError(name, str(error)) from error
