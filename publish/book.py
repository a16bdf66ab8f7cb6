"""Builds the pages: `docs/` and every session, through Sphinx, into one folder. Warnings are errors.

The sources of the pages are put together in `build/book/`, in the shape of this repository, so that a page of `docs/`
may include the README. What is made there: the pages of the sessions, the map, the API, the verdict on the start page.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat

from grader.authoring.release import NOTEBOOKS, as_text, slug
from grader.authoring.source import ROOT, Source, sources
from grader.checks import exercise as find_exercise
from grader.notebook.display import as_html
from publish import api
from publish.overview import overview
from publish.pages import boxes, page
from publish.runs import executed
from publish.serve import SITE
from publish.wrong import WrongAnswer, instructive

STAGE = ROOT / "build" / "book"
ON_THE_START_PAGE = "ch05-e2"
MEASURED = ("benchmarks", "browser-verdicts")  # pages that other commands make; each may not be there yet


class BookError(RuntimeError):
    """The pages could not be built: the text holds what Sphinx said."""


def build(out: Path = SITE) -> None:
    """Write the pages, and the notebooks as files, into `out`, whose old content goes. Nothing is fetched.

    Raises `BookError` for any warning of Sphinx, `RunError` where a solved notebook does not run.
    """
    shutil.rmtree(STAGE, ignore_errors=True)
    stage(STAGE)
    made = STAGE / "html"
    _sphinx(STAGE / "docs", made)
    for source_map in (made / "_static").rglob("*.map"):  # three megabytes for whoever debugs the theme
        source_map.unlink()
    shutil.rmtree(made / "_sources")  # left empty
    shutil.rmtree(out, ignore_errors=True)
    out.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(made, out)
    (out / "notebooks").mkdir()
    for notebook in NOTEBOOKS.glob("*.ipynb"):
        shutil.copy(notebook, out / "notebooks")


def stage(folder: Path) -> None:
    """Put the sources of all pages together in `folder`/docs."""
    docs = folder / "docs"
    shutil.copytree(ROOT / "docs", docs)
    for name in ("README.md", "CHANGELOG.md"):
        _write(folder / name, _without_dead_links((ROOT / name).read_text(encoding="utf-8"), docs))
    all_sources = sources()
    made = docs / "made"
    made.mkdir()
    _write(made / "map.md", overview(all_sources))
    for source in all_sources:
        _write(docs / "sessions" / f"{slug(source)}.ipynb", session_page(source))
    wrong = _wrong_of(all_sources, ON_THE_START_PAGE)
    _write(made / "verdict.html", as_html(wrong.verdict))
    there = [name for name in MEASURED if (docs / f"{name}.md").exists()]
    listed = ["```{toctree}", ":caption: Measured", ":hidden:", "", *there, "```"]
    _write(made / "measured.md", "\n".join(listed if there else []))
    api.write(docs / "api")


def session_page(source: Source) -> str:
    """The page of a session, as the text of the notebook that Sphinx reads."""
    below = {}
    for exercise_id in source.exercise_ids:
        solution = "\n\n".join(cell.solved for cell in source.of(exercise_id, "answer"))
        below[exercise_id] = boxes(find_exercise(exercise_id), solution, instructive(source, exercise_id))
    made = page(source, executed(source), below)
    nbformat.validate(made)
    return as_text(made)


def _without_dead_links(text: str, docs: Path) -> str:
    """`text` where a link to one of `MEASURED` that is not there yet is plain text."""
    for name in MEASURED:
        if not (docs / f"{name}.md").exists():
            text = re.sub(rf"\[([^\]]*)\]\(docs/{name}\.md\)", r"\1", text)
    return text


def _wrong_of(all_sources: list[Source], exercise_id: str) -> WrongAnswer:
    source = next(one for one in all_sources if exercise_id in one.exercise_ids)
    return instructive(source, exercise_id)


def _sphinx(docs: Path, out: Path) -> None:
    command = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--keep-going", "--quiet", "--builder", "html"]
    command += ["--doctree-dir", str(STAGE / "doctrees"), str(docs), str(out)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", cwd=ROOT)
    if done.returncode:
        said = re.sub(r"\x1b\[[0-9;]*m", "", done.stderr).replace(f"{docs}/", "")
        raise BookError(f"Sphinx did not build the pages without a warning; mend what it names:\n{said.strip()}")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
