"""Slots to play notebooks in: one per set of layers and module, closed at its end."""

from collections.abc import Callable, Iterator

import pytest
from seats import SMALL

from grader.sandbox.slot import Slot
from grader.sandbox.walls import Layers, missing_layers


@pytest.fixture(scope="module")
def slots() -> Iterator[Callable[..., Slot]]:
    """slots(Layers(...)) -> a slot with these layers, made once per module."""
    if missing_layers():
        pytest.skip(f"this machine lacks {', '.join(missing_layers())}")
    made: dict[Layers, Slot] = {}

    def slot(layers: Layers | None = None) -> Slot:
        layers = layers or Layers()
        if layers not in made:
            made[layers] = Slot(["course.loops.receipts"], layers, number=40 + len(made), limits=SMALL)
        return made[layers]

    yield slot
    for each in made.values():
        each.close()


@pytest.fixture(scope="module")
def slot(slots: Callable[..., Slot]) -> Slot:
    """A slot with every layer on."""
    return slots()
