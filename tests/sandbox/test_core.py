"""A supervisor and its slot stand on one core while a sitting runs, and nowhere in particular afterwards."""

import os
import subprocess
import sys

from grader.sandbox.core import one_core


def test_inside_there_is_one_core_for_this_process_and_what_it_starts_and_afterwards_all_that_there_were() -> None:
    before = os.sched_getaffinity(0)
    for number in range(len(before) + 1):
        with one_core(number):
            inside = os.sched_getaffinity(0)
            child = subprocess.check_output(
                [sys.executable, "-c", "import os; print(*os.sched_getaffinity(0))"], text=True
            )
        assert inside == {sorted(before)[-1 - number % len(before)]}
        assert {int(core) for core in child.split()} == inside
        assert os.sched_getaffinity(0) == before
