"""Notebooks that use up time, memory, processes, files or patience; each costs at most the case that it does it in."""

from tests.hostile.cases import ALL, NONE, Case, in_a_cell, in_e2, in_e3, insert, notebook, one, solved

ONE_OF_E3 = (11, 9, 4, 5)
UNSTOPPABLE = "nothing could interrupt it"

SWALLOWS = """\
while True:
    try:
        while True:
            try:
                while True:
                    sum(range(9))
            except BaseException:
                pass
    except BaseException:
        pass"""
DISARMS = """\
import signal
signal.setitimer(signal.ITIMER_REAL, 0)
signal.signal(signal.SIGINT, signal.SIG_IGN)
while True:
    pass"""
HOARD = """\
import mmap
hoard = []
for size in (1 << 24, 1 << 20, 1 << 16):
    while True:
        try:
            hoard.append(mmap.mmap(-1, size))
        except OSError:
            break
del hoard"""
THREADS = """\
import threading, time
while True:
    threading.Thread(target=time.sleep, args=(3600,)).start()"""
FORKS = "import os\nwhile True:\n    os.fork()"
DISK = """\
n = 0
while True:
    with open(f"full-{n}", "wb") as file:
        file.write(b"x" * (15 << 20))
    n += 1"""
MANY_FILES = "import os\nfor n in range(5000):\n    os.close(os.open(f'f{n}', os.O_CREAT))"
DEEP_FOLDERS = "import os\nfor _ in range(1000):\n    os.mkdir('z'); os.chdir('z')"
PRINTS = "while True:\n    print('x' * 65_536)"
RAW = "import os\nwhile True:\n    os.write(1, b'x' * 65_536)"
LONG_REPR = "class Long:\n    def __repr__(self):\n        return 'x' * (8 << 20)\nLong()"
SLOW_REPR = "class Slow:\n    def __repr__(self):\n        while True: pass\nSlow()"
C_RECURSION = """\
import sys
sys.setrecursionlimit(10**8)
def deeper(x):
    return max([x], key=deeper)
deeper(1)"""
BACKTRACKING = "import re\nre.match(r'(a|aa)*$', 'a' * 60 + 'b')"
NEVER_ENDING_THREAD = """\
import threading
stop = threading.Event()
threading.Thread(target=stop.wait).start()"""
NO_ANSWER = '        raise ValueError("the plan holds no answer, so no run of it can end well")'
FLOOD = solved("ch05-e1").replace(
    NO_ANSWER, "        while True:\n            next(iter(tools.values()))(topic='again')"
)
DEEP_VALUE = "deep = []\nfor _ in range(100_000):\n    deep = [deep]\nreturn deep"
SELF = "own = []\nown.append(own)\nreturn own"
WIDE_VALUE = "return list(range(3_000_000))"
LONG_TEXT = "return 'x' * (9 << 20)"

CASES = [
    Case("endless-cell", "a cell that never ends", in_a_cell("while True:\n    pass"), "passed", ALL, ("did not end",)),
    Case("sleeping-cell", "a cell that sleeps for a year", in_a_cell("import time\ntime.sleep(3e7)"), "passed", ALL),
    Case("stubborn-cell", "a cell that swallows every exception", in_a_cell(SWALLOWS), "passed", ALL, (UNSTOPPABLE,)),
    Case("disarming-cell", "a cell that switches off its own alarm", in_a_cell(DISARMS), "passed", ALL, (UNSTOPPABLE,)),
    Case(
        "endless-function",
        "an endless loop in one case",
        in_e3("while True:\n    pass"),
        "timed_out",
        ONE_OF_E3,
        ("2 s",),
    ),
    Case(
        "stubborn-function", "a loop in one case that swallows every exception", in_e3(SWALLOWS), "timed_out", ONE_OF_E3
    ),
    Case(
        "loop-in-c",
        "a loop in C code, where no Python signal handler runs",
        in_e3("import itertools\nsum(itertools.repeat(0))"),
        "timed_out",
        ONE_OF_E3,
        (UNSTOPPABLE,),
    ),
    Case("backtracking", "a regular expression that takes for ever", in_e3(BACKTRACKING), "timed_out", ONE_OF_E3),
    Case(
        "stops-itself",
        "SIGSTOP to itself: its clocks of processor time stand still",
        in_e3("import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)"),
        "timed_out",
        ONE_OF_E3,
    ),
    Case("six-gigabytes", "6 GB in a cell", in_a_cell("bytearray(6 << 30)"), "passed", ALL, ("MemoryError",)),
    Case(
        "six-gigabytes-in-a-case",
        "6 GB in one case",
        in_e3("bytearray(6 << 30)"),
        "out_of_memory",
        ONE_OF_E3,
        ("the 1024 MiB that a notebook may use",),
    ),
    Case("hoards-in-a-case", "memory taken piece by piece until none is left", in_e3(HOARD), "passed", ALL),
    Case("fork-bomb", "processes without end", in_a_cell(FORKS), "passed", ALL, ("not permitted",)),
    Case("thread-bomb", "threads without end", in_a_cell(THREADS), "passed", ALL, ("can't start new thread",)),
    Case("full-disk", "files until nothing fits", in_a_cell(DISK), "passed", ALL, ("No space left",)),
    Case("many-files", "five thousand files", in_a_cell(MANY_FILES), "passed", ALL),
    Case("deep-folders", "folders a thousand deep", in_a_cell(DEEP_FOLDERS), "passed", ALL),
    Case("endless-print", "print without end in a cell", in_a_cell(PRINTS), "passed", ALL, ("16 MiB of output",)),
    Case(
        "endless-output", "output without end in one case", in_e3(RAW), "output_limit", ONE_OF_E3, ("16 MiB of output",)
    ),
    Case("long-repr", "a repr of 8 MiB", in_a_cell(LONG_REPR), "passed", ALL),
    Case("endless-repr", "a repr that never ends", in_a_cell(SLOW_REPR), "passed", ALL, ("did not end",)),
    Case(
        "recursion",
        "endless recursion in one case",
        in_e3("return render_trace(receipt)"),
        "crashed",
        ONE_OF_E3,
        ("RecursionError",),
    ),
    Case(
        "recursion-in-c",
        "recursion that overflows the C stack",
        in_e3(C_RECURSION),
        "crashed",
        ONE_OF_E3,
        ("signal 11",),
    ),
    Case(
        "call-flood",
        "calls of a tool without end",
        one(notebook(e1=FLOOD)),
        "timed_out",
        (10, 9, 5, 5),
        ("more than 200 tool calls",),
    ),
    Case("deep-value", "a list a hundred thousand deep as the answer", in_e3(DEEP_VALUE), "failed", ONE_OF_E3),
    Case("endless-value", "a list that holds itself as the answer", in_e3(SELF), "failed", ONE_OF_E3),
    Case("wide-value", "three million numbers as the answer", in_e3(WIDE_VALUE), "failed", ONE_OF_E3),
    Case("long-value", "a text of 9 MiB as the answer", in_e3(LONG_TEXT), "failed", ONE_OF_E3),
    Case("thread-that-stays", "a thread that never ends", in_a_cell(NEVER_ENDING_THREAD), "passed", ALL),
    Case(
        "every-minute",
        "more endless cells than the notebook has time for",
        one(insert(notebook(), "ch05-e1", *(f"while {n}:\n    pass" for n in range(1, 16)))),
        "timed_out",
        NONE,
        ("the notebook used up its 10 s",),
    ),
    Case(
        "dies-in-every-case",
        "ends its process wherever a tool refuses: five cases, and no other",
        in_e2("import os\nos._exit(0)"),
        "crashed",
        (11, 3, 5, 5),
        ("ended itself with exit code 0",),
    ),
    Case(
        "a-dozen-killer-cells",
        "cells that end the process, more than are put up with: what stands below them is left out",
        one(insert(notebook(), "", *(f"import os\nos._exit({n})" for n in range(1, 13)))),
        "passed",
        ALL,
        ("the cells below it were left out too",),
    ),
    Case(
        "endless-by-default",
        "a cell that never ends, under the limits that `grade` has of itself",
        in_a_cell("while 'default':\n    pass"),
        "passed",
        ALL,
        ("did not end within 10 s",),
        defaults=True,
    ),
    Case(
        "endless-case-by-default",
        "a case that never ends, under the limits that `grade` has of itself",
        in_e3("while 'default':\n    pass"),
        "timed_out",
        ONE_OF_E3,
        ("did not return within 2 s",),
        defaults=True,
    ),
    Case(
        "memory-by-default",
        "3 GB in a case, under the limits that `grade` has of itself",
        in_e3("bytearray(3 << 30)"),
        "out_of_memory",
        ONE_OF_E3,
        ("1024 MiB",),
        defaults=True,
    ),
    Case(
        "output-by-default",
        "output without end, under the limits that `grade` has of itself",
        in_a_cell("while 'default':\n    print('x' * 65_536)"),
        "passed",
        ALL,
        ("16 MiB",),
        defaults=True,
    ),
]
