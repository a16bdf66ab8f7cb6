"""What a verifier says and sees: `course.judging`."""

import pytest

from course.judging import Judgment, NamedVerifier, StepContext
from course.loops.verified import run
from course.models import Decision, FakeLLM
from course.tools import ToolRegistry
from course.trace import Trace


@pytest.mark.parametrize("score", [-0.1, 1.1, float("nan"), True, "1"])
def test_a_score_outside_its_range_is_refused(score: float) -> None:
    with pytest.raises(ValueError, match="a score is a number from 0 to 1"):
        Judgment(score, True, "why")


def test_a_function_can_be_a_verifier_of_the_verified_loop() -> None:
    seen: list[StepContext] = []

    def judge(context: StepContext) -> Judgment:
        seen.append(context)
        return Judgment(0.5, True, "half")

    trace = Trace()
    ended = run(
        "task", FakeLLM([Decision("", answer="a")]), ToolRegistry(), [NamedVerifier("n", "pre_act", judge)], trace=trace
    )
    assert ended.mean_score == 0.5
    assert trace.records[1]["judgments"][0]["verifier"] == "n"
    assert [context.step for context in seen] == [0]


def test_verifiers_has_the_same_records_under_its_own_name() -> None:
    from course import verifiers

    assert verifiers.Judgment is Judgment
    assert verifiers.StepContext is StepContext
