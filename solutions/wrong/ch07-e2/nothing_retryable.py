"""Does not tell an UnavailableError from a ToolError.

rejected by: a ToolError keeps its own words, and an UnavailableError may be tried again
must say: only an UnavailableError
"""


def attempt(tools, call):
    tool = tools.get(call.name)
    if tool is None:
        return failed(f"no tool named {call.name!r} (have: {', '.join(sorted(tools))})")
    problems = validate(call.args, tool.schema, f"$.{call.name}")
    if problems:
        return failed(f"invalid arguments: {'; '.join(problems)}")
    try:
        result = tool.fn(**deepcopy(call.args))
    except ToolError as error:
        return failed(str(error))
    except Exception as error:
        return failed(f"tool {call.name!r} raised {type(error).__name__}: {error}")
    problem = why_not_json(result)
    if problem:
        return failed(f"tool {call.name!r} returned what JSON cannot hold: {problem}")
    return done(result)
