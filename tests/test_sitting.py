"""One notebook in one slot: judged where each check stands, as often as allowed, and past whatever ends the process."""

from collections.abc import Callable, Iterator

import pytest

from grader.checks import exercise, sessions, withheld
from grader.engine.verdict import Verdict
from grader.sandbox.slot import Slot
from grader.sandbox.supervisor import MAX_ATTEMPTS, MAX_CELL_DEATHS, Paper, Record, Sitting, Times

pytestmark = pytest.mark.sandbox
E3 = exercise("ch05-e3")
RIGHT = """
def render_trace(receipt):
    lines = [f"{n}. {s['tool']}({s['args']!r}) -> {s['result']}" for n, s in enumerate(receipt["steps"], 1)]
    spoken = "answer" if receipt["stopped_because"] == "answered" else "refusal"
    return "\\n".join([*lines, f"stopped_because={receipt['stopped_because']!r}  {spoken}={receipt[spoken]!r}"])
"""
WRONG = "def render_trace(receipt):\n    return 'nothing'\n"
IMPORT = "from grader import check\n"
CHECK = 'check("ch05-e3", render_trace)'
Sit = Callable[..., Record]


@pytest.fixture(scope="module")
def sit() -> Iterator[Sit]:
    """sit(cell, ...) -> what the sitting brought."""
    with Slot(withheld(sessions()["ch05"]), number=62) as slot:

        def run(*cells: str, explain: bool = False, times: Times | None = None, **elsewhere: str) -> Record:
            seats = Sitting(
                slot, [E3], Paper((IMPORT, *cells), elsewhere), lambda name, n: f"{name}/{n}", times, explain
            )
            return seats.run()

        yield run


def found(record: Record) -> Verdict:
    return record.verdicts["ch05-e3"]


# ---- where a check stands
def test_a_check_is_judged_where_it_stands_whatever_comes_later(sit: Sit) -> None:
    assert found(sit(RIGHT, CHECK, WRONG)).passed
    assert not found(sit(WRONG, CHECK, RIGHT)).passed


def test_the_last_check_counts(sit: Sit) -> None:
    assert found(sit(WRONG, CHECK, RIGHT, CHECK)).passed
    assert not found(sit(RIGHT, CHECK, WRONG, CHECK)).passed


def test_without_its_check_an_exercise_is_judged_at_the_end_by_name(sit: Sit) -> None:
    assert found(sit(WRONG, RIGHT)).passed


def test_a_check_of_the_students_own_decides_nothing(sit: Sit) -> None:
    own = "def check(*_):\n    print('30 of 30 points')\n    return True"
    assert not found(sit(own, WRONG, CHECK)).passed
    assert found(sit(own, RIGHT, CHECK)).passed


def test_a_tenth_check_counts_and_an_eleventh_is_refused(sit: Sit) -> None:
    record = sit(WRONG, f"for _ in range({MAX_ATTEMPTS - 1}): {CHECK}", f"{RIGHT}\n{CHECK}", f"{WRONG}\n{CHECK}")
    assert found(record).passed
    assert record.cell_errors == [(4, "ValueError: ch05-e3 was checked more than 10 times; the tenth counts")]


def test_a_wrong_number_of_objects_is_the_cells_error_and_costs_no_attempt(sit: Sit) -> None:
    record = sit(RIGHT, 'check("ch05-e3", 1, 2)', WRONG.replace("render_trace", "other"))
    assert found(record).passed
    assert record.cell_errors == [(2, "ValueError: check('ch05-e3', …) takes render_trace")]


def test_objects_handed_to_a_check_that_is_not_judged_are_forgotten(sit: Sit) -> None:
    assert found(sit(RIGHT, 'check("ch05-e1", len)')).passed
    assert found(sit(RIGHT, 'check("no such thing", len)')).passed


def test_what_check_returns_tells_the_points_and_no_more(sit: Sit) -> None:
    record = sit(WRONG, CHECK)
    [(_, output)] = [one for one in record.outputs if one[1]["output_type"] == "execute_result"]
    assert output["data"]["text/plain"] == f"ch05-e3: 0 of {E3.points} points"


def test_what_is_not_there_is_not_found_and_what_looks_like_it_is_named(sit: Sit) -> None:
    verdict = found(sit("x = 1", render_trace="cell 7 looks like it, but it is a markdown cell and does not run"))
    assert verdict.status == "not_found"
    assert verdict.note == (
        "render_trace is not defined in the notebook; "
        "cell 7 looks like it, but it is a markdown cell and does not run"
    )  # fmt: skip


def test_the_courses_own_version_is_not_there(sit: Sit) -> None:
    record = sit("from course.loops.receipts import render_trace", CHECK)
    assert found(record).points == 0
    assert [index for index, _ in record.cell_errors] == [1, 2]


# ---- errors and ends
def test_a_cell_that_raises_costs_nothing_but_is_noted_without_addresses(sit: Sit) -> None:
    record = sit("raise ValueError(object())", RIGHT, CHECK)
    assert found(record).passed
    assert record.cell_errors == [(1, "ValueError: <object object at 0x…>")]


def test_a_cell_that_ends_the_process_is_left_out_and_the_rest_goes_on(sit: Sit) -> None:
    record = sit("import os\nos._exit(0)", RIGHT, CHECK)
    assert found(record).passed
    left_out = "ended itself with exit code 0; it was left out, and the rest went on without it"
    assert record.notes == [f"code cell 2 {left_out}"]


def test_cells_that_keep_ending_the_process_are_all_left_out_in_the_end(sit: Sit) -> None:
    killers = ["import os\nos._exit(1)"] * (MAX_CELL_DEATHS + 2)
    record = sit(RIGHT, CHECK, *killers)
    assert found(record).passed
    assert len(record.notes) == MAX_CELL_DEATHS
    assert record.notes[-1].endswith("and the cells below it were left out too")


def test_a_function_that_ends_the_process_costs_the_case_and_no_other(sit: Sit) -> None:
    ends = "    if not receipt['steps']:\n        import os\n        os._exit(3)\n    spoken"
    fatal = RIGHT.replace("    spoken", ends)
    verdict = found(sit(fatal, CHECK))
    assert [case.status for case in verdict.cases] == ["passed", "passed", "passed", "crashed"]
    assert verdict.cases[-1].reason == "ended itself with exit code 3"


def test_a_function_that_always_ends_the_process_costs_every_case_and_each_says_so(sit: Sit) -> None:
    verdict = found(sit("import os\nrender_trace = lambda receipt: os._exit(3)", CHECK))
    assert {(case.status, case.reason) for case in verdict.cases} == {("crashed", "ended itself with exit code 3")}


def test_a_cell_that_never_ends_is_stopped_and_the_rest_goes_on(sit: Sit) -> None:
    record = sit("while True: pass", RIGHT, CHECK, times=Times(cell=0.3, submission=20))
    assert found(record).passed
    assert record.cell_errors[0][1].startswith("TimeLimit: the cell did not end within 0.3 s")


def test_a_notebook_that_uses_up_its_time_has_a_verdict_with_the_reason(sit: Sit) -> None:
    stuck = "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])\nwhile True: pass"
    record = sit(stuck, RIGHT, CHECK, times=Times(cell=30, submission=1.0))
    assert found(record).status == "timed_out"
    assert found(record).points == 0 and found(record).note


def test_explain_keeps_the_calls_of_the_cases_that_passed(sit: Sit) -> None:
    cases = found(sit(RIGHT, CHECK, explain=True)).cases
    assert all(case.finding is not None and case.finding.call.startswith("render_trace({") for case in cases)
    assert all(case.finding is None for case in found(sit(RIGHT, CHECK)).cases)


def test_the_same_notebook_gets_the_same_record_again(sit: Sit) -> None:
    def once() -> list[object]:
        record = sit("print({'b', 'a', 'c'})\nraise KeyError({'x', 'y'})", WRONG, CHECK)
        return [record.verdicts, record.cell_errors, record.notes]

    assert once() == once()
