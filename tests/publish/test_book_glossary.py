"""The glossary: one term for one thing, in order, each of them in use."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
PARTS = [
    re.findall(r"^(\S.*)\n    \S", part, flags=re.MULTILINE)
    for part in re.findall(r":::\{glossary\}\n(.*?)\n:::", GLOSSARY, re.DOTALL)
]
ABOUT_THE_GRADER = (
    "README.md", "grader/README.md", "grader/authoring/README.md",
    "docs/security.md", "docs/isolation.md", "docs/reader.md",
)  # fmt: skip


def test_the_terms_of_each_part_are_in_order_and_no_term_comes_twice() -> None:
    assert len(PARTS) == 2
    for part in PARTS:
        assert part == sorted(part, key=str.lower)
    terms = [term for part in PARTS for term in part]
    assert len(terms) == len(set(terms)) > 50


def test_every_term_is_used_by_a_session_or_by_the_texts_about_the_grader() -> None:
    sessions = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "solutions").glob("ch*.py")))
    texts = [sessions.replace("\n# ", " "), *((ROOT / name).read_text(encoding="utf-8") for name in ABOUT_THE_GRADER)]
    used = " ".join(" ".join(texts).split()).lower()
    terms = [re.sub(r" \(.*\)", "", term) for part in PARTS for term in part]
    assert [term for term in terms if term.lower() not in used] == []
