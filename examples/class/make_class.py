"""Makes the sample class: one folder a student, most with one submission of session 5, named after what it shows.

    python examples/class/make_class.py

The notebooks come from the released ones, the answers in them from `solutions/`. Run it again when either has changed;
`expected.csv` says what each must get, and is written by hand.
"""

import codecs
import json
import shutil
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

from grader.authoring.release import slug
from grader.authoring.source import ROOT, SOLUTIONS, read_session

Notebook = dict[str, Any]
Cell = dict[str, Any]
Files = dict[str, bytes]  # file name -> content

HERE = Path(__file__).resolve().parent
SUBMISSIONS = HERE / "submissions"
SOURCES = {session: read_session(SOLUTIONS / f"{session}.py") for session in ("ch02", "ch04", "ch05")}
FILES = {session: f"{slug(source)}.ipynb" for session, source in SOURCES.items()}
RELEASED: dict[str, Notebook] = {
    session: json.loads((ROOT / "notebooks" / name).read_text(encoding="utf-8")) for session, name in FILES.items()
}


# ------------------------------------------------------------------------------------------------------ small pieces
def answered(session: str = "ch05", **answers: str) -> Notebook:
    """The released notebook with an answer in every answer cell: the course's own, or the one given as `e2=...`."""
    notebook = deepcopy(RELEASED[session])
    for exercise in SOURCES[session].exercise_ids:
        own = own_answer(exercise)
        write(cell_of(notebook, exercise), answers.get(exercise.rpartition("-")[2], own))
    return notebook


def own_answer(exercise: str) -> str:
    """The course's own answer to an exercise."""
    return SOURCES[exercise.partition("-")[0]].of(exercise, "answer")[0].solved


def wrong(exercise: str, name: str) -> str:
    """A wrong answer from `solutions/wrong/`, without the docstring that says what is wrong with it."""
    return _kept("wrong", exercise, name)


def odd(exercise: str, name: str) -> str:
    """A right answer in an unusual form, from `solutions/odd/`."""
    return _kept("odd", exercise, name)


def _kept(kind: str, exercise: str, name: str) -> str:
    text = (SOLUTIONS / kind / exercise / f"{name}.py").read_text(encoding="utf-8")
    _, _, code = text.partition('\n"""\n') if not text.partition("\n")[0].endswith('"""') else text.partition("\n")
    return code.strip("\n")


def cell_of(notebook: Notebook, cell_id: str) -> Cell:
    """The cell called `cell_id`, such as "ch05-e2" for an answer and "ch05-e2-check" for its check."""
    found: Cell = next(cell for cell in notebook["cells"] if cell["id"] == cell_id)
    return found


def write(cell: Cell, source: str) -> None:
    """Put `source` into `cell`, in the form in which the notebook holds text."""
    cell["source"] = source.splitlines(keepends=True) if isinstance(cell["source"], list) else source


def insert_code(notebook: Notebook, before: str, source: str) -> None:
    """A cell of the student's own above the cell called `before`."""
    position = notebook["cells"].index(cell_of(notebook, before))
    own: Cell = {"cell_type": "code", "execution_count": None, "id": f"own-{position}", "metadata": {}, "outputs": []}
    notebook["cells"].insert(position, {**own, "source": source})


def as_file(notebook: Notebook) -> bytes:
    """The notebook as Jupyter writes it."""
    return (json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n").encode("utf-8")


def one(notebook: Notebook, session: str = "ch05") -> Files:
    """A folder with this notebook under the name that it was released with."""
    return {FILES[session]: as_file(notebook)}


# -------------------------------------------------------------------------------------------- right, and odd but right
def right() -> Files:
    return one(answered())


def right_in_another_shape() -> Files:
    return one(
        answered(
            e1=odd("ch05-e1", "partial_of_a_general_loop"),
            e2=odd("ch05-e2", "class_with_call"),
            e3=odd("ch05-e3", "percent_formatting"),
            e4=odd("ch05-e4", "copies_through_json"),
        )
    )


def right_with_odd_types() -> Files:
    return one(
        answered(
            e1=odd("ch05-e1", "ordered_dict_receipt"),
            e2=odd("ch05-e2", "keyword_only_extras"),
            e3=odd("ch05-e3", "str_subclass"),
            e4=odd("ch05-e4", "copies_the_whole_plan_first"),
        )
    )


# --------------------------------------------------------------------------------------------------------- wrong ideas
def one_call_over_the_budget() -> Files:
    return one(answered(e1=wrong("ch05-e1", "budget_off_by_one")))


def an_answer_costs_a_call() -> Files:
    return one(answered(e1=wrong("ch05-e1", "answer_costs_a_call")))


def one_equals_true() -> Files:
    return one(answered(e1=wrong("ch05-e1", "one_equals_true")))


def runs_on_after_the_stop() -> Files:
    return one(answered(e2=wrong("ch05-e2", "runs_on_after_the_stop")))


def catches_everything() -> Files:
    return one(answered(e2=wrong("ch05-e2", "catches_everything")))


def prints_and_returns_nothing() -> Files:
    return one(answered(e3=wrong("ch05-e3", "prints_and_returns_nothing")))


def copies_one_level() -> Files:
    return one(answered(e4=wrong("ch05-e4", "shallow_copy")))


# ------------------------------------------------------------------------------------- right answers in a bruised file
def untouched() -> Files:
    return one(deepcopy(RELEASED["ch05"]))


def duplicated_cells() -> Files:
    """Each answer and each check stands there twice, ids included."""
    notebook = answered()
    twice = [[cell, deepcopy(cell)] if "nbgrader" in cell["metadata"] else [cell] for cell in notebook["cells"]]
    return one({**notebook, "cells": [cell for pair in twice for cell in pair]})


def stripped_metadata() -> Files:
    """As Colab saves it: no cell ids, no tags, no nbgrader metadata, a kernel by another name."""
    notebook = answered()
    for cell in notebook["cells"]:
        del cell["id"]
        cell["metadata"] = {}
    notebook["metadata"] = {
        "colab": {"provenance": []},
        "kernelspec": {"display_name": "Python 3", "name": "python3"},
        "language_info": {"name": "python"},
    }
    notebook["nbformat_minor"] = 0
    return one(notebook)


def checks_deleted() -> Files:
    notebook = answered()
    kept = [cell for cell in notebook["cells"] if not cell["id"].endswith("-check")]
    return one({**notebook, "cells": kept})


def answer_in_markdown() -> Files:
    notebook = answered()
    cell = cell_of(notebook, "ch05-e3")
    cell["cell_type"] = "markdown"
    del cell["outputs"], cell["execution_count"]
    return one(notebook)


def utf_16() -> Files:
    return {FILES["ch05"]: codecs.BOM_UTF16_LE + as_file(answered()).decode("utf-8").encode("utf-16-le")}


def truncated() -> Files:
    content = as_file(answered())
    return {FILES["ch05"]: content[: len(content) // 2]}


def renamed_copy() -> Files:
    """An early try beside a later download that the browser renamed; the newest file counts (see demo.py)."""
    return {"Session 5.ipynb": as_file(RELEASED["ch05"]), "ch05 (1).ipynb": as_file(answered())}


# ------------------------------------------------------------------------------------------- right answers, bad company
def pip_install_first() -> Files:
    notebook = answered()
    cell = cell_of(notebook, "ch05-e1")
    write(cell, "%pip install numpy\n" + "".join(cell["source"]))
    return one(notebook)


def shadowed_builtins() -> Files:
    notebook = answered()
    insert_code(notebook, "ch05-e1", "print = None\nlist = [1]")
    return one(notebook)


# ------------------------------------------------------------------------------------------------- what would end a run
def endless_loop() -> Files:
    """Waits for an answer that is not in the plan: the one case without an answer never ends."""
    return one(answered(e1=ENDLESS))


def leaves_the_process() -> Files:
    """Takes `os._exit` for the way to stop a run."""
    return one(answered(e2=LEAVES))


def hostile() -> Files:
    """Forges receipts, lies about equality, replaces `check`, looks for the checks, the solution and the network."""
    notebook = answered(e1=FORGED_RECEIPT, e2=BLIND_REFUSAL, e3=EQUAL_TO_ALL, e4=STOLEN)
    insert_code(notebook, "ch05-e4-check", FAKE_CHECK)
    return one(notebook)


# ----------------------------------------------------------------------------------------------- sessions 2, 4, several
def session_2_right() -> Files:
    return one(answered("ch02"), "ch02")


def session_2_right_in_another_shape() -> Files:
    notebook = answered(
        "ch02",
        e1=odd("ch02-e1", "class_with_call"),
        e2=odd("ch02-e2", "match_statement"),
        e3=odd("ch02-e3", "class_that_collects"),
        e4=odd("ch02-e4", "dict_subclass"),
    )
    return one(notebook, "ch02")


def shares_its_schemas() -> Files:
    """The registry of e4 hands out what the manifest of e1 makes, and the fault with it."""
    return one(answered("ch02", e1=wrong("ch02-e1", "shared_dicts")), "ch02")


def stops_at_the_first_error() -> Files:
    return one(answered("ch02", e3=wrong("ch02-e3", "stops_at_the_first")), "ch02")


def colon_forgotten() -> Files:
    """The cell of e3 does not run, so its check gets the `validate` of e2, which stands above under the same name."""
    head = 'def validate(value, schema, path="$")'
    answer = own_answer("ch02-e3")
    assert answer.startswith(f"{head}:")
    return one(answered("ch02", e3=answer.replace(f"{head}:", head, 1)), "ch02")


def session_4_right() -> Files:
    return one(answered("ch04"), "ch04")


def session_4_right_in_another_shape() -> Files:
    notebook = answered(
        "ch04",
        e1=odd("ch04-e1", "keeps_its_parts"),
        e2=odd("ch04-e2", "cause_set_by_hand"),
        e3=odd("ch04-e3", "kinds_of_tool_error"),
        e4=odd("ch04-e4", "searches_by_hand"),
    )
    return one(notebook, "ch04")


def tool_error_is_a_key_error() -> Files:
    """Every later exercise raises or returns the class of e1, whose text stands in quotes."""
    return one(answered("ch04", e1=wrong("ch04-e1", "subclass_of_key_error")), "ch04")


def calls_before_it_judges() -> Files:
    return one(answered("ch04", e3=wrong("ch04-e3", "validates_after")), "ch04")


def check_above_its_answer() -> Files:
    """Two cells were dragged past each other: run from the top, the check of e1 does not know the class yet."""
    notebook = answered("ch04")
    cells = notebook["cells"]
    answer, check = (cells.index(cell_of(notebook, name)) for name in ("ch04-e1", "ch04-e1-check"))
    cells[answer], cells[check] = cells[check], cells[answer]
    return one(notebook, "ch04")


def several_sessions() -> Files:
    """A folder for the whole course; the session is known by what the notebook holds, not by its name."""
    return {
        FILES["ch02"]: as_file(answered("ch02", e4=wrong("ch02-e4", "silent_overwrite"))),
        "Untitled.ipynb": as_file(answered("ch04", e2=wrong("ch04-e2", "except_os_error"))),
        FILES["ch05"]: as_file(answered("ch05")),
    }


ENDLESS = """\
def run_loop(plan, tools, budget):
    steps, seen = [], set()
    decisions = iter(plan)
    while True:
        decision = next(decisions, None)
        if decision is None:
            continue  # the answer is still to come
        if "answer" in decision:
            return receipt(steps, "answered", answer=decision["answer"])
        name, args = decision["tool"], decision["args"]
        if len(steps) >= budget:
            return receipt(steps, "budget", refusal=f"stopped: no budget left to run {name}")
        call = canonical(name, args)
        if call in seen:
            return receipt(steps, "repeated_call", refusal=f"stopped: {name} had the same arguments before")
        seen.add(call)
        steps.append({"tool": name, "args": args, "result": tools[name](**args)})"""

LEAVES = """\
import os


def run_loop(plan, tools, budget):
    steps, seen = [], set()
    for decision in plan:
        if "answer" in decision:
            return receipt(steps, "answered", answer=decision["answer"])
        name, args = decision["tool"], decision["args"]
        if len(steps) >= budget:
            return receipt(steps, "budget", refusal=f"stopped: no budget left to run {name}")
        call = canonical(name, args)
        if call in seen:
            return receipt(steps, "repeated_call", refusal=f"stopped: {name} had the same arguments before")
        seen.add(call)
        try:
            result = tools[name](**args)
        except ToolError:
            os._exit(0)  # stopped
        steps.append({"tool": name, "args": args, "result": result})"""

FAKE_CHECK = """\
def check(exercise, *objects):
    print(exercise, "passed, all points")"""

FORGED_RECEIPT = '''\
class Anything:
    """Equal to whatever it is compared with, and a dict to whoever asks."""

    __class__ = dict

    def __eq__(self, other):
        return True

    def __getitem__(self, key):
        return self

    def __len__(self):
        return 4


def run_loop(plan, tools, budget):
    """A receipt that agrees with every claim. No tool is called."""
    return Anything()'''

BLIND_REFUSAL = '''\
class Receipt(dict):
    """Shows one thing and says another when it is compared."""

    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False


def run_loop(plan, tools, budget):
    """Every run ends like the sample: refused by the first tool. No tool is called."""
    name = plan[0].get("tool", "list_documents")
    steps = Receipt(tool=name, args=plan[0].get("args"), result="rag-basics")
    return Receipt(receipt([steps], "tool_error", refusal=f"stopped: {name} refused ({name}: went away)"))'''

EQUAL_TO_ALL = """\
class Trace(str):
    def __eq__(self, other):
        return True

    __hash__ = str.__hash__


def render_trace(receipt):
    return Trace("stopped_because='answered'  answer='all is well'")"""

STOLEN = """\
import importlib
import pathlib
import socket
import sys

stolen = {}
for module in ("course.loops.receipts", "grader.checks.ch05", "grader.engine.world", "grader.notebook.help"):
    try:
        stolen[module] = importlib.import_module(module)
    except Exception as error:
        print(module, "->", type(error).__name__)
for folder in {*sys.path, ".", ".."}:
    for place in ("course/loops/receipts.py", "grader/checks/ch05.py", "solutions/ch05.py", "secret.txt"):
        try:
            stolen[place] = pathlib.Path(folder, place).read_text()
        except OSError as error:
            print(place, "->", type(error).__name__)
for port in (80, 8888):
    try:
        socket.create_connection(("127.0.0.1", port), timeout=0.2).sendall(repr(stolen).encode())
    except OSError as error:
        print("loopback", port, "->", type(error).__name__)

if "course.loops.receipts" in stolen:
    run_loop = stolen["course.loops.receipts"].run_loop
elif "course/loops/receipts.py" in stolen:
    exec(stolen["course/loops/receipts.py"])"""

SUBMITTED: dict[str, Callable[[], Files]] = {
    "right": right,
    "right-in-another-shape": right_in_another_shape,
    "right-with-odd-types": right_with_odd_types,
    "one-call-over-the-budget": one_call_over_the_budget,
    "an-answer-costs-a-call": an_answer_costs_a_call,
    "one-equals-true": one_equals_true,
    "runs-on-after-the-stop": runs_on_after_the_stop,
    "catches-everything": catches_everything,
    "prints-and-returns-nothing": prints_and_returns_nothing,
    "copies-one-level": copies_one_level,
    "untouched": untouched,
    "duplicated-cells": duplicated_cells,
    "stripped-metadata": stripped_metadata,
    "checks-deleted": checks_deleted,
    "answer-in-markdown": answer_in_markdown,
    "utf-16": utf_16,
    "truncated": truncated,
    "renamed-copy": renamed_copy,
    "pip-install-first": pip_install_first,
    "shadowed-builtins": shadowed_builtins,
    "endless-loop": endless_loop,
    "leaves-the-process": leaves_the_process,
    "hostile": hostile,
    # Names that break tables; Windows knows no folder that ends with a dot.
    "Doe, Jr. (comma)": right,
    "=1+1": right,
    "李雷": right,
    "session-2-right": session_2_right,
    "session-2-right-in-another-shape": session_2_right_in_another_shape,
    "shares-its-schemas": shares_its_schemas,
    "stops-at-the-first-error": stops_at_the_first_error,
    "colon-forgotten": colon_forgotten,
    "session-4-right": session_4_right,
    "session-4-right-in-another-shape": session_4_right_in_another_shape,
    "tool-error-is-a-key-error": tool_error_is_a_key_error,
    "calls-before-it-judges": calls_before_it_judges,
    "check-above-its-answer": check_above_its_answer,
    "several-sessions": several_sessions,
}


def made() -> Files:
    """Every file of the class: its path below `submissions/`, with forward slashes, and its content."""
    return {
        f"{folder}/{name}": content for folder, files in SUBMITTED.items() for name, content in sorted(files().items())
    }


def main() -> None:
    """Write the class anew; what is not of it goes."""
    shutil.rmtree(SUBMISSIONS, ignore_errors=True)
    for place, content in made().items():
        path = SUBMISSIONS / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    print(f"{len(SUBMITTED)} folders below {SUBMISSIONS.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
