"""Cells as in Jupyter, and what a cell may do to its own tools without losing the next one."""

from collections.abc import Callable

import pytest
from seats import play

from grader.sandbox.slot import Slot

pytestmark = pytest.mark.sandbox


def test_the_last_expression_is_an_execute_result_with_its_count(slot: Slot) -> None:
    done = play(slot, "1 + 1", "None", "'three'")
    assert [(i, o["output_type"], o["execution_count"], o["data"]) for i, o in done.outputs] == [
        (0, "execute_result", 1, {"text/plain": "2"}),
        (2, "execute_result", 3, {"text/plain": "'three'"}),
    ]


def test_a_task_made_in_one_cell_is_awaited_in_the_next(slot: Slot) -> None:
    done = play(slot, "import asyncio\ntask = asyncio.create_task(asyncio.sleep(0.01, 'done'))", "await task")
    assert done.errors == [None, None]
    assert done.text == "'done'"


def test_asyncio_run_in_a_cell_is_refused_as_in_jupyter(slot: Slot) -> None:
    assert play(slot, "import asyncio\nasyncio.run(asyncio.sleep(0))").errors == ["RuntimeError"]


def test_display_update_and_clear_leave_what_a_notebook_would_show(slot: Slot) -> None:
    done = play(
        slot,
        "from IPython.display import HTML, clear_output\nprint('old')\nclear_output()\ndisplay(HTML('<b>x</b>'))",
        "handle = display('first', display_id='q')\nhandle.update('second')",
    )
    assert [o["data"] for _, o in done.outputs] == [
        {"text/plain": "<IPython.core.display.HTML object>", "text/html": "<b>x</b>"},
        {"text/plain": "'second'"},
    ]


def test_a_traceback_shows_the_cell_and_nothing_of_the_grader(slot: Slot) -> None:
    done = play(slot, "def half(x):\n    return x / 0\nhalf(1)")
    ((_, error),) = done.outputs
    text = "\n".join(error["traceback"])
    assert (error["ename"], error["evalue"]) == ("ZeroDivisionError", "division by zero")
    assert "line 2 in half" in text
    assert "grader" not in text


def test_a_syntax_error_ends_its_own_cell_only(slot: Slot) -> None:
    done = play(slot, "def (", "'next'")
    assert done.errors == ["SyntaxError", None]
    assert done.text == "'next'"


@pytest.mark.parametrize(
    "damage",
    [
        "import sys\nsys.stdout = None\nsys.stderr = 5",
        "import sys\nsys.stdout.close()\nsys.stderr.close()",
        "import sys\nclass Loud:\n    def write(self, text): 1 / 0\n    flush = write\nsys.stdout = Loud()",
        "import os\nos.close(0); os.close(1); os.close(2)",
        "list = [1]\nopen = None\nlen = 3",
        "import json\njson.dumps = json.loads = json.JSONEncoder.encode = json.encoder.encode_basestring = None",
        "import os, signal, sys\nos._exit = signal.setitimer = signal.pthread_sigmask = sys.exit = None",
        "import os\nos.chdir('/usr')",
        "import sys, gc\nsys.setrecursionlimit(200)\ngc.disable()",
        "import asyncio\nasyncio.get_event_loop().stop()",
        "import logging\nlogging.raiseExceptions = None\nlogging.warning('w')",
    ],
)
def test_a_cell_that_damages_its_tools_leaves_the_next_cell_whole(slot: Slot, damage: str) -> None:
    done = play(slot, damage, "print('printed')\n'shown'")
    assert done.gone is None
    assert done.errors[1] is None
    assert done.text.endswith("printed\n'shown'")


def test_print_set_to_none_stays_none_as_in_jupyter_and_the_notebook_goes_on(slot: Slot) -> None:
    assert play(slot, "print = None", "print('x')", "del print", "print('x')").errors == [None, "TypeError", None, None]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("%nosuch 1", "%nosuch did not work and was passed over"),
        ("%pip install numpy", "%pip was not run"),
        ("%matplotlib widget", "%matplotlib did not work and was passed over"),
        ("%load_ext nosuch", "%load_ext did not work and was passed over"),
        ("!ls", "!ls was not run"),
        ("files = !ls", "!ls was not run"),
    ],
)
def test_a_magic_that_cannot_work_says_so_in_one_line_and_the_cell_goes_on(slot: Slot, line: str, told: str) -> None:
    done = play(slot, f"{line}\nprint('after')")
    assert done.errors == [None]
    said = "".join(o["text"] for _, o in done.outputs if o.get("name") == "stderr")
    assert told in said
    assert said.count("\n") == 1
    assert "after\n" in done.text


def test_what_the_students_code_raises_under_a_timing_magic_is_still_an_error(slot: Slot) -> None:
    assert play(slot, "%time 1 / 0").errors == ["ZeroDivisionError"]


def test_the_body_of_an_unknown_cell_magic_runs_as_python(slot: Slot) -> None:
    done = play(slot, "%%sparkle now\nx = 3\nprint(x)", "x")
    assert "%%sparkle is not known here" in done.text
    assert done.text.endswith("3\n3") or "3\n" in done.text
    assert done.errors == [None, None]


def test_a_known_cell_magic_works_and_one_that_needs_a_program_says_so(slot: Slot) -> None:
    done = play(slot, "%%capture kept\nprint('inside')", "kept.stdout", "%%bash\necho hi")
    assert done.errors == [None, None, None]
    assert "'inside\\n'" in done.text
    assert "%%bash did not work" in done.text


@pytest.mark.parametrize("source", ["input('name? ')", "import getpass\ngetpass.getpass()"])
def test_asking_for_input_is_a_clear_error_in_that_cell(slot: Slot, source: str) -> None:
    done = play(slot, source, "1")
    assert done.errors == ["StdinNotImplementedError", None]
    assert "nobody is at the keyboard" in done.ends[0]["evalue"]


def test_exit_and_sys_exit_end_no_more_than_their_cell(slot: Slot) -> None:
    done = play(slot, "exit()", "import sys\nsys.exit(3)", "raise KeyboardInterrupt", "'alive'")
    assert done.errors == [None, "SystemExit", "KeyboardInterrupt", None]
    assert done.text == "'alive'"


def test_a_huge_repr_is_cut_in_the_child_and_says_by_how_much(slot: Slot) -> None:
    done = play(slot, "'x' * (8 << 20)")
    assert done.gone is None
    assert len(done.text) < 300_000
    assert done.text.endswith(" more characters)")


@pytest.mark.parametrize(
    "source",
    [
        "print('\\ud800')",
        "class Odd:\n    def __repr__(self): raise RuntimeError('no repr')\nOdd()",
        "class Odd(Exception):\n    def __str__(self): raise RuntimeError('no text')\nraise Odd()",
        "from IPython.display import display\ndisplay({'application/json': float('nan')}, raw=True)",
        "from IPython.display import display\ndisplay({'image/png': b'12', 'x/y': object()}, raw=True)",
        "class Text(str): pass\nprint(Text('a'))\nraise Exception(Text('b'))",
    ],
)
def test_an_output_that_json_cannot_hold_ends_nothing(slot: Slot, source: str) -> None:
    done = play(slot, source, "'next'")
    assert done.gone is None
    assert done.errors[1] is None


@pytest.mark.parametrize(
    "source", ["x = '\ud800'", "x = 1\0", "\ufeffx = 1", "\x0c\tx = 1", "é = 1\r\ny = 2", "", "\n\n", "#"]
)
def test_a_source_with_odd_characters_costs_at_most_its_own_cell(slot: Slot, source: str) -> None:
    done = play(slot, source, "'next'")
    assert done.gone is None
    assert done.errors[1] is None


def test_what_is_written_to_the_descriptors_is_output_of_its_cell(slot: Slot) -> None:
    done = play(slot, "pass", "import os\nos.write(1, b'raw')\nNone")
    assert [(i, o["text"]) for i, o in done.outputs] == [(1, "raw")]


def test_a_cell_in_an_endless_await_is_stopped_and_the_next_one_runs(slot: Slot) -> None:
    done = play(
        slot, "import asyncio\nwhile True:\n    await asyncio.sleep(0.02)", "await asyncio.sleep(0)\n7", seconds=0.2
    )
    assert done.errors == ["TimeLimit", None]
    assert done.text == "7"


def test_a_session_s_own_module_is_withheld_with_a_sentence(slot: Slot) -> None:
    done = play(slot, "import course.loops.receipts")
    assert done.errors == ["ModuleNotFoundError"]
    assert done.ends[0]["evalue"] == (
        "course.loops.receipts is what this session builds, so it is not here while the session is graded."
    )


def test_a_notebook_may_import_a_module_that_it_wrote(slot: Slot) -> None:
    assert play(slot, "%%writefile mine.py\nvalue = 5", "import mine\nmine.value").text.endswith("5")


def test_one_notebook_sees_nothing_of_the_one_before(slots: Callable[..., Slot]) -> None:
    slot = slots()
    play(slot, "import builtins, json\nx = 1\nbuiltins.x = 2\njson.dumps = None\nopen('left', 'w').close()")
    done = play(
        slot,
        "import json, os\nprint('x' in globals(), hasattr(__builtins__, 'x'), json.dumps is None, os.listdir('.'))",
    )
    assert done.text == "False False False []\n"
