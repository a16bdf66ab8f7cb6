"""The folder that a slot mounts: what is in it, and above all what is not."""

import ast
from pathlib import Path

import pytest

from grader.sandbox.tree import build_tree


def modules(root: Path) -> set[str]:
    return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}


def test_no_check_no_supervisor_and_no_judge_is_in_the_tree(tmp_path: Path) -> None:
    build_tree(tmp_path / "tree", [])
    inside = {name for name in modules(tmp_path / "tree") if name.startswith("grader/")}
    assert inside == {
        "grader/__init__.py",
        "grader/engine/__init__.py",
        "grader/engine/depth.py",
        "grader/engine/limits.py",
        "grader/engine/watch.py",
        "grader/engine/side.py",
        "grader/engine/wire.py",
        "grader/notebook/__init__.py",
        "grader/notebook/compare.py",
        "grader/sandbox/__init__.py",
        "grader/sandbox/child.py",
        "grader/sandbox/compiler.py",
        "grader/sandbox/confine.py",
        "grader/sandbox/shell.py",
        "grader/sandbox/zygote.py",
    }


def test_the_modules_inside_import_nothing_that_stays_outside(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    build_tree(tree, [])
    for path in (tree / "grader").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("grader"):
                target = tree / Path(*(node.module or "").split("."))
                assert target.with_suffix(".py").exists() or target.is_dir(), f"{path.name} imports {node.module}"


def test_a_withheld_module_and_a_withheld_package_are_absent_and_the_rest_stays(tmp_path: Path) -> None:
    build_tree(tmp_path / "whole", [])
    build_tree(tmp_path / "part", ["course.corpus", "course.loops"])
    gone = modules(tmp_path / "whole") - modules(tmp_path / "part")
    assert "course/corpus.py" in gone
    assert all(name == "course/corpus.py" or name.startswith("course/loops/") for name in gone)
    assert "course/data/documents.json" in modules(tmp_path / "part")


def test_the_init_of_a_package_stays_when_only_a_module_of_it_is_withheld(tmp_path: Path) -> None:
    build_tree(tmp_path / "tree", ["course.errors"])
    assert "course/__init__.py" in modules(tmp_path / "tree")
    assert "course/errors.py" not in modules(tmp_path / "tree")


def test_the_tree_can_be_read_by_another_uid_whatever_the_umask(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    build_tree(tree, [])
    for path in (tree, *tree.rglob("*")):
        assert path.stat().st_mode & 0o555 == (0o555 if path.is_dir() else 0o444), path


def test_course_itself_cannot_be_withheld(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="only a module below `course`"):
        build_tree(tmp_path / "tree", ["course"])
