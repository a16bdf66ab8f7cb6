"""A number of its own for each process that grades on one machine, so that no two slots there share a uid."""

import socket

from grader.sandbox.slot import SlotError

_PROCESSES = 172  # times the slots of one process, this fills the uids between the first of a slot and 65534, nobody


class Number:
    """The lowest number that no other process of this machine holds. Free again when this process ends, however.

    Raises SlotError when all are taken.
    """

    def __init__(self) -> None:
        # An abstract name has one owner, leaves no file behind and is let go by the kernel.
        self._held = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        for value in range(_PROCESSES):
            try:
                self._held.bind(f"\0grader-{value}")
            except OSError:
                continue
            self.value = value
            return
        self._held.close()
        raise SlotError(f"{_PROCESSES} processes grade on this machine already: run fewer at a time")

    def close(self) -> None:
        """Let go of the number."""
        self._held.close()
