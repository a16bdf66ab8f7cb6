"""Prints the course as one PDF: the built pages become one long page with print CSS, which Chromium prints.

Hints, wrong answers and solutions, folded on the pages, stand in a part of their own at the end.
"""

import os
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urlsplit

from bs4 import BeautifulSoup, Tag

from publish.chromium import CHROMIUM, FLAGS

STYLES = Path(__file__).with_name("print.css")
TITLE = "Agent loops that can be trusted"
_FOOTER = (
    '<div style="width:100%;font-size:8px;text-align:center;font-family:sans-serif;color:#444">'
    '<span class="pageNumber"></span></div>'
)
_MOST_LINES = 66  # of code on one page in the usual size; longer code is printed smaller, so that it stays in one piece
_UNPRINTED = "a.headerlink, .ways, script, .onlyprint, .sd-summary-state-marker, .sd-summary-chevron-right"


class PdfError(RuntimeError):
    """The PDF cannot be made: the sentence says what is missing."""


def build(site: Path, out: Path) -> None:
    """Print the pages of `site` into the file `out`, A4. Raises `PdfError` without a built site or without Chromium."""
    out.parent.mkdir(parents=True, exist_ok=True)
    page = out.with_suffix(".html")
    page.write_text(one_page(site), encoding="utf-8", newline="\n")
    if not CHROMIUM.is_file():
        raise PdfError(f"{CHROMIUM} is missing: install Chromium, or set CHROMIUM to one of yours")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        tab = browser.new_page()
        tab.goto(page.resolve().as_uri())
        tab.pdf(
            path=str(out),
            prefer_css_page_size=True,
            print_background=True,
            display_header_footer=True,
            header_template="<span></span>",
            footer_template=_FOOTER,
            outline=True,
            tagged=True,
        )
        browser.close()


def one_page(site: Path) -> str:
    """The chapters of the site as one HTML document that needs no other file. Raises `PdfError` without them."""
    names = ["student.html", *sorted(path.relative_to(site).as_posix() for path in site.glob("sessions/*.html"))]
    chapters = {name: _article(site, name) for name in [*names, "glossary.html"]}
    answers = _tag('<section class="chapter" id="answers"><h1>Hints, wrong answers, solutions</h1></section>')
    for name, article in chapters.items():
        _point_inside(article, name, chapters)
        for box in article.select(".help"):
            _move(box, answers)
    parts = [*chapters.values(), answers]
    for part in parts:
        for code in part.select("pre"):
            if code.get_text().count("\n") > _MOST_LINES:
                code["class"] = "long"
        for folded in part.select("details.sd-dropdown"):  # a verdict unfolds what it found first, and no more
            folded["open"] = ""
    styles = (site / "_static" / "pygments.css").read_text(encoding="utf-8") + STYLES.read_text(encoding="utf-8")
    return (
        f'<!doctype html><html lang="en" data-theme="light"><head><meta charset="utf-8"><title>{TITLE}</title>'
        f"<style>{styles}</style></head><body>{_cover(parts)}{''.join(map(str, parts))}</body></html>"
    )


def _article(site: Path, name: str) -> Tag:
    path = site / name
    if not path.is_file():
        raise PdfError(f"{path} is missing: build the site first, with `make site`")
    found = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser").select_one("article.bd-article")
    if found is None:
        raise PdfError(f"{path} holds no article: build the site anew, with `make site`")
    for one in found.select(_UNPRINTED):
        one.decompose()
    found["class"] = "chapter"
    found["id"] = _place(name)
    return found


def _place(name: str, fragment: str = "") -> str:
    """Where a place of a page is in the one document: ids of different pages must not meet."""
    stem = Path(name).stem
    return f"{stem}--{fragment}" if fragment else stem


def _point_inside(article: Tag, name: str, chapters: Iterable[str]) -> None:
    """Lead links between the chapters to where they stand now; a link to another page of the site is text."""
    for one in article.select("[id]"):
        one["id"] = _place(name, str(one["id"]))
    for link in article.select("a[href]"):
        parts = urlsplit(str(link["href"]))
        if parts.scheme:
            continue
        target = os.path.normpath(Path(name).parent / parts.path) if parts.path else name
        if target in chapters:
            link["href"] = f"#{_place(target, parts.fragment)}"
        else:
            link.unwrap()


def _move(box: Tag, answers: Tag) -> None:
    """Take the boxes of an exercise to the end, and leave the way to them."""
    exercise = next(one for one in box["class"] if one.startswith("ch"))
    way = f'<p class="to-answers"><a href="#answers-{exercise}">Hints, a wrong answer, the solution</a></p>'
    box.replace_with(_tag(way))
    answers.extend([_tag(f'<h2 id="answers-{exercise}">{exercise}</h2>'), box])


def _tag(html: str) -> Tag:
    made = BeautifulSoup(html, "html.parser").find()
    assert isinstance(made, Tag)
    return made


def _cover(parts: Iterable[Tag]) -> str:
    lines = []
    for part in parts:
        heading = part.find("h1")
        lines.append(f'<li><a href="#{part["id"]}">{heading.get_text(strip=True) if heading else part["id"]}</a></li>')
    return (
        f'<section class="cover"><h1 class="title">{TITLE}</h1>'
        "<p>A course in which you build a tool-using agent loop, with checks that count what really happened.</p>"
        f'<nav aria-label="Contents"><h2>Contents</h2><ol>{"".join(lines)}</ol></nav></section>'
    )
