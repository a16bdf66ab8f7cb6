"""`ToolError`: the one exception that a loop may catch. Anything else is a defect and crashes where it can be seen.

Its one subclass here, `UnavailableError`, says that the same call may fare better a moment later.
"""

from __future__ import annotations

from collections.abc import Iterable


class ToolError(Exception):
    """Your arguments or my dependency; never a bug in the interpreter. The message is safe to show to anyone.

    ToolError("list_documents: the corpus index went away mid-run")   # the whole message
    ToolError("read_note", "no note 'x'", ["b", "a"])                  # read_note: no note 'x' (have: a, b)

    Arguments:
        tool: the tool's name, or, when `problem` is left out, the whole message (which then starts with that name).
        problem: what went wrong, in words that hold no secret: not the text of a dependency's own exception.
        options: what would have been accepted, in any order; shown sorted. Left out, it adds nothing to the message.
            Given and empty, it adds `(have: none)`: that nothing would have been accepted is worth knowing.

    The class has no base but Exception: a KeyError would show its text in quotes, and a BaseException would slip
    through every `except Exception`. `args` holds the finished message alone, so pickle and copy keep it as it is.
    """

    def __init__(self, tool: str, problem: str | None = None, options: Iterable[str] | None = None) -> None:
        if isinstance(options, str):
            raise TypeError(f"options must be a collection of names, got one str; write [{options!r}]")
        message = tool if problem is None else f"{tool}: {problem}"
        if options is not None:
            message += f" (have: {', '.join(sorted(options)) or 'none'})"
        super().__init__(message)


class UnavailableError(ToolError):
    """My dependency, not your arguments: the same call may succeed a moment later, so it may be tried again."""
