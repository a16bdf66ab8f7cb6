"""Ctrl+C as a kill switch: the first lets the call in hand finish and ends the run well, the second interrupts it."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def stops_on_ctrl_c() -> Iterator[threading.Event]:
    """Yield an event that Ctrl+C sets, until the block ends. In a thread other than the main one nothing is changed."""
    kill = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield kill
        return

    def stop(number: int, frame: FrameType | None) -> None:
        if kill.is_set():
            raise KeyboardInterrupt
        kill.set()
        print("stopping after the call in hand; Ctrl+C again interrupts it", file=sys.stderr)

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield kill
    finally:
        signal.signal(signal.SIGINT, before)
