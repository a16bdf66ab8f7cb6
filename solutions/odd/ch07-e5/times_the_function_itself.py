"""Hands `call_tool` of session 4 a tool that notes when its function began and ended."""

from dataclasses import replace

from course.calls import call_tool
from course.tools import ToolRegistry


def attempt(tools, call, limits=None, clock=None):
    limit, times = (limits or {}).get(call.name), []

    def noting(tool):
        def fn(**args):
            times.append(clock())
            result = tool.fn(**args)
            times.append(clock())
            return result

        return tool if limit is None else replace(tool, fn=fn)

    try:
        result = call_tool(ToolRegistry(map(noting, tools.values())), call.name, call.args)
    except ToolError as error:
        return failed(str(error), retryable=isinstance(error, UnavailableError))
    except Exception as error:
        return failed(f"tool {call.name!r} raised {type(error).__name__}: {error}")
    if limit is not None and times[1] - times[0] > limit:
        seconds = "%g s, and its limit is %g s" % (times[1] - times[0], limit)
        return {"ok": False, "error": f"tool {call.name!r} answered after {seconds}", "retryable": True, "late": True}
    return done(result)
