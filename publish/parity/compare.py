"""What differs between two verdicts on one answer, case by case and field by field, and what is left to chance.

An answer that reads a clock, an address or the order of a set gets another verdict in each process, on the desktop
too. Nothing can be compared there but what all its verdicts on the desktop have in common.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Reply = Mapping[str, Any]  # of a seat
_NO_CASE = "the exercise as a whole"


@dataclass(frozen=True)
class Difference:
    """One field of one case in which the browser's verdict is not the desktop's. Both sides as text."""

    case: str
    field: str
    desktop: str
    browser: str


def differences(desktop: Reply, browser: Reply) -> list[Difference]:
    """Where the two replies to one attempt differ; nothing where they are the same verdict."""
    here, there = _fields(desktop), _fields(browser)
    if "verdict" not in desktop or "verdict" not in browser:
        said = [repr(one.get("trouble", "a verdict")) for one in (desktop, browser)]
        return [Difference(_NO_CASE, "trouble", *said)] if said[0] != said[1] else []
    return [
        Difference(*place, repr(here.get(place)), repr(there.get(place)))
        for place in dict.fromkeys([*here, *there])
        if here.get(place) != there.get(place)
    ]


def by_chance(found: Sequence[Difference], replies: Iterable[Reply]) -> list[Difference]:
    """Those of `found` that are between desktops too. replies: of further processes of the desktop, one by one.

    No more of them is asked for than it takes. A field is left to chance where two desktops differ in it; status and
    points are so only where some desktop has the browser's.
    """
    open_still, chance = list(found), []
    for reply in replies:
        fields = _fields(reply)
        for one in list(open_still):
            value = repr(fields.get((one.case, one.field)))
            if value == one.browser or (value != one.desktop and one.field not in ("status", "points")):
                open_still.remove(one)
                chance.append(one)
        if not open_still:
            break
    return chance


def cases(reply: Reply) -> int:
    """How many cases a reply judges."""
    return len(reply["verdict"]["cases"]) if "verdict" in reply else 0


def _fields(reply: Reply) -> dict[tuple[str, str], Any]:
    """(case, field) -> value, of everything that a verdict says."""
    if "verdict" not in reply:
        return {}
    verdict = reply["verdict"]
    fields = {(_NO_CASE, name): value for name, value in verdict.items() if name != "cases"}
    for case in verdict["cases"]:
        finding = case["finding"] or {}
        for name, value in [*case.items(), *finding.items()]:
            if name != "finding":
                fields[case["title"], name] = value
    return fields
