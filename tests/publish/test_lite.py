"""Tests of the app as files: what is in it, what it points to, and what its building leaves behind."""

import hashlib
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from grader.authoring.release import NOTEBOOKS
from grader.authoring.source import ROOT
from publish import lite, lock
from publish.lite import LiteError
from publish.pieces import PieceError

MOST_BYTES = 45_000_000  # of the 60 MB that the whole site may take
OURS = "trusted_agent_course-0.1.0-py3-none-any.whl"


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built app."""
    out = tmp_path_factory.mktemp("site") / "lite"
    try:
        lite.build(out)
    except PieceError as error:
        pytest.skip(f"JupyterLite cannot be built here: {error}")
    return out


@pytest.fixture(scope="module")
def settings(app: Path) -> Any:
    """What the app is told about itself."""
    held = json.loads((app / "jupyter-lite.json").read_text(encoding="utf-8"))
    return held["jupyter-config-data"]


@pytest.fixture(scope="module")
def pyodide(app: Path, settings: Any) -> Path:
    """The folder of Pyodide."""
    address = settings["litePluginSettings"][f"{lite.KERNEL}:kernel"]["pyodideUrl"]
    assert address.startswith("./")
    return (app / address).resolve().parent


def test_each_session_is_there_as_it_is_handed_out(app: Path) -> None:
    listed = json.loads((app / "api" / "contents" / "all.json").read_text(encoding="utf-8"))["content"]
    names = sorted(path.name for path in NOTEBOOKS.glob("*.ipynb"))
    assert sorted(one["path"] for one in listed) == names
    for name in names:
        assert (app / "files" / name).read_bytes() == (NOTEBOOKS / name).read_bytes()


def test_course_and_grader_come_with_an_import_and_with_the_solutions_but_not_with_the_wrong_answers(
    pyodide: Path,
) -> None:
    held = json.loads((pyodide / lock.LOCK).read_text(encoding="utf-8"))["packages"]
    assert held[lite.OURS]["imports"] == ["course", "grader"] and held[lite.OURS]["depends"] == ["ipywidgets"]
    with zipfile.ZipFile(pyodide / OURS) as wheel:
        names = wheel.namelist()
    assert "grader/_solutions/ch05.py" in names
    assert [name for name in names if "/wrong/" in name or "/odd/" in name] == []


def test_what_is_loaded_at_the_start_is_in_the_lock_and_each_file_has_its_sum(pyodide: Path) -> None:
    held = json.loads((pyodide / lock.LOCK).read_text(encoding="utf-8"))["packages"]
    assert set(lite.PRELOADED) <= held.keys()
    for entry in held.values():
        assert hashlib.sha256((pyodide / entry["file_name"]).read_bytes()).hexdigest() == entry["sha256"]
        assert set(entry["depends"]) <= held.keys()


def test_the_kernel_looks_nowhere_else(settings: Any) -> None:
    kernel = settings["litePluginSettings"][f"{lite.KERNEL}:kernel"]
    assert kernel["disablePyPIFallback"] is True
    assert [one for one in kernel.get("pipliteUrls", []) if "://" in one] == []


def test_the_app_is_small_and_no_source_map_is_in_it(app: Path) -> None:
    files = [path for path in app.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < MOST_BYTES
    assert [path.name for path in files if path.suffix == ".map"] == []


def test_each_page_names_its_language_and_its_icon(app: Path) -> None:
    pages = sorted(app.glob("*/index.html"))
    assert [page.parent.name for page in pages] == ["edit", "lab", "notebooks", "tree"]
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert '<html lang="en">' in text and 'href="../lab/favicon.ico"' in text
    assert (app / "lab" / "favicon.ico").is_file()


def test_building_leaves_nothing_in_the_tree(app: Path) -> None:
    assert [*ROOT.glob(".jupyterlite*"), *ROOT.glob("*.egg-info"), *app.rglob(".jupyterlite.doit.db")] == []
    assert not (ROOT / "dist").exists()


def test_what_a_notebook_imports_is_standard_library_and_ours() -> None:
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import grader, grader.checks, course.widgets, course.view; "
    code += "grader.checks.sessions(); print('grader.checks.ch11' in sys.modules)"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_a_step_that_fails_says_which_and_its_last_lines(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[build-system", encoding="utf-8")
    with pytest.raises(LiteError, match=r"(?s)`-m build --wheel` failed with exit 1; its last lines:\n.*pyproject"):
        lite.our_wheel(tmp_path / "wheel", tmp_path)
