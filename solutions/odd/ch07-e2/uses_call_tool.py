"""Hands the work to `call_tool` of session 4."""

from course.calls import call_tool
from course.tools import ToolRegistry


def attempt(tools, call):
    try:
        return done(call_tool(ToolRegistry(tools.values()), call.name, call.args))
    except UnavailableError as error:
        return failed(str(error), retryable=True)
    except ToolError as error:
        return failed(f"{error}")
    except Exception as error:
        return failed("tool %r raised %s: %s" % (call.name, type(error).__name__, error))
