"""The words of the world and of `expect` that the sessions on traces use: a file, decisions, steps, verifiers."""

import pytest

from course.judging import Judgment, StepContext
from course.models import Decision
from grader.engine.expect import Failure, expect
from grader.engine.world import World


def world() -> World:
    return World("traces")


def test_of_a_file_only_what_was_flushed_counts() -> None:
    file = world().file()
    file.write('{"a": 1}\n')
    assert file.records().plain == []
    file.flush()
    file.write('{"b": 2}\n')
    assert file.records().plain == [{"a": 1}]


@pytest.mark.parametrize(
    ("text", "says"), [('{"a": 1}', "a newline at the end"), ('{"a": \n', "JSON object in line 1")]
)
def test_a_file_that_holds_no_lines_of_json_is_the_students_failure(text: str, says: str) -> None:
    file = world().file()
    file.write(text)
    file.flush()
    with pytest.raises(Failure, match=says):
        file.records()


def test_a_file_takes_texts_alone() -> None:
    with pytest.raises(TypeError, match="write\\(\\) takes a text, not bytes"):
        world().file().write(b"{}\n")


def test_a_decision_is_a_call_or_an_answer() -> None:
    made = world()
    assert isinstance(made.decision(made.answer()), Decision)
    assert made.decision({"answer": ""}).answer == ""
    call = made.decision(made.call(made.tool(name="probe"))).tool_call
    assert call is not None
    assert call.name == "probe"


def test_a_step_of_a_call_has_an_observation_and_one_of_an_answer_has_none() -> None:
    made = world()
    called = made.step({"tool": "probe", "args": {}}, 7, (1.0, 0.5))
    assert called["observation"] == {"ok": True, "content": 7}
    assert [judgment["score"] for judgment in called["judgments"]] == [1.0, 0.5]
    whole = {"ok": False, "content": "no"}
    assert made.step({"tool": "probe", "args": {}}, whole)["observation"] == whole
    assert made.step(made.answer())["observation"] is None


def test_a_verifier_gives_its_judgments_in_turn_and_is_counted() -> None:
    made = world()
    first, last = Judgment(0.0, False, "no"), Judgment(1.0, True, "yes")
    verifier = made.verifier("pre_act", first, last)
    context = StepContext("task", 0, 8, Decision("", answer=""), None, [])
    assert [verifier.judge(context) for _ in range(3)] == [first, last, last]
    assert made.ledger.calls().plain == 3


def test_is_about_forgives_the_last_digits_and_no_more() -> None:
    expect(0.1 + 0.2).is_about(0.3)
    for wrong in (0.31, True, float("nan"), "0.3", None):
        with pytest.raises(Failure):
            expect(wrong).is_about(0.3)
