"""Selection of candidates from answers and scores, with a fate for every answer.

In a turn with at least one reference that is not blank, with `bag` as in text.bags:

    closed     = bags of the references and of the question's texts
    would-be   = of the texts scoring strictly above the threshold, highest first, ties by text (code points):
                 the first text of each bag that is not closed; with `near` (text.near_duplicates), of
                 those the first of each group that are nearly the same
    too few    : fewer would-be than `min_candidates` -> the turn gives none
    candidates = the would-be, or if there are more than `cap_per_turn`, a random draw of that many

Of the turns that have candidates `n_turns` are drawn, if the rule says so (sampling.pools.turns);
the others give none. At last, if the rule leaves out what stands, the candidates go whose very text people
are or were asked about on an earlier version of the data set, on a turn that is the same
(TurnAnswers.standing). A candidate's inclusion probability is that of its turn times that of its lot
under the cap.

"Its bag is a candidate's" below includes the bag of a text above the threshold that was merged with
that candidate as nearly the same. A text at or below the threshold is compared by its bag only.

A text is an answer stripped of outer white space. Its score is the highest that any run's answer of
that exact text has in the turn; unequal ones are listed as conflicts (no score is not a different
score).

States. The first row that applies is the fate of an answer:

| state             | condition                                                          | candidate_text     |
| ----------------- | ------------------------------------------------------------------ | ------------------ |
| empty             | the text is empty                                                  | None               |
| no_reference      | the turn has no reference, or blank ones only                      | None               |
| same_as_reference | its bag is a reference's, whatever its score                       | None               |
| same_as_question  | its bag is the question's, whatever its score                      | None               |
| too_few_in_turn   | its bag is a would-be candidate's, and the turn has too few        | None               |
| turn_not_drawn    | its bag is a would-be candidate's, of a turn that was not drawn    | None               |
| capped            | its bag is a would-be candidate's that the cap left out            | None               |
| drawn             | it is a candidate's exact text: its run is credited                | the text           |
| stands            | it is the exact text of a candidate that stands: see above         | the text           |
| represented       | its bag is a candidate's, whatever its score; inherits no verdict  | that candidate's   |
| no_score          | its text has no score                                              | None               |
| below_threshold   | otherwise: the score is at or below the threshold                  | None               |

Right: threshold .8, scores .81 .80 -> one would-be candidate: .80 itself is not above. Wrong:
"capped", "turn_not_drawn" and "too_few_in_turn" are not only for high scores: an answer far below
the threshold with the bag of a would-be candidate shares its fate, as it would have been
represented by it.

Order. Turns are returned in the given order; within a turn candidates by score (highest first) then
text, fates by run, conflicts by text. The order of answers and runs changes nothing, that of the
turns only the order of the result: the cap's draw and a turn's lot are seeded from (seed, turn).

sampling.pools.draws draws over all turns, sampling.pools.turn_selection within one.

Source: the shared task's notebooks (in which the order of files decides whose answer is kept).
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from operator import attrgetter
from typing import NamedTuple


class AnswersError(ValueError):
    """Invalid answers: a turn twice, a run twice in a turn, a score that is not a number."""


class State(StrEnum):
    DRAWN = "drawn"
    STANDS = "stands"
    REPRESENTED = "represented"
    SAME_AS_REFERENCE = "same_as_reference"
    SAME_AS_QUESTION = "same_as_question"
    BELOW_THRESHOLD = "below_threshold"
    TOO_FEW_IN_TURN = "too_few_in_turn"
    TURN_NOT_DRAWN = "turn_not_drawn"
    CAPPED = "capped"
    EMPTY = "empty"
    NO_REFERENCE = "no_reference"
    NO_SCORE = "no_score"


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    run: str
    text: str
    score: float | None


@dataclass(frozen=True, slots=True)
class TurnAnswers:
    """A turn's answers, one a run. A turn whose references are all blank has no truth."""

    turn: str
    questions: tuple[str, ...]  # the question in each wording that counts: original, rewrite
    references: tuple[str, ...]
    answers: tuple[GivenAnswer, ...]
    # The texts that people are or were asked about on earlier versions of the data set, where this turn is the same.
    standing: frozenset[str] = frozenset()


class DrawnCandidate(NamedTuple):
    turn: str
    text: str
    score: float
    # Of its turn, times cap / would-be candidates where the cap chose; else 1.0.
    inclusion_probability: float


class Fate(
    NamedTuple
):  # there are as many as answers: a tuple is made faster than a frozen dataclass
    turn: str
    run: str
    state: State
    candidate_text: str | None


@dataclass(frozen=True, slots=True)
class ScoreConflict:
    turn: str
    text: str
    scores: tuple[float, ...]  # the unequal ones, highest (the one that counts) first


class WhyKept(StrEnum):
    HIGHER_SCORE = "higher score"
    FIRST_BY_TEXT = "equal score, first by text"


@dataclass(frozen=True, slots=True)
class Merge:
    """A would-be candidate that is merged with a near-duplicate, and why that one is kept."""

    turn: str
    kept: str
    kept_score: float
    text: str
    score: float
    nearness: float  # of the two, `rule.near` to 1 (text.near_duplicates)
    why: WhyKept


class Odds(NamedTuple):
    """The probability of a turn, drawn or not, and of each would-be candidate under the cap."""

    turn: float
    cap: float


@dataclass(frozen=True, slots=True)
class DrawResult:
    """The result of a draw. Every answer of every run has exactly one fate."""

    candidates: tuple[DrawnCandidate, ...]
    fates: tuple[Fate, ...]
    conflicts: tuple[ScoreConflict, ...]
    merges: tuple[Merge, ...]  # of all turns, those with too few too
    # Where the rule draws some turns: those of every turn that might have been drawn. Where it draws all turns: those
    # of the turns in which a candidate stands that the cap might have left out.
    odds: Mapping[str, Odds] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Counts:
    by_state: dict[State, int]  # by_each_state(); adds up to the answers given
    n_candidates: int
    n_turns: int  # turns with at least one candidate
    n_turns_not_drawn: int = 0  # that would have given one


def counts(result: DrawResult) -> Counts:
    by_state = Counter(map(attrgetter("state"), result.fates))
    return Counts(
        by_state=by_each_state(by_state),
        n_candidates=len(result.candidates),
        n_turns=len({candidate.turn for candidate in result.candidates}),
        n_turns_not_drawn=len(
            {fate.turn for fate in result.fates if fate.state is State.TURN_NOT_DRAWN}
        ),
    )


def by_each_state(numbers: Mapping[State, int]) -> dict[State, int]:
    """Return the numbers by state, 0 where there is none; `stands` only where something does."""
    states = [each for each in State if each is not State.STANDS or numbers.get(each)]
    return {state: numbers.get(state, 0) for state in states}
