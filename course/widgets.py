"""Runs to touch: a step-through, budget sliders, a tamper bench. Each is one line in a notebook.

`ipywidgets` is imported when a cell shows one of them, and only then. Every view has a static picture in the same mime
bundle: where widgets do not render, and in a saved notebook, that picture is what stands there.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any

from course.markup import BOX, CELL, TABLE, Tone, badge, code, edge, header, said
from course.view import show

Records = list[Any]
Verify = Callable[[Records], Sequence[Any]]
_WIDGET = "application/vnd.jupyter.widget-view+json"


class Interactive:
    """A view with controls. picture: its state without them, as HTML; text: the same for a terminal.

    build: makes the widget; it is called when a cell shows the view, and not where `ipywidgets` is missing.
    """

    def __init__(self, picture: str, text: str, build: Callable[[], Any] | None) -> None:
        self.picture = picture
        self.text = text
        self._build = build
        self._made: Any = None

    @property
    def widget(self) -> Any:
        """The `ipywidgets` widget, made once; None where it cannot be made."""
        if self._made is None and self._build is not None:
            try:
                self._made = self._build()
            except ImportError:
                self._build = None
        return self._made

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return self.picture

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        live = self.widget._repr_mimebundle_() if _in_a_kernel() and self.widget is not None else {}
        view = {_WIDGET: live[_WIDGET]} if _WIDGET in live else {}
        return {"text/plain": self.text, "text/html": self.picture, **view}


def _in_a_kernel() -> bool:
    """Whether somebody could move a widget. Elsewhere importing `ipywidgets` takes longer than a session."""
    ipython = sys.modules.get("IPython")
    return ipython is not None and getattr(ipython.get_ipython(), "kernel", None) is not None


def _not_yet(problem: Exception) -> Interactive:
    """What stands there while the stub raises."""
    note = f"not written yet ({problem})" if isinstance(problem, NotImplementedError) else _said(problem)
    return Interactive(f'<div style="{BOX}">{said(note)}</div>', note, None)


def _said(problem: Exception) -> str:
    return f"yours raised {type(problem).__name__}: {problem}"


# ------------------------------------------------------------------------------------------------- session 5: one run
def step_through(run: Callable[[], Mapping[str, Any]], plan: Sequence[Mapping[str, Any]]) -> Interactive:
    """Go through a run decision by decision: what the plan asked for, and what the receipt then held.

    run: called once, without arguments; returns a receipt. plan: the decisions that it worked off.
    """
    try:
        receipt = run()
        steps, reason = list(receipt["steps"]), str(receipt["stopped_because"])
        spoken = receipt["answer"] if receipt["answer"] is not None else receipt["refusal"]
    except Exception as problem:
        return _not_yet(problem)
    last = min(len(steps) + 1, len(plan))

    def page(at: int) -> str:
        rows = [_decision_row(number, decision, steps, at, last) for number, decision in enumerate(plan, 1)]
        end = f"{badge('stop', 'stop')} {code(reason)}: {said(str(spoken))}" if at >= last else "the run goes on"
        widths = {"decision": "14%", "asked for": "46%", "in the receipt": "40%"}
        heads = "".join(header(text, "col", f"font-weight:bold;width:{width}") for text, width in widths.items())
        return (
            f'<section aria-label="a run, step by step" style="{BOX}"><b>after {at} of {last} decisions</b>'
            f'<table style="{TABLE}"><tr>{heads}</tr>{"".join(rows)}</table><div>{end}</div></section>'
        )

    def build() -> Any:
        import ipywidgets  # type: ignore[import-untyped]

        slider = ipywidgets.IntSlider(value=0, min=0, max=last, description="decisions", continuous_update=True)
        return _slid(ipywidgets, [slider], lambda: page(slider.value))

    return Interactive(page(last), repr(show(receipt)), build)


def _decision_row(number: int, decision: Mapping[str, Any], steps: Sequence[Any], at: int, last: int) -> str:
    asked = f"answer: {decision['answer']}" if "answer" in decision else f"{decision['tool']}({decision['args']!r})"
    if number > at:
        held = "never reached" if number > last else "not yet"
    elif number <= len(steps):
        held = f"step {number}: {steps[number - 1]['result']!r}"
    else:
        held = "no step: here the run ended"
    tone: Tone = "good" if number <= min(at, len(steps)) else "stop" if number <= at else "plain"
    cells = f'<td style="{CELL}">{code(asked[:200])}</td><td style="{CELL}">{said(held[:200])}</td>'
    weight = "font-weight:bold" if number == at else ""
    return f"<tr>{header(str(number), 'row', f'{edge(tone)};{weight}')}{cells}</tr>"


# ---------------------------------------------------------------------------------------------- session 6: one ladder
def budget_slider(play: Callable[..., Any], **limits: tuple[int, int]) -> Interactive:
    """Move the limits of a run and watch which stop it comes to.

    play: called as play(max_steps=3, …), the limits by name; runs anew and returns the records of the run.
    limits: for each limit where its slider begins and where it ends, such as max_steps=(3, 8).
    """
    start = {name: first for name, (first, _) in limits.items()}

    def page(chosen: Mapping[str, int]) -> str:
        try:
            return show(play(**chosen))._repr_html_()
        except Exception as problem:
            return _not_yet(problem).picture

    def build() -> Any:
        import ipywidgets

        sliders = {
            name: ipywidgets.IntSlider(value=first, min=0, max=most, description=name, continuous_update=False)
            for name, (first, most) in limits.items()
        }
        return _slid(ipywidgets, list(sliders.values()), lambda: page({k: one.value for k, one in sliders.items()}))

    try:
        text = repr(show(play(**start)))
    except Exception as problem:
        return _not_yet(problem)
    given = ", ".join(f"{name}={value}" for name, value in start.items())
    return Interactive(f"<div>{said(given)}</div>{page(start)}", f"{given}\n{text}", build)


def _slid(ipywidgets: Any, sliders: list[Any], page: Callable[[], str]) -> Any:
    """Sliders above a page that is drawn anew when one of them moves."""
    shown = ipywidgets.HTML(page())
    for slider in sliders:
        slider.style.description_width = "8em"
        slider.observe(lambda _change: setattr(shown, "value", page()), names="value")
    return ipywidgets.VBox([*sliders, shown])


# ------------------------------------------------------------------------------------------------ session 10: a chain
class Tampered:
    """A chain under attack: `records` as they are now, held against what verifiers say of them.

    checks: name -> a function that takes the records and returns what is wrong with them, an empty list for nothing.
    """

    def __init__(self, records: Sequence[Any], checks: Mapping[str, Verify]) -> None:
        self._intact = deepcopy(list(records))
        self.records: Records = deepcopy(self._intact)
        self.checks = checks
        self.did = "nothing was touched"

    def edit(self, index: int, payload: str) -> None:
        """Put other JSON into the payload of a record and leave its hash as it is."""
        try:
            self.records[index] = {**self.records[index], "payload": json.loads(payload)}
            self.did = f"the payload of record {index} was edited"
        except ValueError as error:
            self.did = f"this is no JSON ({error}): nothing was changed"

    def remove(self, index: int) -> None:
        """Take a record out."""
        self.records[index : index + 1] = []
        self.did = f"record {index} was taken out"

    def swap(self, index: int) -> None:
        """Exchange a record with the one before it."""
        self.records[index - 1 : index + 1] = reversed(self.records[index - 1 : index + 1])
        self.did = f"records {index - 1} and {index} have changed places"

    def rehash(self, index: int, through: int | None = None) -> None:
        """Compute the hashes from `index` to `through` anew, with `prev` and `seq`, as a forger does."""
        from course.transcript import GENESIS, make_record

        for n in range(index, len(self.records) if through is None else through + 1):
            prev = self.records[n - 1]["hash"] if n else GENESIS
            self.records[n], _ = make_record(self.records[n]["kind"], self.records[n]["payload"], n, prev)
        whole = "every hash from there on" if through is None else "its hash alone"
        self.did = f"record {index}: {whole} was computed anew"

    def restore(self) -> None:
        """Back to the records as they were."""
        self.records, self.did = deepcopy(self._intact), "nothing was touched"

    def findings(self) -> list[tuple[str, str]]:
        """(check, the first thing that it finds, "" for nothing), in the order of the checks."""
        return [(name, self._first(check)) for name, check in self.checks.items()]

    def _first(self, check: Verify) -> str:
        try:
            found = list(check(deepcopy(self.records)))
        except Exception as problem:
            return _said(problem)
        return _fault(found[0]) if found else ""

    def _repr_html_(self) -> str:
        rows = ""
        for name, found in self.findings():
            verdict = badge("bad", "found") if found else badge("plain", "finds nothing")
            rows += f'<tr>{header(said(name), "row")}<td style="{CELL}">{verdict} {said(found)}</td></tr>'
        return (
            f'<section aria-label="which check catches it" style="{BOX}"><b>{said(self.did)}</b>'
            f'<table style="{TABLE}">{rows}</table></section>'
        )

    def __repr__(self) -> str:
        lines = [f"  {name}: {found or 'finds nothing'}" for name, found in self.findings()]
        return "\n".join([self.did, *lines])


def _fault(fault: Any) -> str:
    if isinstance(fault, Mapping):
        return f"{fault.get('kind')} at record {fault.get('index')}"
    kind, index = getattr(fault, "kind", None), getattr(fault, "index", None)
    return f"{kind} at record {index}" if kind is not None else str(fault)


def tamper_bench(records: Sequence[Any], **checks: Verify) -> Interactive:
    """Edit a record, take it out, move it, forge its hashes, and watch which check catches it.

    records: an intact chain; it is copied. checks: verifiers by name, such as verify_records=verify_records, each
    called with the records and returning a list of faults.
    """
    bench = Tampered(records, checks)
    example = Tampered(records, checks)
    if len(example.records) > 1:
        example.edit(1, '"edited by hand"')

    def build() -> Any:
        import ipywidgets

        return _bench(ipywidgets, bench)

    return Interactive(example._repr_html_(), repr(example), build)


def _bench(ipywidgets: Any, bench: Tampered) -> Any:
    wide = ipywidgets.Layout(width="95%", max_width="60em")
    which = ipywidgets.IntSlider(value=1, min=0, max=max(len(bench.records) - 1, 0), description="record")
    payload = ipywidgets.Textarea(description="payload", rows=3, layout=wide)
    found = ipywidgets.HTML()

    def redraw(_change: object = None) -> None:
        which.max = max(len(bench.records) - 1, 0)
        record = bench.records[which.value] if bench.records else {}
        payload.value = json.dumps(record.get("payload"), ensure_ascii=False) if isinstance(record, dict) else ""
        found.value = bench._repr_html_()

    actions: dict[str, Callable[[], None]] = {
        "write the payload": lambda: bench.edit(which.value, payload.value),
        "compute its hash anew": lambda: bench.rehash(which.value, which.value),
        "forge all from here": lambda: bench.rehash(which.value),
        "take it out": lambda: bench.remove(which.value),
        "swap with the one before": lambda: bench.swap(max(which.value, 1)),
        "restore": bench.restore,
    }
    buttons = [_button(ipywidgets, name, action, redraw) for name, action in actions.items()]
    which.observe(redraw, names="value")
    redraw()
    row = ipywidgets.Layout(display="flex", flex_flow="row wrap")
    return ipywidgets.VBox([which, payload, ipywidgets.Box(buttons, layout=row), found])


def _button(ipywidgets: Any, name: str, action: Callable[[], None], redraw: Callable[[], None]) -> Any:
    button = ipywidgets.Button(description=name, layout=ipywidgets.Layout(width="auto"))

    def pressed(_button: object) -> None:
        action()
        redraw()

    button.on_click(pressed)
    return button
