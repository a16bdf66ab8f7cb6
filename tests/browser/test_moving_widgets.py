"""The sliders of session 6 and the tamper bench of session 10, moved in JupyterLab by somebody who solved both."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from applications import SHOTS, Notebook

from grader.authoring.release import as_text, solved
from grader.authoring.source import SOLUTIONS, read_session


@pytest.fixture
def opened(browser: Any, server: str, folder: Path, request: pytest.FixtureRequest) -> Iterator[Notebook]:
    """The solved notebook of the session that the test names, opened and run."""
    name = f"solved-{request.param}.ipynb"
    (folder / name).write_text(as_text(solved(read_session(SOLUTIONS / f"{request.param}.py"))), encoding="utf-8")
    SHOTS.mkdir(parents=True, exist_ok=True)
    notebook = Notebook(browser, server, name, "lab")
    notebook.run_all()
    yield notebook
    notebook.close()


@pytest.mark.parametrize("opened", ["ch06"], indirect=True)
def test_a_lower_limit_ends_the_run_at_another_rung(opened: Notebook) -> None:
    index = opened.find("budget_slider(bounded")
    cell = opened.show(index)
    cell.locator(".widget-slider").first.wait_for()
    assert "step_budget" in cell.inner_text()
    _move(opened, cell.locator(".noUi-base").nth(2), 0.0)  # max_cost
    cell.get_by_text("cost_budget").first.wait_for()
    cell.screenshot(path=str(SHOTS / "lab-budget-slider.png"))
    assert opened.outside == []


@pytest.mark.parametrize("opened", ["ch10"], indirect=True)
def test_a_forged_record_passes_the_chain_and_not_the_anchor(opened: Notebook) -> None:
    index = opened.find("tamper_bench(records")
    cell = opened.show(index)
    bench = cell.locator('section[aria-label="which check catches it"]')
    bench.wait_for()
    cell.get_by_role("button", name="take it out").click()
    cell.get_by_text("record 1 was taken out").wait_for()
    assert bench.inner_text().count("finds nothing") == 0
    cell.get_by_role("button", name="forge all from here").click()
    cell.get_by_text("every hash from there on was computed anew").wait_for()
    chain, anchored = bench.locator("tr").all_inner_texts()
    assert "finds nothing" in chain and "finds nothing" not in anchored
    cell.screenshot(path=str(SHOTS / "lab-tamper-bench.png"))
    assert opened.outside == []


def _move(notebook: Notebook, rail: Any, share: float) -> None:
    """Click on the rail of a slider, at this share of its length."""
    rail.scroll_into_view_if_needed()
    box = rail.bounding_box()
    notebook.page.mouse.click(box["x"] + 1 + share * (box["width"] - 2), box["y"] + box["height"] / 2)
