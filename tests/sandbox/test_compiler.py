"""A cell that was compiled before it ran does what it does when it is compiled as it runs."""

from collections.abc import Iterator

import pytest
from seats import SMALL, Played, play

from grader.sandbox.slot import Slot
from grader.sandbox.walls import missing_layers

pytestmark = pytest.mark.sandbox

DEFINES = "def half(x):\n    return x / 0\n\n\nstep = 1"
FAILS = "print('before')\nhalf(step)\nprint('after')"
GIVEN = [
    DEFINES,
    FAILS,
    "1 + 1",
    "a = 1\nb = 2\na + b",
    "%pwd",
    "%%capture said\nprint('kept')",
    "import asyncio\nawait asyncio.sleep(0, 'slept')",
    "from __future__ import annotations\n\n\ndef f(x: unknown): ...",
    "def g(x: int = 1): ...\n\n\ng.__annotations__",
    "def (",
    "value = 3;\nvalue;",
    "# nothing",
    "",
]


@pytest.fixture(scope="module")
def knowing() -> Iterator[Slot]:
    """A slot that knows every cell of these tests before it runs."""
    if missing_layers():
        pytest.skip(f"this machine lacks {', '.join(missing_layers())}")
    with Slot(number=52, limits=SMALL, given=GIVEN) as slot:
        yield slot


def what_shows(done: Played) -> tuple[object, ...]:
    return done.errors, done.outputs, done.gone


@pytest.mark.parametrize(
    "cells",
    [
        GIVEN,
        [DEFINES, FAILS, DEFINES, FAILS],
        ["inserted = 0", DEFINES, "also = 1", FAILS],
        ["from __future__ import annotations", "def g(x: int = 1): ...\n\n\ng.__annotations__"],
        ["def g(x: int = 1): ...\n\n\ng.__annotations__"],
        ["%config InteractiveShell.ast_node_interactivity = 'all'", "a = 1\nb = 2\na + b", FAILS],
        [DEFINES.replace("0", "4"), "half(2)", DEFINES],
    ],
    ids=["all", "twice", "others between", "future before", "no future", "all expressions", "changed"],
)
def test_it_shows_the_same_whether_it_was_known_or_not(slot: Slot, knowing: Slot, cells: list[str]) -> None:
    assert what_shows(play(knowing, *cells)) == what_shows(play(slot, *cells))


def test_a_transformer_of_the_notebook_reaches_cells_that_were_known(slot: Slot, knowing: Slot) -> None:
    more = (
        "import ast\n\n\nclass Twice(ast.NodeTransformer):\n    def visit_Constant(self, node):\n"
        "        return ast.copy_location(ast.Constant(node.value * 2), node)\n\n\n"
        "get_ipython().ast_transformers.append(Twice())"
    )
    for one in (slot, knowing):
        assert play(one, more, "1 + 1").text == "4"


def test_a_traceback_names_the_number_that_the_cell_has_in_its_notebook(knowing: Slot) -> None:
    error = play(knowing, "0", "0", DEFINES, FAILS).outputs[-1][1]
    told = "\n".join(error["traceback"])
    assert "Cell In[4], line 2" in told
    assert "Cell In[3], line 2" in told


def test_every_notebook_finds_the_cells_as_they_were(knowing: Slot) -> None:
    spoils = "import sys\nhalf = None\nget_ipython().compile._known.clear()"
    assert play(knowing, spoils).errors == [None]
    assert play(knowing, DEFINES, FAILS).errors == [None, "ZeroDivisionError"]


def test_a_known_cell_is_not_parsed_again(knowing: Slot) -> None:
    """Otherwise all of this would be for nothing."""
    counts = (
        "import IPython.core.compilerop as op\nparsed = []\nreal = op.CachingCompiler.ast_parse\n"
        "def counted(self, source, *rest):\n    parsed.append(source)\n    return real(self, source, *rest)\n"
        "op.CachingCompiler.ast_parse = counted"
    )
    assert play(knowing, counts, "a = 1\nb = 2\na + b", "len(parsed)").outputs[-1][1]["data"] == {"text/plain": "1"}
