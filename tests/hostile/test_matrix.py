"""The committed table of docs/isolation.md says what a short run of its sample finds."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader.authoring.source import ROOT
from grader.sandbox.walls import missing_layers
from tests.hostile.break_out import ATTACKS, source_of
from tests.hostile.matrix import CONFIGURATIONS, LAYERS, PAGE, TITLES, Found, as_user, page, run

pytestmark = pytest.mark.sandbox

SAMPLE = (
    "signal-everyone",
    "links",
    "network",
    "outlive-the-notebook",
    "shared-memory",
    "write-outside",
    "many-threads",
)
SOME = ("full", "full without bwrap", "full without seccomp")
SECTIONS = {0: "## One layer off, as root", 1: "## One layer off, as an ordinary user"}


@pytest.fixture(autouse=True)
def _every_layer() -> None:
    if missing_layers(alone=True):
        pytest.skip(f"this machine lacks {', '.join(missing_layers(alone=True))}")


def committed(section: str) -> dict[str, dict[str, str]]:
    """configuration -> attack -> what the page says it reached, "" where it was stopped."""
    text = PAGE.read_text(encoding="utf-8").split(section)[1].split("\n## ")[0]
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("| ")
    ]
    heads, *rest = rows
    columns = {"full": "all on", **{f"full without {one}": f"without {TITLES[one]}" for one in LAYERS}}
    by_text = {tries: attack for attack, (tries, _) in ATTACKS.items()}
    return {
        name: {by_text[row[0]]: row[heads.index(column)].strip("*").replace("stopped", "") for row in rest}
        for name, column in columns.items()
    }


def differences(found: Found, section: str) -> list[str]:
    said = committed(section)
    return [
        f"{attack}, {name}: the page says {said[name][attack]!r}, and now it is {reached!r}"
        for name, attacks in found.items()
        for attack, reached in attacks.items()
        if said[name][attack] != reached
    ]


def test_the_page_names_every_attack_in_every_section() -> None:
    for section in SECTIONS.values():
        assert set(committed(section)["full"]) == set(ATTACKS)
    assert "## What is not stopped" in PAGE.read_text(encoding="utf-8")


def test_every_attack_gets_through_where_nothing_stops_it() -> None:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    got_through = {attack for attack, (tries, _) in ATTACKS.items() for row in rows if tries in row and "**" in row}
    # No slot leaves a folder open, whatever its layers; the test below opens one.
    assert set(ATTACKS) - got_through == {"inherited-descriptors"}


def test_a_folder_left_open_would_be_found(tmp_path: Path) -> None:
    source = source_of("inherited-descriptors", "", 0) + "print(reached)"
    folder = os.open(tmp_path, os.O_RDONLY)
    try:
        (tmp_path / "file").touch()
        command = [sys.executable, "-c", source]
        done = subprocess.run(command, pass_fds=[folder], capture_output=True, text=True, check=True)
    finally:
        os.close(folder)
    assert done.stdout.strip() == "a folder is open"


def test_with_every_layer_on_the_page_says_that_each_attack_is_stopped() -> None:
    for section in SECTIONS.values():
        assert set(committed(section)["full"].values()) == {""}


def test_a_sample_run_again_agrees_with_the_page() -> None:
    section = SECTIONS[0 if os.getuid() == 0 else 1]
    assert differences(run(SOME, SAMPLE), section) == []


def test_so_does_a_sample_run_as_an_ordinary_user() -> None:
    if os.getuid() != 0:
        pytest.skip("only root can become another user")
    assert differences(as_user([json.dumps([SOME[1:], SAMPLE])]), SECTIONS[1]) == []


def test_an_attack_that_gets_through_is_shown_as_what_it_reached() -> None:
    nothing: Found = {name: dict.fromkeys(ATTACKS, "") for name in CONFIGURATIONS}
    made = page({**nothing, "full": {**nothing["full"], "links": "read a file of the machine"}}, nothing)
    assert "**read a file of the machine**" in made
    assert f"`full`, as root: {ATTACKS['links'][0]}." in made


def test_the_matrix_refuses_to_write_a_page_from_half_of_the_runs() -> None:
    if os.getuid() == 0:
        pytest.skip("as root it would run everything")
    done = subprocess.run([sys.executable, "-m", "tests.hostile.matrix"], cwd=ROOT, capture_output=True, check=False)
    assert b"the matrix needs root" in done.stderr
