"""Takes a class below ToolError for any other exception.

rejected by: one call each, of a copy of the arguments, whatever it raises or returns
must say: the text is what the model is told, and all that it is told
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
        if type(error) not in (ToolError, UnavailableError):
            return failed(f"tool {call.name!r} raised {type(error).__name__}: {error}")
        return failed(str(error), retryable=isinstance(error, UnavailableError))
    except Exception as error:
        return failed(f"tool {call.name!r} raised {type(error).__name__}: {error}")
    problem = why_not_json(result)
    if problem:
        return failed(f"tool {call.name!r} returned what JSON cannot hold: {problem}")
    return done(result)
