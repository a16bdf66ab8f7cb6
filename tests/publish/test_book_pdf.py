"""The one page from which the PDF is printed: chapters in order, ids apart, links inside, folded boxes at the end."""

import re
from pathlib import Path

import pytest

pytest.importorskip("bs4", reason="the theme's libraries are missing: pip install -r requirements-site.txt")

from publish.pdf import PdfError, one_page

PAGE = """<html><body><nav>menu</nav><article class="bd-article"><section id="top">
<h1>{title}<a class="headerlink">#</a></h1><p class="ways">buttons</p><p id="term">text</p>{more}
</section></article></body></html>"""
HELP = """<div class="help ch05-e1 docutils">
<details class="sd-dropdown fold-hint"><summary>Hint 1 of 2</summary>Why?</details>
<details class="sd-dropdown"><summary>A wrong answer</summary>
<details id="case"><summary>a case</summary></details></details></div>"""
LINKS = """<a href="../glossary.html#term">word</a><a href="../security.html">threats</a>
<a href="https://example.org/">out</a><a href="#term">here</a>"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    write(tmp_path, "student.html", "For students", '<a href="sessions/ch05-x.html">five</a>')
    write(tmp_path, "sessions/ch05-x.html", "5 · X", HELP + LINKS)
    write(tmp_path, "sessions/ch04-y.html", "4 · Y", "")
    write(tmp_path, "glossary.html", "Glossary", "")
    (tmp_path / "_static").mkdir()
    (tmp_path / "_static" / "pygments.css").write_text(".k { color: red }", encoding="utf-8")
    return tmp_path


def write(site: Path, name: str, title: str, more: str) -> None:
    path = site / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(PAGE.format(title=title, more=more), encoding="utf-8")


def test_the_chapters_come_in_order_without_menus_and_buttons(site: Path) -> None:
    text = one_page(site)
    titles = re.findall(r"<h1>([^<]+)</h1>", text)
    assert titles == ["For students", "4 · Y", "5 · X", "Glossary", "Hints, wrong answers, solutions"]
    assert "menu" not in text and "buttons" not in text and "headerlink" not in text


def test_no_two_places_have_one_id_and_every_link_inside_has_its_place(site: Path) -> None:
    text = one_page(site)
    ids = re.findall(r'id="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', text)) <= set(ids)
    assert 'href="#glossary--term"' in text and 'href="#ch05-x--term"' in text and 'href="#ch05-x"' in text


def test_a_link_to_a_page_that_is_not_printed_becomes_text_and_one_to_elsewhere_stays(site: Path) -> None:
    text = one_page(site)
    assert "security" not in text and "threats" in text
    assert 'href="https://example.org/"' in text


def test_folded_boxes_stand_at_the_end_unfolded_and_what_a_verdict_folds_stays_folded(site: Path) -> None:
    text = one_page(site)
    assert text.index('href="#answers-ch05-e1"') < text.index('id="answers-ch05-e1"') < text.index("Hint 1 of 2")
    assert text.index("Glossary</h1>") < text.index("Hint 1 of 2")
    assert re.search(r'<details class="sd-dropdown fold-hint" open="">', text)
    assert '<details id="ch05-x--case">' in text


def test_it_needs_no_other_file(site: Path) -> None:
    text = one_page(site)
    assert ".k { color: red }" in text and "@page" in text
    assert not re.search(r'<(link|script)|src="(?!data:)', text)


def test_without_a_built_site_it_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(PdfError, match=r"student\.html is missing: build the site first"):
        one_page(tmp_path)
