"""Simulated preferences as the records that `exports.comparison` takes. Imports no Django."""

from collections.abc import Iterator

from bench.preferences import Design, Preferences
from stats.pairwise.records import Preference, Rating, Side

Key = tuple[str, str]  # question and run
Pair = tuple[str, str]  # two runs


def runs_of(design: Design) -> list[str]:
    return [f"r{number}" for number in range(len(design.strengths))]


def comparisons(sample: Preferences, design: Design) -> list[Preference]:
    """Return the comparisons of every person and pair.

    The first of the pair is on the left as in the sample.
    """
    runs, left = runs_of(design), sample.left.tolist()
    return [
        _comparison(
            question,
            f"{person}",
            (runs[one], runs[other]),
            who,
            is_left=left[row][person][place] == 1,
        )
        for row, question in enumerate(_questions(sample))
        for person, said in enumerate(sample.won[row].tolist())
        for place, ((one, other), who) in enumerate(zip(design.pairs, said, strict=True))
    ]


def ratings(sample: Preferences, design: Design) -> list[Rating]:
    runs = runs_of(design)
    return [
        Rating(question, run, f"{question} {run}", f"{person}", faithful, appropriate)
        for row, question in enumerate(_questions(sample))
        for person, said in enumerate(sample.rated[row].tolist())
        for run, (faithful, appropriate) in zip(runs, said, strict=True)
    ]


def lengths(sample: Preferences, design: Design) -> dict[Key, int]:
    return dict(zip(_keys(sample, design), sample.lengths.ravel().tolist(), strict=True))


def scores(sample: Preferences, design: Design) -> dict[Key, float | None]:
    return dict(zip(_keys(sample, design), sample.scored.ravel().tolist(), strict=True))


def _questions(sample: Preferences) -> list[str]:
    return [f"{row:05}" for row in range(len(sample))]


def _keys(sample: Preferences, design: Design) -> Iterator[Key]:
    return ((question, run) for question in _questions(sample) for run in runs_of(design))


def _comparison(question: str, person: str, pair: Pair, who: int, *, is_left: bool) -> Preference:
    """Return the record; `who` is 0 for the first of the pair, 1 for the second, 2 for a tie."""
    left, right = pair if is_left else pair[::-1]
    preferred: Side = "tie" if who == 2 else "left" if (who == 0) == is_left else "right"
    return Preference(question, f"{person} {' '.join(pair)}", person, left, right, preferred)
