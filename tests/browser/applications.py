"""A notebook that is open in JupyterLab or Notebook 7: what a test does to it, and what it sees of it."""

import re
from pathlib import Path
from typing import Any

TOKEN = "token-of-this-test"
SHOTS = Path(__file__).resolve().parents[2] / "build" / "shots"

READY = """async () => {
    const nap = ms => new Promise(done => setTimeout(done, ms));
    const panel = () => window.jupyterapp?.shell?.currentWidget;
    for (let i = 0; i < 600 && !panel()?.sessionContext; i++) await nap(100);
    await panel().context.ready;
    await panel().sessionContext.ready;
    for (let i = 0; i < 600 && panel().sessionContext.session?.kernel?.connectionStatus !== 'connected'; i++)
        await nap(100);
}"""
# The application's own model is asked, not pixels: cells that are out of view are not drawn.
RUN_ALL = "async () => { await window.jupyterapp.commands.execute('notebook:run-all-cells') }"
CELLS = (
    """() => [...window.jupyterapp.shell.currentWidget.content.model.cells].map(cell => cell.sharedModel.getSource())"""
)
OUTPUTS = """index => {
    const outputs = window.jupyterapp.shell.currentWidget.content.model.cells.get(index).outputs;
    return outputs ? outputs.toJSON() : [];
}"""
WRITE = """([index, source]) => {
    window.jupyterapp.shell.currentWidget.content.model.cells.get(index).sharedModel.setSource(source);
}"""
RUN_ONE = """async index => {
    const panel = window.jupyterapp.shell.currentWidget;
    panel.content.activeCellIndex = index;
    panel.content.deselectAll();
    await window.jupyterapp.commands.execute('notebook:run-cell');
}"""
SHOW = """async index => {
    const panel = window.jupyterapp.shell.currentWidget.content;
    panel.activeCellIndex = index;
    await panel.scrollToItem(index, 'start');
}"""
SAVE = "async () => { await window.jupyterapp.shell.currentWidget.context.save() }"


class Notebook:
    """One notebook, open in one application. outside: requests that would have left this machine."""

    def __init__(self, context: Any, base: str, name: str, application: str) -> None:
        self.page = context.new_page()
        self.outside: list[str] = []
        self.page.on("request", self._note)
        place = f"lab/tree/{name}?reset&" if application == "lab" else f"notebooks/{name}?"
        self.page.goto(f"{base}/{place}token={TOKEN}")
        self.page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
        self.page.evaluate(READY)

    def _note(self, request: Any) -> None:
        if request.url.startswith(("http", "ws")) and not re.match(r"\w+://127\.0\.0\.1:", request.url):
            self.outside.append(request.url)

    def run_all(self) -> None:
        """Run every cell, and wait until the last has run."""
        self.page.evaluate(RUN_ALL)

    def find(self, *texts: str) -> int:
        """The index of the first cell in which each of `texts` stands."""
        sources = self.page.evaluate(CELLS)
        return next(n for n, source in enumerate(sources) if all(text in source for text in texts))

    def count(self) -> int:
        """How many cells there are."""
        return len(self.page.evaluate(CELLS))

    def outputs(self, index: int) -> list[dict[str, Any]]:
        """The outputs of a cell, in notebook format."""
        found: list[dict[str, Any]] = self.page.evaluate(OUTPUTS, index)
        return found

    def text(self, index: int) -> str:
        """The plain text of a cell's outputs."""
        texts = []
        for one in self.outputs(index):
            text = one.get("text") or (one.get("data") or {}).get("text/plain") or one.get("evalue") or ""
            texts.append("".join(text))
        return "\n".join(texts)

    def write(self, index: int, source: str) -> None:
        """Replace a cell's source."""
        self.page.evaluate(WRITE, [index, source])

    def run(self, index: int) -> None:
        """Run one cell, and wait until it has run."""
        self.page.evaluate(RUN_ONE, index)

    def show(self, index: int) -> Any:
        """Scroll a cell into view; returns its locator."""
        self.page.evaluate(SHOW, index)
        cell = self.page.locator(f'.jp-Notebook .jp-Cell[data-windowed-list-index="{index}"]')
        cell.wait_for()
        return cell

    def save(self) -> None:
        """Write the notebook to disk."""
        self.page.evaluate(SAVE)

    def close(self) -> None:
        """Close the page."""
        self.page.close()
