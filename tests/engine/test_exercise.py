"""Exercises and their versions: what changes a check changes its version, and nothing else does."""

import importlib.util
from pathlib import Path

import pytest

from grader.checks import exercise as find_exercise
from grader.checks import sessions, withheld
from grader.engine.exercise import Session
from grader.engine.student import Student
from grader.engine.world import World
from tools import exercise

CHECKS = '''\
"""Checks."""

from grader.engine.exercise import Session
from grader.engine.expect import expect

session = Session("ch98", "a session")
LIMIT = 3

# ---- one
e1 = session.exercise("ch98-e1", "one", provides=["f"], hints=["is it?", "it is"])


@e1.case("it returns")
def returns(student, world):
    expect(student.f()).equals(LIMIT)


# ---- two
e2 = session.exercise("ch98-e2", "two", provides=["g"], hints=["is it?", "it is"])


@e2.case("it returns")
def returns_too(student, world):
    expect(student.g()).equals(helper())


def helper():
    return 1
'''


@pytest.fixture
def versions(tmp_path: Path):  # type: ignore[no-untyped-def]
    made = 0

    def read(text: str) -> list[str]:
        nonlocal made
        made += 1
        path = tmp_path / f"checks{made}.py"
        path.write_text(text, encoding="utf-8")
        spec = importlib.util.spec_from_file_location(f"checks{made}", path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        import sys

        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        return [one.version for one in module.session.exercises]

    return read


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("", "", [False, False]),
        ('expect(student.f()).equals(LIMIT)', 'expect(student.f()).equals(4)', [True, False]),
        ('@e1.case("it returns")', '@e1.case("it returns it")', [True, False]),
        ('@e1.case("it returns")', '@e1.case("it returns", points=2)', [True, False]),
        ("LIMIT = 3", "LIMIT = 4", [True, True]),
        ("    return 1", "    return 2", [True, True]),
        ('provides=["g"]', 'provides=["g", "h"]', [False, True]),
        ('hints=["is it?", "it is"])\n\n\n@e1', 'hints=["well?", "it is"])\n\n\n@e1', [False, False]),
        ('"one"', '"the first"', [False, False]),
        ("# ---- two", "# ---- the second\n", [False, False]),
        ("\ndef helper", 'e3 = session.exercise("ch98-e3", "x", ["h"], ["?", "!"])\n\n\n'
         '@e3.case("x")\ndef another(student, world):\n    pass\n\n\ndef helper', [False, False]),
    ],
    ids=[
        "nothing", "the body of a case", "the title of a case", "the points of a case", "a shared value",
        "a shared function", "what an exercise provides", "a hint", "a title", "a comment", "another exercise",
    ],
)  # fmt: skip
def test_a_version_changes_with_what_is_judged_and_with_nothing_else(
    versions,  # type: ignore[no-untyped-def]
    old: str,
    new: str,
    changed: list[bool],
) -> None:
    assert old in CHECKS
    before, after = versions(CHECKS), versions(CHECKS.replace(old, new, 1))
    assert [one != other for one, other in zip(before, after[:2], strict=True)] == changed


def test_the_versions_of_all_exercises_differ() -> None:
    found = [one.version for session in sessions().values() for one in session.exercises]
    assert len(set(found)) == len(found)
    assert all(len(version) == 16 for version in found)


def test_an_exercise_is_worth_the_sum_of_its_cases() -> None:
    made = exercise()
    made.case("one", points=2)(lambda student, world: None)

    def two(student: Student, world: World) -> None: ...

    made.case("two")(two)
    assert made.points == 3


def test_two_cases_of_one_title_or_one_name_are_refused() -> None:
    def case(student: Student, world: World) -> None: ...

    made = exercise(case)
    with pytest.raises(ValueError, match="ch99-e1 has two cases called 'case'"):
        made.case("case")(lambda student, world: None)
    with pytest.raises(ValueError, match="two cases"):
        made.case("another")(case)


def test_an_exercise_belongs_to_its_session_and_has_two_hints() -> None:
    session = Session("ch98", "a session")
    with pytest.raises(ValueError, match="ch97-e1 does not belong to ch98"):
        session.exercise("ch97-e1", "x", ["f"], ["?", "!"])
    with pytest.raises(ValueError, match="ch98-e1 needs at least two hints"):
        session.exercise("ch98-e1", "x", ["f"], ["?"])
    assert session.exercises == []
    assert session.number == 98


def test_the_registry_finds_an_exercise_or_says_which_there_are() -> None:
    assert find_exercise("ch05-e2").title == "A refusal is a contract"
    with pytest.raises(KeyError, match=r"there is no exercise 'ch05-e99' \(have: .*ch05-e1"):
        find_exercise("ch05-e99")


def test_what_a_session_builds_is_withheld_from_it_and_from_every_session_before() -> None:
    for session in sessions().values():
        assert set(session.builds) - set(session.gives) <= set(withheld(session))
        assert not set(session.gives) & set(withheld(session))
    assert "course.loops.receipts" in withheld(sessions()["ch05"])
