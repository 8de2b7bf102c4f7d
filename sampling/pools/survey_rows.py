"""The rows of a survey, one a turn, in plain values that a job can store as JSON (sampling.pools.survey)."""

from collections.abc import Sequence
from typing import NamedTuple

from sampling.pools.draws import likeness_of, question_text
from sampling.pools.selection import TurnAnswers
from sampling.pools.turns import question_word
from text import near_duplicates
from text.bags import Bag, BagKind, bag

# Runs, a bit each in the order in which they are named.
Runs = int
# Who said something, parted by the score that their answers have.
ScoredRuns = Sequence[tuple[Runs, float | None]]


class Row(NamedTuple):
    """A turn.

    Each of `texts` has the number of its bag and its runs with their scores, in order of the texts.

    `near` has the places of two texts of different bags that are near, with their nearness.
    """

    turn: str
    empty: Runs
    no_reference: Runs
    same_as_reference: ScoredRuns
    same_as_question: ScoredRuns
    texts: Sequence[tuple[int, ScoredRuns]]
    near: Sequence[tuple[int, int, float]] = ()
    word: str = "other"  # sampling.pools.turns.question_word
    likeness: float | None = None  # of all runs' answers: sampling.pools.draws.likeness
    standing: Sequence[int] = ()  # the places of texts that stand: sampling.pools.selection


def row_of_turn(
    turn: TurnAnswers, kind: BagKind, runs: Sequence[str], least: float | None = None
) -> Row:
    """Return the row of a turn, for rules whose `near` is `least`; `runs` names all runs.

    After serialisation to JSON, `Row(*row)` restores it.
    """
    by_text = _by_text(turn, runs)
    empty = _union(by_text.pop("", ()))
    if not any(reference.strip() for reference in turn.references):
        return Row(turn.turn, empty, _union(*by_text.values()), (), (), ())
    bags = {text: bag(text, kind) for text in sorted(by_text)}
    references = {bag(text, kind) for text in turn.references}
    questions = {bag(text, kind) for text in turn.questions} - references
    closed = references | questions
    opened = [text for text, found in bags.items() if found not in closed]
    near_ones = [] if least is None else near_duplicates.pairs(opened, least)
    numbers: dict[Bag, int] = {}
    return Row(
        turn.turn,
        empty,
        0,
        [each for text, found in bags.items() if found in references for each in by_text[text]],
        [each for text, found in bags.items() if found in questions for each in by_text[text]],
        [(numbers.setdefault(bags[text], len(numbers)), by_text[text]) for text in opened],
        [pair for pair in near_ones if bags[opened[pair[0]]] != bags[opened[pair[1]]]],
        question_word(question_text(turn)),
        likeness_of({bags[text] for text in opened}),
        [place for place, text in enumerate(opened) if text in turn.standing],
    )


def _by_text(turn: TurnAnswers, runs: Sequence[str]) -> dict[str, ScoredRuns]:
    bits = {run: 1 << place for place, run in enumerate(runs)}
    masks: dict[str, dict[float | None, Runs]] = {}
    for answer in turn.answers:
        scores = masks.setdefault(answer.text.strip(), {})
        scores[answer.score] = scores.get(answer.score, 0) | bits[answer.run]
    return {
        text: [(mask, score) for score, mask in scores.items()] for text, scores in masks.items()
    }


def _union(*parts: ScoredRuns) -> Runs:
    together = 0
    for part in parts:
        for runs, _ in part:
            together |= runs
    return together
