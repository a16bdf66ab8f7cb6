"""Lets Python's own exceptions through and makes a ToolError of all others.

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
    except (ArithmeticError, AssertionError, AttributeError, LookupError, OSError, RuntimeError, TypeError, ValueError):
        raise
    except Exception as error:
        raise error if type(error) is ToolError else ToolError(name, str(error))
