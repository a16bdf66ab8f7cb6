"""Runs the solved notebook of a session in a kernel of its own, and hands it back with its outputs."""

import os
import tempfile
from pathlib import Path

import nbclient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

from grader.authoring.release import solved
from grader.authoring.source import ROOT, Source

CELL_SECONDS = 120


class RunError(RuntimeError):
    """A session's solved notebook does not run: the sentence says which session, which cell and what it raised."""


def executed(source: Source) -> NotebookNode:
    """The solved notebook of `source`, run from top to bottom in an empty folder, with the outputs of each cell.

    Python's hash seed is fixed, so that the same source gives the same page. Raises `RunError` where a cell raises.
    """
    notebook = solved(source)
    with tempfile.TemporaryDirectory() as folder:
        client = nbclient.NotebookClient(
            notebook,
            timeout=CELL_SECONDS,
            kernel_name="python3",
            extra_arguments=["--log-level=ERROR"],
            resources={"metadata": {"path": folder}},
        )
        try:
            client.execute(env=_environment(Path(folder)))
        except CellExecutionError as error:
            number, cell = next(
                (n, one)
                for n, one in enumerate(notebook.cells, 1)
                if any(output.output_type == "error" for output in one.get("outputs", ()))
            )
            raise RunError(
                f"{source.path.name}: cell {number} of the solved notebook ({cell.id}) raised "
                f"{error.ename}: {error.evalue}; put its source right"
            ) from error
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = _joined(cell.outputs)
    return notebook


def _joined(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """The outputs, with what was printed in one piece: in how many pieces a kernel sends it depends on its clock."""
    joined: list[NotebookNode] = []
    for output in outputs:
        last = joined[-1] if joined else None
        if last is not None and output.output_type == "stream" == last.output_type and output.name == last.name:
            last.text += output.text
        else:
            joined.append(output)
    return joined


def _environment(folder: Path) -> dict[str, str]:
    """Nothing of the reader's own IPython; the course as it lies in this working copy."""
    return {**os.environ, "IPYTHONDIR": str(folder / ".ipython"), "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0"}
