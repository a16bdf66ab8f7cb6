"""A helper that returns two things: the result, or what became of it."""


def _run(tool, call):
    try:
        return tool.fn(**deepcopy(call.args)), None
    except UnavailableError as e:
        return None, failed(str(e), retryable=True)
    except ToolError as e:
        return None, failed(str(e))
    except Exception as e:
        return None, failed("tool %r raised %s: %s" % (call.name, type(e).__name__, e))


def attempt(tools, call):
    tool = tools.get(call.name)
    if tool is None:
        return failed("no tool named %r (have: %s)" % (call.name, ", ".join(sorted(tools.keys()))))
    if bad := validate(call.args, tool.schema, "$." + call.name):
        return failed("invalid arguments: %s" % "; ".join(bad))
    result, failure = _run(tool, call)
    if failure is not None:
        return failure
    if (why := why_not_json(result)) is not None:
        return failed("tool %r returned what JSON cannot hold: %s" % (call.name, why))
    return done(result)
