"""The sources of the pages, put together: what the README links to and what other commands have not made yet."""

from pathlib import Path

from publish.book import MEASURED, _without_dead_links

README = "Compared [here](docs/browser-verdicts.md), fast [there](docs/benchmarks.md), safe [so](docs/security.md)."


def test_a_link_to_a_page_that_is_not_there_yet_is_plain_text(tmp_path: Path) -> None:
    (tmp_path / "benchmarks.md").write_text("# Speed\n", encoding="utf-8")
    text = _without_dead_links(README, tmp_path)
    assert text == "Compared here, fast [there](docs/benchmarks.md), safe [so](docs/security.md)."


def test_nothing_changes_where_every_page_is_there(tmp_path: Path) -> None:
    for name in MEASURED:
        (tmp_path / f"{name}.md").write_text("# Measured\n", encoding="utf-8")
    assert _without_dead_links(README, tmp_path) == README
