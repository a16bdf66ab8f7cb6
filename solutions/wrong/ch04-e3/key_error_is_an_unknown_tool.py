"""One `try` around everything: a KeyError of the tool is taken for a name that is not there.

rejected by: so does every other exception, whatever its kind, after one call
must say: what nobody expected is a defect
"""

from copy import deepcopy


def call_tool(tools, name, args):
    try:
        tool = tools[name]
        faults = validate(args, tool.schema, f"$.{name}")
        if faults:
            raise ToolError(f"invalid arguments: {'; '.join(faults)}")
        return tool.fn(**deepcopy(args))
    except KeyError:
        raise ToolError(f"no tool named {name!r}", options=tools) from None
