"""Makes the pictures of the README, `docs/pictures/*.png`: a verdict and a run, as a notebook shows them.

    python tools/pictures.py

Needs playwright and a Chromium (`CHROMIUM`, else /usr/bin/chromium). Nothing is fetched.
"""

from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from course.errors import ToolError
from course.incidents import load
from course.loops.receipts import receipt
from course.view import show
from grader.checks import exercise
from grader.engine.judge import judge
from grader.engine.student import InProcessStudent
from grader.notebook.display import as_html
from publish.chromium import CHROMIUM, FLAGS

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "pictures"
MOST_BYTES = 120_000
PAGE = (
    '<!doctype html><meta charset="utf-8"><body style="margin:0;font-family:sans-serif;font-size:13px;'
    'background:#ffffff;color:#111111"><div id="picture" style="padding:8px;width:{width}px">{inner}</div></body>'
)


def runs_on(plan: Any, tools: Any, budget: int) -> Any:
    """A loop with a flawless receipt, which does not stop where it says that it stopped."""
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
    return receipt(steps, "tool_error", refusal=refusal)


def pictures() -> dict[str, str]:
    """File name -> HTML."""
    wrong = judge(exercise("ch05-e2"), InProcessStudent({}, ("run_loop",), (runs_on,)))
    return {"verdict.png": as_html(wrong), "run.png": show(load("gaia-3750"))._repr_html_()}


def main() -> None:
    """Write every picture; one that is too large for a README ends it with a sentence."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        page = browser.new_page(viewport={"width": 900, "height": 900})
        for name, inner in pictures().items():
            page.set_content(PAGE.format(width=720, inner=inner))
            page.locator("#picture").screenshot(path=str(FOLDER / name))
            size = (FOLDER / name).stat().st_size
            if size >= MOST_BYTES:
                raise SystemExit(f"{name} has {size:,} bytes; a picture of the README has fewer than {MOST_BYTES:,}")
            print(f"docs/pictures/{name}  {size:,} bytes")
        browser.close()


if __name__ == "__main__":
    main()
