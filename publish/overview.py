"""The map of the course: one card a session, with what it builds and what it asks for. Made from the sources."""

import re
from collections.abc import Sequence

from grader.authoring.release import slug
from grader.authoring.source import Source, SourceError
from grader.checks import sessions

_BUILD = re.compile(r"\*\*You will build\*\* (.*?)\n\n", re.DOTALL)
_MINUTES = re.compile(r"\*\*Minutes\*\* about (\d+)")


def overview(all_sources: Sequence[Source]) -> str:
    """A grid of cards as MyST Markdown; raises `SourceError` where a first cell does not say what it must."""
    return "\n".join(["::::{grid} 1 1 2 2", ":gutter: 3", "", *(_card(one) for one in all_sources), "::::", ""])


def _card(source: Source) -> str:
    builds, minutes = _first_cell(source, _BUILD), _first_cell(source, _MINUTES)
    session = sessions()[source.session_id]
    points = sum(exercise.points for exercise in session.exercises)
    whole = [one for one in session.builds if one.rpartition(".")[0] not in session.builds]
    adds = ", ".join(f"`{module}`" for module in whole)
    return "\n".join(
        [
            f":::{{grid-item-card}} {session.number} · {source.title}",
            f":link: /sessions/{slug(source)}",
            ":link-type: doc",
            "",
            builds[0].upper() + builds[1:],
            *(["", f"Becomes {adds}."] if adds else []),
            "```{card-footer}",
            f"{len(session.exercises)} exercises · {points} points · {minutes} minutes",
            "```",
            ":::",
            "",
        ]
    )


def _first_cell(source: Source, wanted: re.Pattern[str]) -> str:
    found = wanted.search(source.cells[0].text + "\n\n")
    if not found:
        raise SourceError(f"{source.path.name}: the first cell has no {wanted.pattern!r}, which the map shows")
    return " ".join(found[1].split())
