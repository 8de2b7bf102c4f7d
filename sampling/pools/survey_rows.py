"""What a survey knows of each turn, in plain values that a job can keep as JSON (sampling.pools.survey)."""

from collections.abc import Sequence
from typing import NamedTuple

from sampling.pools.selection import TurnAnswers, asked, likeness_of
from sampling.pools.turns import question_word
from text import near_duplicates
from text.bags import Bag, BagKind, bag

# Runs, a bit each in the order in which they are named.
Runs = int
# Who said something, parted by the score that their answers have.
Said = Sequence[tuple[Runs, float | None]]


class Row(NamedTuple):
    """A turn. Each of `texts` is the number of its bag and who said it; they come in order of the texts.

    `near` are the places of two texts of different bags that are near, and how near they are.
    """

    turn: str
    empty: Runs
    no_reference: Runs
    same_as_reference: Said
    same_as_question: Said
    texts: Sequence[tuple[int, Said]]
    near: Sequence[tuple[int, int, float]] = ()
    word: str = "other"  # sampling.pools.turns.question_word
    likeness: float | None = None  # of all runs' answers: sampling.pools.selection.likeness


def described(
    turn: TurnAnswers, kind: BagKind, runs: Sequence[str], least: float | None = None
) -> Row:
    """The row of a turn, for rules whose `near` is `least`; `runs` names all that may answer.

    After a way through JSON, `Row(*row)` is as good.
    """
    said = _by_text(turn, runs)
    empty = _union(said.pop("", ()))
    if not any(reference.strip() for reference in turn.references):
        return Row(turn.turn, empty, _union(*said.values()), (), (), ())
    bags = {text: bag(text, kind) for text in sorted(said)}
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
        [each for text, found in bags.items() if found in references for each in said[text]],
        [each for text, found in bags.items() if found in questions for each in said[text]],
        [(numbers.setdefault(bags[text], len(numbers)), said[text]) for text in opened],
        [pair for pair in near_ones if bags[opened[pair[0]]] != bags[opened[pair[1]]]],
        question_word(asked(turn)),
        likeness_of({bags[text] for text in opened}),
    )


def _by_text(turn: TurnAnswers, runs: Sequence[str]) -> dict[str, Said]:
    bits = {run: 1 << place for place, run in enumerate(runs)}
    found: dict[str, dict[float | None, Runs]] = {}
    for answer in turn.answers:
        scores = found.setdefault(answer.text.strip(), {})
        scores[answer.score] = scores.get(answer.score, 0) | bits[answer.run]
    return {
        text: [(mask, score) for score, mask in scores.items()] for text, scores in found.items()
    }


def _union(*parts: Said) -> Runs:
    together = 0
    for part in parts:
        for runs, _ in part:
            together |= runs
    return together
