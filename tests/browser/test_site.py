"""The reading site in a real browser: no error, nothing from outside, light and dark, wide and narrow, search, axe."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from applications import SHOTS
from built_site import site as built_site

from grader.authoring.release import NOTEBOOKS, slug
from grader.authoring.source import sources
from publish import links, pdf
from publish.pieces import PieceError, fetch
from publish.serve import served

SESSIONS = [f"sessions/{slug(source)}.html" for source in sources()]
SESSION_5 = next(name for name in SESSIONS if "/ch05" in name)
MOST_BYTES = 60_000_000
PAPER = {"width": 673, "height": 994}  # what is left of A4 between the margins of print.css, in CSS pixels
DRAWN = "async () => { await document.fonts.ready; await new Promise(requestAnimationFrame) }"
AXE = """async only => (await axe.run(document, {resultTypes: ['violations'], ...only})).violations
    .filter(one => ['serious', 'critical'].includes(one.impact))
    .map(one => [one.id, one.nodes.length, one.nodes[0].target.join(' '), one.nodes[0].failureSummary])"""
# Everything that sticks out of the paper, and every line of code that is cut off.
CLIPPED = """() => [...document.querySelectorAll('body *')].filter(one => one.checkVisibility() &&
    (one.getBoundingClientRect().right > document.body.getBoundingClientRect().right + 1
        || (one.tagName === 'PRE' && one.scrollWidth > one.clientWidth + 1)))
    .map(one => one.outerHTML.slice(0, 120))"""
TALL = """most => [...document.querySelectorAll('.cell_input, .cell_output > *, div.highlight, [aria-label], img, tr')]
    .filter(one => one.getBoundingClientRect().height > most).map(one => one.innerText.slice(0, 60))"""


@pytest.fixture(scope="module")
def site() -> Path:
    """The folder of the built site."""
    SHOTS.mkdir(parents=True, exist_ok=True)
    return built_site()


@pytest.fixture(scope="module")
def base(site: Path) -> Iterator[str]:
    """The address of the site, in a folder of its server as GitHub Pages has it."""
    with served(site) as address:
        yield address


class Visit:
    """A page that notes what goes wrong in it. wrong: console errors, exceptions, failed and outside requests."""

    def __init__(self, context: Any, base: str, scheme: str = "light", width: int = 1280) -> None:
        self.base = base
        self.wrong: list[str] = []
        self.page = context.new_page()
        self.page.emulate_media(color_scheme=scheme)
        self.page.set_viewport_size({"width": width, "height": 1000})
        self.page.on("console", lambda said: said.type == "error" and self.wrong.append(f"console: {said.text}"))
        self.page.on("pageerror", lambda error: self.wrong.append(f"exception: {error}"))
        self.page.on("requestfailed", lambda request: self.wrong.append(f"failed: {request.url}"))
        self.page.on("request", self._note)

    def _note(self, request: Any) -> None:
        if not request.url.startswith((f"{self.base}/", "data:", "blob:")):
            self.wrong.append(f"outside: {request.url}")

    def to(self, name: str) -> Any:
        """Go to a page of the site, and wait until it has loaded everything and been drawn."""
        self.page.goto(f"{self.base}/{name}")
        self.page.evaluate(DRAWN)
        return self.page

    def close(self) -> None:
        """Close the page."""
        self.page.close()


@pytest.fixture
def visit(browser: Any, base: str) -> Iterator[Any]:
    """visit(scheme, width) -> a new Visit."""
    made: list[Visit] = []

    def new(scheme: str = "light", width: int = 1280) -> Visit:
        made.append(Visit(browser, base, scheme, width))
        return made[-1]

    yield new
    for one in made:
        one.close()


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_loads_without_error_and_fits_its_window(visit: Any, site: Path, scheme: str, width: int) -> None:
    one = visit(scheme, width)
    faults = []
    names = [path.relative_to(site).as_posix() for path in links.pages(site)]
    # The many pages of the API are alike, and their long signatures matter where it is narrow.
    for name in [name for name in names if width == 390 or not name.startswith("api/")]:
        page = one.to(name)
        too_wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if too_wide > 0:
            faults.append(f"{name} is {too_wide} pixels too wide")
        if page.evaluate("document.documentElement.dataset.theme") != scheme:
            faults.append(f"{name} is not {scheme}")
        faults += [f"{name}: {wrong}" for wrong in one.wrong]
        one.wrong.clear()
        if name in ("index.html", SESSION_5):
            page.screenshot(path=str(SHOTS / f"site-{Path(name).stem[:5]}-{scheme}-{width}.png"), full_page=True)
    assert set(SESSIONS) <= set(names)
    assert faults == []


def test_search_finds_a_word_of_the_code_and_leads_to_it(visit: Any) -> None:
    one = visit()
    page = one.to("search.html?q=repeated_call")
    found = page.locator("#search-results li a", has_text="5 · A deterministic mini-agent").first
    found.wait_for()
    found.click()
    page.wait_for_url(f"**/{SESSION_5}*")
    assert page.locator("article code", has_text="repeated_call").count() > 0
    assert one.wrong == []


def test_the_launch_button_of_each_session_points_where_its_notebook_is(visit: Any, site: Path) -> None:
    one = visit()
    for name in SESSIONS:
        address = one.to(name).get_by_role("link", name="Open it in the browser").get_attribute("href")
        (notebook,) = parse_qs(urlsplit(address).query)["path"]
        assert notebook == f"{Path(name).stem}.ipynb"
        if not (site / "lite").is_dir():
            pytest.skip("JupyterLite is not there: its pieces could not be fetched")
        held = json.loads((site / "lite" / "files" / notebook).read_text(encoding="utf-8"))
        written = json.loads((NOTEBOOKS / notebook).read_text(encoding="utf-8"))
        assert [cell["source"] for cell in held["cells"]] == [cell["source"] for cell in written["cells"]]
        assert (site / "lite" / "notebooks" / "index.html").is_file()


def test_what_is_folded_opens_with_the_keyboard(visit: Any) -> None:
    page = visit().to(SESSION_5)
    folded = page.locator("details.fold-wrong").first
    assert folded.get_attribute("open") is None
    folded.locator("summary").first.focus()
    page.keyboard.press("Enter")
    assert folded.get_attribute("open") is not None
    assert folded.locator("section[aria-label*=failed]").is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_any_page(visit: Any, site: Path, scheme: str) -> None:
    try:
        axe = fetch(["axe-core"]) / "axe-core" / "axe.min.js"
    except PieceError as error:
        pytest.skip(f"axe-core is not there: {error}")
    one = visit(scheme)
    only = {} if scheme == "light" else {"runOnly": ["color-contrast"]}  # what else there is to find is the same
    found = []
    for path in links.pages(site):
        page = one.to(path.relative_to(site).as_posix())
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        page.add_script_tag(path=str(axe))
        found += [f"{path.name}: {violation}" for violation in page.evaluate(AXE, only)]
    assert found == []


def test_every_link_leads_somewhere(site: Path) -> None:
    whole = (site / "lite").is_dir()
    assert [str(one) for one in links.broken(site) if whole or "/lite/" not in one.link] == []


def test_the_whole_site_is_small_enough_to_be_handed_on(site: Path) -> None:
    assert sum(path.stat().st_size for path in site.rglob("*") if path.is_file()) < MOST_BYTES


def test_on_paper_no_line_is_clipped_and_no_box_is_too_tall_for_a_page(
    browser: Any, site: Path, tmp_path: Path
) -> None:
    document = tmp_path / "course.html"
    document.write_text(pdf.one_page(site), encoding="utf-8")
    page = browser.new_page()
    try:
        page.emulate_media(media="print")
        page.set_viewport_size(PAPER)
        page.goto(document.as_uri())
        assert page.evaluate(CLIPPED) == []
        assert page.evaluate(TALL, PAPER["height"]) == []
        assert len(re.findall("break-inside: avoid", pdf.STYLES.read_text(encoding="utf-8"))) >= 2
    finally:
        page.close()
