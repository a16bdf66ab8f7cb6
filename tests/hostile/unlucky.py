"""Nobody means any harm: right answers in bad company, in odd places, or behind an accident. They keep their points."""

from copy import deepcopy
from typing import Any

from tests.hostile.cases import (
    ALL,
    EXERCISES,
    Case,
    Files,
    Notebook,
    cell_of,
    changed,
    in_a_cell,
    in_e3,
    insert,
    notebook,
    one,
    own_cell,
    solved,
)


def _right(name: str, tries: str, files: Files, *says: str) -> Case:
    return Case(name, tries, files, "passed", ALL, says)


def _above(line: str, exercise: str = "ch05-e1") -> Files:
    """A line above a right answer, in its cell."""
    return one(notebook(**{exercise.rpartition("-")[2]: f"{line}\n{solved(exercise)}"}))


def _duplicated(made: Notebook) -> None:
    twice = [[cell, deepcopy(cell)] if cell["id"].startswith("ch05-e") else [cell] for cell in made["cells"]]
    made["cells"] = [cell for pair in twice for cell in pair]


def _split(made: Notebook) -> None:
    answer = cell_of(made, "ch05-e3")
    made["cells"].insert(made["cells"].index(answer), own_cell("close = '\\n'.join"))
    answer["source"] = answer["source"].replace('"\\n".join', "close")


def _merged(made: Notebook) -> None:
    for exercise in EXERCISES:
        answer, check = cell_of(made, exercise), cell_of(made, f"{exercise}-check")
        answer["source"] = f"{answer['source']}\n\n{''.join(check['source'])}"
        made["cells"].remove(check)


def _merged_and_dying(made: Notebook) -> None:
    answer, check = cell_of(made, "ch05-e3"), cell_of(made, "ch05-e3-check")
    answer["source"] = f"{answer['source']}\n\n{''.join(check['source'])}\nimport os\nos.abort()"
    made["cells"].remove(check)


def _moved_up(made: Notebook) -> None:
    answer = cell_of(made, "ch05-e3")
    made["cells"].remove(answer)
    made["cells"].insert(1, answer)


def _moved_below(made: Notebook) -> None:
    """The answer stands below its check: the check finds what the exercise before left under that name."""
    answer, check = cell_of(made, "ch05-e3"), cell_of(made, "ch05-e3-check")
    made["cells"].remove(answer)
    made["cells"].insert(made["cells"].index(check) + 1, answer)


def _bare(made: Notebook) -> None:
    for cell in made["cells"]:
        del cell["id"]
        cell["metadata"] = {}
    made["nbformat_minor"] = 0


def _no_checks(made: Notebook) -> None:
    made["cells"] = [cell for cell in made["cells"] if not cell["id"].endswith("-check")]


def _edited_check(made: Notebook) -> None:
    cell_of(made, "ch05-e2-check")["source"] = (
        'if True:\n    result = check("ch05-e2", run_loop)\n    print("mine:", result)'
    )


def _own_check(made: Notebook) -> None:
    insert(made, "ch05-e4", "def check(exercise, *objects):\n    return True")


def _in_markdown(exercise: str) -> Any:
    def change(made: Notebook) -> None:
        cell = cell_of(made, exercise)
        cell["cell_type"] = "markdown"
        del cell["outputs"], cell["execution_count"]

    return change


def _as_raw(made: Notebook) -> None:
    cell = cell_of(made, "ch05-e3")
    cell["cell_type"] = "raw"
    del cell["outputs"], cell["execution_count"]


def _one_cell(made: Notebook) -> None:
    """Everything in one cell, as an export to a script and back leaves it."""
    code = ["".join(cell["source"]) for cell in made["cells"] if cell["cell_type"] == "code"]
    made["cells"] = [own_cell("\n\n".join(code))]


CRASHES = {
    "leaves-in-a-cell": ("sys.exit() in a cell", "import sys\nsys.exit()", "SystemExit"),
    "interrupts-in-a-cell": ("KeyboardInterrupt in a cell", "raise KeyboardInterrupt", "KeyboardInterrupt"),
    "ends-in-a-cell": (
        "os._exit(0) in a cell",
        "import os\nos._exit(0)",
        "ended itself with exit code 0; it was left out",
    ),
    "segfault-in-a-cell": ("a segfault in a cell", "import ctypes\nctypes.string_at(0)", "killed by signal 11"),
    "recursion-in-a-cell": ("endless recursion in a cell", "def f():\n    return f()\nf()", "RecursionError"),
    "aborts-in-a-cell": ("abort() in a cell", "import os\nos.abort()", "killed by signal 6"),
}
ENDS = {
    "leaves-in-a-case": ("sys.exit() in one case", "import sys\nsys.exit(3)", "SystemExit"),
    "interrupts-in-a-case": ("KeyboardInterrupt in one case", "raise KeyboardInterrupt", "KeyboardInterrupt"),
    "ends-in-a-case": ("os._exit(0) in one case", "import os\nos._exit(0)", "exit code 0"),
    "segfault-in-a-case": ("a segfault in one case", "import ctypes\nctypes.string_at(0)", "signal 11"),
}
COMPANY = {
    "warns": ("warnings.warn above a right answer", "import warnings\nwarnings.warn('careful')"),
    "prints-to-stderr": ("text on standard error", "import sys\nprint('not an error', file=sys.stderr)"),
    "logs": ("logging at its loudest", "import logging\nlogging.basicConfig(level=0)\nlogging.error('x')"),
    "list-is-a-list": ("list = [1]", "list = [1]"),
    "no-print": ("print = None", "print = None"),
    "no-open": ("open = None", "open = None"),
    "many-shadows": (
        "a dozen builtins shadowed",
        "list = max = str = dict = type = sum = repr = isinstance = sorted = open = id = None",
    ),
    "shadows-in-builtins": ("print replaced for every module", "import builtins\nbuiltins.print = None"),
    "closes-stdout": ("standard output closed", "import sys\nsys.stdout.close()\nsys.stderr.close()"),
    "no-stdout": ("standard output gone", "import sys\nsys.stdout = sys.stderr = None"),
    "closes-descriptors": ("descriptors 0, 1 and 2 closed", "import os\nfor n in (0, 1, 2):\n    os.close(n)"),
    "elsewhere": ("another working folder", "import os\nos.chdir('/')"),
    "deletes-files": ("its own files deleted", "import os, shutil\nfor p in os.listdir('.'):\n    shutil.rmtree(p)"),
    "asks": ("input() where nobody answers", "name = input('Who are you? ')"),
    "awaits": ("await at the top of a cell", "import asyncio\nawait asyncio.sleep(0.01)"),
    "asyncio-run": ("asyncio.run inside the running loop", "import asyncio\nasyncio.run(asyncio.sleep(0))"),
    "task-left": ("a task that never ends", "import asyncio\ntask = asyncio.ensure_future(asyncio.sleep(3600))"),
    "threads-left": (
        "threads that never end",
        "import threading as t\n[t.Thread(target=t.Event().wait).start() for _ in range(9)]",
    ),
    "child-left": ("a child process left behind", "import subprocess\nsubprocess.Popen(['sleep', '60'])"),
    "pool": ("a pool of processes", "import multiprocessing\nmultiprocessing.Pool(2)"),
    "syntax-error": ("a cell that is no Python", "def broken(:\n    pass"),
    "not-installed": ("a package that is not here", "import a_package_that_is_not_here"),
    "seeds-random": ("random seeded", "import random\nrandom.seed(0)"),
    "short-stack": ("a low limit of recursion", "import sys\nsys.setrecursionlimit(150)"),
    "own-hook": ("an excepthook that raises", "import sys\ndef hook(*_):\n    raise SystemExit\nsys.excepthook = hook"),
    "no-collector": ("garbage collection off", "import gc\ngc.disable()\ngc.freeze()"),
    "quits": ("quit() and exit()", "quit()\nexit()"),
    "shell-line": ("!ls in a cell", "!ls -la"),
    "pip-line": ("%pip install in a cell", "%pip install numpy"),
    "unittest-main": ("unittest.main() at the end of a cell", "import unittest\nunittest.main()"),
}

CASES = [
    _right("duplicated", "each answer and each check stands there twice", changed(_duplicated)),
    _right("split", "an answer split in two cells", changed(_split)),
    _right("merged", "each answer and its check in one cell", changed(_merged)),
    _right("moved-up", "an answer moved far above its check", changed(_moved_up)),
    _right("bare", "neither ids nor metadata, as Colab and VS Code save it", changed(_bare)),
    _right("no-checks", "every check deleted", changed(_no_checks)),
    _right("edited-check", "a check edited", changed(_edited_check)),
    _right("own-check", "a `check` of the student's own", changed(_own_check)),
    _right("one-cell", "the whole notebook in one cell", changed(_one_cell)),
    _right(
        "moved-below",
        "an answer moved below its check, which finds nothing: judged at the end",
        changed(_moved_below),
        "NameError",
    ),
    Case(
        "in-markdown",
        "an answer turned into a text cell",
        changed(_in_markdown("ch05-e3")),
        "not_found",
        (11, 9, 0, 5),
        ("looks like it, but it is a markdown cell",),
    ),
    Case("as-raw", "an answer turned into a raw cell", changed(_as_raw), "not_found", (11, 9, 0, 5), ("a raw cell",)),
    _right(
        "redefines-later",
        "a later cell takes the names that an earlier exercise used",
        one(
            insert(
                notebook(), "", "def canonical(*_):\n    return ''\nreceipt = json = None\nrun_loop = render_trace = 7"
            )
        ),
    ),
    _right("widget-backend", "%matplotlib widget without the package", _above("%matplotlib widget")),
    _right("unknown-magic", "a magic that is not here, above a right answer", _above("%nosuchmagic on")),
    _right("unknown-cell-magic", "a cell magic that is not here", _above("%%nosuchmagic")),
    _right("timed-cell", "%%time above a right answer", _above("%%time")),
    _right("pip-first", "%pip install as the first line of a right answer", _above("%pip install numpy")),
    _right("shell-first", "!ls as the first line of a right answer", _above("!ls -la")),
    _right("extension", "%load_ext of an extension that is not here", _above("%load_ext nosuchextension")),
    *(_right(name, tries, in_a_cell(source)) for name, (tries, source) in COMPANY.items()),
    *(_right(name, tries, in_a_cell(source), says) for name, (tries, source, says) in CRASHES.items()),
    *(Case(name, tries, in_e3(body), "crashed", (11, 9, 4, 5), (says,)) for name, (tries, body, says) in ENDS.items()),
    _right(
        "dies-after-its-check",
        "a cell with an answer and its check that ends the process below them: the verdict stands",
        changed(_merged_and_dying),
        "it was left out",
    ),
]
