"""One core for a supervisor and its slot: the two take turns, so a second core would only cost the waking of it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def one_core(number: int) -> Iterator[None]:
    """Keep the calling thread, and the processes that it starts meanwhile, on one of the cores that it may use.

    number: counted round the cores, so that neighbours stand on different ones; from the last one down, since the first
    answers most interrupts. Does nothing where the system has no such call.
    """
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {sorted(before)[-1 - number % len(before)]})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
