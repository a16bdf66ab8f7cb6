"""A class with three steps, and kinds of ToolError of its own."""

from copy import deepcopy


class UnknownToolError(ToolError):
    """There is no such tool."""


class InvalidArgumentsError(ToolError):
    """They do not fit."""


class Caller:
    def __call__(self, tools, name, args):
        tool = self.look_up(tools, name)
        self.judge(tool, name, args)
        return tool.fn(**{key: deepcopy(value) for key, value in args.items()})

    def look_up(self, tools, name):
        try:
            return tools[name]
        except KeyError:
            raise UnknownToolError(f"no tool named {name!r}", options=set(tools)) from None

    def judge(self, tool, name, args):
        if faults := validate(args, tool.schema, f"$.{name}"):
            raise InvalidArgumentsError("invalid arguments: " + "; ".join(faults))


call_tool = Caller()
