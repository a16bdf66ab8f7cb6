"""A session as a page: what a student sees, with the outputs of the solved notebook and with folded boxes for the rest.

The stub stands where the student writes. After each check come the hints, one wrong answer with its verdict, and the
solution, all folded. The prose is the notebook's own.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import nbformat
from nbformat import NotebookNode

from grader.authoring.release import slug, student
from grader.authoring.source import Source
from grader.engine.exercise import Exercise
from grader.notebook.display import as_html
from publish.wrong import WrongAnswer

_CHECK_ID = re.compile(r"(ch\d\d-e\d+)-check")
_SHOWN = ("text/html", "text/markdown", "text/plain")  # the richest of these; a widget has its HTML beside it
_NOTE = (
    "The outputs on this page come from a run with the course's solutions in place; where you write, "
    "the page shows the stub that you get."
)


def page(source: Source, run: NotebookNode, boxes: Mapping[str, str]) -> NotebookNode:
    """The notebook from which Sphinx makes the page of a session.

    run: its solved notebook with outputs; boxes: for each exercise the Markdown that follows its check.
    """
    cells: list[NotebookNode] = []
    after_check = ""
    handed_out = student(source)
    for shown, ran in zip(handed_out.cells, run.cells, strict=True):
        if after_check:  # the student's notebook says here how to ask for what the page has folded
            cells.append(_markdown(shown, after_check))
            after_check = ""
        elif shown.cell_type == "markdown":
            cells.append(_markdown(shown, shown.source))
        else:
            cells.append(_code(shown, [_output(one) for one in ran.outputs]))
            found = _CHECK_ID.fullmatch(shown.id)
            after_check = boxes[found[1]] if found else ""
    title, _, rest = cells[0].source.partition("\n")
    cells[0].source = "\n\n".join([title, doors(slug(source)), rest.strip("\n"), f"*{_NOTE}*"])
    made = nbformat.v4.new_notebook(cells=cells, metadata=handed_out.metadata)
    made.nbformat_minor = 5
    return made


def doors(name: str) -> str:
    """The two ways from the page of a session into its notebook. name: the notebook's, without its ending."""
    return (
        '<p class="ways"><a class="way" href="../lite/notebooks/index.html?path='
        f'{name}.ipynb">Open it in the browser</a> '
        f'<a class="way" href="../notebooks/{name}.ipynb" download>Download the notebook</a></p>'
    )


def boxes(exercise: Exercise, solution: str, wrong: WrongAnswer) -> str:
    """What is folded below the check of an exercise, as MyST Markdown. solution: the course's code."""
    hints = [_fold(f"Hint {n} of {len(exercise.hints)}", "hint", hint) for n, hint in enumerate(exercise.hints, 1)]
    said = f"{wrong.what}\n\n{_code_block(wrong.code)}\n\nThe check says:\n\n{_raw(as_html(wrong.verdict))}"
    wrong_box = _fold("A wrong answer, and its verdict", "wrong", said)
    solution_box = _fold("Solution", "solution", _code_block(solution))
    # The PDF finds the boxes of an exercise by these classes.
    return _fenced(":", f"{{container}} help {exercise.id}", "\n\n".join([*hints, wrong_box, solution_box]))


def _fold(title: str, kind: str, body: str) -> str:
    return _fenced(":", f"{{dropdown}} {title}\n:class-container: fold-{kind}\n", body)


def _code_block(text: str) -> str:
    return _fenced("`", "python", text)


def _raw(html: str) -> str:
    return _fenced("`", "{raw} html", html)


def _fenced(mark: str, info: str, body: str) -> str:
    """`body` between fences that are longer than any in it."""
    longest = max((len(run) for run in re.findall(rf"{mark}{{3,}}", body)), default=2)
    fence = mark * (longest + 1)
    return f"{fence}{info}\n{body}\n{fence}"


def _markdown(cell: NotebookNode, text: str) -> NotebookNode:
    return nbformat.v4.new_markdown_cell(text, id=cell.id)


def _code(cell: NotebookNode, outputs: Sequence[NotebookNode]) -> NotebookNode:
    metadata = {"tags": list(cell.metadata.get("tags", ()))}
    return nbformat.v4.new_code_cell(cell.source, id=cell.id, metadata=metadata, outputs=list(outputs))


def _output(output: NotebookNode) -> NotebookNode:
    """The output in the one form that the page shows."""
    data: Mapping[str, Any] = output.get("data", {})
    if not data:
        return output
    kind = next((kind for kind in _SHOWN if kind in data), next(iter(data)))
    return nbformat.v4.new_output("display_data", {kind: data[kind]})
