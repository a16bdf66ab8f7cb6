"""Interactive views: one line each, a picture where widgets do not render, and what moves when a control moves."""

import builtins
import json
from types import SimpleNamespace
from typing import Any

import pytest

from course.incidents import load
from course.loops import budgeted
from course.loops.receipts import run_loop
from course.models import ModelReply, ScriptedModel, ToolCall
from course.tools import ToolRegistry
from course.transcript import Transcript, verify_records
from course.widgets import Interactive, Tampered, budget_slider, step_through, tamper_bench

WIDGET = "application/vnd.jupyter.widget-view+json"
PLAN = [{"tool": "look", "args": {"n": n}} for n in (1, 2, 2)] + [{"answer": "done"}]
ipywidgets = pytest.importorskip("ipywidgets")
IPython = pytest.importorskip("IPython")


def stepped() -> Interactive:
    return step_through(lambda: run_loop(PLAN, {"look": lambda n: n * 10}, budget=9), PLAN)


def chain() -> list[Any]:
    transcript = Transcript()
    for number in range(5):
        transcript.append("tool", {"n": number})
    return transcript.records


def anchored(records: list[Any]) -> list[Any]:
    fits = bool(records) and len(records) == 5 and records[-1]["hash"] == chain()[-1]["hash"]
    return [] if fits else [{"kind": "anchor", "index": len(records)}]


def played(max_steps: int) -> list[Any]:
    transcript = Transcript()
    turn = ModelReply("Looking.", [ToolCall("nothing", {})])
    limits = budgeted.Budgets(max_steps=max_steps)
    budgeted.run("Look.", ScriptedModel([turn] * 9), ToolRegistry([]), limits, transcript=transcript)
    return transcript.records


def not_written(**_: object) -> Any:
    raise NotImplementedError("ch06-e4: one loop")


VIEWS = [stepped, lambda: budget_slider(played, max_steps=(2, 6)), lambda: tamper_bench(chain(), chain=verify_records)]


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a notebook: IPython's shell has a kernel."""
    monkeypatch.setattr(IPython, "get_ipython", lambda: SimpleNamespace(kernel=object()))


@pytest.mark.parametrize("make", VIEWS, ids=["step_through", "budget_slider", "tamper_bench"])
def test_without_a_kernel_a_view_is_a_picture_and_a_text_and_no_widget_is_made(make: Any) -> None:
    assert set(make()._repr_mimebundle_()) == {"text/plain", "text/html"}


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("make", VIEWS, ids=["step_through", "budget_slider", "tamper_bench"])
def test_a_view_is_a_widget_a_picture_and_a_text_in_one_bundle(make: Any) -> None:
    bundle = make()._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html", WIDGET}
    assert bundle["text/html"].startswith("<") and "<script" not in bundle["text/html"]
    assert json.dumps(bundle[WIDGET])


@pytest.mark.parametrize("make", VIEWS, ids=["step_through", "budget_slider", "tamper_bench"])
def test_without_ipywidgets_the_picture_stands_alone(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def refuse(name: str, *args: Any, **keys: Any) -> Any:
        if name.startswith("ipywidgets"):
            raise ImportError(name)
        return real(name, *args, **keys)

    monkeypatch.setattr(builtins, "__import__", refuse)
    assert set(make()._repr_mimebundle_()) == {"text/plain", "text/html"}


@pytest.mark.parametrize(
    "view", [lambda: step_through(not_written, PLAN), lambda: budget_slider(not_written, max_steps=(1, 2))]
)
def test_a_stub_is_a_note_and_no_crash(view: Any) -> None:
    assert repr(view()) == "not written yet (ch06-e4: one loop)"


def test_stepping_shows_what_the_receipt_held_by_then() -> None:
    slider, page = stepped().widget.children
    assert "after 0 of 3 decisions" in page.value and "not yet" in page.value
    slider.value = 2
    assert "step 2: 20" in page.value and "the run goes on" in page.value
    slider.value = 3
    assert "repeated_call" in page.value and "no step: here the run ended" in page.value
    assert slider.max == 3 and "never reached" in page.value


def test_moving_a_limit_runs_the_loop_anew() -> None:
    slider, page = budget_slider(played, max_steps=(2, 6)).widget.children
    assert "2 of 2 steps used" in page.value and "step_budget" in page.value
    slider.value = 5
    assert "5 of 5 steps used" in page.value


# ---------------------------------------------------------------------------------------------------- tampering
def bench() -> Tampered:
    return Tampered(chain(), {"the chain": verify_records, "the anchor": anchored})


def test_an_untouched_chain_is_caught_by_nothing() -> None:
    assert [found for _, found in bench().findings()] == ["", ""]


@pytest.mark.parametrize(
    ("attack", "chain_finds", "anchor_finds"),
    [
        (lambda one: one.edit(2, '{"n": 99}'), "hash_mismatch at record 2", False),
        (lambda one: (one.edit(2, "9"), one.rehash(2, 2)), "prev_mismatch at record 3", False),
        (lambda one: (one.edit(2, "9"), one.rehash(2)), "", True),
        (lambda one: one.remove(2), "seq_gap at record 2", True),
        (lambda one: one.remove(4), "", True),
        (lambda one: one.swap(2), "seq_gap at record 1", False),
    ],
    ids=["edited", "its own hash too", "forged to the end", "taken out", "cut from the end", "swapped"],
)
def test_the_bench_says_which_check_catches_what(attack: Any, chain_finds: str, anchor_finds: bool) -> None:
    one = bench()
    attack(one)
    found = dict(one.findings())
    assert found["the chain"] == chain_finds
    assert bool(found["the anchor"]) is anchor_finds
    one.restore()
    assert [text for _, text in one.findings()] == ["", ""]


def test_text_that_is_no_json_changes_nothing_and_says_so() -> None:
    one = bench()
    one.edit(2, "{")
    assert one.did.startswith("this is no JSON") and one.records == chain()


def test_a_verifier_that_raises_or_is_not_written_is_named() -> None:
    one = Tampered(chain(), {"mine": not_written})
    assert dict(one.findings())["mine"].startswith("yours raised TypeError")


def test_the_buttons_of_the_bench_do_what_they_say() -> None:
    which, payload, buttons, found = tamper_bench(chain(), chain=verify_records).widget.children
    by_name = {button.description: button for button in buttons.children}
    which.value, payload.value = 3, '{"n": 7}'
    by_name["write the payload"].click()
    assert "hash_mismatch at record 3" in found.value
    by_name["restore"].click()
    assert "nothing was touched" in found.value and payload.value == '{"n": 3}'


def test_no_record_becomes_html() -> None:
    records = load("gaia-3750")
    one = Tampered(records, {"<script>": verify_records})
    assert "<script" not in one._repr_html_()
