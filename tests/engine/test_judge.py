"""The only way to a verdict: what each end of a case becomes, and what a verdict holds."""

import json
from typing import Any

import pytest

from grader.engine.expect import expect
from grader.engine.judge import grading_seed, judge, run_case, unjudged
from grader.engine.student import Gone, InProcessStudent, Student
from grader.engine.verdict import STATUSES, CaseResult, Verdict
from grader.engine.wire import Json
from grader.engine.world import World
from tools import exercise, judged, result


def returns_one(student: Student, world: World) -> None:
    expect(student.f()).equals(1, because="one is wanted")


def runs_a_loop(student: Student, world: World) -> None:
    index, other = world.tool(), world.tool()
    receipt = student.f(index, other)
    expect(receipt["done"]).is_true()


def defect(student: Student, world: World) -> None:
    raise AttributeError("a mistake in the check")


def one(*_: Any) -> Any:
    return 1


# ----------------------------------------------------------------------------------------------------------- cases
def test_a_case_that_holds_gives_its_points_and_no_finding() -> None:
    assert result(one, returns_one) == CaseResult("returns_one", "returns_one", "passed", 1, 1)


def test_explain_keeps_the_finding_of_a_case_that_passed() -> None:
    made = exercise(returns_one)
    found = judge(made, InProcessStudent({"f": one}, ("f",)), explain=True).cases[0]
    assert found.status == "passed" and found.finding is not None
    assert (found.finding.call, found.finding.returned) == ("f()", "1")


def test_a_case_that_fails_says_the_call_expected_got_and_why() -> None:
    found = result(lambda: 2, returns_one)
    assert (found.status, found.points, found.max_points) == ("failed", 0, 1)
    assert found.finding is not None
    assert (found.finding.call, found.finding.expected, found.finding.got, found.finding.because) == (
        "f()", "1", "the returned value = 2", "one is wanted",
    )  # fmt: skip


def test_a_defect_in_the_check_is_never_a_students_zero() -> None:
    found = result(one, defect)
    assert (found.status, found.points) == ("not_judged", 0)
    assert found.reason == "the check itself failed: AttributeError: a mistake in the check"


def test_a_case_that_fails_costs_no_other_case_its_points() -> None:
    verdict = judged(one, returns_one, defect, runs_a_loop)
    assert [case.status for case in verdict.cases] == ["passed", "not_judged", "failed"]
    assert (verdict.points, verdict.max_points, verdict.status) == (1, 3, "not_judged")


def test_the_world_of_a_case_depends_on_seed_exercise_and_case() -> None:
    seen: list[str] = []

    def first(student: Student, world: World) -> None:
        seen.append(world.words())

    def second(student: Student, world: World) -> None:
        seen.append(world.words())

    for seed in ("a", "a", "b"):
        judge(exercise(first, second), InProcessStudent({"f": one}, ("f",)), seed)
    assert seen[:2] == seen[2:4]
    assert len(set(seen)) == 4


# -------------------------------------------------------------------------------------------------------- the receipt
def looped(*steps: int, extra: bool = False) -> Any:
    """A loop that calls its tools as it says, and lists the steps numbered in `steps`."""

    def f(index: Any, other: Any) -> dict[str, Any]:
        results = [index(n=1), index(n=2)]
        if extra:
            other(n=3)
        made = [{"tool": index.__name__, "args": {"n": n}, "result": results[n - 1]} for n in (1, 2)]
        return {"steps": [made[n] for n in steps], "done": False}

    return f


@pytest.mark.parametrize(
    ("function", "parts_at"),
    [
        (looped(0, 1), None),
        (looped(0), 1),
        (looped(1), 0),
        (looped(0, 1, 1), 2),
        (looped(), 0),
        (looped(0, 1, extra=True), 2),
    ],
    ids=["honest", "one left out", "the first left out", "one invented", "all left out", "a call after the stop"],
)
def test_the_finding_says_where_the_receipt_parts_from_the_ledger(function: Any, parts_at: int | None) -> None:
    found = result(function, runs_a_loop).finding
    assert found is not None
    assert found.parts_at == parts_at
    assert len(found.happened) == (3 if parts_at == 2 and "n': 3" in found.happened[-1] else 2)
    assert found.returned == "done=False"


def test_a_call_that_raised_is_in_the_ledger_and_rightly_in_no_receipt() -> None:
    def case(student: Student, world: World) -> None:
        gone, steady = world.tool(after=0, error=ValueError("x")), world.tool()
        expect(student.f(gone, steady)["done"]).is_true()

    def f(gone: Any, steady: Any) -> Any:
        try:
            gone(n=1)
        except ValueError:
            return {"steps": [{"tool": steady.__name__, "args": {"n": 2}, "result": steady(n=2)}], "done": 0}

    found = result(f, case).finding
    assert found is not None and found.parts_at is None


@pytest.mark.parametrize("steps", [["x"], [None], [{"tool": 1}], [{"tool": [], "args": 5, "result": {}}]])
def test_steps_of_any_form_can_be_shown(steps: Any) -> None:
    found = result(lambda *_: {"steps": steps, "done": False}, runs_a_loop).finding
    assert found is not None and found.reported is not None and len(found.reported) == 1


def test_a_long_ledger_is_cut() -> None:
    def f(index: Any, other: Any) -> Any:
        for n in range(50):
            index(n=n)
        return {"done": False}

    found = result(f, runs_a_loop).finding
    assert found is not None and len(found.happened) == 12
    assert found.happened[-1] == "… and 39 more"


# --------------------------------------------------------------------------------------------- a process that ends
class Fragile(Student):
    """A student whose process ends at its second request, as long as `lives` is not used up."""

    def __init__(self, ends_at: int) -> None:
        super().__init__(("f",))
        self._left = ends_at

    def request(self, message: Json) -> Json:
        self._left -= 1
        if self._left < 0:
            raise Gone("crashed", "ended itself with exit code 3")
        return {"run": message["run"], "threads": 0, "value": 1}


def again(student: Student, world: World) -> None:
    returns_one(student, world)


def once_more(student: Student, world: World) -> None:
    returns_one(student, world)


def test_a_process_that_ends_costs_the_case_and_the_judgment_goes_on_with_another() -> None:
    made = exercise(returns_one, again, once_more)
    kept: dict[str, CaseResult] = {}

    def keep(found: CaseResult) -> None:
        kept[found.name] = found

    with pytest.raises(Gone):
        judge(made, Fragile(1), on_result=keep)
    assert [(name, one.status) for name, one in kept.items()] == [("returns_one", "passed"), ("again", "crashed")]
    verdict = judge(made, Fragile(9), known=kept, on_result=keep)
    assert [case.status for case in verdict.cases] == ["passed", "crashed", "passed"]
    assert verdict.cases[1].reason == "ended itself with exit code 3"
    assert verdict.points == 2


def test_results_that_stand_are_not_made_again() -> None:
    made = exercise(returns_one)
    stands = CaseResult("returns_one", "returns_one", "timed_out", 0, 1, "too slow")
    calls: list[CaseResult] = []
    verdict = judge(made, Fragile(0), known={"returns_one": stands}, on_result=calls.append)
    assert verdict.cases == (stands,)
    assert calls == []


def test_run_case_hands_back_the_end_of_the_process() -> None:
    made = exercise(returns_one)
    found, gone = run_case(made, made.cases[0], Fragile(0), "seed")
    assert found.status == "crashed" and gone is not None and gone.reason == found.reason


# ----------------------------------------------------------------------------------------------------------- seeds
def test_a_seed_follows_from_secret_exercise_submission_and_attempt() -> None:
    one = grading_seed(b"secret", "ch05-e1", "digest", 1)
    assert one == grading_seed(b"secret", "ch05-e1", "digest", 1)
    others = {
        grading_seed(b"other", "ch05-e1", "digest", 1),
        grading_seed(b"secret", "ch05-e2", "digest", 1),
        grading_seed(b"secret", "ch05-e1", "another", 1),
        grading_seed(b"secret", "ch05-e1", "digest", 2),
    }
    assert len(others | {one}) == 5
    assert len(one) == 64


# ----------------------------------------------------------------------------------------------------------- verdicts
def test_an_exercise_that_could_not_be_run_has_the_reason_with_every_case() -> None:
    verdict = unjudged(exercise(returns_one, again), "not_found", "f is not defined")
    assert [(case.status, case.points, case.reason) for case in verdict.cases] == [
        ("not_found", 0, "f is not defined")
    ] * 2
    assert (verdict.status, verdict.note) == ("not_found", "f is not defined")


def test_a_verdict_is_named_after_the_worst_of_its_cases() -> None:
    for number, worst in enumerate(STATUSES):
        cases = [CaseResult(str(n), str(n), status, 0, 1) for n, status in enumerate(STATUSES[: number + 1])]
        assert Verdict("ch99-e1", "x", tuple(reversed(cases))).status == worst
    assert Verdict("ch99-e1", "x").status == "not_judged"


@pytest.mark.parametrize("function", [one, lambda *_: None, looped(0), lambda: 1 / 0])
def test_a_verdict_comes_back_from_json_as_it_was(function: Any) -> None:
    verdict = judged(function, returns_one, runs_a_loop, defect)
    assert Verdict.from_record(json.loads(json.dumps(verdict.to_record()))) == verdict
