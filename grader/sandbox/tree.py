"""Builds the read-only folder that a slot mounts at /slot: what a graded notebook may import of this project."""

import shutil
from collections.abc import Collection, Iterable
from pathlib import Path

_GRADER = Path(__file__).resolve().parents[1]
_COURSE = _GRADER.parent / "course"
_INSIDE = {
    "engine": ("wire", "side", "limits", "watch", "depth"),
    "notebook": ("compare",),
    "sandbox": ("zygote", "child", "confine", "shell", "compiler"),
}


def build_tree(target: Path, withheld: Collection[str]) -> None:
    """Copy into `target` (made when it is not there) everything that runs inside the wall, and no check.

    withheld: dotted names of modules or packages of `course` that are left out, such as "course.loops.receipts".
    Raises ValueError for a name that is not below `course`: leaving out `course` itself would leave nothing to grade.
    """
    for name in withheld:
        if not name.startswith("course."):
            raise ValueError(f"{name!r} cannot be withheld: only a module below `course` can, such as 'course.tools'")
    _copy(_GRADER / "sandbox" / "stub.py", target / "grader" / "__init__.py")
    for part, modules in _INSIDE.items():
        _empty(target / "grader" / part / "__init__.py")
        for module in modules:
            _copy(_GRADER / part / f"{module}.py", target / "grader" / part / f"{module}.py")
    shutil.copytree(_COURSE, target / "course", ignore=_Absent(withheld))
    _open_to_read(target)


class _Absent:
    """The `ignore` function of `shutil.copytree`: names the entries of one folder that do not cross."""

    def __init__(self, withheld: Collection[str]) -> None:
        self._withheld = frozenset(withheld)

    def __call__(self, folder: str, entries: Iterable[str]) -> set[str]:
        package = ".".join(("course", *Path(folder).relative_to(_COURSE).parts))
        return {e for e in entries if e == "__pycache__" or f"{package}.{e.removesuffix('.py')}" in self._withheld}


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _empty(target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.touch()


def _open_to_read(target: Path) -> None:
    """The child's uid is not the one that built the tree, and the umask may be strict."""
    target.chmod(0o755)
    for path in target.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
