"""What annotators said of systems' answers side by side, as plain rows.

A distinct answer that several runs gave gives one row for each of these runs, and a comparison one row for
each pair of runs that it speaks of. `answer` and `judgement` name what was judged and what was said, so that
a figure of judgements, not of runs, can count each once. A question is a turn.

Only judgements that count are to come here: neither withdrawn nor surplus, of no control or excluded item.
"""

from dataclasses import dataclass
from typing import Literal

Side = Literal["left", "right", "tie"]


@dataclass(frozen=True, slots=True)
class Rated:
    """One annotator's ratings, from 1 (no) to 4 (yes), of one answer; None where there is none."""

    question: str
    run: str
    answer: str
    annotator: str
    faithful: float | None
    appropriate: float | None
    unknown: bool = False  # it says that it does not know
    incoherent: bool = False
    is_answerable: bool = True


@dataclass(frozen=True, slots=True)
class Compared:
    """Which of two runs' answers one annotator preferred; `left` and `right` are the runs."""

    question: str
    judgement: str
    annotator: str
    left: str
    right: str
    preferred: Side

    def winner(self) -> str | None:
        """Returns None for a tie."""
        if self.preferred == "tie":
            return None
        return self.left if self.preferred == "left" else self.right


@dataclass(frozen=True, slots=True)
class PassageJudgement:
    """Whether one annotator found a passage relevant to the question."""

    question: str
    passage: str
    annotator: str
    is_relevant: bool


@dataclass(frozen=True, slots=True)
class SupportJudgement:
    """Whether one annotator said that a passage supports a run's answer; asked of faithful ones only."""

    question: str
    run: str
    answer: str
    passage: str
    annotator: str
    supports: bool
