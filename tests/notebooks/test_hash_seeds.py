"""ch01-e3 in two real interpreters: what its check plays with functions that it hands in, real hash seeds confirm."""

import json
import os
import subprocess
import sys
from functools import cache

import pytest

# What a function does in this interpreter, with Python's own hash and set and a clock that shows the seed.
PROGRAM = """
import json, os
from grader.authoring.answers import odd_answers, wrong_answers
from grader.authoring.source import SOLUTIONS, namespace_before, read_session, run_text

seed = os.environ["PYTHONHASHSEED"]
source = read_session(SOLUTIONS / "ch01.py")
texts = {answer.path.stem: answer.text for answer in [*odd_answers("ch01-e3"), *wrong_answers("ch01-e3")]}
texts["solution"] = "\\n".join(cell.solved for cell in source.of("ch01-e3", "answer"))
lines = {}
for name, text in texts.items():
    names = namespace_before(source, "ch01-e3")
    run_text(text, names, name)
    requests = [("Disk full", list("fedcba"), "08:15"), ("one two three four five six", [], "")]
    lines[name] = [names["open_ticket"](*asked, hash=hash, set=set, now=lambda: seed) for asked in requests]
print(json.dumps(lines))
"""

RIGHT = ("solution", "takes_none_of_the_three", "class_with_call")
CAUGHT = (
    "seeds_random_only",
    "caches_the_first_value",
    "sorts_one_branch",
    "sorts_the_other_branch",
    "pythons_own_hash",
    "reads_the_clock",
    "clock_where_the_time_is_empty",
)


@cache
def lines(seed: int) -> dict[str, list[str]]:
    """What each kept answer to ch01-e3 says in an interpreter that was started with this hash seed."""
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, check=True)
    made: dict[str, list[str]] = json.loads(done.stdout)
    return made


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_answer_gives_the_same_bytes_under_two_hash_seeds(name: str) -> None:
    assert lines(1)[name] == lines(2)[name] == lines(1)["solution"]


@pytest.mark.parametrize("name", CAUGHT)
def test_an_answer_that_is_rejected_as_not_deterministic_differs_under_two_hash_seeds(name: str) -> None:
    assert lines(1)[name] != lines(2)[name]
