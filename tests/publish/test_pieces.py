"""Tests of the pinned pieces: nothing is downloaded here, `npm` and `pip` are stood in for."""

import base64
import hashlib
import io
import json
import re
import tarfile
from pathlib import Path

import pytest

from grader.authoring.source import ROOT
from publish import pieces
from publish.pieces import PieceError, fetch, pinned, wheel_of


def tarball(text: str) -> bytes:
    """What npm sends: a tarball with a folder `package`."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as tar:
        info = tarfile.TarInfo("package/index.js")
        info.size = len(text)
        tar.addfile(info, io.BytesIO(text.encode()))
    return made.getvalue()


class Registry:
    """Stands in for npm and pip: puts `files` where they are asked for, and counts how often it was asked."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files
        self.asked = 0

    def __call__(self, command: list[str], _what: str, _tool: str) -> None:
        self.asked += 1
        folder = Path(command[command.index("--pack-destination" if command[0] == "npm" else "--dest") + 1])
        for name, held in self.files.items():
            if name.endswith(".whl") == (command[0] != "npm"):
                (folder / name).write_bytes(held)


PACKAGE, WHEEL = tarball("let a = 1"), b"a wheel"


@pytest.fixture
def pins(tmp_path: Path) -> Path:
    """A file of pins with one package and one wheel."""
    sha512 = base64.b64encode(hashlib.sha512(PACKAGE).digest()).decode()
    held = {
        "npm": [{"name": "runtime", "version": "1.0.0", "sha512": sha512}],
        "wheels": [{"name": "a-lib", "version": "2.0", "sha256": hashlib.sha256(WHEEL).hexdigest()}],
    }
    path = tmp_path / "pins.json"
    path.write_text(json.dumps(held), encoding="utf-8")
    return path


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Registry:
    """A registry that has what is pinned."""
    made = Registry({"runtime-1.0.0.tgz": PACKAGE, "a_lib-2.0-py3-none-any.whl": WHEEL})
    monkeypatch.setattr(pieces, "_run", made)
    return made


def test_a_package_is_unpacked_and_a_wheel_lies_where_it_is_looked_for(
    tmp_path: Path, pins: Path, registry: Registry
) -> None:
    into = fetch(into=tmp_path / "pieces", pins=pins)
    assert (into / "runtime" / "index.js").read_text(encoding="utf-8") == "let a = 1"
    assert wheel_of(pinned(["a-lib"], pins)[0], into) == into / "wheels" / "a_lib-2.0-py3-none-any.whl"
    assert registry.asked == 2


def test_what_is_there_with_the_right_sum_is_not_downloaded_again(
    tmp_path: Path, pins: Path, registry: Registry
) -> None:
    for _ in range(3):
        fetch(into=tmp_path / "pieces", pins=pins)
    assert registry.asked == 2


def test_what_was_damaged_on_the_disk_is_downloaded_and_unpacked_again(
    tmp_path: Path, pins: Path, registry: Registry
) -> None:
    into = fetch(into=tmp_path / "pieces", pins=pins)
    (into / "archives" / "runtime-1.0.0.tgz").write_bytes(b"half")
    (into / "wheels" / "a_lib-2.0-py3-none-any.whl").write_bytes(b"half")
    fetch(into=into, pins=pins)
    assert registry.asked == 4
    assert wheel_of(pinned(["a-lib"], pins)[0], into) is not None


def test_another_sum_than_the_pinned_one_is_refused_and_nothing_is_unpacked(
    tmp_path: Path, pins: Path, registry: Registry
) -> None:
    registry.files["runtime-1.0.0.tgz"] = tarball("let a = evil")
    into = tmp_path / "pieces"
    with pytest.raises(PieceError, match=r"runtime@1\.0\.0: .* another sum"):
        fetch(["runtime"], into, pins)
    assert not (into / "runtime").exists() and not list((into / "archives").iterdir())
    registry.files["a_lib-2.0-py3-none-any.whl"] = b"another wheel"
    with pytest.raises(PieceError, match=r"a-lib==2\.0: no wheel with the pinned sum"):
        fetch(["a-lib"], into, pins)


def test_only_what_was_asked_for_is_downloaded(tmp_path: Path, pins: Path, registry: Registry) -> None:
    into = fetch(["runtime"], tmp_path / "pieces", pins)
    assert registry.asked == 1 and not list((into / "wheels").iterdir())


def test_a_name_that_is_not_pinned_is_named(pins: Path) -> None:
    with pytest.raises(PieceError, match=r"colour: not pinned in pins\.json"):
        pinned(["colour"], pins)


def test_a_machine_without_npm_is_told_so(tmp_path: Path, pins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(PieceError, match=r"runtime@1\.0\.0: npm is not installed"):
        fetch(["runtime"], tmp_path / "pieces", pins)


def test_every_pin_is_a_version_with_a_whole_sum_and_no_address() -> None:
    for one in pinned():
        assert re.fullmatch(r"\d+(\.\d+)+", one.version), one
        assert re.fullmatch(r"[0-9a-f]{128}" if one.kind == "npm" else r"[0-9a-f]{64}", one.digest), one
    assert "://" not in pieces.PINS.read_text(encoding="utf-8")


def test_a_wheel_of_the_browser_has_the_version_that_the_desktop_has() -> None:
    lines = (ROOT / "requirements-dev.txt").read_text(encoding="utf-8").splitlines()
    desktop = dict(line.split(" ;")[0].split("==") for line in lines if "==" in line and not line.startswith("#"))
    differing = [
        one.pin for one in pinned() if one.kind == "wheels" and desktop.get(one.name, one.version) != one.version
    ]
    assert differing == []
