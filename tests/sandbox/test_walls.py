"""Levels, probes and the bubblewrap command."""

import subprocess
from pathlib import Path

import pytest

from grader.sandbox import walls
from grader.sandbox.walls import IsolationUnavailable, Layers, require


def lacking(*names: str) -> object:
    return lambda alone=False: dict.fromkeys(names, "it is not there")


def test_each_level_has_its_layers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walls, "missing_layers", lacking())
    assert require("full") == Layers(bwrap=True, landlock=True, seccomp=True, rlimits=True)
    assert require("partial") == Layers(bwrap=False, landlock=True, seccomp=True, rlimits=True)
    assert require("none") == Layers(bwrap=False, landlock=False, seccomp=False, rlimits=True)


def test_layers_know_the_level_that_a_verdict_records() -> None:
    assert [Layers().level, Layers(bwrap=False).level, Layers(seccomp=False).level] == ["full", "partial", "none"]


def test_without_bwrap_full_is_refused_in_one_sentence_with_both_ways_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walls, "missing_layers", lacking("bwrap"))
    with pytest.raises(IsolationUnavailable) as refused:
        require("full")
    said = str(refused.value)
    assert "bwrap (it is not there)" in said
    assert "install bubblewrap" in said
    assert "--isolation partial|none" in said
    assert "\n" not in said
    assert require("partial").level == "partial"


def test_without_seccomp_the_weaker_level_offered_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walls, "missing_layers", lacking("seccomp"))
    for level in ("full", "partial"):
        with pytest.raises(IsolationUnavailable, match="--isolation none"):
            require(level)
    assert require("none").level == "none"


def test_an_unknown_level_is_named_with_the_known_ones() -> None:
    with pytest.raises(IsolationUnavailable, match="'high' is not an isolation level: choose one of full, partial"):
        require("high")


def test_an_old_landlock_does_for_full_and_not_for_partial(monkeypatch: pytest.MonkeyPatch) -> None:
    landlockpy = pytest.importorskip("landlockpy")
    monkeypatch.setattr(landlockpy, "abi_version", lambda: 2)
    assert walls._probe_landlock.__wrapped__(walls.LANDLOCK_WITH_BWRAP) == ""
    assert "version 3 is needed" in walls._probe_landlock.__wrapped__(walls.LANDLOCK_ALONE)


def test_another_system_than_linux_lacks_every_layer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walls.sys, "platform", "darwin")
    assert set(walls.missing_layers()) == {"bwrap", "landlock", "seccomp", "rlimits"}


def test_a_bwrap_that_cannot_make_namespaces_is_passed_over(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken, works = tmp_path / "broken", tmp_path / "works"
    broken.write_text("#!/bin/sh\necho no user namespaces >&2\nexit 1\n", encoding="utf-8")
    works.write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")
    for path in (broken, works):
        path.chmod(0o755)
    monkeypatch.setattr(walls, "_bwrap_candidates", lambda: [str(broken), str(works)])
    assert walls._probe_bwrap.__wrapped__() == (str(works), "")
    monkeypatch.setattr(walls, "_bwrap_candidates", lambda: [str(broken)])
    assert walls._probe_bwrap.__wrapped__() == ("", "no user namespaces")


def test_a_project_inside_a_readable_root_is_hidden_and_its_venv_shows() -> None:
    roots = [Path("/usr"), Path("/usr/src/app/.venv")]
    line = walls._mounts(roots, [Path("/usr/src/app")])
    places = [(line[i], line[i + 1]) for i in range(len(line)) if line[i] in ("--ro-bind", "--tmpfs")]
    assert places == [("--ro-bind", "/usr"), ("--tmpfs", "/usr/src/app"), ("--ro-bind", "/usr/src/app/.venv")]


def test_missing_parents_are_made_so_that_another_uid_may_pass() -> None:
    line = walls._mounts([Path("/opt/tools/python")], [])
    assert line[:8] == ["--perms", "0755", "--dir", "/opt", "--perms", "0755", "--dir", "/opt/tools"]


def test_landlock_opens_the_siblings_of_a_hidden_place_and_not_the_place(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hidden = tmp_path / "lib" / "grader"
    for path in (hidden, tmp_path / "lib" / "numpy", tmp_path / "bin"):
        path.mkdir(parents=True)
    monkeypatch.setattr(walls, "readable_roots", lambda: [tmp_path])
    monkeypatch.setattr(walls, "hidden_places", lambda: [hidden])
    monkeypatch.setattr(walls, "_SYSTEM_FILES", ())
    readable, listable = walls.readable_paths()
    assert readable == [str(tmp_path / "bin"), str(tmp_path / "lib" / "numpy")]
    assert listable == [str(tmp_path), str(tmp_path / "lib")]


def test_the_project_is_not_on_the_import_path_of_the_inside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    project, venv = tmp_path / "app", tmp_path / "app" / ".venv"
    monkeypatch.setattr(walls, "readable_roots", lambda: [tmp_path, venv])
    monkeypatch.setattr(walls, "hidden_places", lambda: [project])
    monkeypatch.setattr(walls.sys, "path", [str(project), str(venv / "lib"), str(tmp_path / "lib"), "/elsewhere"])
    assert walls.import_path() == [str(venv / "lib"), str(tmp_path / "lib")]


@pytest.mark.sandbox
def test_inside_bwrap_a_hidden_project_is_empty_but_for_the_environment_that_runs_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if "bwrap" in walls.missing_layers():
        pytest.skip("no bubblewrap here")
    root, tree = tmp_path / "root", tmp_path / "tree"
    project, env = root / "app", root / "app" / "envs" / "one"
    env.mkdir(parents=True)
    tree.mkdir()
    for path in (root / "seen", project / "secret", env / "library"):
        path.write_text(path.name, encoding="utf-8")
    here = walls.readable_roots()
    monkeypatch.setattr(walls, "readable_roots", lambda: sorted([*here, root, env]))
    monkeypatch.setattr(walls, "hidden_places", lambda: [project])
    code = f"import os; print([sorted(n) for _, d, f in sorted(os.walk({str(root)!r})) for n in (d + f,)])"
    line = walls.bwrap_command(walls.bwrap_path(), tree, 1, [walls.sys.executable, "-S", "-c", code], {})
    done = subprocess.run(line, capture_output=True, text=True, timeout=20, check=True)
    assert done.stdout == "[['app', 'seen'], ['envs'], ['one'], ['library']]\n"


def test_the_interpreter_behind_a_link_is_readable_under_both_names(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    real, link = tmp_path / "python-3.11.7", tmp_path / "python-3.11"
    real.mkdir()
    link.symlink_to(real)
    monkeypatch.setattr(walls.sys, "base_prefix", str(link))
    assert {real.resolve(), link} <= set(walls.readable_roots())
    assert Path("/") not in walls.readable_roots()
