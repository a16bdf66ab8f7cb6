"""A small class for the time, and a clock that stands still where none is given."""


class Stopwatch:
    def __init__(self, clock):
        self.clock = clock or (lambda: 0)
        self.start = self.clock()

    def read(self):
        return self.clock() - self.start


def attempt(tools, call, limits=None, clock=None, note=print):
    if call.name not in tools:
        return failed(f"no tool named {call.name!r} (have: {', '.join(sorted(tools))})")
    if problems := validate(call.args, tools[call.name].schema, f"$.{call.name}"):
        return failed("invalid arguments: " + "; ".join(problems))
    watch = Stopwatch(clock)
    try:
        result = tools[call.name].fn(**deepcopy(call.args))
    except ToolError as error:
        return failed(str(error), isinstance(error, UnavailableError))
    except Exception as error:
        return failed(f"tool {call.name!r} raised {type(error).__name__}: {error}")
    took = watch.read()
    if why := why_not_json(result):
        return failed(f"tool {call.name!r} returned what JSON cannot hold: {why}")
    most = limits.get(call.name, float("inf")) if limits is not None else float("inf")
    if took <= most:
        return done(result)
    return failed(f"tool {call.name!r} answered after {took:g} s, and its limit is {most:g} s", True, late=True)
