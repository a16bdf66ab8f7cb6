"""The gate: what its exit code means, that it can fail, and that a sabotaged verifier does not get past it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import course
from course import gate as module
from course.demo import DEMOS
from course.gate import first_break, gate, limits_that_moved, mutations, reforged, tampering_that_passes
from course.transcript import Fault, Report, verify_records

PACKAGE = Path(course.__file__).parent
LINES = DEMOS["demo-recover.jsonl"].transcript().to_bytes().splitlines(keepends=True)


def passing(folder: Path) -> Iterator[str]:
    yield from ()


def failing(folder: Path) -> Iterator[str]:
    yield "two and two are five"


def breaking(folder: Path) -> Iterator[str]:
    yield from ()
    raise OSError("no disk")


# --- the verdict ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "legs,code",
    [
        ([passing], 0),
        ([passing, passing], 0),
        ([passing, failing], 1),
        ([passing, breaking], 2),
        ([breaking, passing], 2),
        ([breaking, failing], 1),
        ([], 2),
    ],
)
def test_exit_0_every_leg_passed_1_a_fault_was_graded_2_something_could_not_be(
    legs: list[module.Leg], code: int
) -> None:
    assert gate({f"leg {n}": leg for n, leg in enumerate(legs)}, say=lambda line: None) == code


def test_the_gate_says_what_it_found_and_what_it_could_not_grade() -> None:
    said: list[str] = []
    gate({"sums": failing, "disk": breaking, "rest": passing}, say=said.append)
    assert said == [
        "FAULT sums",
        "      two and two are five",
        "?     disk: could not be graded (OSError: no disk)",
        "ok    rest",
    ]


def test_a_leg_with_many_faults_shows_twenty_and_counts_the_rest() -> None:
    said: list[str] = []
    assert gate({"many": lambda folder: (f"fault {n}" for n in range(50))}, say=said.append) == 1
    assert len(said) == 22 and said[-1] == "      and 30 more"


def test_the_gate_of_this_package_passes() -> None:
    assert gate(say=lambda line: None) == 0


# --- what the tamper leg expects, and from what -----------------------------------------------------------------------


def test_the_expectation_is_read_from_the_bytes_and_an_untouched_file_has_no_break() -> None:
    assert first_break(LINES) is None
    assert first_break([*LINES[:4], LINES[4].replace(b"integer", b"Integer"), *LINES[5:]]) == 4


def test_every_mutation_breaks_the_bytes_and_no_two_are_alike() -> None:
    made = list(mutations(LINES))
    assert all(first_break(lines) is not None for _, lines in made)
    assert len({what for what, _ in made}) == len(made) == 7 * len(LINES) - 3
    assert all(lines != LINES for _, lines in made)


@pytest.mark.parametrize("index", range(len(LINES)))
def test_a_re_forged_chain_holds_by_its_bytes_and_tells_another_story(index: int) -> None:
    forged = reforged(LINES, index)
    assert first_break(forged) is None
    assert forged[:index] == LINES[:index] and all(a != b for a, b in zip(forged[index:], LINES[index:], strict=True))


def test_the_gates_expectation_shares_no_code_with_the_verifier() -> None:
    used = set(first_break.__code__.co_names) | set(mutations.__code__.co_names) | set(reforged.__code__.co_names)
    used |= set(module._hash_of.__code__.co_names) | set(module._rehashed.__code__.co_names)
    assert not used & {"verify_records", "verify_file", "canonical_bytes", "hash_of", "json"}


# --- negative controls, in this process -------------------------------------------------------------------------------


def test_a_verifier_that_accepts_everything_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "verify_records", lambda records: [])
    faults = list(tampering_that_passes(tmp_path))
    assert faults and all("a mutated transcript verified" in fault and "verify_records" in fault for fault in faults)


def test_a_file_verifier_that_accepts_everything_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "verify_file", lambda path, anchor=None: Report(0, "", []))
    assert all("verify_file found nothing" in fault for fault in tampering_that_passes(tmp_path))
    assert any("verified against an anchor" in fault for fault in limits_that_moved(tmp_path))


def test_a_verifier_that_claims_more_than_a_chain_can_show_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "verify_file", lambda path, anchor=None: Report(0, "", [Fault(0, "hash_mismatch", "")]))
    faults = list(limits_that_moved(tmp_path))
    assert faults and all("refused without an anchor" in fault for fault in faults)


def test_a_verifier_that_refuses_everything_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "verify_records", lambda records: [Fault(0, "hash_mismatch", "no")])
    faults = list(tampering_that_passes(tmp_path))
    assert any("an untouched transcript was refused by verify_records" in fault for fault in faults)


def test_a_verifier_that_names_the_wrong_record_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def late(records: list[object]) -> list[Fault]:
        return [Fault(fault.index + 1, fault.kind, "") for fault in verify_records(records)]

    monkeypatch.setattr(module, "verify_records", late)
    assert any("verify_records says" in fault for fault in tampering_that_passes(tmp_path))


def test_a_verifier_that_raises_is_a_fault_not_something_that_could_not_be_graded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def crash(records: list[object]) -> list[Fault]:
        if any(not isinstance(record, dict) for record in records):
            raise TypeError("a list")
        return verify_records(records)

    monkeypatch.setattr(module, "verify_records", crash)
    said: list[str] = []
    assert gate({"tampering": tampering_that_passes}, say=said.append) == 1
    assert any("verify_records raised TypeError, and it must never raise" in line for line in said)


# --- the negative control of the spec: a copy of the package, sabotaged -----------------------------------------------

SABOTAGE = {
    "verify_records": "\n\ndef verify_records(records):\n    return []\n",
    "verify_file": "\n\ndef verify_file(path, anchor=None):\n    return Report(0, GENESIS, [])\n",
}


def copied(folder: Path, sabotage: str = "") -> dict[str, str]:
    """A copy of `course` with `sabotage` at the end of transcript.py, and the environment that makes Python use it."""
    shutil.copytree(PACKAGE, folder / "course", ignore=shutil.ignore_patterns("__pycache__"))
    with (folder / "course" / "transcript.py").open("a", encoding="utf-8", newline="\n") as file:
        file.write(sabotage)
    return {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}


def command(folder: Path, env: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=env, capture_output=True, text=True, check=False
    )


def test_an_untouched_copy_passes_the_gate(tmp_path: Path) -> None:
    done = command(tmp_path, copied(tmp_path), "-m", "course", "gate")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", SABOTAGE)
def test_a_sabotaged_copy_makes_the_gate_exit_1_and_say_that_a_mutated_transcript_verified(
    name: str, tmp_path: Path
) -> None:
    done = command(tmp_path, copied(tmp_path, SABOTAGE[name]), "-m", "course", "gate")
    assert done.returncode == 1
    assert f"a mutated transcript verified: record 0 edited, and {name} found nothing" in done.stdout


@pytest.mark.parametrize("name", SABOTAGE)
def test_a_sabotaged_copy_makes_the_suite_fail(name: str, tmp_path: Path) -> None:
    env = copied(tmp_path, SABOTAGE[name])
    shutil.copy(Path(__file__).with_name("test_transcript.py"), tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    arguments = ["-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-k", name, "test_transcript.py"]
    done = command(tmp_path, env, *arguments)
    assert done.returncode == 1 and "1 failed" in done.stdout
