"""The table of the benchmarks: made from results.json, which has the agreed keys, with a dash for what is missing."""

import json
from typing import Any

import pytest

from bench.report import ARMS, DOCUMENT, RESULTS, page
from bench.trivial import TRIVIAL, trivial_cells, trivial_session
from grader.engine.judge import judge
from grader.engine.student import InProcessStudent

MACHINE = {"cores": 2, "processor": "a processor", "memory_gib": 8.0, "system": "Linux 6", "root": False}


def results(**arms: float) -> dict[str, Any]:
    """Results in which only `arms` were measured."""
    return {
        "arms": {name: arms.get(name) for name in ARMS},
        "ratios": {"nbgrader/ours_full": None, "otter_run/ours_full": None, "ours_full/floor": 1.25},
        "session5_ms": None,
        "class500_s": None,
        "peak_mib_500": 321.4,
        "verify_ratios": {"a tool record": 1.13},
        "machine": MACHINE,
        "versions": {"python": "3.11.7"},
        "date": "2026-11-30",
    }


def test_an_arm_that_was_not_measured_has_a_dash_and_no_zero() -> None:
    text = page(results(ours_full=14.79))
    assert "| ours, every layer of isolation | 14.8 ms |" in text
    assert "| `otter run`, one command a submission | – |" in text
    assert "| full isolation against the floor | 1.25 | at most 1.5 |" in text
    assert "| peak memory of all its processes meanwhile | 321 MiB | |" in text
    assert "| 1,000,000 of a loop's, some 200 bytes each | 1.13 times | at most 1.5 |" in text
    assert "| 100,000 of a gradebook's, some 1 kB each | – | at most 1.5 |" in text


@pytest.mark.skipif(not RESULTS.exists(), reason="nothing has been measured yet: make bench")
def test_the_page_is_made_from_the_results_and_from_nothing_else() -> None:
    kept = json.loads(RESULTS.read_text(encoding="utf-8"))
    assert list(kept) == list(results())
    assert list(kept["arms"]) == list(ARMS)
    assert DOCUMENT.read_text(encoding="utf-8") == page(kept)


def test_the_trivial_answers_pass_their_own_checks_and_a_stub_does_not() -> None:
    namespace: dict[str, object] = {"check": lambda *_: None}
    for cell in trivial_cells()[1:]:
        exec(cell, namespace)
    for one, exercise in zip(TRIVIAL, trivial_session().exercises, strict=True):
        assert judge(exercise, InProcessStudent(namespace, exercise.provides)).points == len(one.claims)
        assert judge(exercise, InProcessStudent({one.name: lambda _: None}, exercise.provides)).points == 0
