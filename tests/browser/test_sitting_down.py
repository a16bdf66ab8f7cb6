"""A student in a real browser: the verdict of a stub, a pass, a widget that moves, and progress that stays."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from applications import SHOTS, Notebook

from course.errors import ToolError
from course.incidents import load
from course.loops import receipts
from course.transcript import Transcript
from course.view import show
from course.widgets import step_through
from grader import solution
from grader.checks import exercise as find_exercise
from grader.engine.judge import judge
from grader.engine.student import InProcessStudent
from grader.notebook.display import Shown

NAME = "ch05-deterministic-mini-agent.ipynb"
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}
RECEIPT = receipts.receipt([], "budget", refusal="stopped: no budget left to run look")
# Every text in a verdict, with its colour and the nearest ground that is painted behind it.
CONTRASTS = """root => {
    const parse = text => { const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number); return {c: [r, g, b], a} };
    const light = c => { const f = c.map(v => v / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
        return .2126 * f[0] + .7152 * f[1] + .0722 * f[2] };
    const ground = node => { for (let e = node; e; e = e.parentElement) {
        const found = parse(getComputedStyle(e).backgroundColor);
        if (found.a > .99) return found.c } return [255, 255, 255] };
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), found = [];
    while (texts.nextNode()) { const node = texts.currentNode;
        if (!node.textContent.trim() || !node.parentElement.checkVisibility()) continue;
        const [a, b] = [light(parse(getComputedStyle(node.parentElement).color).c), light(ground(node.parentElement))];
        found.push([(Math.max(a, b) + .05) / (Math.min(a, b) + .05), node.textContent.trim().slice(0, 40)]) }
    return found }"""
DARK = """async dark => { await window.jupyterapp.commands.execute('apputils:change-theme',
    {theme: dark ? 'JupyterLab Dark' : 'JupyterLab Light'}); await new Promise(done => setTimeout(done, 800)) }"""


@pytest.fixture(scope="module", params=["lab", "notebook"])
def application(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def sitting(browser: Any, server: str, folder: Path, application: str) -> Iterator[Notebook]:
    """Session 5 as it is handed out, opened and run."""
    (folder / "progress.json").unlink(missing_ok=True)
    fresh = Path(__file__).resolve().parents[2] / "notebooks" / NAME
    (folder / NAME).write_bytes(fresh.read_bytes())
    SHOTS.mkdir(parents=True, exist_ok=True)
    notebook = Notebook(browser, server, NAME, application)
    notebook.run_all()
    yield notebook
    notebook.close()


def check_cell(notebook: Notebook, exercise: str) -> int:
    return notebook.find(f'check("{exercise}"')


def shot(notebook: Notebook, index: int, application: str, what: str) -> None:
    notebook.show(index).screenshot(path=str(SHOTS / f"{application}-{what}.png"))


def test_the_stub_is_named_and_no_cell_breaks(sitting: Notebook, application: str) -> None:
    index = check_cell(sitting, "ch05-e1")
    assert "0 of 11 points" in sitting.text(index) and "not written    ch05-e1" in sitting.text(index)
    shown = sitting.show(index).locator("section")
    assert "0 of 11 points" in shown.inner_text() and "not written" in shown.inner_text()
    kinds = [one["output_type"] for n in range(sitting.count()) for one in sitting.outputs(n)]
    assert "error" not in kinds
    shot(sitting, index, application, "stub")


def test_a_wrong_answer_shows_where_receipt_and_ledger_part(sitting: Notebook, application: str) -> None:
    answer = sitting.find("def run_loop", "ch05-e2")
    sitting.write(answer, "run_loop = report_and_run_on")
    index = check_cell(sitting, "ch05-e2")
    sitting.run(answer)
    sitting.run(index)
    shown = sitting.show(index)
    assert "they part here" in shown.inner_text() and "your receipt" in shown.inner_text()
    folded = shown.locator("details:not([open]) summary").first
    folded.focus()
    sitting.page.keyboard.press("Enter")
    assert shown.locator("details[open]").count() >= 2
    shot(sitting, index, application, "wrong")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_verdict_is_readable_on_a_light_and_on_a_dark_page(sitting: Notebook, application: str, dark: bool) -> None:
    index = check_cell(sitting, "ch05-e2")
    sitting.page.evaluate(DARK, dark)
    try:
        contrasts = sitting.show(index).locator("section").evaluate(CONTRASTS)
        assert len(contrasts) > 20
        assert [one for one in contrasts if one[0] < 4.5] == []
        shot(sitting, index, application, "dark" if dark else "light")
    finally:
        sitting.page.evaluate(DARK, False)


def test_a_verdict_fits_a_narrow_screen(sitting: Notebook, application: str) -> None:
    index = check_cell(sitting, "ch05-e2")
    wide = sitting.page.viewport_size
    if application == "lab":
        sitting.page.evaluate("() => window.jupyterapp.shell.collapseLeft()")
    sitting.page.set_viewport_size({"width": 420, "height": 1600})
    try:
        section = sitting.show(index).locator("section")
        shot(sitting, index, application, "narrow")
        assert section.evaluate("one => one.scrollWidth - one.clientWidth") <= 1
    finally:
        sitting.page.set_viewport_size(wide)


def test_the_solution_passes_and_the_line_below_says_what_is_next(sitting: Notebook, application: str) -> None:
    for exercise in ("ch05-e1", "ch05-e2"):
        answer = sitting.find(*{"ch05-e1": ("def run_loop", exercise), "ch05-e2": ("run_loop = report",)}[exercise])
        sitting.write(answer, str(solution(exercise, give_up=True)))
        sitting.run(answer)
        sitting.run(check_cell(sitting, exercise))
    said = sitting.text(check_cell(sitting, "ch05-e2"))
    assert "next: ch05-e3" in said and "2 of 4 exercises done" in said
    shot(sitting, check_cell(sitting, "ch05-e2"), application, "passed")


def test_a_widget_moves(sitting: Notebook, application: str) -> None:
    index = sitting.find("step_through(lambda: run_loop")
    sitting.run(index)
    cell = sitting.show(index)
    view = cell.locator('section[aria-label="a run, step by step"]')
    view.wait_for()
    assert "after 0 of 3 decisions" in view.inner_text()
    rail = cell.locator(".noUi-base").bounding_box()
    sitting.page.mouse.click(rail["x"] + rail["width"] - 1, rail["y"] + rail["height"] / 2)
    cell.locator("section", has_text="after 3 of 3 decisions").wait_for()
    assert "tool_error" in view.inner_text()
    shot(sitting, index, application, "widget")


def test_after_a_reload_progress_and_the_saved_verdict_are_still_there(
    sitting: Notebook, browser: Any, server: str, folder: Path, application: str
) -> None:
    sitting.save()
    again = Notebook(browser, server, NAME, application)
    try:
        kept = json.loads((folder / "progress.json").read_text(encoding="utf-8"))
        assert kept["ch05-e2"]["passed"] is True
        index = check_cell(again, "ch05-e2")
        shown = again.show(index).locator("section")
        shown.wait_for()
        assert "passed" in shown.inner_text()
        shot(again, index, application, "reloaded")
        cell = again.find("from grader import check")
        again.write(cell, "from grader import check, compare, hint, progress, solution\nprogress()")
        again.run(cell)
        assert "2 of 4 exercises done" in again.text(cell)
        shot(again, cell, application, "progress")
        assert again.outside == []
    finally:
        again.close()


def test_a_saved_notebook_that_nobody_trusts_shows_verdict_run_and_widget_without_a_kernel(
    browser: Any, server: str, folder: Path
) -> None:
    wrong = judge(find_exercise("ch05-e2"), InProcessStudent({}, ("run_loop",), (runs_on,)))
    plan = [{"tool": "look", "args": {"n": n}} for n in (1, 2)] + [{"answer": "done"}]
    stepped = step_through(lambda: receipts.run_loop(plan, {"look": lambda n: n * 10}, budget=1), plan)
    shown = [
        Shown(wrong),
        show(load("gaia-3750")),
        show(broken()),
        show(runs_on(plan, {"look": lambda n: n}, 1), RECEIPT),
        stepped,
    ]
    cells = [nbformat.v4.new_code_cell(f"# {n}", execution_count=n) for n in range(len(shown))]
    for number, (cell, one) in enumerate(zip(cells, shown, strict=True)):
        bundle = one._repr_mimebundle_()
        cell.outputs = [nbformat.v4.new_output("execute_result", bundle, execution_count=number)]
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": KERNEL})
    (folder / "saved.ipynb").write_text(nbformat.writes(notebook), encoding="utf-8", newline="\n")
    opened = Notebook(browser, server, "saved.ipynb", "lab")
    try:
        texts = []
        for number, what in enumerate(["verdict", "incident", "chain", "two", "widget"]):
            section = opened.show(number).locator("section")
            section.wait_for()
            texts.append(section.inner_text())
            shot(opened, number, "saved", what)
        wanted = [
            "they part here",
            "loop_guard",
            "the chain is broken here",
            "they part here",
            "after 2 of 2 decisions",
        ]
        assert [want for want, text in zip(wanted, texts, strict=True) if want not in text] == []
        assert opened.outside == []
    finally:
        opened.close()


def runs_on(plan: Any, tools: Any, budget: int) -> Any:
    """A loop that reports a stop and goes on."""
    steps, refusal = [], None
    for decision in plan:
        if "answer" in decision:
            break
        name, args = decision["tool"], decision["args"]
        try:
            result = tools[name](**args)
        except ToolError as error:
            refusal = f"stopped: {name} refused ({error})"
        else:
            if refusal is None:
                steps.append({"tool": name, "args": args, "result": result})
    return receipts.receipt(steps, "tool_error", refusal=refusal)


def broken() -> list[Any]:
    """A chain with an edited record."""
    transcript = Transcript()
    for number in range(4):
        transcript.append("tool", {"name": "look", "args": {"n": number}, "ok": True, "attempt": 1, "result": number})
    transcript.records[2]["payload"]["result"] = 99
    return transcript.records


def test_nothing_was_asked_of_the_world_outside(sitting: Notebook) -> None:
    assert sitting.outside == []
