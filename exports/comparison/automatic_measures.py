"""Automatic measures of runs in a comparison, with intervals over questions. Imports no Django.

    rouge_l, recall        mean over a run's answers to answerable questions, against the nearest reference
    rouge_lp               mean over the same answers, against the passage on the screen that is nearest
    length                 mean length of the same answers in characters
    unanswerable_accuracy  share of a run's answers to unanswerable questions that say that there is no answer
    wrongly_unanswerable   share of its answers to answerable questions that say so, a fault

An empty answer has the length 0 and 0 for rouge_l and recall, is left out of rouge_lp, and says
that there is no answer. Questions that a run has no answer to are left out. Values are those of
answers.csv; all questions of a run have the same weight.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from exports.comparison.columns import AnswerRow
from exports.comparison.measures import AUTOMATIC, UNDEFINED_REASONS
from stats.clustered_means import Figure, Value, mean


def automatic_figures(
    answers: Sequence[AnswerRow], *, replicates: int, seed: int
) -> dict[str, Figure]:
    """The figures of one run in one setup, by measure."""
    answerable = [row for row in answers if row.is_answerable]
    unanswerable = [row for row in answers if not row.is_answerable]
    basis_of: dict[str, tuple[Sequence[AnswerRow], Callable[[AnswerRow], Value | None]]] = {
        **{name: (answerable, _column_value(name)) for name in AUTOMATIC},
        "unanswerable_accuracy": (unanswerable, _says_unanswerable),
        "wrongly_unanswerable": (answerable, _says_unanswerable),
    }
    return {
        name: mean(
            _values_by_question(rows, value),
            without=UNDEFINED_REASONS[name],
            replicates=replicates,
            seed=seed,
        )
        for name, (rows, value) in basis_of.items()
    }


def values_by_answer(
    answers: Iterable[AnswerRow], name: str
) -> dict[tuple[str, str], float | None]:
    """The column's values of answers to answerable questions, by question and run."""
    return {
        (row.turn_id, row.run): getattr(row, name)
        for row in answers
        if row.is_answerable and row.answer_id
    }


def _values_by_question(
    rows: Iterable[AnswerRow], value: Callable[[AnswerRow], Value | None]
) -> dict[str, list[Value]]:
    pairs = ((row.turn_id, value(row)) for row in rows)
    return {question: [known] for question, known in pairs if known is not None}


def _column_value(name: str) -> Callable[[AnswerRow], Value | None]:
    def value(row: AnswerRow) -> Value | None:
        number = getattr(row, name)
        return None if number is None else Fraction(number)

    return value


def _says_unanswerable(row: AnswerRow) -> Value:
    return int(row.says_unanswerable)
