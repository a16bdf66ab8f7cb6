"""The sessions in JupyterLite, in a real browser: verdicts as on a desktop, nothing lost, nothing asked of outside."""

import csv
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import nbformat
import pytest
from applications import READY, RUN_ALL, RUN_ONE, SHOTS, Notebook

from grader import solution
from grader.authoring.release import NOTEBOOKS, slug, solved
from grader.authoring.source import Source, sources
from grader.checks import exercise as find_exercise
from grader.engine.judge import judge
from grader.engine.student import InProcessStudent
from grader.notebook.display import Shown
from grader.sandbox.walls import missing_layers
from publish import lite
from publish.pieces import PieceError
from publish.serve import served

NAME = "ch05-deterministic-mini-agent.ipynb"
HANDED_OUT = nbformat.read(NOTEBOOKS / NAME, as_version=4).cells
ANSWERS = {  # exercise -> the number of its answer's cell
    cell.metadata.nbgrader.grade_id: number
    for number, cell in enumerate(HANDED_OUT)
    if "answer" in cell.metadata.get("tags", [])
}
FIRST = "from grader import check"
WRONG = "run_loop = report_and_run_on"
RUN_SECONDS = 120  # for a cell or a notebook: WebAssembly, and maybe a busy machine
# A kernel that has died never answers, and `evaluate` waits for ever: so the page remembers, and is asked.
BEGIN = "([run, index]) => { window.ran = false; eval(run)(index).then(() => { window.ran = true }) }"
UNSAVED = "() => window.jupyterapp.shell.currentWidget.context.model.dirty"
DOWNLOAD = "async () => { await window.jupyterapp.commands.execute('docmanager:download') }"
DARK = "() => document.body.dataset.jpThemeLight === 'false'"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the app in `lite`, as the site has it."""
    folder = tmp_path_factory.mktemp("site")
    try:
        lite.build(folder / "lite")
    except PieceError as error:
        pytest.skip(f"JupyterLite cannot be built here: {error}")
    (folder / "index.html").write_text("<title>a page</title>", encoding="utf-8")
    SHOTS.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="module")
def base(site: Path) -> Iterator[str]:
    """The address of that folder."""
    with served(site) as address:
        yield f"{address}/lite"


class Lite(Notebook):
    """A notebook that is open in JupyterLite. wrong: errors of the console, and answers that are errors."""

    def __init__(self, context: Any, base: str, name: str = NAME) -> None:
        self.page = context.new_page()
        self.outside: list[str] = []
        self.wrong: list[str] = []
        self.page.on("request", self._note)
        self.page.on("console", lambda said: said.type == "error" and self.wrong.append(said.text))
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("response", lambda got: got.status >= 400 and self.wrong.append(f"{got.status} {got.url}"))
        self.page.goto(f"{base}/notebooks/index.html?path={name}")
        self.ready()

    def ready(self) -> None:
        """Wait until the notebook is there and has a kernel."""
        self.page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=RUN_SECONDS * 1000)
        self.page.evaluate(READY)

    def run(self, index: int) -> None:
        self._wait_for(RUN_ONE, index)

    def run_all(self) -> None:
        self._wait_for(RUN_ALL, 0)

    def _wait_for(self, run: str, index: int) -> None:
        self.page.evaluate(BEGIN, [run, index])
        self.page.wait_for_function("() => window.ran", timeout=RUN_SECONDS * 1000)

    def answer(self, exercise: str, source: str) -> int:
        """Put an answer where it belongs, run it and its check; returns the index of the check's cell."""
        cell = ANSWERS[exercise]
        self.write(cell, source)
        self.run(cell)
        index = self.find(f'check("{exercise}"')
        self.run(index)
        return index

    def shot(self, index: int, what: str) -> None:
        """A picture of a cell, for people to look at."""
        self.show(index).screenshot(path=str(SHOTS / f"lite-{what}.png"))


@pytest.fixture(scope="module")
def sitting(browser: Any, base: str) -> Iterator[Lite]:
    """Session 5, opened by its launch address and run as it is handed out."""
    notebook = Lite(browser, base)
    notebook.run_all()
    yield notebook
    notebook.close()


def on_a_desktop(exercise: str, source: str) -> Shown:
    """The verdict on an answer in CPython, behind the cells that stand above it in the notebook."""
    names: dict[str, Any] = {}
    above = [cell for cell in HANDED_OUT[: ANSWERS[exercise]] if cell.cell_type == "code"]
    with redirect_stdout(StringIO()):
        for cell in above:
            if not {"check", "demo"} & set(cell.metadata.get("tags", [])):
                exec(cell.source, names)
        exec(source, names)
    return Shown(judge(find_exercise(exercise), InProcessStudent(names, find_exercise(exercise).provides)))


def test_the_launch_address_opens_a_notebook_that_runs_and_asks_nobody_outside(sitting: Lite) -> None:
    index = sitting.find('check("ch05-e1"')
    assert sitting.text(index).startswith(repr(on_a_desktop("ch05-e1", HANDED_OUT[ANSWERS["ch05-e1"]].source)))
    kinds = [one["output_type"] for n in range(sitting.count()) for one in sitting.outputs(n)]
    assert "error" not in kinds
    assert (sitting.outside, sitting.wrong) == ([], [])


def test_a_wrong_answer_fails_with_the_message_of_the_desktop_word_for_word(sitting: Lite) -> None:
    index = sitting.answer("ch05-e2", WRONG)
    wanted = on_a_desktop("ch05-e2", WRONG)
    assert "what happened" in repr(wanted)
    assert sitting.text(index).startswith(repr(wanted))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_verdict_fits_the_screen_in_light_and_dark_wide_and_narrow(sitting: Lite, scheme: str) -> None:
    index = sitting.find('check("ch05-e2"')
    wide = sitting.page.viewport_size
    sitting.page.emulate_media(color_scheme=scheme)
    try:
        sitting.page.wait_for_function(DARK if scheme == "dark" else f"() => !({DARK})()")
        for width, name in ((1280, "wide"), (390, "narrow")):
            sitting.page.set_viewport_size({"width": width, "height": 1600})
            section = sitting.show(index).locator("section")
            section.wait_for()
            sitting.shot(index, f"{name}-{scheme}")
            sitting.page.screenshot(path=str(SHOTS / f"lite-page-{name}-{scheme}.png"))
            assert section.evaluate("one => one.scrollWidth - one.clientWidth") <= 1
    finally:
        sitting.page.emulate_media(color_scheme="light")
        sitting.page.set_viewport_size(wide)


def test_session_5_is_solved_cell_by_cell_and_passes(sitting: Lite) -> None:
    for exercise in ANSWERS:
        source = str(solution(exercise, give_up=True))
        wanted = on_a_desktop(exercise, source)
        assert wanted.passed
        assert sitting.text(sitting.answer(exercise, source)).startswith(repr(wanted))
    assert "4 of 4 exercises done, 30 of 30 points; all done" in sitting.text(sitting.find('check("ch05-e4"'))


def test_a_widget_moves(sitting: Lite) -> None:
    index = sitting.find("step_through(")
    sitting.run(index)
    cell = sitting.show(index)
    view = cell.locator(".jp-OutputArea section")
    view.wait_for()
    before = view.inner_text()
    rail = cell.locator(".noUi-base").bounding_box()
    sitting.page.mouse.click(rail["x"] + rail["width"] - 1, rail["y"] + rail["height"] / 2)
    cell.locator("section", has_text=re.compile(r"after (\d+) of \1 decisions")).wait_for()
    assert view.inner_text() != before


def test_recursion_without_end_is_an_error_and_the_kernel_goes_on(sitting: Lite) -> None:
    index = sitting.find(FIRST)
    for source in ('import json; json.loads("[" * 100_000)', "f = lambda n: next(map(f, [n + 1])); f(0)"):
        sitting.write(index, source)
        sitting.run(index)
        assert [one.get("ename", "") for one in sitting.outputs(index)] == ["<class 'RecursionError'>"]
    sitting.write(index, f"{FIRST}, compare, hint, progress, solution\nprogress()")
    sitting.run(index)
    assert "4 of 4 exercises done" in sitting.text(index)


def test_a_reload_loses_neither_an_edit_that_nobody_saved_nor_the_progress(sitting: Lite) -> None:
    sitting.write(sitting.find(FIRST), f"# My notes\n{FIRST}, compare, hint, progress, solution\nprogress()")
    sitting.page.wait_for_timeout(1000)
    sitting.page.wait_for_function(f"() => !({UNSAVED})()")
    sitting.page.reload()
    sitting.ready()
    sitting.run(sitting.find("# My notes"))
    assert "4 of 4 exercises done" in sitting.text(sitting.find("# My notes"))
    shown = sitting.show(sitting.find('check("ch05-e4"')).locator("section")
    shown.wait_for()
    assert "5 of 5 points" in shown.inner_text()


def test_a_downloaded_notebook_is_graded_as_it_is(sitting: Lite, tmp_path: Path) -> None:
    with sitting.page.expect_download() as download:
        sitting.page.evaluate(DOWNLOAD)
    assert download.value.suggested_filename == NAME
    handed_in = tmp_path / "submissions" / "ada" / NAME
    handed_in.parent.mkdir(parents=True)
    download.value.save_as(handed_in)
    walls = ["--isolation", "none"] if missing_layers() else []
    command = [sys.executable, "-m", "grader", "grade", str(tmp_path / "submissions"), "--out", str(tmp_path / "out")]
    done = subprocess.run([*command, *walls], cwd=NOTEBOOKS.parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    with (tmp_path / "out" / "grades.csv").open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert (row["student"], row["score"], row["max_score"]) == ("ada", "30", "30")


def test_nothing_went_wrong_and_nothing_was_asked_of_the_world_outside(sitting: Lite) -> None:
    assert (sitting.outside, sitting.wrong) == ([], [])


def test_a_second_visit_reaches_a_first_cell(browser: Any, base: str, sitting: Lite) -> None:
    del sitting  # the first visit
    began = time.monotonic()
    again = Lite(browser, base, "ch01-tool-is-a-contract.ipynb")
    try:
        shown = time.monotonic() - began
        again.run(again.find(FIRST))
        ran = time.monotonic() - began
        print(
            f"\nJupyterLite, second visit: the notebook after {shown:.1f} s, its first cell has run after {ran:.1f} s"
        )
        assert again.outputs(again.find(FIRST)) == []
    finally:
        again.close()


@pytest.mark.parametrize("source", [one for one in sources() if not NAME.startswith(one.path.stem)], ids=slug)
def test_each_other_session_solved_runs_to_its_end_and_passes(browser: Any, base: str, source: Source) -> None:
    notebook = Lite(browser, base, f"{slug(source)}.ipynb")
    try:
        cells = solved(source).cells
        for index, cell in enumerate(cells):
            if "answer" in cell.metadata.get("tags", []):
                notebook.write(index, cell.source)
        notebook.run_all()
        for index, cell in enumerate(cells):
            assert [one for one in notebook.outputs(index) if one["output_type"] == "error"] == []
            if "check" in cell.metadata.get("tags", []):
                assert re.search(r" (\d+) of \1 points\n", notebook.text(index)), notebook.text(index)
        assert (notebook.outside, notebook.wrong) == ([], [])
        if source.path.stem == "ch11":
            assert "The SDK was not run" in notebook.text(notebook.find("through_the_sdk"))
    finally:
        notebook.close()


def test_the_folder_can_be_copied_to_another_place(browser: Any, site: Path, tmp_path: Path) -> None:
    shutil.copytree(site / "lite", tmp_path / "class" / "2026" / "agents")
    (tmp_path / "index.html").write_text("<title>another server</title>", encoding="utf-8")
    with served(tmp_path) as address:
        notebook = Lite(browser, f"{address}/class/2026/agents")
        try:
            index = notebook.find(FIRST)
            notebook.write(index, f"{FIRST}\ncheck('ch05-e1', print)")
            notebook.run(index)
            assert "of 11 points" in notebook.text(index)
            assert (notebook.outside, notebook.wrong) == ([], [])
        finally:
            notebook.close()
