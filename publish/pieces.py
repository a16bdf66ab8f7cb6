"""The pinned pieces of the site that come from a registry: downloaded once, their sums checked each time.

    pieces.json    {"npm": [{"name", "version", "sha512": base64}], "wheels": [{"name", "version", "sha256": hex}]}

    build/pieces/archives/    what was downloaded: the tarballs of npm
    build/pieces/NAME/        such a tarball, unpacked
    build/pieces/wheels/      the wheels that Pyodide loads, pure Python all of them

The registries are those of this machine's own `npm` and `pip`, so a mirror or a folder works as it does for them. To
pin another version: `npm view NAME@VERSION dist.integrity` and `pip hash WHEEL` print the sums.
"""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from grader.authoring.source import ROOT

PIECES = ROOT / "build" / "pieces"
PINS = Path(__file__).with_name("pieces.json")
BROWSER_PYTHON = "3.14"  # that of the pinned Pyodide
_SECONDS = 300  # for one download


class PieceError(RuntimeError):
    """A piece that cannot be had, or that is not what was pinned. Its text says which, and what to do."""


@dataclass(frozen=True)
class Piece:
    """One pinned thing. kind: "npm" or "wheels"; digest: the sum of the file as hex, sha512 for npm, else sha256."""

    kind: str
    name: str
    version: str
    digest: str

    @property
    def pin(self) -> str:
        """As its registry spells it."""
        return f"{self.name}@{self.version}" if self.kind == "npm" else f"{self.name}=={self.version}"


def pinned(names: Iterable[str] | None = None, pins: Path = PINS) -> list[Piece]:
    """The pieces called `names`, or all of them. Raises PieceError for a name that is not pinned."""
    held = json.loads(pins.read_text(encoding="utf-8"))
    pieces = [
        Piece("npm", one["name"], one["version"], base64.b64decode(one["sha512"]).hex()) for one in held["npm"]
    ] + [Piece("wheels", one["name"], one["version"], one["sha256"]) for one in held["wheels"]]
    if names is None:
        return pieces
    wanted = set(names)
    unknown = sorted(wanted - {one.name for one in pieces})
    if unknown:
        raise PieceError(f"{', '.join(unknown)}: not pinned in {pins.name}; add name, version and sum there")
    return [one for one in pieces if one.name in wanted]


def fetch(names: Iterable[str] | None = None, into: Path = PIECES, pins: Path = PINS) -> Path:
    """Download what is pinned and not there yet, check every sum, unpack; returns the folder of the pieces.

    names: some of the pieces; all of them by default. into: the folder. Raises PieceError.
    """
    pieces = pinned(names, pins)
    for folder in ("archives", "wheels"):
        (into / folder).mkdir(parents=True, exist_ok=True)
    for one in pieces:
        if one.kind == "npm":
            _unpack(one, _archive(one, into), into / one.name)
    wheels = [one for one in pieces if one.kind == "wheels"]
    _download_wheels([one for one in wheels if wheel_of(one, into) is None], into)
    for one in wheels:
        if wheel_of(one, into) is None:
            raise PieceError(f"{one.pin}: no wheel with the pinned sum was found; compare it with {pins.name}")
    return into


def wheel_of(piece: Piece, into: Path = PIECES) -> Path | None:
    """The wheel of a piece, where it lies there with the right sum."""
    stem = piece.name.replace("-", "_")
    found = [one for one in sorted((into / "wheels").glob("*.whl")) if one.name.startswith(f"{stem}-{piece.version}-")]
    return next((one for one in found if _sum(one, "sha256") == piece.digest), None)


# ------------------------------------------------------------------------------------------------------------- npm
def _archive(piece: Piece, into: Path) -> Path:
    """The tarball of an npm package, its sum checked; downloaded where it is not there or is broken."""
    archive = into / "archives" / f"{piece.name}-{piece.version}.tgz"
    if not archive.is_file() or _sum(archive, "sha512") != piece.digest:
        with tempfile.TemporaryDirectory(dir=into) as folder:
            command = ["npm", "pack", piece.pin, "--silent", "--ignore-scripts", "--pack-destination", folder]
            _run(command, piece.pin, "npm of Node.js")
            Path(folder, archive.name).replace(archive)
    found = _sum(archive, "sha512")
    if found != piece.digest:
        archive.unlink()
        raise PieceError(f"{piece.pin}: what the registry sent has another sum than the pinned one; it was thrown away")
    return archive


def _unpack(piece: Piece, archive: Path, target: Path) -> None:
    """Unpack a checked tarball beside its place, then move it there, so that no half of it is ever seen."""
    mark = target / ".unpacked"
    if mark.is_file() and mark.read_text(encoding="utf-8") == piece.digest:
        return
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        with tarfile.open(archive) as tarball:
            tarball.extractall(folder, filter="data")
        made = Path(folder, "package")
        (made / mark.name).write_text(piece.digest, encoding="utf-8", newline="\n")
        shutil.rmtree(target, ignore_errors=True)
        made.replace(target)


# ------------------------------------------------------------------------------------------------------------ wheels
def _download_wheels(pieces: list[Piece], into: Path) -> None:
    """Let pip download wheels for the Python of the browser; pip itself holds them against their sums."""
    if not pieces:
        return
    with tempfile.TemporaryDirectory(dir=into) as folder:
        pins = Path(folder, "wheels.txt")
        lines = [f"{one.pin} --hash=sha256:{one.digest}\n" for one in pieces]
        pins.write_text("".join(lines), encoding="utf-8", newline="\n")
        # Without the last three options pip takes wheels for the machine that it runs on.
        command = [
            sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
            "--require-hashes", "--only-binary", ":all:", "--dest", str(into / "wheels"), "--requirement", str(pins),
            "--python-version", BROWSER_PYTHON, "--implementation", "py", "--abi", "none", "--platform", "any",
        ]  # fmt: skip
        _run(command, ", ".join(one.pin for one in pieces), "pip of this Python")


def _run(command: list[str], what: str, tool: str) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS)
    except FileNotFoundError:
        raise PieceError(f"{what}: {command[0]} is not installed, and the {tool} is what downloads it") from None
    except subprocess.TimeoutExpired:
        raise PieceError(f"{what}: the registry did not answer within {_SECONDS} s; try again") from None
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.strip()]
        last = said[-1].strip() if said else f"exit {done.returncode}"
        raise PieceError(f"{what}: not to be had from the registry of this machine ({last})")


def _sum(path: Path, algorithm: str) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, algorithm).hexdigest()
