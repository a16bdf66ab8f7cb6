"""The built site for the tests that look at it: `build/site` where it is fresh, else one that is built for them."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from grader.authoring.source import ROOT
from publish import book, lite
from publish.pieces import PieceError
from publish.serve import SITE

MADE_OF = ("course", "docs", "grader", "notebooks", "publish", "solutions")


@cache
def site() -> Path:
    """A folder with the pages and, where the pieces can be had, JupyterLite in `lite`."""
    ready = SITE
    if (ready / "lite" / "index.html").is_file() and _written(ready / "index.html") > max(map(_written, _sources())):
        return ready
    made = ROOT / "build" / "site-of-tests"
    book.build(made)
    try:
        lite.build(made / "lite")
    except PieceError as error:
        print(f"without JupyterLite: {error}")
    return made


def _sources() -> Iterator[Path]:
    yield from (ROOT / "README.md", ROOT / "CHANGELOG.md")
    for name in MADE_OF:
        yield from (path for path in (ROOT / name).rglob("*") if path.is_file() and path.suffix != ".pyc")


def _written(path: Path) -> float:
    return path.stat().st_mtime
