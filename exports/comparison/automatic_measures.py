"""What automatic measures say of runs' answers in a comparison, with intervals over questions. Plain Python.

    rouge_l, recall        the mean over a run's answers to answerable questions, against the nearest reference
    rouge_lp               the same of how much of an answer stands in the shown passage that has most of it
    length                 its mean over them in characters; an answer that says nothing has the length 0
    unanswerable_accuracy  of a run's answers to unanswerable questions, those that say that there is no answer
    wrongly_unanswerable   of its answers to answerable ones, those that say so: a fault

An answer that says nothing counts: as 0 for rouge_l and recall, not at all for rouge_lp, and it says that there is
no answer. A run that has no answer to a question is not held against it here. Values are those of answers.csv; each
of a run's questions counts alike.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from exports.comparison.columns import AnswerRow
from exports.comparison.measures import AUTOMATIC, WITHOUT
from stats.clustered_means import Figure, Value, mean


def automatic(answers: Sequence[AnswerRow], *, replicates: int, seed: int) -> dict[str, Figure]:
    """Of one run in one setup: a figure for each measure."""
    answerable = [row for row in answers if row.is_answerable]
    others = [row for row in answers if not row.is_answerable]
    told: dict[str, tuple[Sequence[AnswerRow], Callable[[AnswerRow], Value | None]]] = {
        **{name: (answerable, _of(name)) for name in AUTOMATIC},
        "unanswerable_accuracy": (others, _says_so),
        "wrongly_unanswerable": (answerable, _says_so),
    }
    return {
        name: mean(_known(rows, value), without=WITHOUT[name], replicates=replicates, seed=seed)
        for name, (rows, value) in told.items()
    }


def scored(answers: Iterable[AnswerRow], name: str) -> dict[tuple[str, str], float | None]:
    """By question and run, on answerable questions."""
    return {
        (row.turn_id, row.run): getattr(row, name)
        for row in answers
        if row.is_answerable and row.answer_id
    }


def _known(
    rows: Iterable[AnswerRow], value: Callable[[AnswerRow], Value | None]
) -> dict[str, list[Value]]:
    pairs = ((row.turn_id, value(row)) for row in rows)
    return {question: [known] for question, known in pairs if known is not None}


def _of(name: str) -> Callable[[AnswerRow], Value | None]:
    def value(row: AnswerRow) -> Value | None:
        number = getattr(row, name)
        return None if number is None else Fraction(number)

    return value


def _says_so(row: AnswerRow) -> Value:
    return int(row.says_unanswerable)
