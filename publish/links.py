"""Checks the links of a built site: each leads to a file that is there, and to a place in it that is there.

What a page loads by itself (scripts, styles, pictures) must come from the site: nothing is fetched from outside when a
page is viewed. A link that a reader may follow to elsewhere is left alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

APPLICATION = "lite"  # JupyterLite's folder: its pages are made by scripts, its contents are looked at here
_NOT_PAGES = (APPLICATION, "_static")
_LOADS = {
    "script": ("src",), "link": ("href",), "img": ("src",), "source": ("src",), "iframe": ("src",),
    "video": ("src", "poster"), "audio": ("src",), "object": ("data",), "embed": ("src",),
}  # fmt: skip
_FOLLOWS = {"a": ("href",), "area": ("href",), "form": ("action",)}


@dataclass(frozen=True)
class Broken:
    """One link that leads nowhere. page: the path of its page below the site."""

    page: str
    link: str
    problem: str

    def __str__(self) -> str:
        return f"{self.page}: {self.link}: {self.problem}"


class _Page(HTMLParser):
    """What a page links to and loads, and the places in it that can be linked to."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.follows: list[str] = []
        self.places: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        for name in ("id", "name"):
            if given.get(name):
                self.places.add(str(given[name]))
        for wanted, found in ((_LOADS, self.loads), (_FOLLOWS, self.follows)):
            found += [str(given[name]) for name in wanted.get(tag, ()) if given.get(name)]

    handle_startendtag = handle_starttag


def broken(site: Path) -> list[Broken]:
    """Every link of the pages below `site` that leads nowhere, and everything that they load from outside."""
    site = site.resolve()
    _read.cache_clear()
    return [one for path in pages(site) for one in _of_page(site, path)]


def pages(site: Path) -> list[Path]:
    """The pages of the site that readers see, without those of JupyterLite and templates of the theme, by path."""
    return [path for path in sorted(site.rglob("*.html")) if path.relative_to(site).parts[0] not in _NOT_PAGES]


def _of_page(site: Path, path: Path) -> Iterator[Broken]:
    name = path.relative_to(site).as_posix()
    page = _read(path)
    for link in page.loads:
        if urlsplit(link).scheme == "data":
            continue
        problem = "loaded from outside" if _outside(link) else _problem(site, path, link)
        if problem:
            yield Broken(name, link, problem)
    for link in page.follows:
        if not _outside(link) and (problem := _problem(site, path, link)):
            yield Broken(name, link, problem)


@lru_cache(maxsize=512)
def _read(path: Path) -> _Page:
    page = _Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def _outside(link: str) -> bool:
    parts = urlsplit(link)
    return bool(parts.scheme or parts.netloc)


def _problem(site: Path, page: Path, link: str) -> str:
    """Why a link into the site leads nowhere, or ""."""
    parts = urlsplit(link)
    if parts.path.startswith("/"):
        return "it begins with /, so it breaks where the site is not at the root of its server"
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if not target.is_relative_to(site):
        return "it leads out of the site"
    if target.is_dir():
        target /= "index.html"
    if not target.is_file():
        return "no such file"
    inside = target.relative_to(site).parts
    if inside[0] == APPLICATION:
        return _notebook_problem(site, parts.query)
    if parts.fragment and target.suffix == ".html" and unquote(parts.fragment) not in _read(target).places:
        return "no such place in that page"
    return ""


def _notebook_problem(site: Path, query: str) -> str:
    """Why JupyterLite would open nothing: its notebooks lie in `lite/files`."""
    for name in parse_qs(query).get("path", []):
        if not (site / APPLICATION / "files" / name).is_file():
            return f"JupyterLite has no notebook {name}"
    return ""
