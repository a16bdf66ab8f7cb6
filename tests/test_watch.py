"""`grader watch`: checks at once and after each save, says what cannot be judged, and Ctrl+C ends it cleanly."""

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest

import grader

pytestmark = pytest.mark.sandbox
ROOT = Path(grader.__file__).resolve().parents[1]
RIGHT = """def render_trace(receipt):
    lines = [f"{n}. {s['tool']}({s['args']!r}) -> {s['result']}" for n, s in enumerate(receipt["steps"], 1)]
    spoken = "answer" if receipt["stopped_because"] == "answered" else "refusal"
    return "\\n".join([*lines, f"stopped_because={receipt['stopped_because']!r}  {spoken}={receipt[spoken]!r}"])
"""
WRONG = "def render_trace(receipt):\n    return 'nothing'\n"
WAIT_SECONDS = 60


def save(path: Path, answer: str) -> None:
    """As an editor does: the new file takes the old one's place."""
    cells = ["from grader import check", answer, 'check("ch05-e3", render_trace)']
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    beside = path.with_suffix(".new")
    beside.write_text(nbformat.writes(notebook), encoding="utf-8", newline="\n")
    beside.replace(path)


class Watching:
    """A `grader watch` that runs; `line()` waits for the next line that it prints."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "grader", "watch", *arguments]
        env = {**os.environ, "PYTHONPATH": str(ROOT)}
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdout=pipe, stderr=pipe, env=env, encoding="utf-8")
        self._lines: queue.Queue[str] = queue.Queue()
        self._complaints: queue.Queue[str] = queue.Queue()
        for stream, waiting in ((self.process.stdout, self._lines), (self.process.stderr, self._complaints)):
            threading.Thread(target=self._read, args=(stream, waiting), daemon=True).start()

    @staticmethod
    def _read(stream: Any, waiting: "queue.Queue[str]") -> None:
        for line in stream:
            waiting.put(line)

    def line(self) -> str:
        return self._lines.get(timeout=WAIT_SECONDS)

    def complaint(self) -> str:
        return self._complaints.get(timeout=WAIT_SECONDS)

    def interrupt(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(WAIT_SECONDS)


@pytest.fixture
def notebook(tmp_path: Path) -> Path:
    path = tmp_path / "ch05.ipynb"
    save(path, WRONG)
    return path


@pytest.fixture
def watching(notebook: Path) -> Iterator[Watching]:
    made = Watching(str(notebook), "ch05-e3", "--json")
    yield made
    if made.process.poll() is None:
        made.process.kill()
        made.process.wait()


def test_each_save_is_one_line_of_json_and_ctrl_c_ends_it_cleanly(notebook: Path, watching: Watching) -> None:
    first = json.loads(watching.line())
    assert [one["status"] for one in first["verdicts"]] == ["failed"]
    save(notebook, RIGHT)
    second = json.loads(watching.line())
    assert (second["notebook"], [one["status"] for one in second["verdicts"]]) == ("ch05.ipynb", ["passed"])
    assert watching.interrupt() == 0


def test_a_half_written_file_is_named_and_the_watch_goes_on(notebook: Path, watching: Watching) -> None:
    watching.line()
    notebook.write_text('{"cells": [', encoding="utf-8")
    assert "ch05.ipynb" in watching.complaint()
    save(notebook, RIGHT)
    assert json.loads(watching.line())["verdicts"][0]["status"] == "passed"
    assert watching.interrupt() == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [(["nowhere.ipynb"], "does not exist"), (["nowhere.ipynb", "ch05-e99"], "there is no exercise 'ch05-e99'")],
)
def test_what_cannot_be_watched_ends_with_one_sentence(arguments: list[str], sentence: str) -> None:
    watching = Watching(*arguments)
    assert watching.process.wait(WAIT_SECONDS) == 2
    assert sentence in watching.complaint()
