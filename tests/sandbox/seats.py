"""Plays notebooks in a slot, as the supervisor would, for the tests of this folder."""

import time
from dataclasses import dataclass
from typing import Any

from grader.engine.student import Gone
from grader.sandbox.slot import Child, Exit, Limits, Slot

SMALL = Limits(memory_mib=512, cpu_seconds=20, output_mib=4, file_mib=4, scratch_mib=16)


@dataclass
class Played:
    """What a notebook did: the ends of its cells, its outputs, why it was gone, if it was, and how it ended."""

    ends: list[dict[str, Any]]
    outputs: list[tuple[int, dict[str, Any]]]
    gone: Gone | None
    exit: Exit

    @property
    def text(self) -> str:
        """All that it printed and showed as text."""
        return "".join(o.get("text") or o.get("data", {}).get("text/plain", "") for _, o in self.outputs)

    @property
    def errors(self) -> list[str | None]:
        """The exception names of its cells, None for a cell that went well."""
        return [end["ename"] for end in self.ends]


def seat(slot: Slot) -> Child:
    """A child of `slot` that has reported."""
    child = slot.spawn()
    assert child.receive(time.monotonic() + 10) == {"t": "up"}
    return child


def play(slot: Slot, *sources: str, seconds: float = 5.0, grace: float = 1.0) -> Played:
    """Run `sources` as the cells of one notebook."""
    child = seat(slot)
    ends: list[dict[str, Any]] = []
    gone = None
    try:
        for index, source in enumerate(sources):
            child.send({"t": "cell", "i": index, "source": source, "seconds": seconds})
            ends.append(child.receive(time.monotonic() + seconds + grace))
    except Gone as error:
        gone = error
    return Played(ends, child.outputs, gone, child.end())
