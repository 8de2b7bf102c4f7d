"""Automatic measures of runs in a comparison, with intervals over questions. Imports no Django.

    rouge_l, recall        mean over a run's answers to answerable questions, against the nearest reference
    rouge_lp               mean over the same answers, against the passage on the screen that is nearest
    length                 mean length of the same answers in characters
    unanswerable_accuracy  share of a run's answers to unanswerable questions that say that there is no answer
    wrongly_unanswerable   share of its answers to answerable questions that say so, a fault

An empty answer has the length 0 and 0 for rouge_l and recall, is left out of rouge_lp, and says
that there is no answer. Questions that a run has no answer to are left out. Values are those of
answers.csv; all questions of a run have the same weight. Intervals of means draw the turns of a
conversation together; shares have Wilson's, over questions.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import inf

from exports.comparison.columns import AnswerRow
from exports.comparison.measures import AUTOMATIC, UNDEFINED_REASONS
from exports.rows.ids import conversation
from stats.clustered_means import Figure, mean, share


def automatic_figures(answers: Sequence[AnswerRow]) -> dict[str, Figure]:
    """The figures of one run in one setup, by measure."""
    answerable = [row for row in answers if row.is_answerable]
    unanswerable = [row for row in answers if not row.is_answerable]
    return {
        **{name: _mean_of_column(answerable, name) for name in AUTOMATIC},
        "unanswerable_accuracy": _share(unanswerable, "unanswerable_accuracy"),
        "wrongly_unanswerable": _share(answerable, "wrongly_unanswerable"),
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


def _mean_of_column(answers: Iterable[AnswerRow], name: str) -> Figure:
    values = {row.turn_id: getattr(row, name) for row in answers}
    return mean(
        {turn: [Fraction(number)] for turn, number in values.items() if number is not None},
        without=UNDEFINED_REASONS[name],
        within=(0, inf) if name == "length" else (0, 1),
        cluster=conversation,
    )


def _share(answers: Iterable[AnswerRow], name: str) -> Figure:
    said = {row.turn_id: row.says_unanswerable for row in answers}
    return share(said, without=UNDEFINED_REASONS[name])
