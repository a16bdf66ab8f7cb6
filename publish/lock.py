"""Pyodide as one folder that needs nothing else: its runtime, our wheels, and a lock file that lists these and no more.

`pyodide-lock.json` says for each import which wheel to load, so a cell that imports `grader` has it without `%pip`. The
lock file that comes with Pyodide names some 350 wheels on a server; of it only `info`, the versions, is kept.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from email.parser import HeaderParser
from pathlib import Path
from types import MappingProxyType
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from publish.pieces import BROWSER_PYTHON

RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
LOCK = "pyodide-lock.json"
_BROWSER = {
    "sys_platform": "emscripten", "platform_system": "Emscripten", "platform_machine": "wasm32", "os_name": "posix",
    "python_version": BROWSER_PYTHON, "python_full_version": f"{BROWSER_PYTHON}.0", "implementation_name": "cpython",
    "extra": "",
}  # fmt: skip


class LockError(RuntimeError):
    """A wheel that a browser cannot load, or that needs another which is not there."""


@dataclass(frozen=True)
class Wheel:
    """What the lock file says of a wheel. imports: the names that it brings; needs: canonical names, for a browser."""

    path: Path
    name: str
    version: str
    imports: tuple[str, ...]
    needs: tuple[str, ...]

    def entry(self, copy: Path, depends: Iterable[str]) -> dict[str, Any]:
        """Its entry in `pyodide-lock.json`, where `copy` is the file that is loaded."""
        return {
            "name": self.name,
            "version": self.version,
            "file_name": copy.name,
            "install_dir": "site",
            "sha256": hashlib.sha256(copy.read_bytes()).hexdigest(),
            "package_type": "package",
            "imports": list(self.imports),
            "depends": sorted(depends),
            "unvendored_tests": False,
        }


def read_wheel(path: Path) -> Wheel:
    """Read name, version, imports and needs of a wheel. Raises LockError for one that is not pure Python."""
    if not path.name.endswith("-none-any.whl"):
        raise LockError(f"{path.name}: only wheels for any platform (-none-any.whl) can be loaded in a browser")
    with zipfile.ZipFile(path) as wheel:
        names = wheel.namelist()
        metadata = next(name for name in names if name.endswith(".dist-info/METADATA"))
        held = HeaderParser().parsestr(wheel.read(metadata).decode("utf-8"))
    wanted = [Requirement(text) for text in held.get_all("Requires-Dist") or []]
    needs = {canonicalize_name(one.name) for one in wanted if one.marker is None or one.marker.evaluate(_BROWSER)}
    name = canonicalize_name(held["Name"])
    return Wheel(path, name, held["Version"], tuple(sorted(_imports(names))), tuple(sorted(needs)))


def _imports(names: Iterable[str]) -> set[str]:
    """The top-level modules and packages among the files of a wheel."""
    found = set()
    for name in names:
        top, slash, _ = name.partition("/")
        if name.endswith(".py") and not top.endswith((".dist-info", ".data")):
            found.add(top if slash else top.removesuffix(".py"))
    return found


def write(
    pyodide: Path,
    wheels: Iterable[Path],
    out: Path,
    without: Mapping[str, Iterable[str]] = MappingProxyType({}),
    left_out: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
) -> Path:
    """Write the folder `out`: Pyodide's runtime, the wheels, and the lock file; returns the path of the lock file.

    pyodide: npm's package, unpacked. without: for a wheel, by canonical name, what it asks for and a browser does not
    need. left_out: for a wheel, how the names of files begin that are not copied. Raises LockError where a wheel needs
    another that is neither there nor in `without`, and for two of one name.
    """
    out.mkdir(parents=True, exist_ok=True)
    for name in RUNTIME:
        shutil.copyfile(pyodide / name, out / name)
    known: dict[str, Wheel] = {}
    for one in map(read_wheel, wheels):
        if one.name in known:
            raise LockError(f"{one.name} is there twice, as {known[one.name].path.name} and as {one.path.name}")
        known[one.name] = one
    packages = {}
    for one in sorted(known.values(), key=lambda wheel: wheel.name):
        missing = sorted(set(one.needs) - known.keys() - set(without.get(one.name, ())))
        if missing:
            raise LockError(
                f"{one.path.name} needs {', '.join(missing)}: pin it in pieces.json, or name it in `without`"
            )
        copy = _copy(one.path, out / one.path.name, left_out.get(one.name, ()))
        packages[one.name] = one.entry(copy, (name for name in one.needs if name in known))
    info = json.loads((pyodide / LOCK).read_text(encoding="utf-8"))["info"]
    with (out / LOCK).open("w", encoding="utf-8", newline="\n") as file:
        json.dump({"info": info, "packages": packages}, file, indent=1)
        file.write("\n")
    return out / LOCK


def _copy(path: Path, target: Path, left_out: tuple[str, ...]) -> Path:
    """Copy a wheel without the files whose names begin with one of `left_out`, in its list of files too."""
    if not left_out:
        return Path(shutil.copyfile(path, target))
    with zipfile.ZipFile(path) as wheel, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as made:
        for one in wheel.infolist():
            if one.filename.startswith(left_out):
                continue
            held = wheel.read(one)
            if one.filename.endswith(".dist-info/RECORD"):
                lines = held.decode("utf-8").splitlines(keepends=True)
                held = "".join(line for line in lines if not line.startswith(left_out)).encode()
            made.writestr(one, held, zipfile.ZIP_DEFLATED)
    return target
