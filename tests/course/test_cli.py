"""`python -m course`: demo, gate and verify, and what their exit codes mean."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from course import __main__ as cli
from course.demo import DEMOS
from course.transcript import Transcript

NAME = "demo-recover.jsonl"


@pytest.fixture
def transcript(tmp_path: Path) -> tuple[Path, Transcript]:
    made = DEMOS[NAME].transcript()
    made.save(tmp_path / "t.jsonl")
    return tmp_path / "t.jsonl", made


def test_demo_writes_the_three_files_where_it_is_and_exits_0(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "course", "demo"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(DEMOS)
    assert "every claim held" in done.stdout


def test_demo_exits_1_when_a_claim_does_not_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(DEMOS, NAME, DEMOS["demo-answer.jsonl"])
    monkeypatch.setattr(Transcript, "save", lambda self, path: path.write_bytes(self.to_bytes()[:-1]))
    assert cli.main(["demo", "--out", str(tmp_path)]) == 1
    assert "FAULT demo-answer.jsonl" in capsys.readouterr().out


def test_demo_exits_2_when_it_cannot_write(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["demo", "--out", str(tmp_path / "missing")]) == 2
    assert "name another folder with --out" in capsys.readouterr().out


def test_gate_exits_0_on_this_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["gate"]) == 0
    assert capsys.readouterr().out.count("ok ") == 3


def test_verify_exits_0_and_says_what_a_chain_alone_cannot_show(
    transcript: tuple[Path, Transcript], capsys: pytest.CaptureFixture[str]
) -> None:
    path, made = transcript
    assert cli.main(["verify", str(path)]) == 0
    out = capsys.readouterr().out
    assert f"11 records, head {made.anchor().head}, 0 faults" in out
    assert "without an anchor" in out


def test_verify_takes_an_anchor_written_out_or_in_a_file(
    transcript: tuple[Path, Transcript], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, made = transcript
    (tmp_path / "anchor.json").write_text(made.anchor().to_json() + "\n", encoding="utf-8")
    for anchor in (str(made.anchor()), str(tmp_path / "anchor.json")):
        assert cli.main(["verify", str(path), "--anchor", anchor]) == 0
        assert "without an anchor" not in capsys.readouterr().out


def test_verify_exits_1_and_names_record_and_line(
    transcript: tuple[Path, Transcript], capsys: pytest.CaptureFixture[str]
) -> None:
    path, made = transcript
    path.write_bytes(made.to_bytes().replace(b"multiply", b"subtract", 1))
    assert cli.main(["verify", str(path)]) == 1
    assert "record 1 (line 2): hash_mismatch" in capsys.readouterr().out


def test_verify_shows_the_first_twenty_faults_and_the_count_of_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "t.jsonl").write_bytes(b"[]\n" * 50)
    assert cli.main(["verify", str(tmp_path / "t.jsonl")]) == 1
    out = capsys.readouterr().out
    assert out.count("not_an_object") == 20 and "50 faults" in out


def test_a_cut_transcript_passes_without_its_anchor_and_exits_1_with_it(transcript: tuple[Path, Transcript]) -> None:
    path, made = transcript
    path.write_bytes(b"".join(made.to_bytes().splitlines(keepends=True)[:-1]))
    assert cli.main(["verify", str(path)]) == 0
    assert cli.main(["verify", str(path), "--anchor", str(made.anchor())]) == 1


@pytest.mark.parametrize("anchor", ["11", "11:abc", "none.json", "no:such", ":"])
def test_verify_exits_2_when_the_anchor_is_none(
    anchor: str, transcript: tuple[Path, Transcript], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["verify", str(transcript[0]), "--anchor", anchor]) == 2
    assert "give COUNT:HASH or a file that holds the anchor" in capsys.readouterr().out


def test_verify_exits_2_when_the_file_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["verify", str(tmp_path / "none.jsonl")]) == 2
    assert capsys.readouterr().out.startswith("unreadable: the file cannot be read: ")


@pytest.mark.parametrize("arguments", [[], ["nothing"], ["verify"]])
def test_a_wrong_command_line_exits_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        cli.main(arguments)
    assert left.value.code == 2
    assert "usage: python -m course" in capsys.readouterr().err
