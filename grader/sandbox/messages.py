"""What a child may say: strict decoding of one line, and the outputs of a notebook collected within a cap."""

from typing import Any, Literal

import msgspec

Message = dict[str, Any]
Output = dict[str, Any]

MAX_DEPTH = 400  # of nested lists and objects in one message; the codec of values stops far below
_LEFT_OUT = "\n… the rest of this cell's output is left out\n"


class Refused(ValueError):
    """A line that is no message of the protocol; the text says what is wrong with it."""


# ------------------------------------------------------------------------------------------------------- outputs
class _Output(msgspec.Struct, tag_field="output_type", forbid_unknown_fields=True, omit_defaults=True):
    pass


class _Stream(_Output, tag="stream"):
    name: Literal["stdout", "stderr"]
    text: str


class _Transient(msgspec.Struct, forbid_unknown_fields=True):
    display_id: str


class _Display(_Output, tag="display_data"):
    data: dict[str, Any]
    metadata: dict[str, Any]
    transient: _Transient | None = None


class _Update(_Output, tag="update_display_data"):
    data: dict[str, Any]
    metadata: dict[str, Any]
    transient: _Transient | None = None


class _Result(_Output, tag="execute_result"):
    data: dict[str, Any]
    metadata: dict[str, Any]
    execution_count: int


class _Error(_Output, tag="error"):
    ename: str
    evalue: str
    traceback: list[str]


class _Clear(_Output, tag="clear_output"):
    wait: bool


# ------------------------------------------------------------------------------------------------------- messages
class _Message(msgspec.Struct, tag_field="t"):
    pass


class _Up(_Message, tag="up", forbid_unknown_fields=True):
    pass


class _Out(_Message, tag="out", forbid_unknown_fields=True):
    i: int
    o: _Stream | _Display | _Update | _Result | _Error | _Clear


class _Cell(_Message, tag="cell", forbid_unknown_fields=True):
    i: int
    ok: bool
    ename: str | None
    evalue: str | None


class _Check(_Message, tag="check", forbid_unknown_fields=True):
    exercise: str
    objects: int


class _Reply(_Message, tag="reply"):
    """What else it holds is encoded values, which the engine's codec decodes as strictly."""

    run: int | str
    threads: int


class _Call(_Message, tag="call", forbid_unknown_fields=True):
    run: int | str
    id: int
    args: Any
    kwargs: Any


_decoder = msgspec.json.Decoder(_Up | _Out | _Cell | _Check | _Reply | _Call)


def decode(line: bytes) -> Message:
    """The message in `line`, as a dict with its kind under "t". Raises Refused for anything else."""
    try:
        _decoder.decode(line)
        whole: Message = msgspec.json.decode(line)
    except (msgspec.MsgspecError, ValueError) as error:
        raise Refused(str(error)) from error
    except RecursionError:
        raise Refused(f"nested more than {MAX_DEPTH} deep") from None
    if line.count(b"[") + line.count(b"{") > MAX_DEPTH and _depth_exceeds(whole, MAX_DEPTH):
        raise Refused(f"nested more than {MAX_DEPTH} deep")
    return whole


def _depth_exceeds(value: object, limit: int) -> bool:
    level: list[Any] = [value]
    for _ in range(limit):
        level = [
            inner
            for one in level
            if isinstance(one, dict | list)
            for inner in (one.values() if isinstance(one, dict) else one)
        ]
        if not level:
            return False
    return any(isinstance(one, dict | list) for one in level)


class Outputs:
    """Collects (cell, output) pairs into `target` as a notebook would show them.

    Pieces of one stream are joined, a cleared output goes, an updated display changes where it stands. Of each cell
    at most `cap` bytes of text are kept, and a note says so.
    """

    def __init__(self, target: list[tuple[int, Output]], cap: int) -> None:
        self._target = target
        self._cap = cap
        self._kept: dict[int, int] = {}
        self._cleared: set[int] = set()
        self._displays: dict[str, list[Output]] = {}

    def add(self, cell: int, output: Output) -> None:
        """Take one output of one cell, in the form of the protocol."""
        kind = output["output_type"]
        if kind == "clear_output":
            self._cleared.add(cell)
            if not output["wait"]:
                self._clear(cell)
            return
        if cell in self._cleared:
            self._clear(cell)
        if not self._fits(cell, output):
            return
        transient = output.pop("transient", None)
        shown = self._displays.setdefault(transient["display_id"], []) if transient else []
        if kind == "update_display_data":
            for display in shown:
                display.update(data=output["data"], metadata=output["metadata"])
            return
        if kind == "stream" and self._joins(cell, output):
            return
        shown.append(output)
        self._target.append((cell, output))

    def _fits(self, cell: int, output: Output) -> bool:
        size = len(output["text"]) if "text" in output else len(msgspec.json.encode(output))
        before = self._kept.get(cell, 0)
        self._kept[cell] = before + size
        if before + size <= self._cap:
            return True
        if before <= self._cap:
            self._target.append((cell, {"output_type": "stream", "name": "stderr", "text": _LEFT_OUT}))
        return False

    def _joins(self, cell: int, output: Output) -> bool:
        if not self._target:
            return False
        last_cell, last = self._target[-1]
        if last_cell != cell or last["output_type"] != "stream" or last["name"] != output["name"]:
            return False
        last["text"] += output["text"]
        return True

    def _clear(self, cell: int) -> None:
        self._cleared.discard(cell)
        self._target[:] = [(number, output) for number, output in self._target if number != cell]
