"""API pages from source text: signatures as written, docstrings as they are, nothing private, nothing imported."""

import ast
from pathlib import Path

from publish.api import Module, _Qualify, module_page, public_modules, write

SOURCE = '''"""What the module is for."""

from dataclasses import dataclass, field

from course.tools import ToolRegistry


@dataclass(frozen=True)
class Kept:
    """What is kept.

    name: what it is called.
    tools: where it came from.
    """

    name: str
    tools: "ToolRegistry"
    parts: list[int] = field(default_factory=list)
    _hidden: int = 0

    @property
    def size(self) -> int:
        """How many."""
        return len(self.parts)

    @classmethod
    def of(cls, *names: str) -> "Kept":
        """One of several."""

    def _own(self) -> None:
        """Not for others."""


def look(tools: ToolRegistry, /, depth: int = 3, **more: object) -> list[Kept]:
    """Looks around.

    depth: how far,
        in steps.
    Raises KeyError for what is not there.
    """


def undocumented() -> None: ...
'''


def page(text: str = SOURCE) -> str:
    return module_page(Module("course.sample", _Qualify(ast.parse(text)).visit(ast.parse(text))))


def test_signatures_are_as_written_with_names_that_sphinx_can_find() -> None:
    made = page()
    look = "look(tools: ~course.tools.ToolRegistry, /, depth: int=3, **more: object) -> list[Kept]"
    assert f"{{py:function}} {look}" in made
    assert "{py:class} Kept(name: str, tools: ~course.tools.ToolRegistry, parts: list[int] = ...)" in made


def test_arguments_become_a_list_and_prose_stays_prose() -> None:
    made = page()
    assert "- `depth`: how far,\n  in steps.\n" in made
    assert "- `name`: what it is called.\n- `tools`: where it came from." in made
    assert "Raises KeyError for what is not there." in made


def test_what_follows_an_argument_list_is_a_paragraph_of_its_own() -> None:
    assert "in steps.\n\nRaises KeyError" in page()


def test_methods_and_properties_stand_in_their_class_without_self() -> None:
    made = page()
    assert "{py:property} size\n:type: int" in made
    assert "{py:method} of(*names: str) -> Kept\n:classmethod:" in made


def test_private_and_undocumented_names_are_left_out() -> None:
    made = page()
    assert "_own" not in made and "_hidden" not in made and "undocumented" not in made


def test_every_module_that_says_something_has_a_page(tmp_path: Path) -> None:
    paths = {path.stem for path in write(tmp_path)}
    assert {"index", "course.calls", "course.loops.receipts", "course.evals.harness", "grader.engine.judge"} <= paths
    assert not any("__main__" in name for name in paths)
    index = (tmp_path / "index.md").read_text(encoding="utf-8")
    assert all(f"[`{name}`]({name}.md)" in index for name in paths - {"index"})


def test_modules_come_in_order_of_their_names() -> None:
    names = [one.name for one in public_modules("grader.engine")]
    assert names == sorted(names) and all(one.says for one in public_modules("grader.engine"))
