"""Rates weighted by the inverse of the probability that an answer was asked about. Imports no Django.

Where these probabilities are unequal, a rate is one of the drawn questions, and the weighted rate one of all
(`stats.weighted_rates`). The probability is, for every measure, that of being asked by any batch whether the answer
is plausible, which all its items of plausibility have.
"""

from collections.abc import Iterable, Mapping, Sequence

from annotation.schemes import ACCEPTANCE
from exports.results.rates import gold_steps, settled_questions
from exports.rows.columns import AnswerRow, ItemRow
from exports.rows.ids import conversation
from stats.proportion_intervals import Interval
from stats.two_step_rates import Questions, Steps
from stats.weighted_rates import WeightedRate, weighted_rate

NO_PROBABILITY = "an answer has no known inclusion probability"


def answer_weights(items: Iterable[ItemRow]) -> dict[str, float]:
    """Return by answer the inverse of its inclusion probability."""
    return {
        item.answer_id: 1 / item.inclusion_probability
        for item in items
        if item.scheme == ACCEPTANCE.name and not item.is_control
    }


def weighted_rates(
    answers: Sequence[AnswerRow], measure: str, weights: Mapping[str, float]
) -> dict[str, WeightedRate]:
    """Return the weighted rate of each run."""
    given = {(row.run, row.turn_id): row.answer_id for row in answers if row.sampled == "drawn"}
    return {
        run: _weighted(
            questions,
            {question: weights.get(given[run, question]) for question in questions},
        )
        for run, questions in _steps(answers, measure).items()
    }


def _steps(answers: Iterable[AnswerRow], measure: str) -> Mapping[str, Questions]:
    """The steps of each run's answers; of a measure of one step the second always passes."""
    if measure == "gold":
        return gold_steps(answers)
    return {
        run: {question: Steps(holds, holds or None) for question, holds in outcomes.items()}
        for run, outcomes in settled_questions(answers, measure).items()
    }


def _weighted(questions: Questions, weights: Mapping[str, float | None]) -> WeightedRate:
    known = {question: weight for question, weight in weights.items() if weight is not None}
    if len(known) < len(weights):
        return WeightedRate(None, NO_PROBABILITY, Interval(None, None, NO_PROBABILITY))
    return weighted_rate(questions, known, conversation)
