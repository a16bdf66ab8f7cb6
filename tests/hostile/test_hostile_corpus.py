"""The corpus through the real command, twice: every row as its case says, byte for byte the same, and nothing left."""

from pathlib import Path

import pytest

from grader.sandbox.walls import missing_layers
from tests.hostile import corpus
from tests.hostile.break_out import MARKER
from tests.hostile.corpus import Graded, class_of, differing, grade, kinds, loopback, problems, write_class

pytestmark = pytest.mark.sandbox

LEAST = {"forge": 15, "break_out": 15, "exhaust": 15, "files": 20, "unlucky": 25}
PLACES = ("/", "/tmp", "/var/tmp", "/dev/shm", "/usr/local", str(Path.home()), str(corpus.ROOT))
NOT_ALL_COULD_BE_JUDGED = 2


@pytest.fixture(autouse=True)
def _every_layer() -> None:
    if missing_layers():
        pytest.skip(f"this machine lacks {', '.join(missing_layers())}")


def traces() -> list[str]:
    """Everything that an attack would have left on the machine: its files, its shared memory, mounts."""
    found = [str(path) for place in PLACES for path in Path(place).glob(f"*{MARKER}*")]
    shared = Path("/proc/sysvipc/shm").read_text(encoding="ascii").splitlines()[1:]
    found += [line for line in shared if int(line.split()[0]) == 0x68737421]
    return found + Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines()


def clean(graded: Graded, temporary: Path) -> None:
    assert graded.left == [], "processes outlived the command"
    assert list(temporary.iterdir()) == [], "slots outlived the command"


def test_there_are_enough_of_each_kind_and_every_case_says_what_it_tries() -> None:
    found = kinds(1)
    assert {kind: len(cases) >= LEAST[kind] for kind, cases in found.items()} == dict.fromkeys(LEAST, True)
    cases = [case for kind in found.values() for case in kind]
    assert len({case.name for case in cases}) == len(cases)
    assert [case.name for case in cases if not case.tries] == []


def test_every_case_gets_its_row_in_two_identical_runs_and_nothing_is_left_behind(tmp_path: Path) -> None:
    before, temporary = traces(), tmp_path / "tmp"
    temporary.mkdir()
    with loopback() as network:
        cases = class_of(network.port)
        write_class(tmp_path / "class", cases)
        first = grade(tmp_path / "class", tmp_path / "first", temporary, short=True)
        assert problems(first.rows, cases) == []
        assert first.code == NOT_ALL_COULD_BE_JUDGED
        clean(first, temporary)
        second = grade(tmp_path / "class", tmp_path / "second", temporary, short=True, options=["--jobs", "3"])
        clean(second, temporary)
        assert differing(first.book, second.book) == []
        assert second.book == first.book
        assert network.heard() == 0
    assert traces() == before


def test_the_limits_that_grade_has_of_itself_hold_and_are_named(tmp_path: Path) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    cases = class_of(1, defaults=True)
    write_class(tmp_path / "class", cases)
    graded = grade(tmp_path / "class", tmp_path / "out", temporary, short=False)
    assert problems(graded.rows, cases) == []
    assert graded.code == 0
    clean(graded, temporary)


def test_a_row_that_is_not_as_its_case_says_is_named(tmp_path: Path) -> None:
    cases = {"000-forge-x": corpus.forge.CASES[0]}
    row = {
        "student": "000-forge-x", "session": "ch05", "status": "passed", "score": 30, "reason": "", "notes": [],
        "cell_errors": [{"cell": 1, "error": "BROKE OUT: x"}], "exercises": [],
    }  # fmt: skip
    found = problems([row, {**row, "student": "stranger"}], cases)
    assert len(found) == 5
    assert "status passed, not failed" in found[0]
    assert "points {}" in found[1]
    assert "it broke out" in found[2]
    assert found[3:] == ["the innocent after 000-forge-x has None", "stranger: not expected"]


def test_a_process_that_outlives_the_command_is_seen(tmp_path: Path) -> None:
    import json
    import subprocess
    import sys

    script = "import subprocess, sys; subprocess.Popen(['sleep', '3'], start_new_session=True)"
    command = [sys.executable, "-c", script]
    code = (
        "import sys; from tests.hostile import alone; alone._PATIENCE = 0.2; sys.argv[1:] = sys.argv[1:]; alone.main()"
    )
    report = tmp_path / "report.json"
    subprocess.run([sys.executable, "-c", code, str(report), *command], cwd=corpus.ROOT, check=True)
    said = json.loads(report.read_text(encoding="utf-8"))
    assert said["left"] == ["sleep 3 "]
    assert report.with_suffix(".pid").exists()
