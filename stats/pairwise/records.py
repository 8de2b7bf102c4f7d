"""Annotators' judgements of systems' answers side by side, as plain rows.

A distinct answer that several runs gave has one row for each of these runs, and a comparison one
row for each pair of runs that it is about. `answer` and `judgement` identify the answer and the
judgement, so that figures of judgements, not of runs, can count each once. A question is a turn.

Only counted judgements belong here: neither withdrawn nor surplus, of no control or excluded item.
"""

from dataclasses import dataclass
from typing import Literal

Side = Literal["left", "right", "tie"]


@dataclass(frozen=True, slots=True)
class Rating:
    """One annotator's ratings, from 1 (no) to 4 (yes), of one answer; None for a missing one."""

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
class Preference:
    """One annotator's preference between two runs' answers; `left` and `right` are the runs."""

    question: str
    judgement: str
    annotator: str
    left: str
    right: str
    preferred: Side

    def winner(self) -> str | None:
        """Return the preferred run; None for a tie."""
        if self.preferred == "tie":
            return None
        return self.left if self.preferred == "left" else self.right


@dataclass(frozen=True, slots=True)
class PassageJudgement:
    """One annotator's judgement whether a passage is relevant to the question."""

    question: str
    passage: str
    annotator: str
    is_relevant: bool


@dataclass(frozen=True, slots=True)
class SupportJudgement:
    """One annotator's judgement whether a passage supports a run's answer.

    Of faithful answers only.
    """

    question: str
    run: str
    answer: str
    passage: str
    annotator: str
    supports: bool
