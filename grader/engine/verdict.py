"""What a judgment says: plain records that a notebook, a terminal, a report and the gradebook all show."""

from dataclasses import asdict, dataclass, field
from typing import Any

# Worst last: an exercise whose cases ended in different ways is named after the worst.
STATUSES = (
    "passed",
    "failed",
    "not_found",
    "output_limit",
    "timed_out",
    "out_of_memory",
    "crashed",
    "unreadable",
    "not_judged",
)


@dataclass(frozen=True)
class Finding:
    """Why a case did not pass. All fields are text for people.

    call: what the check called; got, expected, because: the claim; happened: the calls that reached the tools;
    reported: the steps that the student's receipt lists; parts_at: the index in `happened` from which on the two part;
    traceback: of the student's code alone.
    """

    expected: str = ""
    got: str = ""
    because: str = ""
    call: str = ""
    returned: str = ""
    happened: tuple[str, ...] = ()
    reported: tuple[str, ...] | None = None
    parts_at: int | None = None
    traceback: tuple[str, ...] = ()


@dataclass(frozen=True)
class CaseResult:
    """How one case ended: `status` is one of `STATUSES`; `reason` a sentence unless it passed or failed."""

    name: str
    title: str
    status: str
    points: int
    max_points: int
    reason: str = ""
    finding: Finding | None = None


@dataclass(frozen=True)
class Verdict:
    """The judgment of one exercise of one student."""

    exercise: str
    title: str
    cases: tuple[CaseResult, ...] = field(default=())
    note: str = ""

    @property
    def status(self) -> str:
        """`passed` where every case passed, else the worst that happened."""
        return max((case.status for case in self.cases), key=STATUSES.index, default="not_judged")

    @property
    def passed(self) -> bool:
        """Whether every case passed."""
        return self.status == "passed"

    @property
    def points(self) -> int:
        """The sum over the cases that passed."""
        return sum(case.points for case in self.cases)

    @property
    def max_points(self) -> int:
        """The most that the exercise can give."""
        return sum(case.max_points for case in self.cases)

    def to_record(self) -> dict[str, Any]:
        """As plain JSON data."""
        return asdict(self)

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> "Verdict":
        """The opposite of `to_record`."""
        return cls(**{**record, "cases": tuple(_case(case) for case in record["cases"])})


def _case(record: dict[str, Any]) -> CaseResult:
    finding = record["finding"]
    if finding is not None:
        reported = finding["reported"]
        finding = Finding(
            **{
                **finding,
                "happened": tuple(finding["happened"]),
                "traceback": tuple(finding["traceback"]),
                "reported": None if reported is None else tuple(reported),
            }
        )
    return CaseResult(**{**record, "finding": finding})
