"""Which written answers another person sees in a second round. Imports no Django.

In CLAP-NQ (Rosenthal et al. 2024, section 3) these are the answers that rest on sentences which do not follow one
another: a second person keeps or changes them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Any

from annotation.schemes.written_questions import TITLE

ANSWERED, UNANSWERABLE, SKIP = "answered", "unanswerable", "skip"
# The names of the ticked sentences of the one passage, each before the number.
SENTENCE = "s.1."


class Routes(StrEnum):
    """Which answers go to the second round: `gaps` those whose sentences are not consecutive, `unanswerable` these and
    those that say that the passage does not answer, `all` every written answer.
    """

    GAPS = "gaps"
    UNANSWERABLE = "unanswerable"
    ALL = "all"


class Kind(StrEnum):
    """What routing looks at in an answer. ONE also without a sentence, where only the title is ticked."""

    GAPS = "gaps"
    ONE = "one sentence"
    CONSECUTIVE = "consecutive"
    UNANSWERABLE = "unanswerable"
    SKIPPED = "skipped"


KINDS_ROUTED = {
    Routes.GAPS: {Kind.GAPS},
    Routes.UNANSWERABLE: {Kind.GAPS, Kind.UNANSWERABLE},
    Routes.ALL: {Kind.GAPS, Kind.ONE, Kind.CONSECUTIVE},
}


@dataclass(frozen=True)
class Written:
    """What somebody answered. `ticked` are numbers of sentences, sorted: from 1, and 0 for the title."""

    outcome: str
    answer: str
    ticked: tuple[int, ...]

    @classmethod
    def of_response(cls, response: Mapping[str, str]) -> "Written":
        numbers = (name.removeprefix(SENTENCE) for name in response if name.startswith(SENTENCE))
        return cls(
            response["outcome"], response.get("answer", ""), tuple(sorted(map(int, numbers)))
        )

    @classmethod
    def of_payload(cls, written: Mapping[str, Any]) -> "Written":
        return cls(written["outcome"], written["answer"], tuple(written["ticked"]))

    def to_payload(self) -> dict[str, Any]:
        """Return it as the payload of a second round has it: without who wrote it."""
        return {"outcome": self.outcome, "answer": self.answer, "ticked": list(self.ticked)}

    @property
    def kind(self) -> Kind:
        if self.outcome == SKIP:
            return Kind.SKIPPED
        if self.outcome == UNANSWERABLE:
            return Kind.UNANSWERABLE
        body = [n for n in self.ticked if n != TITLE]
        if len(body) < 2:
            return Kind.ONE
        return Kind.GAPS if any(b - a > 1 for a, b in pairwise(body)) else Kind.CONSECUTIVE

    def is_routed(self, routes: Routes) -> bool:
        return self.kind in KINDS_ROUTED[routes]


@dataclass(frozen=True)
class Counts:
    """The answers of a first round. `n_written` are all; the others add up to them: the routed ones, and of those that
    are not routed each kind.
    """

    n_written: int
    n_routed: int
    n_one_sentence: int
    n_consecutive: int
    n_unanswerable: int
    n_skipped: int


def counts(answers: Iterable[Written], routes: Routes) -> Counts:
    kinds = Counter(each.kind for each in answers)
    routed = KINDS_ROUTED[routes]
    left = Counter({kind: n for kind, n in kinds.items() if kind not in routed})
    return Counts(
        n_written=kinds.total(),
        n_routed=kinds.total() - left.total(),
        n_one_sentence=left[Kind.ONE],
        n_consecutive=left[Kind.CONSECUTIVE],
        n_unanswerable=left[Kind.UNANSWERABLE],
        n_skipped=left[Kind.SKIPPED],
    )
