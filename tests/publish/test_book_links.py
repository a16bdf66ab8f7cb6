"""The checker of links: what leads nowhere is named, and so is what a page would fetch from outside."""

from pathlib import Path

import pytest

from publish.links import broken, pages


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A site of two pages and a notebook in JupyterLite, without a fault."""
    write(tmp_path, "index.html", '<a href="sessions/one.html#end">on</a><img src="data:image/png;base64,AA">')
    write(tmp_path, "sessions/one.html", '<p id="end"></p><a href="../index.html">back</a><a href="#end">down</a>')
    write(tmp_path, "lite/notebooks/index.html", '<script src="missing.js"></script>')
    write(tmp_path, "lite/files/one.ipynb", "{}")
    return tmp_path


def write(site: Path, name: str, text: str) -> None:
    path = site / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def problems(site: Path) -> list[str]:
    return [str(one) for one in broken(site)]


def test_a_site_without_a_fault_has_no_broken_link(site: Path) -> None:
    assert problems(site) == []


def test_pages_of_jupyterlite_and_templates_of_the_theme_are_not_read(site: Path) -> None:
    write(site, "_static/macro.html", '<a href="nowhere.html">x</a>')
    assert [path.name for path in pages(site)] == ["index.html", "one.html"]
    assert problems(site) == []


@pytest.mark.parametrize(
    ("html", "said"),
    [
        ('<a href="gone.html">x</a>', "index.html: gone.html: no such file"),
        ('<a href="sessions/one.html#gone">x</a>', "index.html: sessions/one.html#gone: no such place in that page"),
        ('<a href="#gone">x</a>', "index.html: #gone: no such place in that page"),
        ('<a href="/sessions/one.html">x</a>', "it begins with /"),
        ('<a href="../elsewhere.html">x</a>', "it leads out of the site"),
        ('<img src="gone.png">', "index.html: gone.png: no such file"),
        ('<script src="https://example.org/x.js"></script>', "loaded from outside"),
        ('<link rel="stylesheet" href="//example.org/x.css">', "loaded from outside"),
        ('<a href="lite/notebooks/index.html?path=two.ipynb">x</a>', "JupyterLite has no notebook two.ipynb"),
    ],
)
def test_what_leads_nowhere_is_named(site: Path, html: str, said: str) -> None:
    write(site, "index.html", html)
    (found,) = problems(site)
    assert said in found


def test_a_reader_may_follow_a_link_to_elsewhere_and_to_a_notebook(site: Path) -> None:
    write(
        site,
        "index.html",
        '<a href="https://example.org/">x</a><a href="mailto:a@example.org">y</a>'
        '<a href="lite/notebooks/index.html?path=one.ipynb">z</a><a href="sessions/one.html?q=1">w</a>',
    )
    assert problems(site) == []


def test_a_link_to_a_folder_leads_to_its_index(site: Path) -> None:
    write(site, "sessions/one.html", '<p id="end"></p><a href="../lite/notebooks/">x</a><a href="./">y</a>')
    assert problems(site) == ["sessions/one.html: ./: no such file"]
