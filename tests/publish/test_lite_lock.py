"""Tests of Pyodide's folder and its lock file, on wheels made here."""

import hashlib
import json
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from publish import lock, profile
from publish.lock import LockError, read_wheel


def wheel(folder: Path, name: str, *needs: str, tag: str = "py3-none-any", **files: str) -> Path:
    """A wheel with a module of its name, and `files` (`__` for a slash)."""
    path = folder / f"{name}-1.0-{tag}.whl"
    info = f"{name}-1.0.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n" + "".join(f"Requires-Dist: {n}\n" for n in needs)
    held = {f"{name}.py": "x = 1", f"{info}/METADATA": metadata, f"{info}/RECORD": f"{name}.py,,\n{name}/b.py,,\n"}
    with zipfile.ZipFile(path, "w") as made:
        for file, text in {**held, **{key.replace("__", "/"): text for key, text in files.items()}}.items():
            made.writestr(file, text)
    return path


@pytest.fixture
def runtime(tmp_path: Path) -> Path:
    """A folder as npm's package has it."""
    folder = tmp_path / "runtime"
    folder.mkdir()
    for name in lock.RUNTIME:
        (folder / name).write_bytes(name.encode())
    theirs = {"info": {"python": "3.14.2"}, "packages": {"numpy": {"file_name": "numpy.whl"}}}
    (folder / lock.LOCK).write_text(json.dumps(theirs), encoding="utf-8")
    return folder


def test_the_lock_lists_our_wheels_alone_with_their_sums_imports_and_needs(tmp_path: Path, runtime: Path) -> None:
    ours = [wheel(tmp_path, "course_kit", "a.lib>=1"), wheel(tmp_path, "a_lib", **{"inner__b.py": "y = 2"})]
    held = json.loads(lock.write(runtime, ours, tmp_path / "out").read_text(encoding="utf-8"))
    assert held["info"] == {"python": "3.14.2"} and list(held["packages"]) == ["a-lib", "course-kit"]
    kit = held["packages"]["course-kit"]
    assert kit["depends"] == ["a-lib"] and kit["imports"] == ["course_kit"]
    assert held["packages"]["a-lib"]["imports"] == ["a_lib", "inner"]
    for entry in held["packages"].values():
        copy = tmp_path / "out" / entry["file_name"]
        assert hashlib.sha256(copy.read_bytes()).hexdigest() == entry["sha256"]
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        *lock.RUNTIME, lock.LOCK, "a_lib-1.0-py3-none-any.whl", "course_kit-1.0-py3-none-any.whl",
    }  # fmt: skip


def test_the_same_wheels_give_the_same_lock(tmp_path: Path, runtime: Path) -> None:
    ours = [wheel(tmp_path, name) for name in ("b_lib", "a_lib")]
    first = lock.write(runtime, ours, tmp_path / "one", left_out={"a-lib": ("x/",)}).read_bytes()
    assert lock.write(runtime, ours[::-1], tmp_path / "two", left_out={"a-lib": ("x/",)}).read_bytes() == first


def test_a_need_that_is_not_there_is_an_error_unless_a_browser_does_without(tmp_path: Path, runtime: Path) -> None:
    ours = [wheel(tmp_path, "course_kit", "watchers")]
    with pytest.raises(LockError, match=r"course_kit-1\.0-py3-none-any\.whl needs watchers"):
        lock.write(runtime, ours, tmp_path / "out")
    with pytest.raises(LockError, match="needs watchers"):
        lock.write(runtime, ours, tmp_path / "out", {"another": ["watchers"]})
    lock.write(runtime, ours, tmp_path / "out", {"course-kit": ["watchers"]})


def test_what_only_another_system_needs_is_not_needed(tmp_path: Path) -> None:
    markers = ('sys_platform == "win32"', 'sys_platform != "emscripten"', 'python_version < "3.12"', 'extra == "test"')
    made = wheel(tmp_path, "course_kit", "stays", *(f"gone{n}; {marker}" for n, marker in enumerate(markers)))
    assert read_wheel(made).needs == ("stays",)


def test_a_wheel_for_one_platform_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LockError, match="any platform"):
        read_wheel(wheel(tmp_path, "fast", tag="cp314-cp314-linux_x86_64"))


def test_two_wheels_of_one_name_are_refused(tmp_path: Path, runtime: Path) -> None:
    (tmp_path / "older").mkdir()
    ours = [wheel(tmp_path, "a_lib"), wheel(tmp_path / "older", "a_lib")]
    with pytest.raises(LockError, match="a-lib is there twice"):
        lock.write(runtime, ours, tmp_path / "out")


def test_files_that_are_left_out_are_gone_from_the_wheel_and_from_its_list(tmp_path: Path, runtime: Path) -> None:
    ours = [wheel(tmp_path, "a_lib", **{"a_lib__b.py": "y = 2"})]
    lock.write(runtime, ours, tmp_path / "out", left_out={"a-lib": ("a_lib/",)})
    with zipfile.ZipFile(tmp_path / "out" / ours[0].name) as made:
        assert "a_lib/b.py" not in made.namelist() and "a_lib.py" in made.namelist()
        assert made.read("a_lib-1.0.dist-info/RECORD") == b"a_lib.py,,\n"


# ------------------------------------------------------------------------------------------------ Python in the browser
def test_the_wheel_of_the_profile_has_the_same_bytes_each_time_and_ipython_finds_its_files(tmp_path: Path) -> None:
    (tmp_path / "again").mkdir()
    made = profile.write_wheel(tmp_path)
    assert profile.write_wheel(tmp_path / "again").read_bytes() == made.read_bytes()
    assert read_wheel(made).name == "browser-profile"
    with zipfile.ZipFile(made) as held:
        texts = {name: held.read(name).decode() for name in held.namelist()}
    folder = f"{profile.ENVIRONMENT['IPYTHONDIR'].rpartition('/')[2]}/profile_default"
    assert profile.SETUP in texts[f"{folder}/startup/setup.py"]
    assert "ignore_cwd = True" in texts[f"{folder}/ipython_config.py"]


def test_the_setup_puts_the_folder_last_guards_each_cell_and_leaves_no_name(tmp_path: Path) -> None:
    registered: dict[str, Callable[[object], object]] = {}
    shell = SimpleNamespace(events=SimpleNamespace(register=registered.__setitem__))
    names = {"get_ipython": lambda: shell}
    before = sys.path[:]
    try:
        sys.path[:] = ["", str(tmp_path), *before]
        exec(profile.SETUP, names)
        assert sys.path == [str(tmp_path), *(place for place in before if place), *[""] * (1 + before.count(""))]
    finally:
        sys.path[:] = before
    assert list(registered) == ["pre_run_cell", "post_run_cell"]
    for callback in registered.values():
        callback(None)
    assert names.keys() == {"get_ipython", "__builtins__"}
