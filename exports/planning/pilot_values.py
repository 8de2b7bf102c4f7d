"""The values of a pilot's judgements by run, and of the differences of runs. Imports no Django.

F+A, faithful, appropriate   a run's rating by a person, on answerable questions; the difference of two
                             runs' ratings by the same person
preference                   of a run 1 if it was preferred, else 0; the difference of two is 1, -1, or 0 for
                             a tie, of their comparisons with each other
plausible                    1 if the answer was called plausible, else 0; the difference of two by the same
                             person
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import TypeVar

from annotation.schemes.plausibility import SCHEME as PLAUSIBILITY
from annotation.schemes.preference import SCHEME as PREFERENCE
from exports.comparison.records_from_rows import credited_runs, records
from exports.planning.measures import Measure
from exports.rows.columns import JudgementRow
from stats import ratings
from stats.pairwise.records import Preference, Rating
from stats.variance_components import Value

# More pairs of runs make the mean of their components hardly more exact.
MOST_PAIRS = 100

Table = Sequence[Value]
Pair = TypeVar("Pair")
RATED: Mapping[str, Callable[[Rating], Fraction | None]] = {
    "both": ratings.both,
    "faithful": ratings.faithful,
    "appropriate": ratings.appropriate,
}


def tables(
    measure: Measure, rows: Sequence[JudgementRow], unanswerable: Collection[str]
) -> tuple[list[Table], list[Table]]:
    """The tables of the differences of each two runs, and of each run.

    Of more than MOST_PAIRS pairs of runs every second, third … is taken, in the order of their names.
    `unanswerable` has the ids of turns.
    """
    if measure.scheme == PREFERENCE.name:
        compared = records(rows, unanswerable).comparisons
        return _compared_pairs(compared), list(_by_run(_wins(compared)).values())
    if measure.scheme == PLAUSIBILITY.name:
        by_run = _by_run(_votes(rows))
    else:
        value = RATED[measure.name]
        found = records(rows, unanswerable).ratings
        by_run = _by_run(
            (each.run, Value(each.question, each.annotator, float(rated)))
            for each in found
            if each.is_answerable and (rated := value(each)) is not None
        )
    return _differences(by_run), list(by_run.values())


def _by_run(values: Iterable[tuple[str, Value]]) -> dict[str, list[Value]]:
    found: defaultdict[str, list[Value]] = defaultdict(list)
    for run, value in values:
        found[run].append(value)
    return dict(sorted(found.items()))


def _votes(rows: Iterable[JudgementRow]) -> Iterable[tuple[str, Value]]:
    for row in rows:
        if row.question == PLAUSIBILITY.name and row.counted and not row.is_control:
            vote = float(row.label == PLAUSIBILITY.accepted)
            for run in credited_runs(row):
                yield run, Value(row.turn_id, row.annotator, vote)


def _wins(compared: Iterable[Preference]) -> Iterable[tuple[str, Value]]:
    for each in compared:
        for run in (each.left, each.right):
            yield run, Value(each.question, each.annotator, float(each.winner() == run))


def _compared_pairs(compared: Iterable[Preference]) -> list[Table]:
    found: defaultdict[tuple[str, str], list[Value]] = defaultdict(list)
    for each in compared:
        one, other = sorted((each.left, each.right))
        winner = each.winner()
        difference = float(winner == one) - float(winner == other)
        found[one, other].append(Value(each.question, each.annotator, difference))
    return _some([found[pair] for pair in sorted(found)])


def _differences(by_run: Mapping[str, Table]) -> list[Table]:
    cells = [_cell_means(by_run[run]) for run in sorted(by_run)]
    return [
        [Value(*cell, one[cell] - other[cell]) for cell in one if cell in other]
        for one, other in _some(list(combinations(cells, 2)))
    ]


def _cell_means(values: Table) -> dict[tuple[str, str], float]:
    """The mean value of each question and person."""
    found: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for question, person, value in values:
        found[question, person].append(value)
    return {cell: sum(each) / len(each) for cell, each in found.items()}


def _some(pairs: list[Pair]) -> list[Pair]:
    return pairs[:: -(-len(pairs) // MOST_PAIRS) or 1]
