"""`python -m grader`: what each command prints and how it exits, and one sentence for each thing that is wrong."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from grader import cli
from grader.authoring.release import as_text as notebook_text
from grader.authoring.release import solved, student
from grader.authoring.source import SOLUTIONS, read_session
from grader.checks import sessions
from grader.classroom.gradebook import BOOK
from grader.sandbox import walls

CH05 = sessions()["ch05"]
MOST = sum(one.points for one in CH05.exercises)
WRONG = 'def render_trace(receipt):\n    return "nothing"\n'
CASE = ["name", "title", "status", "points", "max_points", "reason", "finding"]


class Done(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture
def grader(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """grader("check", path) -> exit code, standard output, standard error."""

    def run(*arguments: object) -> Done:
        monkeypatch.setattr(sys, "argv", ["grader", *map(str, arguments)])
        code: Any = 0
        try:
            cli.main()
        except SystemExit as end:
            code = end.code
        return Done(code or 0, *capsys.readouterr())

    return run


def solved_notebook() -> str:
    return notebook_text(solved(read_session(SOLUTIONS / "ch05.py")))


def write_cells(path: Path, *sources: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    cells = [{"cell_type": "code", "source": one, "metadata": {}, "outputs": []} for one in sources]
    path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}), encoding="utf-8")
    return path


def checked(name: str = "render_trace", exercise: str = "ch05-e3") -> str:
    return f'from grader import check\ncheck("{exercise}", {name})'


def one_sentence(done: Done) -> str:
    """What is wrong, of a run that ended with exit code 2, one line on standard error and nothing else."""
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1), done
    assert done.err.startswith("grader: ")
    return done.err.removeprefix("grader: ").strip()


# ---- list
def test_list_gives_id_title_points_provides_and_session(grader: Run) -> None:
    done = grader("list", "--json")
    listed = json.loads(done.out)
    assert (done.code, done.err) == (0, "")
    assert {tuple(one) for one in listed} == {("id", "title", "points", "provides", "session")}
    assert [one["id"] for one in listed] == [e.id for session in sessions().values() for e in session.exercises]
    e2 = next(one for one in listed if one["id"] == "ch05-e2")
    assert (e2["title"], e2["provides"], e2["session"]) == ("A refusal is a contract", ["run_loop"], "ch05")


def test_list_for_people_names_every_exercise(grader: Run) -> None:
    done = grader("list")
    assert all(one.id in done.out and one.title in done.out for one in CH05.exercises)


def test_the_command_runs_as_a_module_too() -> None:
    command = [sys.executable, "-m", "grader", "list", "--json"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    assert json.loads(done.stdout)[0]["id"]


# ---- what is wrong with the input
def test_an_unknown_exercise_is_named_with_those_that_there_are(grader: Run, tmp_path: Path) -> None:
    path = write_cells(tmp_path / "x.ipynb", WRONG, checked())
    out = tmp_path / "out"
    for command in (
        ("check", path, "ch05-e99"), ("grade", tmp_path, "--out", out, "--only", "ch05-e99"),
        ("explain", out, "alice", "ch05-e99"),
    ):  # fmt: skip
        sentence = one_sentence(grader(*command))
        assert sentence.startswith("there is no exercise 'ch05-e99' (have: ") and "ch05-e1" in sentence
    assert not out.exists()


def test_a_missing_file_is_named(grader: Run, tmp_path: Path) -> None:
    assert "nothing.ipynb does not exist, or is no file: give a notebook" in one_sentence(
        grader("check", tmp_path / "nothing.ipynb")
    )
    assert "does not exist, or is no file" in one_sentence(grader("check", tmp_path))
    out = tmp_path / "out"
    assert one_sentence(grader("grade", tmp_path / "nothing", "--out", out)).endswith("nothing does not exist")
    (tmp_path / "empty").mkdir()
    assert "there is no .ipynb file under" in one_sentence(grader("grade", tmp_path / "empty", "--out", out))
    assert not out.exists()


def test_a_notebook_of_another_course_is_named(grader: Run, tmp_path: Path) -> None:
    path = write_cells(tmp_path / "class" / "eve.ipynb", "import pandas")
    assert one_sentence(grader("check", path)).endswith("it checks and defines no exercise of this course")
    out = tmp_path / "out"
    assert "belongs to ch05" in one_sentence(grader("grade", tmp_path / "class", "--out", out, "--only", "ch05"))
    assert not out.exists()


def test_a_file_that_is_no_notebook_is_named(grader: Run, tmp_path: Path) -> None:
    (tmp_path / "eve.ipynb").write_text('{"cells": [', encoding="utf-8")
    assert "its JSON breaks off" in one_sentence(grader("check", tmp_path / "eve.ipynb"))


def test_an_exercise_of_another_session_is_named(grader: Run, tmp_path: Path) -> None:
    path = write_cells(tmp_path / "x.ipynb", WRONG, checked())
    other = next(one for name, session in sessions().items() if name != "ch05" for one in session.exercises)
    assert one_sentence(grader("check", path, other.id)).endswith(f"belongs to ch05, and {other.id} does not")


def test_a_machine_without_bubblewrap_is_told_what_is_missing_and_the_ways_on(
    grader: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(walls, "_probe_bwrap", lambda: ("", "bwrap is not installed"))
    path, out = write_cells(tmp_path / "class" / "x.ipynb", WRONG, checked()), tmp_path / "out"
    for command in (("check", path), ("grade", tmp_path / "class", "--out", out)):
        sentence = one_sentence(grader(*command))
        assert "lacks bwrap (bwrap is not installed)" in sentence
        assert "install bubblewrap" in sentence and "--isolation partial|none" in sentence
    assert not out.exists()


def test_an_unknown_isolation_level_is_named(grader: Run, tmp_path: Path) -> None:
    path = write_cells(tmp_path / "x.ipynb", WRONG, checked())
    sentence = one_sentence(grader("check", path, "--isolation", "total"))
    assert sentence == "'total' is not an isolation level: choose one of full, partial, none."


@pytest.mark.sandbox
@pytest.mark.parametrize("below", ["", "/deeper"])
def test_a_bad_out_folder_is_named_and_left_as_it_is(grader: Run, tmp_path: Path, below: str) -> None:
    write_cells(tmp_path / "class" / "x.ipynb", WRONG, checked())
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    sentence = one_sentence(grader("grade", tmp_path / "class", "--out", f"{tmp_path / 'file'}{below}"))
    assert "out" in sentence and str(tmp_path / "file") in sentence
    assert (tmp_path / "file").read_text(encoding="utf-8") == "mine"


@pytest.mark.sandbox
def test_a_secret_that_is_missing_or_too_short_is_named_before_anything_is_written(grader: Run, tmp_path: Path) -> None:
    write_cells(tmp_path / "class" / "x.ipynb", WRONG, checked())
    out, secret = tmp_path / "out", tmp_path / "secret"
    command = ("grade", tmp_path / "class", "--out", out, "--secret-file", secret)
    assert "there is no secret in" in one_sentence(grader(*command))
    secret.write_text("short", encoding="utf-8")
    assert "has 5 bytes; it takes at least 16" in one_sentence(grader(*command))
    assert not out.exists()


def test_a_folder_without_a_gradebook_is_named(grader: Run, tmp_path: Path) -> None:
    for command in (("verify", tmp_path), ("explain", tmp_path, "alice", "ch05-e1")):
        assert one_sentence(grader(*command)).startswith("there is no gradebook.jsonl in ")


def test_what_is_wrong_steers_no_terminal(grader: Run, tmp_path: Path) -> None:
    assert "\x1b" not in one_sentence(grader("check", tmp_path / "\x1b[2J.ipynb"))


# ---- check
@pytest.mark.sandbox
def test_check_of_a_solved_notebook_exits_0_and_gives_every_point(grader: Run, tmp_path: Path) -> None:
    path = tmp_path / "anything.ipynb"
    path.write_text(solved_notebook(), encoding="utf-8")
    done = grader("check", path, "--json")
    verdicts = json.loads(done.out)
    assert (done.code, done.err) == (0, "")
    assert [(one["exercise"], one["status"], one["points"]) for one in verdicts] == [
        (one.id, "passed", one.points) for one in CH05.exercises
    ]
    assert list(verdicts[0]) == ["status", "points", "exercise", "title", "cases", "note"]
    assert list(verdicts[0]["cases"][0]) == CASE


@pytest.mark.sandbox
def test_check_of_a_wrong_answer_exits_1_and_says_why(grader: Run, tmp_path: Path) -> None:
    path = write_cells(tmp_path / "x.ipynb", WRONG, checked())
    done = grader("check", path, "ch05-e3")
    assert done.code == 1
    assert "ch05-e3  The trace as text" in done.out and "✗" in done.out and "got" in done.out
    assert "ch05-e1" not in done.out


@pytest.mark.sandbox
def test_check_of_the_untouched_notebook_exits_1_with_no_points(grader: Run, tmp_path: Path) -> None:
    path = tmp_path / "x.ipynb"
    path.write_text(notebook_text(student(read_session(SOLUTIONS / "ch05.py"))), encoding="utf-8")
    done = grader("check", path, "--json")
    assert done.code == 1
    assert sum(one["points"] for one in json.loads(done.out)) == 0


@pytest.mark.sandbox
def test_check_of_one_exercise_in_a_file_of_two_sessions_judges_that_one(grader: Run, tmp_path: Path) -> None:
    other = next(one for name, session in sessions().items() if name != "ch05" for one in session.exercises)
    path = write_cells(tmp_path / "x.ipynb", WRONG, checked(), f'check("{other.id}")')
    done = grader("check", path, "ch05-e3", "--json")
    assert done.code == 1
    assert [one["exercise"] for one in json.loads(done.out)] == ["ch05-e3"]


@pytest.mark.sandbox
def test_a_check_of_another_exercise_does_not_lend_its_object(grader: Run, tmp_path: Path) -> None:
    right = next(cell.solved for cell in read_session(SOLUTIONS / "ch05.py").of("ch05-e3", "answer"))
    path = write_cells(
        tmp_path / "x.ipynb", WRONG, right, "def other(*_):\n    return 1\n" + checked("other", "ch05-e1")
    )
    done = grader("check", path, "ch05-e3", "--json")
    assert [one["status"] for one in json.loads(done.out)] == ["passed"]


# ---- grade, explain, verify
@pytest.fixture(scope="module")
def handed_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("class")
    (root / "李雷").mkdir()
    (root / "李雷" / "ch05.ipynb").write_text(solved_notebook(), encoding="utf-8")
    write_cells(root / "=1+1" / "ch05.ipynb", "print('\x1b[2J hello')\n1 / 0", WRONG, checked())
    (root / "Doe, Jr.").mkdir()
    (root / "Doe, Jr." / "ch05.ipynb").write_bytes(b"")
    return root


@pytest.fixture
def graded(grader: Run, handed_in: Path, tmp_path: Path) -> tuple[Done, Path]:
    return grader("grade", handed_in, "--out", tmp_path / "out", "--jobs", "1", "--json"), tmp_path / "out"


@pytest.mark.sandbox
def test_grade_writes_what_the_design_names_and_exits_2_for_what_could_not_be_judged(
    graded: tuple[Done, Path],
) -> None:
    done, out = graded
    assert done.code == 2
    assert done.err == "grader: Doe, Jr.: Doe, Jr./ch05.ipynb: the file is empty\n"
    rows = json.loads(done.out)
    assert rows == json.loads((out / "grades.json").read_text(encoding="utf-8"))
    assert [(row["student"], row["score"], row["max_score"], row["status"]) for row in rows] == [
        ("=1+1", 0, MOST, "not_found"), ("Doe, Jr.", 0, 0, "unreadable"), ("李雷", MOST, MOST, "passed"),
    ]  # fmt: skip
    assert (out / "grades.csv").read_text(encoding="utf-8").splitlines()[0] == (
        "student,session,file,score,max_score,isolation,status,ch05-e1,ch05-e2,ch05-e3,ch05-e4"
    )
    assert {path.name for path in out.iterdir()} == {
        "gradebook.jsonl", "anchor.json", "grades.csv", "grades.json", "feedback", "run.json", "secret.key",
    }  # fmt: skip
    assert len(list((out / "feedback").rglob("*.html"))) == 3
    assert (out / "secret.key").stat().st_mode & 0o077 == 0


@pytest.mark.sandbox
def test_grade_again_judges_nothing_and_regrade_says_that_nothing_changed(
    grader: Run, graded: tuple[Done, Path], handed_in: Path
) -> None:
    _, out = graded
    before = (out / BOOK).read_bytes()
    again = grader("grade", handed_in, "--out", out)
    assert "0 judged now, 3 stood already; isolation: full; written to" in again.out
    assert "李雷" in again.out and f"{MOST}/{MOST}" in again.out
    regrade = grader("grade", handed_in, "--out", out, "--regrade")
    assert "regrade: no score changed" in regrade.err
    assert json.loads((out / "regrade.json").read_text(encoding="utf-8")) == []
    assert (out / BOOK).read_bytes() == before


@pytest.mark.sandbox
def test_explain_runs_the_same_again_and_agrees(grader: Run, graded: tuple[Done, Path]) -> None:
    _, out = graded
    done = grader("explain", out, "=1+1", "ch05-e3")
    assert done.code == 0
    assert "the same verdict as in the gradebook" in done.out
    assert "code cell 1 ended with ZeroDivisionError: division by zero" in done.out
    assert r"\x1b[2J hello" in done.out and "\x1b" not in done.out
    used = re.search(r"used by its process: ([\d.]+) s of processor time .*, (\d+) of 1,024 MiB of memory", done.out)
    assert used and 0 < float(used[1]) < 120 and 0 < int(used[2]) < 1024
    told = json.loads(grader("explain", out, "李雷", "ch05-e2", "--json").out)
    assert told["used"]["processes"] == 1 and told["used"]["peak_mib"] > 1
    assert (told["student"], told["agrees"], told["exercise"]) == ("李雷", True, "ch05-e2")
    assert told["cases"][0]["status"] == "passed" and told["cases"][0]["finding"]["happened"]


@pytest.mark.sandbox
def test_explain_says_what_it_cannot_find(grader: Run, graded: tuple[Done, Path]) -> None:
    _, out = graded
    sentence = one_sentence(grader("explain", out, "nobody", "ch05-e3"))
    assert sentence.startswith("there is no verdict of ch05-e3 for 'nobody' in ") and "李雷" in sentence
    (out / "secret.key").unlink()
    assert "there is no secret in" in one_sentence(grader("explain", out, "李雷", "ch05-e3"))
    assert not (out / "secret.key").exists()
    (out / "run.json").unlink()
    assert "there is no run.json in" in one_sentence(grader("explain", out, "李雷", "ch05-e3"))


@pytest.mark.sandbox
def test_verify_exits_0_for_an_untouched_gradebook_and_1_for_an_edited_one(
    grader: Run, graded: tuple[Done, Path], handed_in: Path
) -> None:
    _, out = graded
    good = grader("verify", out)
    assert good.code == 0 and "unchanged, and the anchor agrees" in good.out
    report = json.loads(grader("verify", out, "--json").out)
    assert list(report) == ["records", "head", "ok", "faults"] and report["ok"]
    text = (out / BOOK).read_text(encoding="utf-8")
    (out / BOOK).write_text(text.replace('"points":0', '"points":1', 1), encoding="utf-8", newline="\n")
    edited = grader("verify", out, "--json")
    assert edited.code == 1
    fault = json.loads(edited.out)["faults"][0]
    assert list(fault) == ["record", "line", "kind", "detail"] and fault["record"] == 0
    assert grader("verify", out).code == 1
    before = (out / BOOK).read_bytes()
    assert "was changed since it was written" in one_sentence(grader("grade", handed_in, "--out", out))
    assert (out / BOOK).read_bytes() == before


# ---- release and selftest
def test_release_check_exits_1_for_a_drift_and_names_it(
    grader: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from grader.authoring import release as module

    def drifted(check: bool = False) -> list[Path]:
        raise module.Drift(["ch05-x.ipynb"])

    monkeypatch.setattr(module, "release", drifted)
    done = grader("release", "--check")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("grader: not what solutions/ makes: ch05-x.ipynb")
    monkeypatch.setattr(module, "release", lambda check=False: [tmp_path / "ch05-x.ipynb"])
    assert json.loads(grader("release", "--json").out) == ["ch05-x.ipynb"]
    assert grader("release", "--check").out == "1 notebooks are what solutions/ makes\n"


def test_selftest_exits_0_where_nothing_is_to_be_put_right_and_1_with_each_problem(
    grader: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from grader.authoring import selftest as module

    problem = module.Problem("ch05-e1", "stub", "it gets 1 points")
    reports = {"good": module.Report(1, 2, 3, 4, ()), "bad": module.Report(1, 2, 3, 4, (problem,))}
    monkeypatch.setattr(module, "selftest_in_parallel", lambda *_args, **_kwargs: reports["good"])
    done = grader("selftest", "ch05", "--seeds", "1")
    assert (done.code, done.out) == (
        0, "1 exercises, 2 wrong and 3 odd answers, 4 verdicts: all as they should be\n",
    )  # fmt: skip
    monkeypatch.setattr(module, "selftest_in_parallel", lambda *_args, **_kwargs: reports["bad"])
    assert grader("selftest").code == 1
    told = json.loads(grader("selftest", "--json").out)
    assert not told["ok"] and told["problems"][0]["exercise"] == "ch05-e1"


def test_selftest_of_an_unknown_session_is_refused(grader: Run) -> None:
    assert one_sentence(grader("selftest", "ch99")).startswith("there is no session 'ch99' (have: ")
